import { expect, test } from 'vitest'
import { createLog } from '../log.ts'
import { WriteBehind } from './write-behind.ts'

interface Count {
  key: string
  count: number
}

function setUp(parts: { rowsPerWrite?: number; maxRows?: number } = {}) {
  const written: Count[][] = []
  let failure: Error | undefined
  const ledger = new WriteBehind<Count>({
    name: 'usage',
    everyMs: 1_000,
    log: createLog('silent'),
    async write(rows) {
      await Promise.resolve()
      if (failure) throw failure
      written.push(rows)
    },
    ...parts,
  })
  const put = (key: string, count: number) => ledger.put(key, { key, count })
  const fail = (error: Error | undefined) => {
    failure = error
  }
  return { ledger, written, put, fail }
}

test('rows are written once, the newest of each key', async () => {
  const { ledger, written, put } = setUp()
  put('a', 1)
  put('b', 1)
  put('a', 2)
  expect(await ledger.flush()).toBe(true)
  await ledger.flush()
  expect(written).toEqual([
    [
      { key: 'a', count: 2 },
      { key: 'b', count: 1 },
    ],
  ])
  expect(ledger.unwritten()).toEqual([])
})

test('a row that changes while it is written is written again', async () => {
  const { ledger, written, put } = setUp()
  put('a', 1)
  const flushed = ledger.flush()
  await Promise.resolve()
  put('a', 2)
  await flushed
  expect(ledger.unwritten()).toEqual([{ key: 'a', count: 2 }])
  await ledger.flush()
  expect(written.flat().map(({ count }) => count)).toEqual([1, 2])
})

test('rows that cannot be written are kept and written later', async () => {
  const { ledger, written, put, fail } = setUp()
  fail(new Error('away'))
  put('a', 1)
  expect(await ledger.flush()).toBe(false)
  expect(ledger.state.succeededAt).toBe(0)
  fail(undefined)
  expect(await ledger.flush()).toBe(true)
  expect(written).toEqual([[{ key: 'a', count: 1 }]])
})

test('a batch that was written before a failure is not written again', async () => {
  const { ledger, written, put, fail } = setUp({ rowsPerWrite: 1 })
  put('a', 1)
  put('b', 1)
  const flushed = ledger.flush()
  await Promise.resolve()
  await Promise.resolve()
  fail(new Error('away'))
  await flushed
  fail(undefined)
  await ledger.flush()
  expect(written.flat().map(({ key }) => key)).toEqual(['a', 'b'])
})

test('stopping writes what is left', async () => {
  const { ledger, written, put } = setUp()
  ledger.start()
  put('a', 1)
  await ledger.stop()
  expect(written.flat()).toEqual([{ key: 'a', count: 1 }])
})

test('the oldest rows are dropped when too many wait', () => {
  const { ledger, put } = setUp({ maxRows: 2 })
  for (const key of ['a', 'b', 'c']) put(key, 1)
  expect(ledger.unwritten().map(({ key }) => key)).toEqual(['b', 'c'])
})
