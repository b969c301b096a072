import { describe, expect, it } from 'vitest'
import { brave } from './brave.ts'
import { askProvider, TEST_NOW } from './provider-testing.ts'

interface BraveReply {
  query: object
  web?: { results: { title: string; page_age?: string }[] }
  error: object
}

const TOKEN = { 'x-subscription-token': brave.key }
const ask = (query: Record<string, string>, headers: Record<string, string> = TOKEN) =>
  askProvider<BraveReply>(brave, { path: '/res/v1/web/search', query, headers })

const titles = (query: Record<string, string>): string[] =>
  ask(query).json.web?.results.map((result) => result.title) ?? []

describe('Brave in the sandbox', () => {
  it('200: a reply has the documented shape', () => {
    const { status, json, headers } = ask({ q: 'climate', count: '10', text_decorations: 'false' })
    expect(status).toBe(200)
    expect(headers['x-ratelimit-limit']).toBe('50, 0')
    expect(json).toMatchObject({
      type: 'search',
      query: { original: 'climate', cleaned: 'climate', more_results_available: true },
      mixed: { type: 'mixed', main: expect.any(Array) },
      web: { type: 'search', family_friendly: expect.any(Boolean) },
    })
    expect(json.query).not.toHaveProperty('altered')
    const results = json.web?.results ?? []
    expect(results).toHaveLength(10)
    for (const result of results) {
      expect(result).toMatchObject({
        type: 'search_result',
        title: expect.any(String),
        url: expect.stringMatching(/^https?:\/\//),
        description: expect.any(String),
        page_fetched: expect.stringMatching(/Z$/),
        profile: { long_name: expect.any(String) },
        meta_url: { hostname: expect.any(String), favicon: expect.stringMatching(/^https:/), path: expect.any(String) },
      })
      if ('page_age' in result) expect(result.page_age).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/)
    }
    const text = JSON.stringify(json)
    expect(text).toContain('&amp;')
    expect(text).toContain('&#x27;')
    expect(text).toContain('"type":"button_result"')
    expect(text).not.toContain('<strong>')
  })

  it('highlights unless told not to', () => {
    expect(JSON.stringify(ask({ q: 'climate' }).json)).toContain('<strong>climate</strong>')
  })

  it('escapes markup in the query', () => {
    const [title] = titles({ q: '<b>"x" & y</b>', text_decorations: 'false' })
    expect(title).toMatch(/&lt;b&gt;x &amp; y&lt;\/b&gt;/i)
  })

  it('searches the corrected query, and reports it, unless spellcheck is off', () => {
    expect(ask({ q: 'clmate' }).json.query).toMatchObject({ original: 'clmate', altered: 'climate' })
    expect(titles({ q: 'clmate' })).toEqual(titles({ q: 'climate' }))
    expect(ask({ q: 'clmate', spellcheck: 'false' }).json.query).not.toHaveProperty('altered')
  })

  it('has no web block when there are no results, or when it was not requested', () => {
    expect(ask({ q: 'nothingtofind' }).json).not.toHaveProperty('web')
    expect(ask({ q: 'climate', result_filter: 'news' }).json).not.toHaveProperty('web')
  })

  it('counts offset in pages and runs out before the tenth', () => {
    expect(titles({ q: 'tea', count: '10', offset: '1' })).not.toEqual(titles({ q: 'tea', count: '10' }))
    expect(titles({ q: 'tea', count: '10', offset: '9' })).toEqual([])
  })

  it('hides adult pages only when strict', () => {
    const hasAdult = (safesearch: string) =>
      titles({ q: 'tea', safesearch }).some((title) => title.includes('adults only'))
    expect([hasAdult('off'), hasAdult('moderate'), hasAdult('strict')]).toEqual([true, true, false])
  })

  it('honours freshness', () => {
    for (const freshness of ['pw', '2026-11-07to2026-11-14']) {
      const results = ask({ q: 'tea', freshness }).json.web?.results ?? []
      expect(results.length).toBeGreaterThan(0)
      for (const result of results) {
        expect(Date.parse(`${result.page_age}Z`)).toBeGreaterThanOrEqual(TEST_NOW - 7.5 * 86_400_000)
      }
    }
  })

  it('422: the key is checked before the query', () => {
    const none = ask({}, {})
    expect(none.status).toBe(422)
    expect(none.json.error).toMatchObject({
      code: 'VALIDATION',
      meta: { errors: [{ loc: ['header', 'x-subscription-token'] }] },
    })
    const wrong = ask({}, { 'x-subscription-token': 'wrong' })
    expect(wrong.status).toBe(422)
    expect(wrong.json).toMatchObject({
      type: 'ErrorResponse',
      error: {
        id: expect.any(String),
        status: 422,
        code: 'SUBSCRIPTION_TOKEN_INVALID',
        meta: { component: 'authentication' },
      },
      time: Math.floor(TEST_NOW / 1000),
    })
    expect(ask({}).json.error).toMatchObject({ code: 'VALIDATION', meta: { errors: [{ loc: ['query', 'q'] }] } })
  })

  it.each([
    ['q', { q: 'x'.repeat(401) }],
    ['q', { q: 'x '.repeat(51) }],
    ['q', { q: ' ' }],
    ['offset', { q: 'x', offset: '10' }],
    ['offset', { q: 'x', offset: '-1' }],
    ['count', { q: 'x', count: '21' }],
    ['freshness', { q: 'x', freshness: 'week' }],
    ['safesearch', { q: 'x', safesearch: 'on' }],
    ['search_lang', { q: 'x', search_lang: 'ja' }],
    ['country', { q: 'x', country: 'us' }],
    ['text_decorations', { q: 'x', text_decorations: 'no' }],
    ['result_filter', { q: 'x', result_filter: 'web, query' }],
  ] as [string, Record<string, string>][])('422: a bad %s is named (%o)', (name, query) => {
    const { status, json } = ask(query)
    expect(status).toBe(422)
    expect(json.error).toMatchObject({ code: 'VALIDATION', meta: { errors: [{ loc: ['query', name] }] } })
  })

  it('200: everything at its limit is accepted', () => {
    const longest = {
      q: 'ö'.repeat(400),
      offset: '9',
      count: '20',
      search_lang: 'jp',
      country: 'ALL',
      ui_lang: 'en-GB',
    }
    expect(ask(longest).status).toBe(200)
    expect(ask({ q: 'x '.repeat(50).trim() }).status).toBe(200)
  })

  it('404: any other path or method', () => {
    expect(askProvider(brave, { path: '/res/v1/web', query: {} }).status).toBe(404)
    expect(askProvider(brave, { path: '/res/v1/web/search', query: {}, method: 'DELETE' }).status).toBe(404)
  })
})
