import { beforeEach, describe, expect, it } from 'vitest'
import { startCpuTimer } from '../../../../engines/test/cpu-timer.ts'
import { found, NOW, readPage, setUpApi, webHit } from '../../api/api.test-harness.ts'
import { Refusal } from '../../errors.ts'
import type { SearchRequest } from '../../search/search-request.ts'
import { callCompat, GOOD_KEY } from '../compat.test-harness.ts'

const PLAIN: SearchRequest = { text: 'climate', page: 1, engines: [], safe: true, date: undefined, lang: '', limit: 5 }
const hit = (url: string) =>
  webHit({ url, description: 'A snippet.', faviconUrl: 'https://icons.example.org/1.png', publishedAt: NOW })

const stage = setUpApi()
const HEADERS = { authorization: `Bearer ${GOOD_KEY}`, 'content-type': 'application/json' }
const post = (path: string, body: unknown, headers: Record<string, string> = HEADERS) =>
  callCompat(stage, path, { method: 'POST', headers, body: typeof body === 'string' ? body : JSON.stringify(body) })
const asked = () => stage.asked.filter(([name]) => name === 'search').map(([, tab, request]) => [tab, request])

describe('POST /tavily/search', () => {
  it('what @tavily/core sends is one search, and every member of the reply has the type it expects', async () => {
    stage.says.search = async (tab, request) => found(tab, request, { hits: [hit('https://a.example.org/')] as never })
    const sent = {
      query: 'climate',
      search_depth: 'basic',
      topic: 'general',
      max_results: 1,
      include_images: false,
      include_answer: false,
      include_raw_content: false,
      include_favicon: true,
      timeout: 60,
      client_source: 'x',
    }
    const { status, json, headers } = await post('/tavily/search', sent)
    expect([status, asked()]).toEqual([200, [['web', { ...PLAIN, limit: 1 }]]])
    expect(json).toEqual({
      query: 'climate',
      follow_up_questions: null,
      answer: null,
      images: [],
      results: [
        {
          url: 'https://a.example.org/',
          title: 'A title',
          content: 'A snippet.',
          score: 1,
          raw_content: null,
          published_date: 'Sun, 15 Nov 2026 12:00:00 GMT',
          favicon: 'https://icons.example.org/1.png',
        },
      ],
      response_time: 0.012,
      request_id: headers['x-request-id'],
    })
    expect(headers).toMatchObject({ 'search-status': 'complete', 'engine-status': expect.any(String) })
    expect(stage.counted).toEqual(['web_search'])
  })

  it.each([
    [{ time_range: 'm', language: 'de' }, 'web', { date: 'm', lang: 'de' }],
    [{ time_range: 'year', topic: 'news' }, 'news', { date: 'y' }],
    [{ days: 3 }, 'web', {}],
    [{ time_range: null, days: null, include_domains: [] }, 'web', {}],
    [
      { start_date: '2026-11-01', end_date: '2026-11-07' },
      'web',
      { dateFrom: Date.UTC(2026, 10, 1), dateTo: Date.UTC(2026, 10, 8) - 1 },
    ],
    [{ include_domains: ['https://www.example.org/x'] }, 'web', { includeDomains: ['example.org'] }],
    [
      { include_domains: ['b.org', 'a.org'], exclude_domains: 'c.org' },
      'web',
      { includeDomains: ['a.org', 'b.org'], excludeDomains: ['c.org'] },
    ],
    [{ max_results: 50 }, 'web', { limit: 20 }],
    [{ country: '', exact_match: false, safe_search: false }, 'web', { safe: false }],
  ])('%j', async (own, tab, request) => {
    expect((await post('/tavily/search', { query: 'climate', ...own })).status).toBe(200)
    expect(asked()).toEqual([[tab, { ...PLAIN, ...request }]])
  })

  it('`days` of news is a date from which results are wanted', async () => {
    await post('/tavily/search', { query: 'climate', topic: 'news', days: 3 })
    const [[tab, request] = []] = asked()
    expect(tab).toBe('news')
    const { dateFrom = 0 } = request as SearchRequest
    expect(Math.abs(Date.now() - 3 * 86_400_000 - dateFrom)).toBeLessThan(10_000)
  })

  it('pictures only if requested, with or without descriptions, and never an error', async () => {
    const place = { url: 'https://a.example/', thumbnailUrl: 'https://a.example/bird.jpg' }
    const picture = { kind: 'image' as const, title: 'A bird', ...place }
    stage.says.search = async (tab, request) => found(tab, request, { hits: tab === 'images' ? [picture] : [] })
    const images = async (own: object) => (await post('/tavily/search', { query: 'bird', ...own })).json.images
    expect(await images({})).toEqual([])
    expect(await images({ include_images: true })).toEqual([picture.thumbnailUrl])
    expect(await images({ include_images: true, include_image_descriptions: true })).toEqual([
      { url: picture.thumbnailUrl, description: 'A bird' },
    ])
    stage.says.search = async (tab, request) => {
      if (tab === 'images') throw new Refusal('no_engine_configured', 'No search engine is configured.')
      return found(tab, request)
    }
    expect(await images({ include_images: true })).toEqual([])
    expect(stage.counted).toEqual(Array.from({ length: 4 }, () => 'web_search'))
  })

  it('says in a member of its own what is missing from an answer', async () => {
    const reports = [{ slot: 'engine_b', outcome: 'failed', kind: 'timeout', ms: 2_000 }]
    stage.says.search = async (tab, request) => found(tab, request, { status: 'partial', reports: reports as never })
    expect((await post('/tavily/search', { query: 'climate' })).json.bowerbird).toEqual({
      status: 'partial',
      note: 'No results from The engine of engine_b (timeout); results may be incomplete.',
    })
  })

  it('an instant answer only if requested, not personal, and within the key’s scope', async () => {
    stage.says.answer = async () => ({
      answer: { type: 'x', query: '', text: '42' },
      isPersonal: false,
      usesZone: false,
    })
    const answer = async (own: object, key = GOOD_KEY) =>
      (await post('/tavily/search', { query: '6*7', ...own }, { ...HEADERS, authorization: `Bearer ${key}` })).json
        .answer
    expect(await answer({})).toBeNull()
    expect(await answer({ include_answer: 'basic' })).toBe('42')
    expect(await answer({ include_answer: true }, stage.addKey({ scopes: new Set(['search']) }))).toBeNull()
    stage.says.answer = async () => {
      throw new Refusal('answer_failed', 'The provider did not respond.')
    }
    expect(await answer({ include_answer: true })).toBeNull()
  })

  it.each([
    ['no query', {}, 400, 'query: Send a query.'],
    ['a query that is no text', { query: 7 }, 400, 'query: Send a query.'],
    ['a wrong range', { query: 'a', time_range: 'decade' }, 400, 'time_range: Send day, week, month or year.'],
    [
      'a domain that is none',
      { query: 'a', include_domains: ['a b'] },
      400,
      'include_domains: Send at most 50 domains such as example.org.',
    ],
    [
      'a range that every object has',
      { query: 'a', time_range: 'constructor' },
      400,
      'time_range: Send day, week, month or year.',
    ],
    ['a topic that is not offered', { query: 'a', topic: 'finance' }, 400, 'topic: Send general or news.'],
    [
      'a filter that is not offered',
      { query: 'a', exact_match: true },
      400,
      'exact_match: This is not offered here. Leave it out.',
    ],
    [
      'a day that is none',
      { query: 'a', start_date: '2026-02-30' },
      400,
      'start_date: Send a day such as 2026-11-07, or a time such as 2026-11-07T10:00:00Z.',
    ],
    [
      'a format that is none',
      { query: 'a', include_raw_content: 'html' },
      400,
      'include_raw_content: Send true, false, markdown or text.',
    ],
    ['no object', '[]', 400, 'The request body is not a JSON object.'],
    ['no JSON', '{', 400, 'The request body is not a JSON object.'],
  ] as const)('400 in its own shape: %s', async (...row) => {
    const [, body, status, sentence] = row
    expect(await post('/tavily/search', body)).toMatchObject({ status, json: { detail: { error: sentence } } })
  })

  it('a domain with very many slashes is refused within a moment', async () => {
    const spentMs = startCpuTimer()
    const { status } = await post('/tavily/search', { query: 'a', include_domains: [`${'/'.repeat(60_000)}\nx`] })
    expect(status).toBe(400)
    expect(spentMs()).toBeLessThan(1_000)
  })

  it('401, 403, 405 and 503 have the shape that Tavily’s clients read', async () => {
    const shape = { detail: { error: expect.stringMatching(/\.$/) } }
    expect(await post('/tavily/search', {}, {})).toMatchObject({ status: 401, json: shape })
    const key = stage.addKey({ scopes: new Set(['maps']) })
    expect(await post('/tavily/search', { query: 'a' }, { 'x-api-key': key })).toMatchObject({
      status: 403,
      json: shape,
    })
    expect(await callCompat(stage, '/tavily/search')).toMatchObject({
      status: 405,
      json: shape,
      headers: { allow: 'POST', 'error-code': 'method_not_allowed' },
    })
    // Its body is left out by Node, which isn't in between here.
    expect(await callCompat(stage, '/tavily/search', { method: 'HEAD' })).toMatchObject({
      status: 405,
      headers: { allow: 'POST' },
    })
    stage.says.search = async () => {
      throw new Refusal('no_engine_responded', 'No search engine responded.', { 'Retry-After': '5' })
    }
    const failed = await post('/tavily/search', { query: 'a' })
    expect(failed).toMatchObject({ status: 503, json: shape, headers: { 'retry-after': '5' } })
    expect(stage.counted).toEqual([])
  })
})

describe('include_raw_content', () => {
  const [A, BAD] = ['https://a.example.org/', 'https://bad.example.org/'] as const
  const search = (own: object, key = stage.addKey({ scopes: new Set(['search', 'read']) })) =>
    post('/tavily/search', { query: 'climate', ...own }, { ...HEADERS, authorization: `Bearer ${key}` })

  beforeEach(() => {
    stage.says.search = async (tab, request) => found(tab, request, { hits: [hit(A), hit(BAD)] as never })
    stage.says.read = async (address, { format }) =>
      address === BAD ? { ok: false, reason: 'robots' } : readPage(`As ${format}`)
  })

  it.each([
    [true, 'As markdown'],
    ['markdown', 'As markdown'],
    ['text', 'As text'],
  ])('%s: the text of the pages, each counted as one that was read', async (own, text) => {
    const { json } = await search({ include_raw_content: own })
    expect(json.results).toMatchObject([
      { url: A, raw_content: text },
      { url: BAD, raw_content: null },
    ])
    expect(json.bowerbird.note).toBe('Pages without text: 1 (robots).')
    expect(stage.counted).toEqual(['read', 'web_search'])
  })

  it.each([false, 'false', null])('%s: none', async (own) => {
    const { json } = await search({ include_raw_content: own }, GOOD_KEY)
    expect([json.results[0].raw_content, stage.counted]).toEqual([null, ['web_search']])
  })

  it('403: a key without the scope is told so', async () => {
    expect(await search({ include_raw_content: true }, GOOD_KEY)).toMatchObject({
      status: 403,
      json: { detail: { error: 'This API key does not have the read scope.' } },
    })
    expect([stage.asked, stage.counted]).toEqual([[], []])
  })
})

describe('POST /openwebui/search', () => {
  it('returns links, titles and snippets, as many as requested', async () => {
    stage.says.search = async (tab, request) =>
      found(tab, request, { hits: [hit('https://a.org/'), hit('https://b.org/')].slice(0, request.limit) })
    const { status, json } = await post('/openwebui/search', { query: 'climate', count: 2 })
    expect(asked()).toEqual([['web', { ...PLAIN, limit: 2 }]])
    expect([status, json]).toEqual([
      200,
      [
        { link: 'https://a.org/', title: 'A title', snippet: 'A snippet.' },
        { link: 'https://b.org/', title: 'A title', snippet: 'A snippet.' },
      ],
    ])
  })
})
