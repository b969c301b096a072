import { describe, expect, it } from 'vitest'
import { ANY, QUERY } from '../../test/engine-query.ts'
import { readFixture } from '../../test/read-fixture.ts'
import { langsearch } from './langsearch.ts'

const { web } = langsearch.tabs

describe('langsearch', () => {
  it('asks for all pages at once', () => {
    const request = web?.request(QUERY, { apiKey: 'key', baseUrl: '' })
    expect(request).toMatchObject({ path: '/v1/web-search', headers: { authorization: 'Bearer key' } })
    expect(JSON.parse(request?.body ?? '')).toEqual({ query: 'oak tree', count: 20, freshness: 'oneWeek' })
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
