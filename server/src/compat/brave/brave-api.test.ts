import type { HitOf } from '@bowerbird/engines/engine.ts'
import { describe, expect, it } from 'vitest'
import { found, NOW, setUpApi } from '../../api/api.test-harness.ts'
import { Refusal } from '../../errors.ts'
import { callCompat, GOOD_KEY } from '../compat.test-harness.ts'

const PLAIN = { text: 'climate', page: 1, engines: [], safe: true, date: undefined, lang: '', limit: 20 }
const DAY = 86_400_000
const WEB: HitOf['web'] = {
  title: 'A title',
  url: 'https://www.example.org/a/b',
  description: 'A snippet.',
  faviconUrl: 'https://icons.example.org/1.png',
  publishedAt: NOW - 2 * DAY,
  sitelinks: [],
}
const UNDATED: HitOf['web'] = { ...WEB, url: 'https://b.example/', faviconUrl: '', publishedAt: undefined }

const stage = setUpApi()
const get = (path: string, headers: Record<string, string> = { 'x-subscription-token': GOOD_KEY }) =>
  callCompat(stage, `/brave/res/v1/${path}`, { headers })
const asked = () => stage.asked.filter(([name]) => name === 'search').map(([, tab, request]) => [tab, request])

describe('/brave/res/v1/web/search', () => {
  it('every member that Brave’s clients read, and none that is null', async () => {
    stage.says.search = async (tab, request) =>
      found(tab, request, { hits: [WEB, UNDATED] as never, correction: 'climates' })
    const { status, json, text, headers } = await get('web/search?q=climate&count=2')
    expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8'])
    expect(json).toMatchObject({
      type: 'search',
      query: { original: 'climate', altered: 'climates', more_results_available: true },
      web: {
        type: 'search',
        results: [
          {
            type: 'search_result',
            title: 'A title',
            url: 'https://www.example.org/a/b',
            description: 'A snippet.',
            age: '2 days ago',
            page_age: '2026-11-13T12:00:00',
            meta_url: { scheme: 'https', netloc: 'www.example.org', hostname: 'www.example.org', path: '› a › b' },
          },
          { url: 'https://b.example/' },
        ],
      },
    })
    expect(json.web.results[1]).not.toHaveProperty('age')
    expect(json.mixed.main).toHaveLength(2)
    expect(json).not.toHaveProperty('bowerbird')
    expect(text).not.toContain('null')
  })

  it.each([
    [
      'OpenClaw',
      'q=climate&count=5&country=DE&search_lang=de&ui_lang=de-DE&freshness=pw',
      { limit: 5, lang: 'de', region: 'DE', date: 'w' },
    ],
    [
      'OpenClaw, from a day on',
      'q=climate&freshness=2026-11-01to2026-11-15',
      { dateFrom: Date.UTC(2026, 10, 1), dateTo: Date.UTC(2026, 10, 16) - 1 },
    ],
    [
      'LiteLLM, with domains',
      'q=%28climate%29+AND+%28site%3Ab.org+OR+site%3Aa.org%29&include_fetch_metadata=True&count=7',
      { limit: 7, includeDomains: ['a.org', 'b.org'] },
    ],
    ['LangChain', 'q=climate&extra_snippets=True', {}],
    ['Dify', 'q=climate&count=3', { limit: 3 }],
    ['the second page, unfiltered', 'q=climate&offset=1&safesearch=off', { page: 2, safe: false }],
    ['more than there may be', 'q=climate&count=100', { limit: 20 }],
    ['Japanese, as Brave writes it', 'q=climate&search_lang=jp', { lang: 'ja' }],
    ['sections, the web among them', 'q=climate&result_filter=web,query&summary=1', {}],
    ['an operator of one’s own', 'q=climate+AND+%28site%3Aa.org%29', { text: 'climate AND (site:a.org)' }],
  ])('what %s sends', async (_who, query, own) => {
    expect((await get(`web/search?${query}`)).status).toBe(200)
    expect(asked()).toEqual([['web', { ...PLAIN, ...own }]])
    expect(stage.counted).toEqual(['web_search'])
  })

  it('limits are in Brave’s headers too, one number for each window', async () => {
    const { headers } = await get('web/search?q=climate')
    expect(headers).toMatchObject({
      'x-ratelimit-limit': '1000000, 5000',
      'x-ratelimit-policy': '1000000;w=60, 5000;w=86400',
      'x-ratelimit-remaining': expect.stringMatching(/^\d+, \d+$/),
      'x-ratelimit-reset': expect.stringMatching(/^\d+, \d+$/),
    })
  })

  it('hints that have no meaning here are named', async () => {
    const { headers } = await get('web/search?q=climate&ui_lang=de-DE&count=5')
    expect(headers['ignored-parameters']).toBe('ui_lang')
  })

  it('a partial answer says so in a member of its own', async () => {
    stage.says.search = async (tab, request) =>
      found(tab, request, {
        status: 'partial',
        reports: [
          { slot: 'engine_a', outcome: 'ok', count: 0, ms: 1, cached: undefined, isStale: false },
          { slot: 'engine_b', outcome: 'failed', kind: 'timeout', ms: 2_000, wasAsked: true },
        ],
      })
    const { json, headers } = await get('web/search?q=climate')
    expect(json.web.results).toEqual([])
    expect(json.bowerbird).toEqual({
      status: 'partial',
      note: 'No results from The engine of engine_b (timeout); results may be incomplete.',
    })
    expect(headers['search-status']).toBe('partial')
  })

  it.each([
    ['q=', 'q: Send a query.'],
    ['q=a&count=0', 'count: Send 1 or more.'],
    ['q=a&count=x', 'count: Send a number.'],
    ['q=a&offset=10', 'offset: Send at most 9: it counts pages.'],
    ['q=a&safesearch=maybe', 'safesearch: Send off, moderate or strict.'],
    ['q=a&freshness=decade', 'freshness: Send pd, pw, pm, py, or two days as in 2026-11-01to2026-11-07.'],
    [
      'q=a&freshness=2026-11-02to2026-11-01',
      'freshness: Send pd, pw, pm, py, or two days as in 2026-11-01to2026-11-07.',
    ],
    ['q=a&search_lang=german!', 'search_lang: Send a language such as de or pt-BR.'],
    ['q=a&goggles=https://a.example/x', 'goggles: This is not offered here. Leave it out.'],
    [
      'q=a&result_filter=news',
      'result_filter: Only web results are here. Include web, or ask /res/v1/news/search or /res/v1/videos/search.',
    ],
  ])('400 in Brave’s shape: %s', async (query, sentence) => {
    expect(await get(`web/search?${query}`)).toMatchObject({
      status: 400,
      json: { type: 'ErrorResponse', error: { status: 400, code: 'VALIDATION', detail: sentence } },
    })
    expect(stage.asked).toEqual([])
  })

  it('401, 403, 404, 405, 429 and 503 in the same shape', async () => {
    const shape = (status: number, code: string) => ({
      status,
      json: { error: { status, code, detail: expect.any(String) } },
    })
    expect(await get('web/search?q=a', {})).toMatchObject(shape(401, 'SUBSCRIPTION_TOKEN_INVALID'))
    const scoped = stage.addKey({ scopes: new Set(['maps']) })
    const refused = await get('web/search?q=a', { 'x-subscription-token': scoped })
    expect(refused).toMatchObject(shape(403, 'SUBSCRIPTION_NOT_FOUND'))
    for (const path of ['summarizer/search', 'chat/completions', 'local/pois', 'spellcheck/search', 'web/rich'])
      expect(await get(path)).toMatchObject(shape(404, 'NOT_FOUND'))
    const posted = await callCompat(stage, '/brave/res/v1/web/search', { method: 'POST' })
    expect(posted).toMatchObject(shape(405, 'METHOD_NOT_ALLOWED'))
    const headers = { 'x-subscription-token': stage.addKey({ burst: { count: 1, windowMs: 60_000 } }) }
    await get('web/search?q=a', headers)
    expect(await get('web/search?q=a', headers)).toMatchObject(shape(429, 'RATE_LIMITED'))
    stage.says.search = async () => {
      throw new Refusal('no_engine_responded', 'No search engine responded.', { 'Retry-After': '5' })
    }
    const failed = await get('web/search?q=a')
    expect(failed).toMatchObject({ ...shape(503, 'INTERNAL'), headers: { 'retry-after': '5' } })
  })
})

describe('the other searches', () => {
  it('news', async () => {
    const hit = { ...WEB, publisher: 'The Times', thumbnailUrl: 'https://img.example.org/1.jpg' }
    stage.says.search = async (tab, request) => found(tab, request, { hits: [hit] as never })
    const { json } = await get('news/search?q=climate&freshness=pd')
    expect(json).toMatchObject({
      type: 'news',
      results: [{ type: 'news_result', age: '2 days ago', thumbnail: { src: 'https://img.example.org/1.jpg' } }],
    })
    expect(asked()).toEqual([['news', { ...PLAIN, date: 'd' }]])
  })

  it('images: no dates and no pages', async () => {
    const picture = {
      thumbnailUrl: 'https://img.example.org/1.jpg',
      imageUrl: 'https://img.example.org/1-large.jpg',
      width: 1600,
      height: 900,
    }
    const hit = { title: 'A picture', url: 'https://example.org/p', ...picture }
    stage.says.search = async (tab, request) => found(tab, request, { hits: [hit] as never })
    const { json } = await get('images/search?q=climate&safesearch=strict')
    expect(json).toMatchObject({
      type: 'images',
      results: [
        {
          title: 'A picture',
          url: 'https://example.org/p',
          thumbnail: { src: hit.thumbnailUrl },
          properties: { url: hit.imageUrl, width: 1600, height: 900 },
        },
      ],
      extra: { might_be_offensive: false },
    })
    expect(asked()).toEqual([['images', { ...PLAIN, limit: 50 }]])
    expect((await get('images/search?q=climate&freshness=pd')).status).toBe(400)
    expect((await get('images/search?q=climate&offset=1')).status).toBe(400)
  })

  it('videos', async () => {
    const hit: HitOf['videos'] = {
      title: 'A video',
      url: 'https://video.example/1',
      publishedAt: NOW,
      publisher: 'A channel',
      durationSeconds: 252,
      thumbnailUrl: '',
    }
    stage.says.search = async (tab, request) => found(tab, request, { hits: [hit] as never })
    const { json } = await get('videos/search?q=climate&offset=9')
    expect(json.results).toEqual([
      expect.objectContaining({ video: { duration: '4:12', creator: 'A channel', publisher: 'A channel' } }),
    ])
    expect(json.query.more_results_available).toBe(false)
  })

  it('suggestions', async () => {
    stage.says.suggest = async () => ({ suggestions: ['climate change', 'climate'], status: 'complete' })
    expect((await get('suggest/search?q=clim&count=1&lang=de')).json).toEqual({
      type: 'suggest',
      query: { original: 'clim' },
      results: [{ query: 'climate change', is_entity: false }],
    })
    expect([stage.asked, stage.counted]).toEqual([[['suggest', { text: 'clim', lang: 'de' }]], ['suggest']])
  })
})

describe('/brave/res/v1/llm/context', () => {
  const TEXT = 'Climate is the long-term pattern of the weather. '.repeat(40).trim()

  it('snippets, and the text of pages for a key that may read', async () => {
    const page = { type: 'html', title: '', byline: '', siteName: '', language: '', published: '' } as const
    stage.says.search = async (tab, request) => found(tab, request, { hits: [WEB, UNDATED] as never })
    stage.says.read = async (address) =>
      address === WEB.url
        ? { ok: true, address, fetchedAt: NOW, page: { ...page, content: TEXT } }
        : { ok: false, reason: 'unreachable' }
    const searchOnly = await get('llm/context?q=climate')
    expect(searchOnly.json.grounding.generic.map(({ snippets }: { snippets: string[] }) => snippets)).toEqual([
      ['A snippet.'],
      ['A snippet.'],
    ])
    const key = stage.addKey({ scopes: new Set(['search', 'read']) })
    const headers = { 'x-subscription-token': key, 'content-type': 'application/json' }
    const body = JSON.stringify({ q: 'climate', maximum_number_of_tokens: 1_024 })
    const { json } = await callCompat(stage, '/brave/res/v1/llm/context', { method: 'POST', headers, body })
    expect(json.grounding.generic).toEqual([
      { url: WEB.url, title: 'A title', snippets: [TEXT, 'A snippet.'] },
      { url: UNDATED.url, title: 'A title', snippets: ['A snippet.'] },
    ])
    expect(json.sources[WEB.url]).toEqual({
      title: 'A title',
      hostname: 'example.org',
      age: ['Friday, 13 November 2026', '2026-11-13', '2 days ago'],
    })
    expect(stage.counted).toEqual(['web_search', 'read', 'web_search'])
  })

  it('keeps to the bounds that are sent', async () => {
    stage.says.search = async (tab, request) => found(tab, request, { hits: [WEB, UNDATED] as never })
    const snippets = async (query: string) =>
      (await get(`llm/context?q=climate&${query}`)).json.grounding.generic.flatMap(
        (source: { snippets: string[] }) => source.snippets,
      )
    expect(await snippets('maximum_number_of_snippets=1')).toEqual(['A snippet.'])
    expect((await snippets('maximum_number_of_tokens=3')).join('').length).toBeLessThanOrEqual(12)
    await snippets('maximum_number_of_urls=1')
    expect(asked().at(-1)).toEqual(['web', { ...PLAIN, limit: 1 }])
  })
})
