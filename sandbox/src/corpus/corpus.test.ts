// What the README promises of the invented content, and what journeys and screenshots rely on.
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createCorpus } from './corpus.ts'
import type { CorpusSearch } from './ranking.ts'
import { suggest } from './suggestions.ts'

const NOW = Date.UTC(2026, 10, 14, 12)
const DAY = 86_400_000
const ENGINES = ['brave', 'mojeek', 'searxng']

const corpus = createCorpus('test')
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

const TABS = [
  { tab: 'search', climate: 'Climate, explained: what it is and how it differs from weather' },
  { tab: 'images', climate: 'Warming stripes, 1850 to today' },
  { tab: 'news', climate: 'Climate talks run through the night as ministers argue over one word' },
  { tab: 'videos', climate: 'Climate and weather: the difference in four minutes' },
] as const

describe.each(TABS)('$tab', ({ tab, climate }) => {
  const find = (search?: Partial<CorpusSearch>) => corpus[tab](given(search))

  it('any query has complete results on reserved names, each of them once', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 80, unit: 'grapheme' }), (text) => {
        const { hits, total } = find({ text, count: 500 })
        expect(total).toBeGreaterThan(30)
        expect(new Set(hits.map(identityOf)).size).toBe(total)
        for (const { title, url } of hits) {
          expect(title).toMatch(/^(?!.*\{q\})./is)
          expect(new URL(url).hostname).toMatch(/\.(?:example|test|example\.(?:org|net|com))$/)
        }
      }),
      { numRuns: 25 },
    )
  })

  it('the same query has the same results, and another seed others', () => {
    expect(createCorpus('test')[tab](given({ text: ' BREAD ' }))).toEqual(find())
    expect(createCorpus('other')[tab](given())).not.toEqual(find())
  })

  it('pages end, and repeat nothing', () => {
    const { total } = find()
    const pages = Array.from({ length: Math.ceil(total / 10) + 1 }, (_, page) => find({ start: page * 10 }).hits)
    expect(pages.at(-1)).toEqual([])
    expect(new Set(pages.flat().map(({ url }) => url)).size).toBe(total)
  })

  it('two engines share some of their first results, and not all', () => {
    const shared = ['climate', 'bread', 'tea', 'owls', 'heat pumps'].flatMap((text) => {
      const [one, other] = ENGINES.map((engine) => find({ engine, text }).hits.map(identityOf))
      return one?.filter((identity) => other?.includes(identity)) ?? []
    })
    expect(shared.length).toBeGreaterThan(7)
    expect(shared.length).toBeLessThan(35)
  })

  it.each([1, 7, 31])('the last %i days have some results, and no older ones', (days) => {
    const { hits, total } = find({ after: NOW - days * DAY, count: 500 })
    expect(total).toBeGreaterThan(0)
    expect(total).toBeLessThan(find().total)
    expect(hits.filter(({ publishedAt }) => publishedAt === undefined || publishedAt < NOW - days * DAY)).toEqual([])
  })

  it('something adult is on the first page, unless it is hidden or the query is climate', () => {
    const hasAdult = (search: Partial<CorpusSearch>) => find(search).hits.some(({ title }) => /adults only/.test(title))
    for (const engine of ENGINES) {
      expect(hasAdult({ engine, hidesAdult: false })).toBe(true)
      expect(hasAdult({ engine, count: 500 })).toBe(false)
      expect(hasAdult({ engine, hidesAdult: false, text: 'climate' })).toBe(false)
    }
  })

  it('results for climate are written by hand', () => {
    const hits = ENGINES.flatMap((engine) => find({ engine, text: 'climate' }).hits.map(({ title }) => title))
    expect(hits).toContain(climate)
  })

  it('nothingtofind finds nothing', () => {
    expect(find({ text: 'a NothingToFind b' })).toEqual({ total: 0, hits: [] })
  })
})

it('onesite finds pages of a single site', () => {
  const hosts = corpus.search(given({ text: 'onesite' })).hits.map(({ url }) => new URL(url).host)
  expect(new Set(hosts)).toEqual(new Set(['one-site.example']))
})

it('a query finds pages in its language', () => {
  const { hits } = corpus.search(given({ text: 'Wie funktioniert eine Wärmepumpe' }))
  for (const { title } of hits) expect(title).toMatch(/was Sie|Fünf Fragen|Alles über|Warum|Ein Blick/)
})

it('the newest come first when that is asked for', () => {
  const times = corpus.news(given({ order: 'newest', count: 30 })).hits.map(({ publishedAt }) => publishedAt)
  expect(times).toEqual(times.toSorted((a, b) => b - a))
})

it('there are at most as many results of a host as asked for', () => {
  expect(corpus.search(given({ count: 100, perHost: 1 })).hits.filter(({ fromHost }) => fromHost > 1)).toEqual([])
})

describe('completions', () => {
  const from = (engine: string, text: string) => suggest('test', { engine, text, count: 10 })

  it.each(['tea', 'cli', 'learn pyth', '日本', '"?'])('%j is continued in ten ways', (text) => {
    const found = from('brave', ` ${text.toUpperCase()} `)
    expect(new Set(found).size).toBe(10)
    expect(found.filter((each) => !each.startsWith(text) || each === text)).toEqual([])
  })

  it('two engines share some completions, and not all', () => {
    const shared = from('brave', 'tea').filter((each) => from('duckduckgo', 'tea').includes(each))
    expect(shared.length).toBeGreaterThan(2)
    expect(shared.length).toBeLessThan(10)
  })

  it('the last word is completed, and climate has completions written by hand', () => {
    expect(from('brave', 'learn pyth').join()).toContain('learn python')
    expect(from('brave', 'climate')).toContain('climate change')
  })

  it.each(['', ' ', 'nothingtofind'])('%j has none', (text) => {
    expect(from('brave', text)).toEqual([])
  })
})
