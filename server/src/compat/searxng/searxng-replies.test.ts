// What SearXNG's clients read of a reply.

import type { HitOf, Tab } from '@bowerbird/engines/engine.ts'
import { describe, expect, it } from 'vitest'
import { found, NOW, setUpApi } from '../../api/api.test-harness.ts'
import { Refusal } from '../../errors.ts'
import type { Scope } from '../../keys/scopes.ts'
import type { SearchRequest } from '../../search/search-request.ts'
import { callCompat, GOOD_KEY } from '../compat.test-harness.ts'

const PLAIN: SearchRequest = { text: 'climate', page: 1, engines: [], safe: true, date: undefined, lang: '' }
const WEB: HitOf['web'] = {
  kind: 'web',
  title: 'Climate',
  url: 'https://example.org/climate?a=1#top',
  description: 'About the climate.',
  faviconUrl: '',
  publishedAt: NOW,
  sitelinks: [],
}

const ARTICLE = {
  title: 'Climate',
  description: 'statistics of weather',
  summary: 'Weather over a long time.',
  url: 'https://en.wikipedia.org/wiki/Climate',
  lang: 'en',
  image: null,
  facts: [
    {
      property: 'P361',
      label: 'part of',
      values: [
        { text: 'Earth', url: '' },
        { text: 'system', url: '' },
      ],
    },
  ],
  sources: [{ name: 'Wikipedia', url: 'https://en.wikipedia.org/wiki/Climate' }],
  attribution: { text: 'Wikipedia', url: 'https://en.wikipedia.org/', licence: '', licence_url: '' },
}

const stage = setUpApi()

describe('what clients read', () => {
  const HITS: { [Name in Tab]: HitOf[Name] } = {
    web: WEB,
    images: {
      kind: 'image',
      title: 'A picture',
      url: 'https://example.org/p',
      thumbnailUrl: 'https://img.example.org/1.jpg',
      imageUrl: 'https://img.example.org/1-large.jpg',
    },
    news: { ...WEB, kind: 'news', publisher: 'The Times', thumbnailUrl: '', publishedAt: undefined },
    videos: {
      kind: 'video',
      title: 'A video',
      url: 'https://www.youtube.com/watch?v=abcdefghijk',
      publishedAt: NOW,
      publisher: 'A channel',
      durationSeconds: 60,
      thumbnailUrl: 'https://img.example.org/2.jpg',
    },
    science: WEB,
    code: WEB,
  }

  it('every field of a web result, with the type that SearXNG gives it', async () => {
    stage.says.search = async (tab, request) =>
      found(tab, request, {
        hits: [WEB, { ...WEB, url: 'https://example.org/2', publishedAt: undefined }],
        correction: 'climates',
      })
    stage.says.answer = async () => ({
      answer: { type: 'x', query: 'climate', text: '6 × 7 = 42' },
      isPersonal: false,
      usesZone: false,
    })
    const { json, headers } = await callCompat(stage, '/searxng/search?q=climate&format=json')
    expect(Object.keys(json)).toEqual([
      'query',
      'number_of_results',
      'results',
      'answers',
      'corrections',
      'infoboxes',
      'suggestions',
      'unresponsive_engines',
    ])
    expect(json).toMatchObject({
      query: 'climate',
      number_of_results: 2,
      answers: ['6 × 7 = 42'],
      corrections: ['climates'],
    })
    const [first, second] = json.results
    expect(first).toEqual({
      url: WEB.url,
      title: 'Climate',
      content: 'About the climate.',
      publishedDate: '2026-11-15T12:00:00.000Z',
      thumbnail: '',
      img_src: '',
      thumbnail_src: '',
      iframe_src: '',
      engine: 'The engine of engine_a',
      engines: ['The engine of engine_a'],
      parsed_url: ['https', 'example.org', '/climate', '', 'a=1', 'top'],
      template: 'default.html',
      positions: [1],
      score: expect.any(Number),
      category: 'general',
      priority: '',
    })
    expect(second.publishedDate).toBeNull()
    expect(second.score).toBeLessThan(first.score)
    expect(headers).toMatchObject({
      'search-status': 'complete',
      'engine-status': 'engine_a;ok;n=2;ms=12',
      ratelimit: expect.any(String),
    })
  })

  it.each(['images', 'news', 'videos'] as const)(
    '%s: no field is missing or null where clients expect a text',
    async (tab) => {
      stage.says.search = async (name, request) => found(name, request, { hits: [HITS[name]] })
      const { json } = await callCompat(stage, `/searxng/search?q=climate&categories=${tab}`)
      const [result] = json.results
      for (const name of [
        'title',
        'url',
        'content',
        'engine',
        'category',
        'template',
        'thumbnail',
        'img_src',
        'iframe_src',
      ]) {
        expect(typeof result[name]).toBe('string')
      }
      expect(result.category).toBe(tab)
      if (tab === 'images')
        expect([result.img_src, result.thumbnail_src]).toEqual([
          'https://img.example.org/1-large.jpg',
          'https://img.example.org/1.jpg',
        ])
      if (tab === 'videos') expect(result.iframe_src).toBe('https://www.youtube-nocookie.com/embed/abcdefghijk')
    },
  )

  it('the article about what the query names, and related queries, beside the first page of results', async () => {
    stage.says.cards = async () => ({ cards: { wikipedia: ARTICLE }, reports: [], status: 'complete' })
    stage.says.suggest = async () => ({ suggestions: ['climate', 'climate change'], status: 'complete' })
    const { json } = await callCompat(stage, '/searxng/search?q=climate')
    expect(json.suggestions).toEqual(['climate change'])
    expect(json.infoboxes).toEqual([
      {
        infobox: 'Climate',
        id: 'https://en.wikipedia.org/wiki/Climate',
        content: 'Weather over a long time.',
        img_src: '',
        urls: [{ title: 'Wikipedia', url: 'https://en.wikipedia.org/wiki/Climate' }],
        attributes: [{ label: 'part of', value: 'Earth, system' }],
        engine: 'wikipedia',
        engines: ['wikipedia'],
      },
    ])
    expect((await callCompat(stage, '/searxng/search?q=climate&pageno=2')).json.infoboxes).toEqual([])
    const authorization = `Bearer ${stage.addKey({ scopes: new Set<Scope>(['search']) })}`
    const { json: other } = await callCompat(stage, '/searxng/search?q=climate', { headers: { authorization } })
    expect([other.infoboxes, other.suggestions]).toEqual([[], ['climate change']])
  })

  it('results do not wait for an article and suggestions that are late or fail', async () => {
    stage.says.cards = () => new Promise(() => undefined)
    stage.says.suggest = async () => {
      throw new Refusal('suggestions_failed', 'No suggestion provider responded.')
    }
    const { status, json } = await callCompat(stage, '/searxng/search?q=climate')
    expect([status, json.infoboxes, json.suggestions]).toEqual([200, [], []])
  })

  it('which engines failed and why, and which were skipped', async () => {
    stage.says.search = async (tab, request) =>
      found(tab, request, {
        status: 'partial',
        reports: [
          { slot: 'engine_a', outcome: 'ok', count: 0, ms: 1, cached: undefined, isStale: false },
          { slot: 'engine_b', outcome: 'failed', kind: 'timeout', ms: 2_000, calledProvider: true },
          { slot: 'engine_c', outcome: 'skipped', reason: 'date' },
        ],
      })
    const { json } = await callCompat(stage, '/searxng/search?q=climate&time_range=day')
    expect(json.unresponsive_engines).toEqual([
      ['The engine of engine_b', 'timeout'],
      ['The engine of engine_c', 'cannot filter by date'],
    ])
  })

  it('as many results as the client wants, and nothing cached for another number', async () => {
    const answer = found('web', PLAIN, { hits: [WEB, { ...WEB, url: 'https://example.org/2' }] })
    stage.says.search = async () => answer
    const count = async (query: string) =>
      (await callCompat(stage, `/searxng/search?q=climate${query}`)).json.results.length
    expect([await count(''), await count('&numResults=1'), await count('')]).toEqual([2, 1, 2])
  })

  it('no answer that failed, is personal, or is outside the key’s scopes', async () => {
    const answers = async (key: string) =>
      (await callCompat(stage, '/searxng/search?q=my+ip', { headers: { 'x-api-key': key } })).json.answers
    stage.says.answer = async () => ({
      answer: { type: 'x', query: '', text: 'You' },
      isPersonal: true,
      usesZone: false,
    })
    expect(await answers(GOOD_KEY)).toEqual([])
    stage.says.answer = async () => {
      throw new Refusal('answer_failed', 'The provider did not respond.')
    }
    expect(await answers(GOOD_KEY)).toEqual([])
    stage.says.answer = async () => ({
      answer: { type: 'x', query: '', text: '42' },
      isPersonal: false,
      usesZone: false,
    })
    expect(await answers(GOOD_KEY)).toEqual(['42'])
    expect(await answers(stage.addKey({ scopes: new Set(['search']) }))).toEqual([])
  })

  it('nothing past the last page, without querying an engine', async () => {
    expect((await callCompat(stage, '/searxng/search?q=climate&pageno=51')).json).toMatchObject({
      results: [],
      number_of_results: 0,
    })
    expect(stage.asked).toEqual([])
  })

  it('a feed', async () => {
    stage.says.search = async (tab, request) => found(tab, request, { hits: [{ ...WEB, title: '<b>&\u0000' }] })
    const { text, headers } = await callCompat(stage, '/searxng/search?q=a%26b&format=rss&categories=news')
    expect(headers['content-type']).toBe('application/rss+xml; charset=utf-8')
    expect(text).toContain('<title>&lt;b&gt;&amp;</title>\n<link>https://example.org/climate?a=1#top</link>')
    expect(text).toContain('searchTerms="a&amp;b"')
    expect(text).toContain('<pubDate>Sun, 15 Nov 2026 12:00:00 GMT</pubDate>')
  })

  it('a page in which Khoj finds titles, addresses and texts', async () => {
    const hits = [
      { ...WEB, title: '<b>"&' },
      { ...WEB, url: 'https://example.org/"><script>' },
    ]
    stage.says.search = async (tab, request) => found(tab, request, { hits })
    const url = '/searxng/search?q=%3Cq%3E&format=html&language=en&country=us&categories=general'
    const { status, text, headers } = await callCompat(stage, url)
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(headers['content-security-policy']).toContain("default-src 'none'")
    expect(text).toContain(
      '<article class="result"><h3><a href="https://example.org/climate?a=1#top" rel="noreferrer">&lt;b&gt;&quot;&amp;</a></h3><p class="content">About the climate.</p></article>',
    )
    expect(text.match(/<article class="result">/g)).toHaveLength(2)
    expect(text).not.toContain('<script>')
    expect(text).not.toContain('<q>')
  })

  it('the results of several categories, best first, and what failed among them', async () => {
    stage.says.search = async (tab, request) => {
      if (tab === 'news') throw new Refusal('no_engine_responded', 'No search engine responded.')
      return found(tab, request, { hits: [HITS[tab], { ...HITS[tab], url: `https://example.org/${tab}` }] as never })
    }
    const { json, headers } = await callCompat(stage, '/searxng/search?q=climate&categories=general,news,images')
    expect(json.results.map(({ category }: { category: string }) => category)).toEqual([
      'general',
      'images',
      'general',
      'images',
    ])
    expect(json.unresponsive_engines).toEqual([['news', 'No search engine responded.']])
    expect(headers['search-status']).toBe('partial')
    expect(stage.counted.sort()).toEqual(['image_search', 'web_search'])
    const news = await callCompat(stage, '/searxng/search?q=climate&categories=news')
    expect(news).toMatchObject({ status: 503, json: { error: 'No search engine responded.' } })
  })

  it('suggestions, for browsers and for scripts', async () => {
    stage.says.suggest = async () => ({ suggestions: ['climate change', 'climate'], status: 'complete' })
    const browser = await callCompat(stage, '/searxng/autocompleter?q=clim&lang=en')
    expect(browser.headers['content-type']).toBe('application/x-suggestions+json; charset=utf-8')
    expect(browser.json).toEqual([
      'clim',
      ['climate change', 'climate'],
      [],
      [],
      { 'google:suggestrelevance': [1300, 1299] },
    ])
    const headers = { 'x-api-key': GOOD_KEY, 'x-requested-with': 'XMLHttpRequest' }
    expect((await callCompat(stage, '/searxng/autocompleter?q=clim', { headers })).json).toEqual([
      'climate change',
      'climate',
    ])
    expect(stage.counted.at(-1)).toBe('suggest')
    expect((await callCompat(stage, '/autocompleter?q=clim', { headers })).json).toEqual(['climate change', 'climate'])
    expect((await callCompat(stage, '/autocompleter?q=clim', { headers: {} })).status).toBe(401)
  })

  it('the health check, without a key', async () => {
    const { status, text } = await callCompat(stage, '/searxng/healthz', { headers: {} })
    expect([status, text]).toEqual([200, 'OK'])
  })
})
