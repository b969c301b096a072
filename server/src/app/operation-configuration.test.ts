import { describe, expect, it } from 'vitest'
import { EnvironmentReader } from '../config/environment-reader.ts'
import { readWorkers } from './operation-configuration.ts'

const STORES = { DATABASE_URL: 'postgres://db/bowerbird', REDIS_URL: 'redis://cache' }
const read = (env: Record<string, string>) => readWorkers(new EnvironmentReader(env), 8)

describe('WORKERS', () => {
  it.each([
    [{}, 1],
    [{ ...STORES }, 1],
    [{ WORKERS: '1' }, 1],
    [{ WORKERS: '3', ...STORES }, 3],
    [{ WORKERS: 'auto', ...STORES }, 8],
    // There is nothing to share limits or accounts in.
    [{ WORKERS: 'auto' }, 1],
    [{ WORKERS: 'auto', DATABASE_URL: STORES.DATABASE_URL }, 1],
  ])('%j is %i', (env, value) => {
    expect(read(env)).toEqual({ ok: true, value })
  })

  it.each(['0', '257', '-1', '2.5', 'all', '1e2'])('%s is a mistake', (WORKERS) => {
    expect(read({ WORKERS, ...STORES })).toMatchObject({ ok: false })
  })

  it('several need PostgreSQL and Redis, and the mistake says which is missing', () => {
    const message = (without: string) => `can only be 1 without ${without}: workers share accounts and limits there.`
    const mistake = (without: string) => ({ ok: false, mistakes: [{ env: 'WORKERS', message: message(without) }] })
    expect(read({ WORKERS: '2' })).toEqual(mistake('DATABASE_URL and REDIS_URL'))
    expect(read({ WORKERS: '2', DATABASE_URL: STORES.DATABASE_URL })).toEqual(mistake('REDIS_URL'))
  })
})
