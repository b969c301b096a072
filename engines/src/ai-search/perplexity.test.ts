import { describe, expect, it } from 'vitest'
import { ANY, BOUNDS, QUERY } from '../../test/engine-query.ts'
import { readFixture } from '../../test/read-fixture.ts'
import { perplexity } from './perplexity.ts'

const { web } = perplexity.tabs

describe('perplexity', () => {
  it('asks in one language and for a time', () => {
    const request = web?.request(QUERY, { apiKey: 'key', baseUrl: '' })
    expect(request).toMatchObject({ path: '/search', headers: { authorization: 'Bearer key' } })
    expect(JSON.parse(request?.body ?? '')).toEqual({
      query: 'oak tree',
      max_results: 20,
      max_tokens_per_page: 256,
      country: 'AT',
      search_language_filter: ['de'],
      search_recency_filter: 'week',
    })
  })

  it('takes domains and days, and languages of two letters', () => {
    const bodyFor = (change: object) =>
      JSON.parse(web?.request({ ...ANY, ...change }, { apiKey: 'key', baseUrl: '' }).body ?? '')
    expect(bodyFor({ ...BOUNDS, date: 'y' })).toEqual({
      query: 'oak tree',
      max_results: 10,
      max_tokens_per_page: 256,
      search_domain_filter: ['example.org'],
      search_after_date_filter: '11/01/2026',
      search_before_date_filter: '11/09/2026',
    })
    expect(bodyFor({ excludeDomains: ['a.org'] })).toMatchObject({ search_domain_filter: ['-a.org'] })
    expect(bodyFor({ lang: 'fil' })).not.toHaveProperty('search_language_filter')
    expect(web?.languages).not.toContain('fil')
  })

  it('reads when it was published, or else last changed', () => {
    const hits = web?.parse(readFixture('perplexity-web-page'), ANY).hits
    expect(hits?.map(({ publishedAt }) => publishedAt)).toEqual([
      Date.UTC(2026, 9, 2),
      Date.UTC(2026, 10, 1),
      undefined,
    ])
  })
})
