// What people complain about in the searches they have, one test for each complaint, with the thread it is from. Engines
// that want a CAPTCHA (searxng#6603) need real ones: `server/test/spec/compat-apis-agree.test.ts`.

import { beforeEach, describe, expect, it } from 'vitest'
import { found, readPage, setUpApi, webHit } from '../api/api.test-harness.ts'
import { Refusal } from '../errors.ts'
import { callCompat, GOOD_KEY } from './compat.test-harness.ts'

const stage = setUpApi({ areUrlKeysOn: true })

const HIT = webHit({ title: 'Climate', url: 'https://example.org/climate' })

const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
const asJson = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

/** The same search through every compatible API, with a key in a header. */
const post = (path: string, body: object) => (headers: Record<string, string>) =>
  callCompat(stage, path, { method: 'POST', headers: { ...asJson, ...headers }, body: JSON.stringify(body) })
const get = (path: string) => (headers: Record<string, string>) => callCompat(stage, path, { headers })
const APIS = {
  SearXNG: get('/searxng/search?q=climate&format=json'),
  Tavily: post('/tavily/search', { query: 'climate' }),
  Firecrawl: post('/v2/search', { query: 'climate' }),
  'Open WebUI': post('/openwebui/search', { query: 'climate', count: 3 }),
  Google: get('/google/customsearch/v1?q=climate'),
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
})

describe('SearXNG', () => {
  it('open-webui#2824, mcp-searxng#27: JSON is on, and nothing is judged by its format (renfield#1158)', async () => {
    for (const accept of ['text/html', 'application/json', '*/*', '']) {
      const headers = { ...bearer(GOOD_KEY), accept }
      const { status, headers: sent } = await callCompat(stage, '/searxng/search?q=climate&format=json', { headers })
      expect([status, sent['content-type']]).toEqual([200, 'application/json'])
    }
  })
})

describe('MCP', () => {
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
  const load = async (path: string, key: string, body: object) => (await post(path, body)(bearer(key))).json

  beforeEach(() => {
    stage.says.search = async (tab, request) => found(tab, request, { hits: [HIT] as never })
    stage.says.read = async () => readPage(TEXT, { title: 'Climate' })
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
