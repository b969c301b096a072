import { describe, expect, it } from 'vitest'
import { pass, simulateTime } from '../../../engines/test/simulated-time.ts'
import { createProviderPool } from './provider-pool.ts'

simulateTime()

function open() {
  const opened: string[] = []
  const closed: string[] = []
  const busy = new Set<string>()
  const pool = createProviderPool<ReturnType<typeof provider>>()
  const provider = (name: string) => {
    opened.push(name)
    return { name, isIdle: () => !busy.has(name), close: async () => void closed.push(name) }
  }
  const replace = (...names: string[]) =>
    pool.replace(new Map(names.map((name) => [name, () => provider(name)]))).map(({ name }) => name)
  return { opened, closed, busy, pool, provider, replace }
}

describe('providers', () => {
  it('whose settings stay the same stay open', () => {
    const { opened, replace } = open()
    replace('brave 1', 'mojeek')
    expect(replace('mojeek', 'brave 2')).toEqual(['mojeek', 'brave 2'])
    expect(opened).toEqual(['brave 1', 'mojeek', 'brave 2'])
  })

  it('are closed once no search can call them any more and their calls are done', async () => {
    const { closed, busy, replace } = open()
    replace('brave 1', 'mojeek')
    busy.add('brave 1')
    replace('brave 2')
    await pass(59_000)
    expect(closed).toEqual([])
    await pass(2_000)
    expect(closed).toEqual(['mojeek'])
    busy.clear()
    await pass(10_000)
    expect(closed).toEqual(['mojeek', 'brave 1'])
  })

  it('are all closed at the end, those that wait for it too, each once', async () => {
    const { closed, pool, replace } = open()
    replace('brave 1')
    replace('brave 2')
    await pool.close()
    await pass(100_000)
    expect(closed).toEqual(['brave 2', 'brave 1'])
  })

  it('stay as they were if one cannot be opened', async () => {
    const { closed, pool, provider, replace } = open()
    replace('brave 1')
    const failing = () => {
      throw new Error('no')
    }
    expect(() => pool.replace(new Map([['mojeek', failing]]))).toThrow('no')
    await pass(100_000)
    expect(closed).toEqual([])
    expect(pool.replace(new Map([['brave 1', () => provider('again')]])).map(({ name }) => name)).toEqual(['brave 1'])
  })
})
