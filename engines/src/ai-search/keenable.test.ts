import { describe, expect, it } from 'vitest'
import { ANY, QUERY } from '../../test/engine-query.ts'
import { readFixture } from '../../test/read-fixture.ts'
import { keenable, keenablefree } from './keenable.ts'

describe('keenable', () => {
  it('requests all pages in one call, with the date as a day', () => {
    const request = keenable.tabs.web?.request(QUERY, { apiKey: 'key', baseUrl: '' })
    expect(request).toMatchObject({ path: '/v1/search', headers: { 'x-api-key': 'key' } })
    expect(JSON.parse(request?.body ?? '')).toEqual({
      query: 'oak tree',
      mode: 'realtime',
      max_results: 20,
      published_after: '2026-11-08',
      snippet_max_length: 400,
    })
  })

  it('reads Markdown, or else the description', () => {
    const hits = keenable.tabs.web?.parse(readFixture('keenable-web-page'), ANY).hits
    expect(hits?.map(({ description }) => description)).toEqual(['Oak An oak is a tree.', 'Another tree.', 'A third.'])
  })
})

describe('keenablefree', () => {
  it('says its name and has no key', () => {
    const { path, headers } = keenablefree.tabs.web?.request(ANY, { baseUrl: '' }) ?? {}
    expect([path, headers?.['x-keenable-title'], headers?.['x-api-key']]).toEqual([
      '/v1/search/public',
      'Bowerbird',
      undefined,
    ])
  })
})
