// What a search says and counts if this node declines to call one of its engines.
import { UpstreamError, type UpstreamErrorKind } from '@bowerbird/engines/upstream-error.ts'
import { expect, it } from 'vitest'
import type { CountedSearch } from './contributions/contribution-counts.ts'
import { cacheStatusHeader } from './engine-report.ts'
import { playSearch } from './search.test-harness.ts'

function playFailing(kind: UpstreamErrorKind) {
  const countedSearches: CountedSearch[] = []
  const { find } = playSearch(
    { working: { pages: ['a'] }, failing: { pages: new UpstreamError(kind, 'as the test wants it') } },
    { countSearch: (counted) => countedSearches.push(counted) },
  )
  return { find, countedSearches }
}

it.each(['open', 'overBudget', 'busy'] as const)(
  'a search that finds one engine in the cache and the other %s has called no provider',
  async (kind) => {
    const { find, countedSearches } = playFailing(kind)
    await find()
    countedSearches.length = 0
    const { reports } = await find()
    expect(cacheStatusHeader(reports)).toBe('bowerbird; hit')
    expect(countedSearches).toEqual([])
  },
)

it('an engine whose address is guarded was called: the guard refuses it while connecting', async () => {
  const { reports } = await playFailing('guarded').find()
  expect(reports).toContainEqual(expect.objectContaining({ slot: 'failing', kind: 'guarded', calledProvider: true }))
})
