// The metrics of the cache count each response once for each search that uses it, wherever it came from.
import { expect, it } from 'vitest'
import { createResponseCache } from '../cache/response-cache.ts'
import { createLog } from '../log.ts'
import { playSearch } from './search.test-harness.ts'

const NOTHING = { memory: 0, shared: 0, stale: 0, miss: 0, error: 0 }

function playCounted(engines: Parameters<typeof playSearch>[0]) {
  const cache = createResponseCache({
    shared: undefined,
    clock: Date.now,
    maxAgeSeconds: 100,
    log: createLog('silent'),
  })
  return { cache, ...playSearch(engines, { cache }) }
}

it('a response is counted once if the search looks it up in memory and then needs another wave', async () => {
  const when = { results: 2, agreement: 0 }
  const { cache, find } = playCounted({ first: { pages: ['a'] }, second: { pages: 'fails', when } })
  await find()
  expect(cache.results).toEqual({ ...NOTHING, miss: 1, error: 1 })
  await find()
  expect(cache.results).toEqual({ ...NOTHING, miss: 1, memory: 1, error: 2 })
})

it('a response of the second wave is counted if it is used although the first had to be called', async () => {
  const when = { results: 2, agreement: 0 }
  const { cache, find } = playCounted({ first: { pages: ['a'] }, second: { pages: ['b'], when } })
  await find({ engines: ['second'] })
  await find()
  expect(cache.results).toEqual({ ...NOTHING, miss: 2, memory: 1 })
})

it('asking whether an answer is current counts nothing', async () => {
  const { cache, find } = playCounted({ only: { pages: ['a'] } })
  await find()
  const { isCurrent } = await find()
  expect([isCurrent?.(), isCurrent?.()]).toEqual([true, true])
  expect(cache.results).toEqual({ ...NOTHING, miss: 1, memory: 1 })
})
