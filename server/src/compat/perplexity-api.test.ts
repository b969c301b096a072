import type { HitOf } from '@bowerbird/engines/engine.ts'
import { describe, expect, it } from 'vitest'
import { startCpuTimer } from '../../../engines/test/cpu-timer.ts'
import { found, NOW, setUpApi } from '../api/api.test-harness.ts'
import { Refusal } from '../errors.ts'
import { callCompat, GOOD_KEY } from './compat.test-harness.ts'

const PLAIN = { text: 'climate', page: 1, engines: [], safe: true, date: undefined, lang: '', limit: 10 }
const hit = (url: string): HitOf['web'] => ({
  title: 'A title',
  url,
  description: 'A snippet.',
  faviconUrl: '',
  publishedAt: NOW,
  sitelinks: [],
})

const stage = setUpApi()
const HEADERS = { authorization: `Bearer ${GOOD_KEY}`, 'content-type': 'application/json' }
const post = (body: unknown, headers: Record<string, string> = HEADERS, path = '/perplexity/search') =>
  callCompat(stage, path, { method: 'POST', headers, body: JSON.stringify(body) })
const asked = () => stage.asked.filter(([name]) => name === 'search').map(([, tab, request]) => [tab, request])

describe('POST /perplexity/search', () => {
  it('every member that its clients read', async () => {
    stage.says.search = async (tab, request) =>
      found(tab, request, {
        hits: [hit('https://a.org/'), { ...hit('https://b.org/'), publishedAt: undefined }] as never,
      })
    const { status, json, headers } = await post({ query: 'climate', max_results: 2 })
    expect([status, json]).toEqual([
      200,
      {
        id: headers['x-request-id'],
        server_time: null,
        results: [
          { title: 'A title', url: 'https://a.org/', snippet: 'A snippet.', date: '2026-11-15', last_updated: null },
          expect.objectContaining({ url: 'https://b.org/', date: null }),
        ],
      },
    ])
  })

  it.each([
    [{ max_results: 50 }, 'web', { limit: 20 }],
    [
      { search_domain_filter: ['a.org', '-https://www.b.org/x'] },
      'web',
      { includeDomains: ['a.org'], excludeDomains: ['b.org'] },
    ],
    [{ search_language_filter: ['de'] }, 'web', { lang: 'de' }],
    [{ search_recency_filter: 'month' }, 'web', { date: 'm' }],
    [
      { search_after_date_filter: '11/1/2026', search_before_date_filter: '11/07/2026' },
      'web',
      { dateFrom: Date.UTC(2026, 10, 1), dateTo: Date.UTC(2026, 10, 8) - 1 },
    ],
    [{ search_recency_filter: 'hour' }, 'web', { date: 'd', dateFrom: expect.any(Number) }],
    [{ search_mode: 'academic' }, 'science', {}],
    [{ search_context_size: 'low', search_type: 'fast', country: null }, 'web', {}],
  ])('%j', async (own, tab, request) => {
    const { status } = await post({ query: 'climate', ...own })
    expect([status, asked()]).toEqual([200, [[tab, expect.objectContaining({ ...PLAIN, ...request })]]])
  })

  it('several queries are one list, each counted, and an address is listed once', async () => {
    stage.says.search = async (tab, request) =>
      found(tab, request, { hits: [hit('https://same.org/'), hit(`https://${request.text}.org/`)] as never })
    const { json } = await post({ query: ['one', 'two'] })
    expect(json.results.map(({ url }: { url: string }) => url)).toEqual([
      'https://same.org/',
      'https://one.org/',
      'https://two.org/',
    ])
    expect(stage.counted).toEqual(['web_search', 'web_search'])
    expect(stage.consumed).toHaveLength(2)
  })

  it('hints that have no meaning here are named', async () => {
    const { headers } = await post({ query: 'climate', max_tokens: 1_000 })
    expect(headers['ignored-parameters']).toBe('max_tokens')
  })

  it.each([
    [{}, 'query: Send a query, or a list of 1 to 5.'],
    [{ query: [] }, 'query: Send a query, or a list of 1 to 5.'],
    [{ query: ['a', 7] }, 'query: Send a query.'],
    [{ query: 'a', search_language_filter: ['de', 'fr'] }, 'search_language_filter: Send a list of one language.'],
    [
      { query: 'a', search_domain_filter: ['a b'] },
      'search_domain_filter: Send at most 20 domains such as example.org, or -example.org to leave one out.',
    ],
    [{ query: 'a', search_after_date_filter: '2/30/2026' }, 'search_after_date_filter: Send a day such as 11/07/2026.'],
    [
      { query: 'a', last_updated_after_filter: '1/1/2026' },
      'last_updated_after_filter: This is not offered here. Leave it out.',
    ],
    [{ query: 'a', search_mode: 'sec' }, 'search_mode: Send web or academic.'],
    [{ query: 'a', search_type: 'people' }, 'search_type: Send web.'],
  ])('400 in its own shape: %j', async (body, sentence) => {
    expect(await post(body)).toMatchObject({
      status: 400,
      json: { message: sentence, error: { message: sentence, type: 'invalid_request', code: 400 } },
    })
    expect(stage.asked).toEqual([])
  })

  it('400: long lists of anything are refused within a moment', async () => {
    const spentMs = startCpuTimer()
    const list = Array.from({ length: 20_000 }, () => 1)
    for (const name of ['query', 'search_domain_filter', 'search_language_filter'])
      expect([name, (await post({ query: 'a', [name]: list })).status]).toEqual([name, 400])
    expect(spentMs()).toBeLessThan(1_000)
  })

  it('401, 404, 429 and 503 in the same shape, and nothing is counted for them', async () => {
    const shape = (status: number) => ({ status, json: { message: expect.any(String), error: { code: status } } })
    expect(await post({ query: 'a' }, { 'content-type': 'application/json' })).toMatchObject(shape(401))
    expect(await post({ model: 'sonar' }, HEADERS, '/perplexity/chat/completions')).toMatchObject(shape(404))
    const headers = { ...HEADERS, authorization: `Bearer ${stage.addKey({ burst: { count: 1, windowMs: 60_000 } })}` }
    expect(await post({ query: ['a', 'b'] }, headers)).toMatchObject(shape(429))
    stage.says.search = async () => {
      throw new Refusal('no_engine_responded', 'No search engine responded.', { 'Retry-After': '5' })
    }
    expect(await post({ query: ['a', 'b'] })).toMatchObject({ ...shape(503), headers: { 'retry-after': '5' } })
    expect(stage.counted).toEqual([])
  })
})
