import { describe, expect, it } from 'vitest'
import { askProvider } from './provider-testing.ts'
import { staan } from './staan.ts'

interface Reply {
  web: { results: { url: string; title: string }[] }
}

const KEY = { authorization: `Bearer ${staan.key}` }
const ask = (query: Record<string, string>, headers: Record<string, string> = KEY) =>
  askProvider<Reply>(staan, { path: '/v2/search/web', query: { q: 'tea', market: 'en-us', ...query }, headers })

describe('Staan in the sandbox', () => {
  it('200: a reply has the documented shape', () => {
    const { results } = ask({ extra_snippets: 'true' }).json.web
    expect(results).toHaveLength(10)
    for (const result of results) {
      expect(result).toMatchObject({
        title: expect.any(String),
        url: expect.stringMatching(/^https?:/),
        snippet: expect.any(String),
        hostname: expect.any(String),
        display_url: expect.stringContaining(' › '),
        extra_snippets: [{ chunk: expect.any(String), score: expect.any(Number) }],
      })
    }
  })

  it('has four pages of ten, no two results the same, some with tracking, and no safe search', () => {
    const all = ['0', '10', '20', '30'].flatMap((offset) => ask({ offset }).json.web.results)
    expect(all).toHaveLength(40)
    expect(new Set(all.map(({ url }) => url)).size).toBe(40)
    expect(all.some(({ url }) => url.includes('srsltid='))).toBe(true)
    expect(all.some(({ title }) => title.includes('adults only'))).toBe(true)
  })

  it('201: the same by POST', () => {
    const body = JSON.stringify({ q: 'tea', market: 'en-us', offset: 10 })
    const posted = askProvider<Reply>(staan, { path: '/v2/search/web', body, headers: KEY })
    expect(posted.status).toBe(201)
    expect(posted.json).toEqual(ask({ offset: '10' }).json)
    expect(askProvider(staan, { path: '/v2/search/web', body: 'q=tea', headers: KEY }).status).toBe(400)
  })

  it('401: a wrong key, in its own shape', () => {
    expect(ask({}, {})).toMatchObject({
      status: 401,
      json: { code: 'INVALID_CREDENTIALS', message: expect.any(String) },
    })
  })

  it.each([
    ['market', { market: 'es-es' }],
    ['offset', { offset: '5' }],
    ['offset', { offset: '40' }],
    ['q', { q: '' }],
    ['q', { q: 'x'.repeat(401) }],
    ['count', { count: '20' }],
  ] as [string, Record<string, string>][])('400: a bad %s, as a list of messages', (name, query) => {
    expect(ask(query)).toMatchObject({
      status: 400,
      json: { statusCode: 400, error: 'Bad Request', message: [expect.stringMatching(new RegExp(`^${name} `))] },
    })
  })

  it('200: without a market', () => {
    expect(askProvider(staan, { path: '/v2/search/web', query: { q: 'tea' }, headers: KEY }).status).toBe(200)
  })
})
