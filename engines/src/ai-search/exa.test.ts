import { describe, expect, it } from 'vitest'
import { ANY, BOUNDS, QUERY } from '../../test/engine-query.ts'
import { readFixture } from '../../test/read-fixture.ts'
import { exa } from './exa.ts'

describe('exa', () => {
  it('asks with a moderator, a date and a country', () => {
    const request = exa.tabs.news?.request(QUERY, { apiKey: 'key', baseUrl: '' })
    expect(request).toMatchObject({ path: '/search', headers: { 'x-api-key': 'key' } })
    expect(JSON.parse(request?.body ?? '')).toEqual({
      query: 'oak tree',
      type: 'fast',
      category: 'news',
      numResults: 20,
      moderation: true,
      startPublishedDate: '2026-11-08T00:00:00.000Z',
      userLocation: 'AT',
      contents: { highlights: { maxCharacters: 400 } },
    })
  })

  it('takes a highlight for the description', () => {
    expect(exa.tabs.web?.parse(readFixture('exa-web-page'), ANY).hits[0]).toMatchObject({
      description: 'An oak is a tree.',
      publishedAt: Date.UTC(2026, 10, 1),
    })
  })

  it('passes dates on, and one of the two lists of domains', () => {
    const request = exa.tabs.web?.request({ ...ANY, ...BOUNDS }, { apiKey: 'key', baseUrl: '' })
    expect(JSON.parse(request?.body ?? '')).toMatchObject({
      startPublishedDate: '2026-11-01T00:00:00.000Z',
      endPublishedDate: '2026-11-09T00:00:00.000Z',
      includeDomains: ['example.org'],
    })
    expect(request?.body).not.toContain('excludeDomains')
    const { excludeDomains } = BOUNDS
    const other = exa.tabs.web?.request({ ...ANY, excludeDomains }, { apiKey: 'key', baseUrl: '' })
    expect(JSON.parse(other?.body ?? '')).toMatchObject({ excludeDomains: ['old.example.org'] })
  })
})
