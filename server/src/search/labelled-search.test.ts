import type { WebHit } from '@bowerbird/engines/engine.ts'
import { describe, expect, it } from 'vitest'
import { labelledSearch } from './labelled-search.ts'
import { mergeRankings } from './merge.ts'
import type { SearchRequest } from './plan.ts'
import type { Search } from './search.ts'
import type { ResultsSoFar } from './search-watcher.ts'

const REQUEST: SearchRequest = { text: 'boiler', engines: [], safe: true, lang: '', page: 1, date: undefined }
const hitAt = (url: string): WebHit => {
  return { title: url, url, description: '', faviconUrl: '', publishedAt: undefined, sitelinks: [] }
}
const RESULTS = mergeRankings(
  [
    { slot: 'karakeep', name: 'Karakeep', weight: 1, hits: [hitAt('https://a.example'), hitAt('https://b.example')] },
    { slot: 'karakeep_2', name: 'Karakeep', weight: 1, hits: [hitAt('https://a.example')] },
  ],
  (best) => best,
)

/** Sends what it finds to its watcher before it answers. */
const search: Search = {
  slotNames: ['karakeep', 'karakeep_2'],
  labelOf: () => 'Karakeep',
  attributionsOf: () => [],
  regionsOf: () => [],
  indexOf: () => '',
  preview: async () => ({ engines: [], skips: [] }),
  async search(tab, request, watcher) {
    // The test searches the web.
    const found = { results: RESULTS as never, now: 1 }
    watcher?.onResults(() => found)
    return {
      ...found,
      tab,
      request,
      correction: '',
      isCurrent: undefined,
      engines: [],
      status: 'complete',
      reports: [],
      filtered: 0,
      unchecked: [],
      blocked: 0,
      cut: 0,
      upstreamMs: 0,
    }
  },
}

describe('a search with services of one’s own', () => {
  const labelled = labelledSearch(search, new Set(['karakeep_2']), (name) => `${name} (yours)`)
  const labels = ({ results }: Pick<ResultsSoFar<'web'>, 'results'>) =>
    results.map(({ contributions }) => contributions.map(({ name }) => name).join(' + '))

  it('says which they are, in every name', async () => {
    expect(labelled.slotNames.map((slot) => labelled.labelOf(slot, 'web'))).toEqual(['Karakeep', 'Karakeep (yours)'])
    expect(labelled.slotNames.map((slot) => labelled.isOwn?.(slot))).toEqual([false, true])
    const answer = await labelled.search('web', REQUEST)
    expect([answer.status, labels(answer)]).toEqual(['complete', ['Karakeep + Karakeep (yours)', 'Karakeep']])
  })

  it('says so in results that come before the others, and leaves the cached ones as they are', async () => {
    const seen: string[][] = []
    await labelled.search('web', REQUEST, {
      onStart: () => undefined,
      onEngine: () => undefined,
      onResults: (soFar) => void seen.push(labels(soFar() ?? expect.unreachable('nothing yet'))),
      signal: new AbortController().signal,
    })
    expect(seen).toEqual([['Karakeep + Karakeep (yours)', 'Karakeep']])
    expect(labels({ results: RESULTS })).toEqual(['Karakeep + Karakeep', 'Karakeep'])
  })
})
