import { availableParallelism } from 'node:os'
import { describe, expect, it } from 'vitest'
import { readConfiguration } from './configuration.ts'

const STORES = { DATABASE_URL: 'postgres://db/bowerbird', REDIS_URL: 'redis://cache' }
const read = (env: Record<string, string>) => {
  const { verdict } = readConfiguration(env)
  return verdict.ok ? verdict.value.operation.workers : verdict.mistakes
}

describe('WORKERS', () => {
  it.each([
    [{}, 1],
    [{ ...STORES }, 1],
    [{ WORKERS: '1' }, 1],
    [{ WORKERS: '3', ...STORES }, 3],
    [{ WORKERS: 'auto', ...STORES }, availableParallelism()],
    // There is nothing to share limits or accounts in.
    [{ WORKERS: 'auto' }, 1],
    [{ WORKERS: 'auto', DATABASE_URL: STORES.DATABASE_URL }, 1],
  ])('%j is %i', (env, workers) => {
    expect(read(env)).toBe(workers)
  })

  it.each(['0', '257', '-1', '2.5', 'all', '1e2'])('%s is a mistake', (WORKERS) => {
    expect(read({ WORKERS, ...STORES })).toMatchObject([{ env: 'WORKERS' }])
  })

  it('more than one needs PostgreSQL and Redis, and the mistake names what is missing', () => {
    const mistake = (without: string) => [
      { env: 'WORKERS', message: `can only be 1 without ${without}: workers share accounts and limits there.` },
    ]
    expect(read({ WORKERS: '2' })).toEqual(mistake('DATABASE_URL and REDIS_URL'))
    expect(read({ WORKERS: '2', DATABASE_URL: STORES.DATABASE_URL })).toEqual(mistake('REDIS_URL'))
  })
})
