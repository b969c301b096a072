import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createCorpus } from './corpus.ts'
import type { CorpusSearch } from './ranking.ts'

const NOW = Date.UTC(2026, 10, 14, 12)
const DAY = 86_400_000
const corpus = createCorpus('test')
const QUERIES = ['climate', 'bread', 'python asyncio', 'tea', 'heat pumps', 'münchen', 'owls']

const given = (search: Partial<CorpusSearch> = {}): CorpusSearch => ({
  engine: 'brave',
  text: 'bread',
  start: 0,
  count: 10,
  now: NOW,
  hidesAdult: true,
  ...search,
})

/** Identifies a hit, however its address is written at one engine. */
const identityOf = ({ url }: { url: string }) => {
  const { hostname, pathname } = new URL(url)
  return hostname.replace(/^www\./, '') + pathname.replace(/\/$/, '')
}

describe.each([
  ['images', (search: CorpusSearch) => corpus.images(search), 'Warming stripes, 1850 to today'],
  [
    'news',
    (search: CorpusSearch) => corpus.news(search),
    'Climate talks run through the night as ministers argue over one word',
  ],
  ['videos', (search: CorpusSearch) => corpus.videos(search), 'Climate and weather: the difference in four minutes'],
] as const)('the %s of the corpus', (_, find, climateTitle) => {
  it('exist for any query, complete and dated, each of them once', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 80, unit: 'grapheme' }), (text) => {
        const { hits, total } = find(given({ text, count: 500 }))
        expect(total).toBe(hits.length)
        expect(total).toBeGreaterThan(30)
        expect(new Set(hits.map(identityOf)).size).toBe(total)
        for (const hit of hits) {
          expect(hit.title).not.toBe('')
          expect(hit.title).not.toMatch(/\{q\}/i)
          expect(hit.publishedAt).toBeLessThan(NOW)
        }
      }),
      { numRuns: 25 },
    )
  })

  it('partly overlap between two engines', () => {
    const shares = QUERIES.map((text) => {
      const [one, other] = ['brave', 'searxng'].map((engine) => find(given({ engine, text })).hits.map(identityOf))
      return one?.filter((identity) => other?.includes(identity)).length ?? 0
    })
    const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length
    expect(mean).toBeGreaterThan(1.5)
    expect(mean).toBeLessThan(7)
  })

  it.each([1, 7, 31])('of the last %i days are found, and no older ones', (days) => {
    const { hits, total } = find(given({ after: NOW - days * DAY, count: 500 }))
    expect(total).toBeGreaterThan(0)
    expect(total).toBeLessThan(find(given()).total)
    for (const hit of hits) expect(hit.publishedAt).toBeGreaterThanOrEqual(NOW - days * DAY)
  })

  it('come newest first when requested', () => {
    const times = find(given({ order: 'newest', count: 30 })).hits.map((hit) => hit.publishedAt)
    expect(times).toEqual(times.toSorted((left, right) => right - left))
  })

  it('include something adult on the first page, unless it is hidden or the query is climate', () => {
    const hasAdult = (search: Partial<CorpusSearch>) =>
      find(given(search)).hits.some((hit) => hit.isAdult && hit.title.includes('adults only'))
    for (const engine of ['brave', 'searxng', 'openverse', 'kagi']) {
      expect(hasAdult({ engine, hidesAdult: false })).toBe(true)
      expect(hasAdult({ engine, count: 500 })).toBe(false)
      expect(hasAdult({ engine, hidesAdult: false, text: 'climate' })).toBe(false)
    }
  })

  it('are hand-written for climate', () => {
    const titles = ['brave', 'searxng', 'kagi'].flatMap((engine) =>
      find(given({ engine, text: 'climate' })).hits.map((hit) => hit.title),
    )
    expect(titles).toContain(climateTitle)
  })

  it('do not exist for nothingtofind', () => {
    expect(find(given({ text: 'nothingtofind' }))).toEqual({ total: 0, hits: [] })
  })
})
