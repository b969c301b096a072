import { describe, expect, it } from 'vitest'
import { ANY, BOUNDS, QUERY } from '../../test/engine-query.ts'
import { readFixture } from '../../test/read-fixture.ts'
import { langsearch } from './langsearch.ts'

const { web } = langsearch.tabs

describe('langsearch', () => {
  it('asks for all pages at once', () => {
    const request = web?.request(QUERY, { apiKey: 'key', baseUrl: '' })
    expect(request).toMatchObject({ path: '/v1/web-search', headers: { authorization: 'Bearer key' } })
    expect(JSON.parse(request?.body ?? '')).toEqual({ query: 'oak tree', count: 20, freshness: 'oneWeek' })
  })

  it('takes domains and a range of days', () => {
    const bodyFor = (bounds: object) =>
      JSON.parse(web?.request({ ...ANY, ...bounds }, { apiKey: 'key', baseUrl: '' }).body ?? '')
    expect(bodyFor(BOUNDS)).toEqual({
      query: 'oak tree',
      count: 10,
      freshness: '2026-11-01..2026-11-09',
      includeDomains: ['example.org'],
    })
    expect(bodyFor({ dateTo: BOUNDS.dateTo }).freshness).toBe('1970-01-01..2026-11-09')
    expect(bodyFor({ dateFrom: BOUNDS.dateFrom, date: 'd' }).freshness).toBe('2026-11-14..2026-11-15')
  })

  it('is called once a second and a thousand times a day, and a 429 does not end the hour', () => {
    expect(langsearch.terms).toMatchObject({
      rateLimit: { calls: 1, perSeconds: 1 },
      dailyCalls: 1000,
      restSeconds: 0,
    })
  })

  it.each([
    [429, 'throttled'],
    [401, 'rejected'],
    [500, 'unreachable'],
    [7, 'rejected'],
  ])('with status 200 and the code %i is %s', (code, kind) => {
    const body = JSON.stringify({ code, data: null })
    expect(() => web?.parse({ status: 200, headers: {}, body }, ANY)).toThrow(expect.objectContaining({ kind }))
  })

  it('reads Bing’s field names', () => {
    expect(web?.parse(readFixture('langsearch-web-page'), ANY).hits[0]).toMatchObject({
      title: 'Oak',
      description: 'An oak is a tree.',
      publishedAt: Date.UTC(2026, 9, 2),
    })
  })
})
