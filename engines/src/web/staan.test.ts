import { describe, expect, it } from 'vitest'
import { readFixture } from '../../test/read-fixture.ts'
import type { EngineQuery } from '../engine.ts'
import { staan } from './staan.ts'

const { web } = staan.tabs
const QUERY: EngineQuery = {
  text: 'wärmepumpe',
  page: 1,
  safe: false,
  date: undefined,
  lang: '',
  now: Date.UTC(2026, 10, 14, 12),
}

const refusedWith = (message: unknown) => () =>
  web?.parse({ status: 400, headers: {}, body: JSON.stringify({ statusCode: 400, message }) }, QUERY)

describe('staan web request', () => {
  it('is the documented one, with the key in its header', () => {
    expect(web?.request({ ...QUERY, page: 4, lang: 'de' }, { apiKey: 'k', baseUrl: '' })).toEqual({
      path: '/v2/search/web?q=w%C3%A4rmepumpe&market=de-de&offset=30',
      headers: { accept: 'application/json', authorization: 'Bearer k' },
    })
    expect(web?.lastPage).toBe(4)
  })

  it('takes up to ten domains, by POST', () => {
    const requestFor = (bounds: object) => web?.request({ ...QUERY, ...bounds }, { apiKey: 'k', baseUrl: '' })
    const request = requestFor({ includeDomains: ['a.org'], excludeDomains: ['b.a.org'] })
    expect([request?.method, request?.path, JSON.parse(request?.body ?? '')]).toEqual([
      'POST',
      '/v2/search/web',
      { q: 'wärmepumpe', market: 'en-us', offset: 0, include_domains: ['a.org'] },
    ])
    const eleven = Array.from({ length: 11 }, (_, at) => `site${at}.org`)
    expect(requestFor({ includeDomains: eleven })?.body).toBe(undefined)
    expect(JSON.parse(requestFor({ excludeDomains: eleven })?.body ?? '').exclude_domains).toHaveLength(10)
  })

  it.each([
    ['', 'en-us'],
    ['en', 'en-us'],
    ['en-GB', 'en-gb'],
    ['en-FR', 'en-fr'],
    ['en-DE', 'en-us'],
    ['fr-CA', 'fr-fr'],
    ['de-AT', 'de-de'],
  ])('takes %j to the market %s', (lang, market) => {
    expect(web?.request({ ...QUERY, lang }, { apiKey: 'k', baseUrl: '' }).path).toContain(`&market=${market}&`)
  })
})

describe('staan web reply', () => {
  it('is plain text with dates', () => {
    expect(web?.parse(readFixture('staan-web-page'), QUERY).hits).toMatchObject([
      {
        title: 'Wärmepumpe & Haus',
        url: 'https://energie.example/wp?srsltid=abc',
        description: 'So funktioniert eine Wärmepumpe.',
        publishedAt: Date.UTC(2026, 8, 30),
      },
      { publishedAt: undefined },
      {},
    ])
  })

  it('is as good with status 201', () => {
    expect(web?.parse({ ...readFixture('staan-web-page'), status: 201 }, QUERY).hits).toHaveLength(3)
  })

  it('blames the query only when the complaint does', () => {
    expect(refusedWith(['q must be shorter than or equal to 400 characters'])).toThrow(
      expect.objectContaining({ kind: 'rejected', isQueryFault: true }),
    )
    expect(refusedWith(['market must be one of the following values: fr-fr'])).toThrow(
      expect.objectContaining({ kind: 'rejected', isQueryFault: false }),
    )
  })
})
