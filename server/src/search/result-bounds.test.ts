import type { ImageHit, ResultBounds, WebHit } from '@bowerbird/engines/engine.ts'
import { describe, expect, it } from 'vitest'
import type { Outcome } from './outcome.ts'
import { withinBounds } from './result-bounds.ts'
import { webHit } from './search.test-harness.ts'

const DAY_MS = 86_400_000
const hit = (url: string, publishedAt?: number) => webHit(url, { publishedAt })

/** The addresses that are left, and how many aren't. */
function kept(hits: WebHit[], bounds: Parameters<typeof withinBounds>[1], takesDateRange = false) {
  const response = { hits, correction: '' }
  const outcome: Outcome = {
    planned: { tab: { takesDateRange } } as Outcome['planned'],
    ms: 0,
    calledProvider: true,
    result: { response, from: 'provider', isStale: false, ageMs: 0 },
  }
  const { result, filtered } = withinBounds(outcome, bounds)
  return { urls: 'response' in result ? result.response.hits.map(({ url }) => url) : [], filtered }
}

const HITS = [
  hit('https://example.org/a'),
  hit('https://www.example.org/b'),
  hit('http://deep.er.example.org:8080/c'),
  hit('https://notexample.org/d'),
  hit('https://example.org.evil.example/e'),
  hit('https://evil.example/?example.org'),
]

describe('domains', () => {
  it('are the host and its subdomains, and nothing that only looks like it', () => {
    expect(kept(HITS, { includeDomains: ['example.org'] })).toEqual({
      urls: HITS.slice(0, 3).map(({ url }) => url),
      filtered: 3,
    })
    expect(kept(HITS, { excludeDomains: ['example.org'] })).toEqual({
      urls: HITS.slice(3).map(({ url }) => url),
      filtered: 3,
    })
  })

  it('can be excluded from those that are included', () => {
    const bounds = { includeDomains: ['example.org'], excludeDomains: ['er.example.org'] }
    expect(kept(HITS, bounds).urls).toEqual(['https://example.org/a', 'https://www.example.org/b'])
  })

  it('leave everything as it is if there are none', () => {
    expect(kept(HITS, { includeDomains: [], excludeDomains: [] })).toEqual({
      urls: HITS.map(({ url }) => url),
      filtered: undefined,
    })
  })
})

describe('filters for pictures', () => {
  const picture = (facts: Partial<ImageHit>): ImageHit => ({
    kind: 'image',
    title: 'Oak',
    url: `https://example.org/${facts.width}`,
    thumbnailUrl: 'https://example.org/t.jpg',
    ...facts,
  })
  const hits = [picture({ width: 4000, height: 3000 }), picture({ width: 30, height: 40 }), picture({})]
  const left = (image: ResultBounds['image'], imageFilters: object) => {
    const outcome = {
      planned: { tab: { knowsSizes: true, imageFilters } },
      result: { response: { hits, correction: '' }, from: 'provider', isStale: false, ageMs: 0 },
    } as unknown as Outcome
    const { result, filtered } = withinBounds(outcome, { image })
    const left = 'response' in result ? result.response.hits : []
    return { widths: left.map((one) => one.kind === 'image' && one.width), filtered }
  }

  it('leave out what does not fit, and what does not say', () => {
    expect(left({ size: 'large' }, {})).toEqual({ widths: [4000], filtered: 2 })
    expect(left({ size: 'large', shape: 'tall' }, {})).toEqual({ widths: [], filtered: 3 })
  })

  it('keep what does not say if its engine has filtered', () => {
    expect(left({ shape: 'tall' }, { shape: ['tall'] })).toEqual({ widths: [30, undefined], filtered: 1 })
    expect(left({ shape: 'wide' }, { shape: ['tall'] })).toEqual({ widths: [4000], filtered: 2 })
  })
})

describe('dates', () => {
  const dated = [0, 1, 2, 3].map((day) => hit(`https://example.org/${day}`, day * DAY_MS))

  it('include both ends', () => {
    expect(kept(dated, { dateFrom: DAY_MS, dateTo: 2 * DAY_MS })).toEqual({
      urls: ['https://example.org/1', 'https://example.org/2'],
      filtered: 2,
    })
    expect(kept(dated, { dateFrom: 3 * DAY_MS }).urls).toEqual(['https://example.org/3'])
    expect(kept(dated, { dateTo: 0 }).urls).toEqual(['https://example.org/0'])
  })

  it('are taken on trust only from an engine that keeps to them', () => {
    const undated = [hit('https://example.org/undated')]
    expect(kept(undated, { dateFrom: 0 })).toEqual({ urls: [], filtered: 1 })
    expect(kept(undated, { dateFrom: 0 }, true)).toEqual({ urls: ['https://example.org/undated'], filtered: undefined })
    expect(kept(dated, { dateFrom: DAY_MS }, true).filtered).toBe(1)
  })
})
