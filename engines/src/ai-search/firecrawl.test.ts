import { describe, expect, it } from 'vitest'
import { ANY, BOUNDS, QUERY } from '../../test/engine-query.ts'
import { readFixture } from '../../test/read-fixture.ts'
import { firecrawl, firecrawlfree } from './firecrawl.ts'

describe('firecrawl', () => {
  it('requests all pages in one call, by country, at the price of each', () => {
    const request = firecrawl.tabs.news?.request(QUERY, { apiKey: 'key', baseUrl: '' })
    expect(request).toMatchObject({ path: '/v2/search', headers: { authorization: 'Bearer key' }, priceFactor: 2 })
    expect(JSON.parse(request?.body ?? '')).toEqual({
      query: 'oak tree',
      limit: 20,
      sources: ['news'],
      tbs: 'qdr:w',
      country: 'AT',
      safe: true,
      highlights: false,
    })
  })

  it('takes one of the two lists of domains', () => {
    const bodyFor = (bounds: object) =>
      JSON.parse(firecrawl.tabs.web?.request({ ...ANY, ...bounds }, { apiKey: 'key', baseUrl: '' }).body ?? '')
    expect(bodyFor(BOUNDS)).toMatchObject({ query: 'oak tree', includeDomains: ['example.org'] })
    expect(bodyFor(BOUNDS)).not.toHaveProperty('excludeDomains')
    expect(bodyFor({ excludeDomains: ['a.org'] })).toMatchObject({ excludeDomains: ['a.org'] })
  })

  it('reads dates in words, and drops a picture that is its own address', () => {
    const page = firecrawl.tabs.news?.parse(readFixture('firecrawl-news-page'), ANY)
    expect(page?.hits.map(({ publishedAt, thumbnailUrl }) => [publishedAt, thumbnailUrl])).toEqual([
      [ANY.now - 3 * 3_600_000, 'https://garden.example/n.jpg'],
      [Date.UTC(2026, 9, 2), ''],
      [undefined, ''],
    ])
  })

  it('reads the flat list of an older server', () => {
    const body = JSON.stringify({ success: true, data: [{ url: 'https://a.example/', title: 'A' }] })
    expect(firecrawl.tabs.web?.parse({ status: 200, headers: {}, body }, ANY).hits).toHaveLength(1)
  })

  it('waits as long as it is told', () => {
    expect(() => firecrawl.tabs.web?.parse(readFixture('firecrawl-web-refusal'), ANY)).toThrow(
      expect.objectContaining({ kind: 'throttled', retryAfterSeconds: 30 }),
    )
  })
})

describe('firecrawlfree', () => {
  it('sends no Authorization at all, and leaves the country open', () => {
    const request = firecrawlfree.tabs.web?.request(ANY, { baseUrl: '' })
    expect(Object.keys(request?.headers ?? {})).not.toContain('authorization')
    expect(JSON.parse(request?.body ?? '')).toEqual({
      query: 'oak tree',
      limit: 10,
      sources: ['web'],
      highlights: false,
    })
  })
})
