// What people complain about in the searches they have, one test for each complaint, with the thread it is from. Engines
// that want a CAPTCHA (searxng#6603) need real ones: `server/test/spec/compat-apis-agree.test.ts`.

import type { HitOf } from '@bowerbird/engines/engine.ts'
import { beforeEach, describe, expect, it } from 'vitest'
import { found, NOW, setUpApi } from '../api/api.test-harness.ts'
import { Refusal } from '../errors.ts'
import { basic, callCompat, GOOD_KEY } from './compat.test-harness.ts'

const stage = setUpApi({ areUrlKeysOn: true })

const HIT: HitOf['web'] = {
  title: 'Climate',
  url: 'https://example.org/climate',
  description: 'About the climate.',
  faviconUrl: '',
  publishedAt: NOW,
  sitelinks: [],
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
const asJson = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

/** The same search through every compatible API, with a key in a header. */
const APIS = {
  SearXNG: (headers: Record<string, string>) => callCompat(stage, '/searxng/search?q=climate&format=json', { headers }),
  Tavily: (headers: Record<string, string>) =>
    callCompat(stage, '/tavily/search', {
      method: 'POST',
      headers: { ...asJson, ...headers },
      body: '{"query":"climate"}',
    }),
  Firecrawl: (headers: Record<string, string>) =>
    callCompat(stage, '/v2/search', {
      method: 'POST',
      headers: { ...asJson, ...headers },
      body: '{"query":"climate"}',
    }),
  'Open WebUI': (headers: Record<string, string>) =>
    callCompat(stage, '/openwebui/search', {
      method: 'POST',
      headers: { ...asJson, ...headers },
      body: '{"query":"climate","count":3}',
    }),
  Google: (headers: Record<string, string>) => callCompat(stage, '/google/customsearch/v1?q=climate', { headers }),
}

const callTool = async (url = '/mcp', key = GOOD_KEY, params: object = SEARCH) => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  const headers = url.startsWith('/k/') ? asJson : { ...asJson, ...bearer(key) }
  return (await callCompat(stage, url, { method: 'POST', headers, body })).json.result
}
const SEARCH = { name: 'search', arguments: { query: 'climate' } }

describe.each(Object.entries(APIS))('%s', (_api, search) => {
  it('hermes-agent#104030: engines that all failed are a 503 with Retry-After, never an empty 200', async () => {
    stage.says.search = async () => {
      throw new Refusal('no_engine_responded', 'No search engine answered. Try again in a few seconds.', {
        'Retry-After': '5',
      })
    }
    const { status, headers, text } = await search(bearer(GOOD_KEY))
    expect([status, headers['retry-after']]).toEqual([503, '5'])
    expect(text).toContain('No search engine answered.')
  })

  it('open-webui#7582: a 429 affects only its key, and says when to retry', async () => {
    const burst = { count: 1, windowMs: 60_000 }
    const [used, fresh] = [stage.addKey({ burst }), stage.addKey({ burst })]
    await search(bearer(used))
    const { status, headers, reason } = await search(bearer(used))
    expect([status, Number(headers['retry-after']) > 0, reason.startsWith('Too Many Requests;')]).toEqual([
      429,
      true,
      true,
    ])
    expect((await search(bearer(fresh))).status).toBe(200)
  })

  it('mcp-searxng#37: no X-Forwarded-For is needed, and a forged one changes nothing', async () => {
    for (const forwarded of ['', '203.0.113.7', 'nonsense']) {
      const { status } = await search({ ...bearer(GOOD_KEY), 'x-forwarded-for': forwarded })
      expect(status).toBe(200)
    }
  })

  it('LibreChat#15775: each consumer has a revocable key, in any header it can send', async () => {
    const key = stage.addKey()
    const ways = [
      bearer(key),
      { authorization: `Api-Key ${key}` },
      { authorization: basic('any', key) },
      { 'x-api-key': key },
    ]
    for (const headers of ways) expect((await search(headers)).status).toBe(200)
    expect((await search(bearer(stage.addWrongKey('revoked')))).status).toBe(401)
  })
})

describe('SearXNG', () => {
  it('open-webui#2824, mcp-searxng#27: JSON is on, and nothing is judged by its format (renfield#1158)', async () => {
    for (const accept of ['text/html', 'application/json', '*/*', '']) {
      const headers = { ...bearer(GOOD_KEY), accept }
      const { status, headers: sent } = await callCompat(stage, '/searxng/search?q=climate&format=json', { headers })
      expect([status, sent['content-type']]).toEqual([200, 'application/json'])
    }
  })

  it('open-webui#2717: concurrent searches all succeed, within the limits', async () => {
    const key = stage.addKey({ burst: { count: 20, windowMs: 60_000 } })
    const replies = await Promise.all(Array.from({ length: 25 }, () => APIS.SearXNG(bearer(key))))
    const counts = Map.groupBy(replies, ({ status }) => status)
    expect([counts.get(200)?.length, counts.get(429)?.length]).toEqual([20, 5])
  })

  it('librechat.ai#732: engines that this instance does not have never empty a search', async () => {
    stage.says.search = async (tab, request) => found(tab, request, { hits: [HIT] as never })
    const url = '/searxng/search?q=climate&format=json&engines=google,bing,nowhere'
    expect((await callCompat(stage, url)).json.results).toHaveLength(1)
  })
})

describe('MCP', () => {
  it('hermes-agent#104030: a model is told that engines failed, in a sentence', async () => {
    stage.says.search = async () => {
      throw new Refusal('no_engine_responded', 'No search engine answered. Try again in a few seconds.', {
        'Retry-After': '5',
      })
    }
    const { isError, content } = await callTool()
    expect([isError, content[0].text]).toEqual([true, expect.stringContaining('No search engine answered.')])
  })

  it('claude-code#88704: a client that cannot send headers is accepted with a key in the URL', async () => {
    stage.says.search = async (tab, request) => found(tab, request, { hits: [HIT] as never })
    const key = stage.addKey({ scopes: new Set(['search', 'address']) })
    expect((await callTool(`/k/${key}/mcp`)).content[0].text).toContain('[1] Climate')
  })

  it('claude-code#79944: text alone, so that no client drops it for structured content', async () => {
    stage.says.search = async (tab, request) => found(tab, request, { hits: [HIT] as never })
    expect(Object.keys(await callTool())).toEqual(['content'])
  })
})

describe('searxng#4852: the text of a page, for the key whose search has found it', () => {
  const TEXT = 'Climate is the long-term pattern of the weather. '.repeat(50)
  const own = () => stage.addKey({ scopes: new Set(['search', 'read']) })
  const load = async (path: string, key: string, body: object) => {
    const headers = { ...asJson, ...bearer(key) }
    return (await callCompat(stage, path, { method: 'POST', headers, body: JSON.stringify(body) })).json
  }

  beforeEach(() => {
    const page = { type: 'html', title: 'Climate', byline: '', siteName: '', language: '', published: '' } as const
    stage.says.search = async (tab, request) => found(tab, request, { hits: [HIT] as never })
    stage.says.read = async (address) => ({ ok: true, address, fetchedAt: NOW, page: { ...page, content: TEXT } })
  })

  it('Open WebUI', async () => {
    const key = own()
    const [{ link }] = (await APIS['Open WebUI'](bearer(key))).json
    expect(await load('/openwebui/load', key, { urls: [link] })).toEqual([
      { page_content: TEXT, metadata: { source: link, title: 'Climate' } },
    ])
  })

  it('Tavily', async () => {
    const key = own()
    const [{ url }] = (await APIS.Tavily(bearer(key))).json.results
    expect((await load('/tavily/extract', key, { urls: url })).results).toMatchObject([{ url, raw_content: TEXT }])
  })

  it('Firecrawl', async () => {
    const key = own()
    const [{ url }] = (await APIS.Firecrawl(bearer(key))).json.data.web
    expect((await load('/v2/scrape', key, { url, formats: ['markdown'] })).data.markdown).toBe(TEXT)
  })

  it('MCP', async () => {
    const key = own()
    const url = /https:\/\/\S+/.exec((await callTool('/mcp', key)).content[0].text)?.[0]
    const { content } = await callTool('/mcp', key, { name: 'read', arguments: { url } })
    expect(content[0].text).toContain(TEXT)
  })
})
