import type { Hit, ImageHit, NewsHit } from '@bowerbird/engines/engine.ts'
import { beforeEach, describe, expect, it } from 'vitest'
import { found, NOW, readPage, setUpApi, webHit } from '../../api/api.test-harness.ts'
import { Refusal } from '../../errors.ts'
import type { Scope } from '../../keys/scopes.ts'
import { callCompat, GOOD_KEY } from '../compat.test-harness.ts'

const [A, B, BAD] = ['https://a.example.org/', 'https://b.example.org/', 'https://bad.example.org/'] as const
const hit = (url: string) => webHit({ url, description: 'A snippet.' })
const DETAILS = { publishedAt: NOW, publisher: 'Gazette', thumbnailUrl: 'https://i.example/1' }
const NEWS: NewsHit = { ...hit(B), kind: 'news', ...DETAILS }
const IMAGE: ImageHit = { kind: 'image', title: 'A picture', url: A, thumbnailUrl: 'https://i.example/2' }
const HITS: Partial<Record<string, readonly Hit[]>> = { web: [hit(A), hit(BAD)], news: [NEWS], images: [IMAGE] }

const stage = setUpApi({ areUrlKeysOn: true })
const keyOf = (...scopes: Scope[]) => stage.addKey({ scopes: new Set(scopes) })
const send = (path: string, body: unknown, key = GOOD_KEY) =>
  callCompat(stage, path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
const asked = () => stage.asked.filter(([name]) => name === 'search').map(([, tab, request]) => [tab, request])
const PLAIN = { text: 'climate', page: 1, engines: [], safe: true, date: undefined, lang: '' }
const page = readPage('# Tides', { title: 'Tides', language: 'en', published: '2026-11-14' }, `${A}final`)
const failing = (kind: 'overBudget' | 'timeout' = 'timeout') => [
  { slot: 'engine_b', outcome: 'failed' as const, kind, ms: 2_000 },
]

beforeEach(() => {
  stage.says.search = async (tab, request) => found(tab, request, { hits: (HITS[tab] ?? []).slice(0, request.limit) })
  stage.says.read = async (address) => (address === BAD ? { ok: false, reason: 'robots' } : page)
})

describe('addresses', () => {
  it.each([
    '/firecrawl',
    '/firecrawl/',
    '/firecrawl/search',
    '/firecrawl/v2/search',
    '/v2/search',
    '//v2/search',
    '/v2/search/',
  ])('%s is v2', async (path) => {
    expect(await send(path, { query: 'climate' })).toMatchObject({
      status: 200,
      json: { data: { web: [{ url: A }, {}] } },
    })
  })

  it.each(['/firecrawl/v1/search', '/v1/search', '//v1/search'])('%s is v1', async (path) => {
    expect(await send(path, { query: 'climate' })).toMatchObject({ status: 200, json: { data: [{ url: A }, {}] } })
  })

  it.each([
    '/firecrawl',
    '/firecrawl/scrape',
    '/firecrawl/v2/scrape',
    '/firecrawl/v1/scrape',
    '/v2/scrape',
    '/v1/scrape',
  ])('%s reads a page', async (path) => {
    const { status, json } = await send(path, { url: A }, keyOf('read', 'read_any'))
    expect([status, json.data.markdown, stage.counted]).toEqual([200, '# Tides', ['read']])
  })

  it.each([
    ['POST', '/firecrawl/v2/crawl'],
    ['POST', '/v1/map'],
    ['DELETE', '/v2/crawl/1'],
    ['GET', '/v2/team/queue-status'],
  ] as const)('404: %s %s is not offered, in a sentence', async (method, path) => {
    const headers = { authorization: `Bearer ${GOOD_KEY}` }
    expect(await callCompat(stage, path, { method, headers })).toMatchObject({
      status: 404,
      json: { success: false, error: 'This is not offered here: only search and scrape are.', details: 'not_found' },
    })
  })
})

describe('search', () => {
  it('what Firecrawl’s own client sends is one search, and the reply has its members', async () => {
    const sent = { query: 'climate', limit: 2, sources: ['web'], timeout: 60_000, origin: 'js-sdk@4.42.0' }
    const { status, json, headers } = await send('/firecrawl/v2/search', sent)
    expect([status, asked()]).toEqual([200, [['web', { ...PLAIN, limit: 2 }]]])
    expect(json).toEqual({
      success: true,
      id: headers['x-request-id'],
      creditsUsed: 1,
      data: {
        web: [
          { url: A, title: 'A title', description: 'A snippet.', position: 1 },
          { url: BAD, title: 'A title', description: 'A snippet.', position: 2 },
        ],
      },
    })
    expect(headers).toMatchObject({ 'search-status': 'complete', 'engine-status': expect.any(String) })
    expect(stage.counted).toEqual(['web_search'])
  })

  it('what the client of v1 sends is a search in any language', async () => {
    const sent = {
      query: 'climate',
      limit: 5,
      country: 'us',
      lang: 'en',
      location: 'Ohio',
      scrapeOptions: { formats: [] },
    }
    expect((await send('/v1/search', sent)).json.data).toHaveLength(2)
    expect(asked()).toEqual([['web', { ...PLAIN, limit: 5 }]])
  })

  it('each source is a search of its own, and counts as one', async () => {
    const sources = [{ type: 'web' }, { type: 'news', tbs: 'qdr:w' }, 'images']
    const { json } = await send('/v2/search', { query: 'climate', tbs: 'qdr:m', sources })
    expect(asked()).toEqual([
      ['web', { ...PLAIN, limit: 10, date: 'm' }],
      ['news', { ...PLAIN, limit: 10, date: 'w' }],
      ['images', { ...PLAIN, limit: 10, date: 'm' }],
    ])
    expect(json).toMatchObject({ creditsUsed: 3, data: { web: [{ url: A }, { url: BAD }] } })
    expect(json.data.news).toEqual([
      {
        url: B,
        title: 'A title',
        snippet: 'A snippet.',
        date: '2026-11-15',
        imageUrl: 'https://i.example/1',
        position: 1,
      },
    ])
    expect(json.data.images).toEqual([{ url: A, title: 'A picture', imageUrl: 'https://i.example/2', position: 1 }])
    expect(stage.counted.sort()).toEqual(['image_search', 'news_search', 'web_search'])
  })

  it.each([
    ['qdr:d', { date: 'd' }],
    ['qdr:y,sbd:0', { date: 'y' }],
    ['qdr:h', { date: 'd', dateFrom: NOW - 3_600_000 }],
    [
      'cdr:1,cd_min:11/07/2026,cd_max:11/14/2026',
      { dateFrom: Date.UTC(2026, 10, 7), dateTo: Date.UTC(2026, 10, 15) - 1 },
    ],
    ['cdr:1,cd_min:1/2/2026', { dateFrom: Date.UTC(2026, 0, 2), dateTo: undefined }],
    ['', {}],
    [null, {}],
  ])('tbs %s', async (tbs, dates) => {
    expect((await send('/v2/search', { query: 'climate', tbs })).status).toBe(200)
    expect(asked()).toEqual([['web', { ...PLAIN, limit: 10, ...dates }]])
  })

  it.each([
    [{ includeDomains: ['https://www.example.org/x'] }, 'web', { includeDomains: ['example.org'] }],
    [{ excludeDomains: ['b.org', 'a.org'] }, 'web', { excludeDomains: ['a.org', 'b.org'] }],
    [{ safe: false, limit: 1_000 }, 'web', { safe: false, limit: 100 }],
    [{ categories: ['github'] }, 'web', { includeDomains: ['github.com'] }],
    [{ categories: [{ type: 'research' }] }, 'science', {}],
  ])('%j', async (own, tab, request) => {
    expect((await send('/v2/search', { query: 'climate', ...own })).status).toBe(200)
    expect(asked()).toEqual([[tab, { ...PLAIN, limit: 10, ...request }]])
  })

  it('several categories share the limit', async () => {
    const { json } = await send('/v2/search', { query: 'climate', limit: 3, categories: ['github', 'research'] })
    expect(asked().map(([tab, request]) => [tab, (request as { limit: number }).limit])).toEqual([
      ['web', 2],
      ['science', 2],
    ])
    expect(json.data.web[0]).toMatchObject({ url: A, category: 'github' })
  })

  it.each([
    [{}, 'query: Send a query.'],
    [{ query: 7 }, 'query: Send a query.'],
    [{ query: 'x'.repeat(501) }, 'query: Send at most 500 characters.'],
    [{ limit: 0 }, 'limit: Send 1 or more.'],
    [{ limit: { toString: 1, valueOf: 1 } }, 'limit: Send a number.'],
    [{ sources: ['alexandria'] }, 'sources: Send web, news or images.'],
    [{ sources: [7] }, 'sources: Send web, news or images.'],
    [{ categories: ['pdf'] }, 'categories: Send github or research; no other is offered here.'],
    [{ categories: ['github'], sources: ['news'] }, 'categories: Send these with the source web.'],
    [{ categories: ['github'], includeDomains: ['a.org'] }, 'includeDomains: Leave this out with the category github.'],
    [{ includeDomains: ['a b'] }, 'includeDomains: Send at most 50 domains such as example.org.'],
    [{ tbs: 'sbd:1' }, /^tbs: Send qdr:h/],
    [{ tbs: 'qdr:d,sbd:1' }, /^tbs: /],
    [{ tbs: 'qdr:constructor' }, /^tbs: /],
    [{ tbs: 'cdr:1' }, /^tbs: /],
    [{ tbs: 'cdr:1,cd_min:02/30/2026' }, /^tbs: /],
    [{ tbs: 'li:1' }, /^tbs: /],
    [{ sources: [{ type: 'web', tbs: 'x' }] }, /^sources: Send qdr:h/],
    [{ safe: 'maybe' }, 'safe: Send true or false.'],
    [{ scrapeOptions: { formats: ['html'] } }, 'scrapeOptions: Only markdown is offered here.'],
    [{ scrapeOptions: { formats: ['markdown'], actions: [{ type: 'wait' }] } }, /^scrapeOptions: This is not offered/],
  ])('400 in its own shape: %j', async (own, error) => {
    const body = { query: 'climate', ...own, ...(Object.keys(own).length === 0 && { query: undefined }) }
    const { status, json } = await send('/v2/search', body)
    expect([status, json]).toEqual([
      400,
      {
        success: false,
        error: typeof error === 'string' ? error : expect.stringMatching(error),
        details: 'parameter_invalid',
      },
    ])
    expect(asked()).toEqual([])
  })

  it('400: very long lists are refused in one sentence', async () => {
    const many = Array(15_000).fill(7)
    for (const name of ['sources', 'categories', 'includeDomains']) {
      const { status, json } = await send('/v2/search', { query: 'climate', [name]: many })
      expect([name, status, json.error.length < 100]).toEqual([name, 400, true])
    }
  })

  it('400: v1 has one source', async () => {
    expect(await send('/v1/search', { query: 'climate', sources: ['news'] })).toMatchObject({
      status: 400,
      json: { error: 'sources: Send web; v2 has more.' },
    })
  })

  it.each(['/v2/search', '/v1/search'])('%s: `warning` says what is missing from an answer', async (path) => {
    stage.says.search = async (tab, request) =>
      found(tab, request, { hits: [hit(A)] as never, status: 'partial', reports: failing() as never })
    const { json, headers } = await send(path, { query: 'climate' })
    expect(json.warning).toBe('No results from The engine of engine_b (timeout); results may be incomplete.')
    expect(headers['search-status']).toBe('partial')
  })

  it('a source without an answer is missing, and `warning` says why', async () => {
    const answer = stage.says.search
    stage.says.search = async (tab, request) => {
      if (tab === 'web') throw new Refusal('no_engine_responded', 'No search engine answered.', { 'Retry-After': '5' })
      return answer(tab, request)
    }
    const { status, json, headers } = await send('/v2/search', { query: 'climate', sources: ['web', 'news'] })
    expect([status, Object.keys(json.data), json.warning]).toEqual([200, ['news'], 'web: No search engine answered.'])
    expect([headers['search-status'], stage.counted]).toEqual(['partial', ['news_search']])
  })

  it('429: a limit that is reached between two sources leaves the second out', async () => {
    const key = stage.addKey({ burst: { count: 1, windowMs: 60_000 } })
    const { json } = await send('/v2/search', { query: 'climate', sources: ['web', 'news'] }, key)
    expect([Object.keys(json.data), json.warning]).toEqual([
      ['web'],
      expect.stringMatching(/^news: Request was throttled/),
    ])
    const { status, headers } = await send('/v2/search', { query: 'climate' }, key)
    expect([status, Number(headers['retry-after']) > 0]).toEqual([429, true])
  })
})

describe('the text of pages that a search finds', () => {
  const scrapeOptions = { formats: ['markdown', { type: 'links' }], onlyMainContent: true }

  it('is read for the first pages, and `warning` names what is missing', async () => {
    const { json } = await send('/v2/search', { query: 'climate', scrapeOptions }, keyOf('search', 'read'))
    expect(json.data.web).toEqual([
      {
        url: A,
        title: 'A title',
        description: 'A snippet.',
        position: 1,
        markdown: '# Tides',
        metadata: { title: 'A title', sourceURL: A, url: A, statusCode: 200 },
      },
      { url: BAD, title: 'A title', description: 'A snippet.', position: 2 },
    ])
    expect(json.warning).toBe('Not offered here, so left out: links. Pages without text: 1 (robots).')
    expect([json.creditsUsed, stage.counted]).toEqual([2, ['read', 'web_search']])
  })

  it('at most five pages are read', async () => {
    const hits = Array.from({ length: 7 }, (_, at) => hit(`${A}${at}`))
    stage.says.search = async (tab, request) => found(tab, request, { hits })
    const { json } = await send(
      '/v1/search',
      { query: 'climate', scrapeOptions: { formats: ['markdown'] } },
      keyOf('search', 'read'),
    )
    expect(json.data.filter(({ markdown }: { markdown?: string }) => markdown !== undefined)).toHaveLength(5)
    expect(json.warning).toBe('Only the first 5 pages were read.')
  })

  it('a page that two sources have found is read once', async () => {
    stage.says.search = async (tab, request) => found(tab, request, { hits: [{ ...NEWS, url: A }] as never })
    const body = { query: 'climate', sources: ['web', 'news'], scrapeOptions: { formats: ['markdown'] } }
    const { json } = await send('/v2/search', body, keyOf('search', 'read'))
    expect([json.data.web[0].markdown, json.data.news[0].markdown, json.creditsUsed]).toEqual(['# Tides', '# Tides', 3])
    expect(stage.counted.filter((endpoint) => endpoint === 'read')).toHaveLength(1)
  })

  it('without the scope the results come without it, because some programs ask for it with every search', async () => {
    const { status, json } = await send('/v2/search', { query: 'climate', scrapeOptions: { formats: ['markdown'] } })
    expect([status, json.data.web.length, json.warning]).toEqual([
      200,
      2,
      'No page was read: this API key does not have the read scope.',
    ])
  })

  it.each([{}, { formats: [] }, { formats: null }])('is not read for %j', async (own) => {
    const { json } = await send('/v2/search', { query: 'climate', scrapeOptions: own }, keyOf('search', 'read'))
    expect([json.warning, stage.counted]).toEqual([undefined, ['web_search']])
  })
})

describe('scrape', () => {
  const reader = () => keyOf('read', 'read_any')

  it('returns the text of a page, and names what is not offered in both warnings', async () => {
    const sent = { url: A, formats: ['markdown', 'rawHtml'], excludeTags: ['script'], waitFor: 3_000, timeout: 7_500 }
    const { status, json, headers } = await send('/v2/scrape', sent, reader())
    const warning = 'Not offered here, so left out: rawHtml, excludeTags.'
    expect([status, json]).toEqual([
      200,
      {
        success: true,
        id: headers['x-request-id'],
        warning,
        data: {
          markdown: '# Tides',
          metadata: {
            title: 'Tides',
            language: 'en',
            publishedTime: '2026-11-14',
            sourceURL: A,
            url: `${A}final`,
            statusCode: 200,
            contentType: 'text/html',
          },
          warning,
        },
      },
    ])
    expect(stage.asked).toEqual([['read', A, { format: 'markdown', withinMs: 7_000 }, expect.anything()]])
  })

  it('is done before the client hangs up', async () => {
    await send('/v2/scrape', { url: A, timeout: 1_500 }, reader())
    expect(stage.asked[0]?.[2]).toEqual({ format: 'markdown', withinMs: 1_500 })
  })

  it.each([
    [{}, 'url: Send an absolute http or https address.'],
    [{ url: 'file:///etc/passwd' }, 'url: Send an absolute http or https address.'],
    [{ url: A, formats: ['html', 'screenshot'] }, 'formats: Only markdown is offered here.'],
    [{ url: A, formats: 'markdown' }, 'formats: Only markdown is offered here.'],
    [{ url: A, formats: [{ type: 'json', schema: {} }] }, 'formats: Only markdown is offered here.'],
    [{ url: A, actions: [{ type: 'click' }] }, 'actions: This is not offered here. Leave it out.'],
    [{ url: A, profile: { name: 'x' } }, 'profile: This is not offered here. Leave it out.'],
    [{ url: A, redactPII: true }, 'redactPII: This is not offered here. Leave it out.'],
    [{ url: A, zeroDataRetention: true }, 'zeroDataRetention: This is not offered here. Leave it out.'],
    [{ url: A, lockdown: true }, 'lockdown: This is not offered here. Leave it out.'],
    [{ url: A, timeout: 'soon' }, 'timeout: Send milliseconds.'],
  ])('400: %j', async (body, error) => {
    expect(await send('/v2/scrape', body, reader())).toMatchObject({ status: 400, json: { success: false, error } })
    expect([stage.asked, stage.counted]).toEqual([[], []])
  })

  it('what asks for nothing is not refused', async () => {
    const nothing = { actions: [], profile: {}, redactPII: false, lockdown: false, formats: [] }
    expect(await send('/v1/scrape', { url: A, ...nothing }, reader())).toMatchObject({ status: 200 })
  })

  it.each([
    ['robots', 403, 403],
    ['blocked', 403, 403],
    ['timeout', 408, 408],
    ['no_content', 422, 400],
    ['too_large', 422, 400],
    ['status', 422, 400],
  ] as const)('a page that fails with %s is a %i in v2 and a %i in v1', async (reason, v2, v1) => {
    stage.says.read = async () => ({ ok: false, reason, ...(reason === 'status' && { status: 404 }) })
    const failed = await send('/v2/scrape', { url: A }, reader())
    const error = reason === 'status' ? 'The page answered with HTTP 404.' : expect.stringMatching(/\.$/)
    expect(failed).toMatchObject({ status: v2, json: { success: false, error, details: 'page_unreadable' } })
    expect(await send('/v1/scrape', { url: A }, reader())).toMatchObject({ status: v1, json: { error } })
    expect(stage.counted).toEqual([])
  })
})

describe('GET team/credit-usage', () => {
  const credits = (path: string, key = GOOD_KEY) =>
    callCompat(stage, path, { headers: { authorization: `Bearer ${key}` } })

  it('is what is left of the key’s limit, and costs nothing that is counted', async () => {
    const key = stage.addKey({ sustained: { count: 100, windowMs: 86_400_000 } })
    expect((await credits('/firecrawl/v2/team/credit-usage', key)).json).toMatchObject({
      success: true,
      data: { remainingCredits: 99, planCredits: 100, billingPeriodStart: null, billingPeriodEnd: null },
    })
    expect((await credits('/v1/team/credit-usage', key)).json.data).toEqual({
      remaining_credits: 98,
      plan_credits: 100,
      billing_period_start: null,
      billing_period_end: null,
    })
    expect(stage.counted).toEqual([])
  })
})

describe('with a monthly cap', () => {
  const capped = setUpApi({ limits: { monthlyCap: 1_000 } })

  it('credits are what is left of the month', async () => {
    capped.says.usage = async () => ({
      counts: [{ day: '2026-11-02', endpoint: 'web_search', count: 400 }] as never,
      isComplete: true,
    })
    expect((await callCompat(capped, '/v2/team/credit-usage')).json.data).toMatchObject({
      remainingCredits: 600,
      planCredits: 1_000,
    })
  })
})

describe('an instance that reads no pages', () => {
  const blind = setUpApi({ isReaderOn: false })
  const post = (path: string, body: object) =>
    callCompat(blind, path, {
      method: 'POST',
      headers: { authorization: `Bearer ${GOOD_KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })

  it('says so', async () => {
    expect(await post('/v2/scrape', { url: A })).toMatchObject({
      status: 404,
      json: { error: 'This is not offered here: only search is.' },
    })
    expect((await post('/firecrawl', { url: A })).json.error).toBe('query: Send a query.')
    const { json } = await post('/v2/search', { query: 'climate', scrapeOptions: { formats: ['markdown'] } })
    expect(json.warning).toBe('No page was read: this instance reads none.')
  })
})
