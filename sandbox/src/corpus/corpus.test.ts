import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createCorpus } from './corpus.ts'
import type { CorpusSearch } from './ranking.ts'

const NOW = Date.UTC(2026, 10, 14, 12)
const DAY = 86_400_000
const ENGINES = ['brave', 'mojeek', 'marginalia']
const QUERIES = [
  'climate',
  'bread',
  'python asyncio',
  'how to fix a bike',
  'tea',
  'heat pumps',
  'münchen',
  '日本',
  'owls',
]

const corpus = createCorpus('test')
const search = (given: Partial<CorpusSearch> = {}) =>
  corpus.search({ engine: 'brave', text: 'bread', start: 0, count: 10, now: NOW, hidesAdult: true, ...given })

/** The page, however its address is written at one engine. */
const identityOf = (url: string) => {
  const { hostname, pathname } = new URL(url)
  return hostname.replace(/^www\./, '') + pathname.replace(/\/$/, '')
}

describe('the corpus', () => {
  it('finds the same for the same seed and query, and something else for another seed', () => {
    const again = createCorpus('test').search({
      engine: 'brave',
      text: 'bread',
      start: 0,
      count: 10,
      now: NOW,
      hidesAdult: true,
    })
    expect(again).toEqual(search())
    const other = createCorpus('other').search({
      engine: 'brave',
      text: 'bread',
      start: 0,
      count: 10,
      now: NOW,
      hidesAdult: true,
    })
    expect(other.hits.map((hit) => hit.url)).not.toEqual(search().hits.map((hit) => hit.url))
  })

  it('ignores case and spaces', () => {
    expect(search({ text: '  BREAD ' }).hits).toEqual(search().hits)
  })

  it('answers any query with ten complete results on reserved names, each of them once', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 80, unit: 'grapheme' }), (text) => {
        const { hits, total } = search({ text, count: 100 })
        expect(total).toBe(hits.length)
        expect(total).toBeGreaterThan(30)
        expect(new Set(hits.map((hit) => identityOf(hit.url))).size).toBe(total)
        for (const hit of hits) {
          expect(new URL(hit.url).hostname).toMatch(/(\.example|\.test|\.example\.(org|net|com))$/)
          expect(hit.title).not.toBe('')
          expect(hit.title).not.toMatch(/\{q\}/i)
          expect(hit.sentences.length).toBeGreaterThan(1)
        }
      }),
      { numRuns: 50 },
    )
  })

  it('makes engines agree on a third to a half of their first results, and all three on some', () => {
    let everywhere = 0
    const shares = QUERIES.map((text) => {
      const found = new Map<string, number>()
      for (const engine of ENGINES) {
        for (const hit of search({ engine, text }).hits) {
          found.set(identityOf(hit.url), (found.get(identityOf(hit.url)) ?? 0) + 1)
        }
      }
      const counts = [...found.values()]
      everywhere += counts.filter((count) => count === 3).length
      return counts.filter((count) => count >= 2).length / counts.length
    })
    const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length
    expect(mean).toBeGreaterThan(0.3)
    expect(mean).toBeLessThan(0.55)
    expect(everywhere).toBeGreaterThan(QUERIES.length / 2)
  })

  it('gives some shared pages different addresses at different engines', () => {
    const [brave, mojeek] = ENGINES.map((engine) => search({ engine, count: 100 }).hits.map((hit) => hit.url))
    const differing = brave?.filter(
      (url) => !mojeek?.includes(url) && mojeek?.some((other) => identityOf(other) === identityOf(url)),
    )
    expect(differing?.length).toBeGreaterThan(5)
  })

  it('shows hand-written results first for climate', () => {
    const titles = ENGINES.flatMap((engine) => search({ engine, text: 'climate' }).hits.map((hit) => hit.title))
    expect(titles).toContain('Climate, explained: what it is and how it differs from weather')
    expect(titles).not.toContain('Notes on climate')
  })

  it('runs out, and no page of results repeats another', () => {
    const { total } = search()
    const pages = Array.from({ length: Math.ceil(total / 10) + 1 }, (_, page) => search({ start: page * 10 }).hits)
    expect(pages.at(-1)).toEqual([])
    expect(new Set(pages.flat().map((hit) => hit.url)).size).toBe(total)
  })

  it.each([1, 7, 31, 365])('keeps to the last %i days when asked, and finds something there', (days) => {
    const { hits, total } = search({ after: NOW - days * DAY, count: 100 })
    expect(total).toBeGreaterThan(0)
    expect(total).toBeLessThan(search().total)
    for (const hit of hits) expect(hit.publishedAt).toBeGreaterThanOrEqual(NOW - days * DAY)
  })

  it('shows adult pages on the first page of every engine, and none when they are hidden', () => {
    const isMarked = (hit: { title: string }) => hit.title.includes('adults only')
    for (const engine of ENGINES) {
      expect(search({ engine, hidesAdult: false }).hits.some(isMarked)).toBe(true)
      expect(search({ engine, hidesAdult: true, count: 100 }).hits.some(isMarked)).toBe(false)
    }
  })

  it('keeps to the maximum number of results per host', () => {
    expect(search({ count: 100 }).hits.some((hit) => hit.fromHost > 1)).toBe(true)
    expect(search({ count: 100, perHost: 1 }).hits.every((hit) => hit.fromHost === 1)).toBe(true)
  })

  it('finds pages of a single site for onesite', () => {
    const { hits } = search({ text: 'onesite' })
    expect(new Set(hits.map(({ url }) => new URL(url).host))).toEqual(new Set(['one-site.example']))
    expect(new Set(hits.map(({ url }) => url)).size).toBe(hits.length)
  })

  it('finds nothing for nothingtofind', () => {
    expect(search({ text: 'a NothingToFind b' })).toEqual({ total: 0, hits: [] })
  })
})
