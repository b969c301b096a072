import { describe, expect, it } from 'vitest'
import { brave } from './brave.ts'
import { askProvider, TEST_NOW } from './provider-testing.ts'

interface Reply {
  query: object
  results: { title: string; query: string; page_age: string; video: { duration: string } }[]
  error: object
}

const ask = (vertical: string, query: Record<string, string>) =>
  askProvider<Reply>(brave, {
    path: `/res/v1/${vertical}/search`,
    query,
    headers: { 'x-subscription-token': brave.key },
  })
const results = (vertical: string, query: Record<string, string>) => ask(vertical, query).json.results
const hasAdult = (vertical: string, query: Record<string, string>) =>
  results(vertical, { q: 'tea', ...query }).some(({ title }) => title.includes('adults only'))

describe('Brave’s images in the sandbox', () => {
  it('200: a reply has the documented shape, up to 200 results, altered or null', () => {
    const { json } = ask('images', { q: 'climate', count: '200' })
    expect(json).toMatchObject({ type: 'images', query: { original: 'climate', altered: null }, extra: {} })
    expect(json.results.length).toBeGreaterThan(60)
    for (const result of json.results) {
      expect(result).toMatchObject({
        type: 'image_result',
        url: expect.stringMatching(/^https?:/),
        source: expect.stringMatching(/\./),
        thumbnail: { src: expect.stringMatching(/^https:/), width: expect.any(Number), height: expect.any(Number) },
        properties: { url: expect.stringMatching(/^https:/), width: expect.any(Number) },
        meta_url: { hostname: expect.any(String) },
      })
    }
    expect(ask('images', { q: 'clmate' }).json.query).toMatchObject({ altered: 'climate' })
  })

  it('hide adult results unless safe search is off', () => {
    expect([{}, { safesearch: 'strict' }, { safesearch: 'off' }].map((query) => hasAdult('images', query))).toEqual([
      false,
      false,
      true,
    ])
  })

  it.each([
    ['offset', { offset: '1' }],
    ['freshness', { freshness: 'pw' }],
    ['safesearch', { safesearch: 'moderate' }],
    ['count', { count: '201' }],
  ] as [string, Record<string, string>][])('422: they have no such %s', (name, query) => {
    const { status, json } = ask('images', { q: 'tea', ...query })
    expect(status).toBe(422)
    expect(json.error).toMatchObject({ meta: { errors: [{ loc: ['query', name] }] } })
  })
})

describe('Brave’s news and videos in the sandbox', () => {
  it('200: news have the documented shape, without a publisher', () => {
    const { json } = ask('news', { q: 'tea', count: '50' })
    expect(json.results).toHaveLength(50)
    for (const result of json.results) {
      expect(result).toMatchObject({
        type: 'news_result',
        description: expect.any(String),
        age: expect.any(String),
        page_age: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/),
        meta_url: { hostname: expect.any(String) },
      })
      expect(result).not.toHaveProperty('source')
    }
  })

  it('200: videos have the documented shape and durations as a clock', () => {
    const found = results('videos', { q: 'tea', count: '50' })
    expect(found).toHaveLength(50)
    for (const { video } of found) expect(video.duration).toMatch(/^(\d?\d:)?\d\d:\d\d$/)
    expect(found[0]).toMatchObject({
      type: 'video_result',
      video: { creator: expect.any(String), views: expect.any(Number) },
    })
  })

  it.each(['news', 'videos'])('%s honour freshness, safe search and the page', (vertical) => {
    const fresh = results(vertical, { q: 'tea', freshness: 'pw' })
    expect(fresh.length).toBeGreaterThan(3)
    for (const { page_age } of fresh)
      expect(Date.parse(`${page_age}Z`)).toBeGreaterThanOrEqual(TEST_NOW - 7 * 86_400_000)
    expect([hasAdult(vertical, { safesearch: 'off' }), hasAdult(vertical, { safesearch: 'strict' })]).toEqual([
      true,
      false,
    ])
    expect(results(vertical, { q: 'tea', offset: '1' })).not.toEqual(results(vertical, { q: 'tea' }))
    expect(ask(vertical, { q: 'tea', count: '51' }).status).toBe(422)
    expect(ask(vertical, { q: 'tea', text_decorations: 'false' }).status).toBe(422)
  })
})

describe('Brave’s suggestions in the sandbox', () => {
  it('200: five completions, or as many as requested', () => {
    expect(ask('suggest', { q: 'clim' }).json).toMatchObject({ type: 'suggest', query: { original: 'clim' } })
    expect(results('suggest', { q: 'clim' })).toHaveLength(5)
    expect(results('suggest', { q: 'clim', count: '10', lang: 'en', country: 'US' })).toHaveLength(10)
    expect(results('suggest', { q: 'clim', rich: 'true' })[0]).toHaveProperty('is_entity')
  })

  it('422: the language is called lang here', () => {
    expect(ask('suggest', { q: 'clim', search_lang: 'en' }).status).toBe(422)
  })
})
