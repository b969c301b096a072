import { describe, expect, it } from 'vitest'
import { askProvider, TEST_NOW } from './provider-testing.ts'
import { searxng } from './searxng.ts'

interface Reply {
  query: string
  corrections: string[]
  results: { title: string; publishedDate: string | null }[]
}

const CATEGORIES = ['general', 'images', 'news', 'videos']
const ask = (query: Record<string, string>) =>
  askProvider<Reply>(searxng, { path: '/search', query: { q: 'tea', format: 'json', ...query } })
const results = (query: Record<string, string>) => ask(query).json.results

describe('SearXNG in the sandbox', () => {
  it.each(CATEGORIES)('200: %s have the documented shape', (categories) => {
    const { json } = ask({ categories })
    expect(json).toMatchObject({ query: 'tea', answers: [], corrections: [], infoboxes: [], unresponsive_engines: [] })
    expect(json).not.toHaveProperty('number_of_results')
    expect(json.results).toHaveLength(20)
    for (const result of json.results) {
      expect(result).toMatchObject({
        url: expect.stringMatching(/^https?:/),
        title: expect.any(String),
        content: expect.any(String),
        engines: [expect.any(String)],
        score: expect.any(Number),
        category: categories,
      })
      expect(Reflect.get(result, 'parsed_url')).toHaveLength(6)
    }
  })

  it('pictures have two addresses, some without a scheme, and videos a length in seconds', () => {
    for (const picture of results({ categories: 'images' })) {
      expect(picture).toMatchObject({
        template: 'images.html',
        img_src: expect.stringMatching(/^https:/),
        thumbnail_src: expect.stringMatching(/^(https:)?\/\//),
      })
    }
    for (const video of results({ categories: 'videos' })) {
      expect(video).toMatchObject({
        template: 'videos.html',
        length: expect.any(Number),
        thumbnail: expect.any(String),
      })
    }
  })

  it.each(CATEGORIES)('%s are filtered and paged as requested', (categories) => {
    const hasAdult = (safesearch: string) =>
      results({ categories, safesearch }).some(({ title }) => title.includes('adults only'))
    expect([hasAdult('0'), hasAdult('1'), hasAdult('2')]).toEqual([true, false, false])
    expect(results({ categories, pageno: '2' })).not.toEqual(results({ categories }))
    expect(results({ categories, pageno: '40' })).toEqual([])
    const fresh = results({ categories, time_range: 'week' })
    expect(fresh.length).toBeGreaterThan(3)
    for (const { publishedDate } of fresh) {
      expect(Date.parse(`${publishedDate}Z`)).toBeGreaterThanOrEqual(TEST_NOW - 7 * 86_400_000)
    }
  })

  it('suggests a correction', () => {
    expect(ask({ q: 'clmate' }).json.corrections).toEqual(['climate'])
  })

  it('takes a form too', () => {
    const body = new URLSearchParams({ q: 'tea', format: 'json' }).toString()
    expect(askProvider<Reply>(searxng, { path: '/search', body }).json).toEqual(ask({}).json)
  })

  it.each(['!g tea', 'tea !images', 'tea !!w'])('302: %s is a command', (q) => {
    const { status, headers } = ask({ q })
    expect([status, headers['location']]).toEqual([302, 'https://elsewhere.example/search'])
  })

  it('removes languages and timeouts from the query, but not from quotes', () => {
    expect(ask({ q: ':de tea <3' }).json.query).toBe('tea')
    expect(ask({ q: '":de" tea "!g"' }).json.query).toBe('":de" tea "!g"')
    expect(ask({ q: ':) tea' }).json.query).toBe(':) tea')
  })

  it('400: no query, or an invalid parameter', () => {
    expect(ask({ q: ' ' })).toMatchObject({ status: 400, json: { error: 'No query' } })
    const wrong = [{ pageno: '0' }, { safesearch: '3' }, { time_range: 'decade' }, { language: 'english' }]
    for (const query of wrong as Record<string, string>[]) expect(ask(query).status).toBe(400)
    for (const language of ['all', 'auto', 'de', 'de-AT', 'zh-Hans-CN']) expect(ask({ language }).status).toBe(200)
  })

  it('answers in HTML unless JSON is requested, 403 for other formats, 308 at the root', () => {
    expect(askProvider(searxng, { path: '/search', query: { q: 'tea' } }).text).toMatch(/^<!doctype html>/)
    expect(ask({ format: 'rss' })).toMatchObject({ status: 403, text: expect.stringContaining('<html') })
    expect(askProvider(searxng, { path: '/', query: { q: 'tea' } })).toMatchObject({
      status: 308,
      headers: { location: '/searxng/search?q=tea' },
    })
    expect(askProvider(searxng, { path: '/healthz' }).text).toBe('OK')
  })

  it('completes in two formats', () => {
    const long = askProvider<unknown[]>(searxng, { path: '/autocompleter', query: { q: 'clim' } })
    expect(long.headers['content-type']).toBe('application/x-suggestions+json')
    expect(long.json).toEqual(['clim', expect.any(Array), [], [], { 'google:suggestrelevance': expect.any(Array) }])
    const headers = { 'x-requested-with': 'XMLHttpRequest' }
    expect(askProvider(searxng, { path: '/autocompleter', query: { q: 'clim' }, headers }).json).toEqual(long.json[1])
  })
})
