import { describe, expect, it } from 'vitest'
import { ANY, BOUNDS, QUERY } from '../../test/engine-query.ts'
import { readFixture } from '../../test/read-fixture.ts'
import { linkup } from './linkup.ts'

const { web } = linkup.tabs

describe('linkup', () => {
  it('asks by day', () => {
    const request = web?.request(QUERY, { apiKey: 'key', baseUrl: '' })
    expect(request).toMatchObject({ path: '/v1/search', headers: { authorization: 'Bearer key' } })
    expect(JSON.parse(request?.body ?? '')).toEqual({
      q: 'oak tree',
      depth: 'fast',
      outputType: 'searchResults',
      maxResults: 20,
      fromDate: '2026-11-08',
      includeImages: false,
    })
  })

  it('leaves out pictures', () => {
    const hits = web?.parse(readFixture('linkup-web-page'), ANY).hits
    expect(hits?.map(({ title }) => title)).toEqual(['Oak', 'Elm', 'Ash'])
  })

  it('is empty only if the provider reports no results', () => {
    const body = JSON.stringify({ statusCode: 400, error: { code: 'VALIDATION_ERROR' } })
    expect(() => web?.parse({ status: 400, headers: {}, body }, ANY)).toThrow(
      expect.objectContaining({ kind: 'rejected' }),
    )
  })

  it('passes domains and dates on', () => {
    const request = web?.request({ ...ANY, ...BOUNDS }, { apiKey: 'key', baseUrl: '' })
    expect(JSON.parse(request?.body ?? '')).toMatchObject({
      fromDate: '2026-11-01',
      toDate: '2026-11-09',
      includeDomains: ['example.org'],
      excludeDomains: ['old.example.org'],
    })
  })
})
