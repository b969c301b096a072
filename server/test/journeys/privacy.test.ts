// What a program sends and gets must not end up in the log, the metrics, the database or Redis: neither a query, a page
// or its address, nor a key or the address of the client. Canaries go through every endpoint, every compatible API and
// every tool, and each request must succeed, so that none does nothing unnoticed. Then they go through refusals and
// failures, and at the end they are looked for everywhere. `nothing-undeclared.test.ts` does the same with the website.
import { randomBytes } from 'node:crypto'
import { type Fault, SANDBOX_KEYS } from '@bowerbird/sandbox'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { mintKey } from '../../src/keys/key-format.ts'
import { WITHOUT_RATE_LIMIT } from '../spec/without-upstream-rate-limit.ts'
import {
  CLIENTS,
  PAGE_ADDRESS,
  PAGE_TEXT,
  PAGE_URL,
  PICTURE_ADDRESS,
  QUERY,
  startWatchedCluster,
  type WatchedCluster,
  WRITTEN_CLIENTS,
} from '../support/canaries.ts'
import { prefixOf, UNLIMITED } from '../support/cluster.ts'
import { readPrivacyDeclaration, undeclaredIn } from '../support/privacy-declaration.ts'
import { rawRequest } from '../support/raw-request.ts'
import { readEvents } from '../support/read-events.ts'
import { hashedPlacesOf, placesOf } from '../support/stored-data.ts'

/** A client that guesses keys. */
const GUESSER = '203.0.113.99'
const WRITTEN_ADDRESSES = [...WRITTEN_CLIENTS, GUESSER, 'cb007163']

let cluster: WatchedCluster
/**
 * `found` reads what its searches find, `any` reads any page, `inUrl` may be in a URL and only searches, `limited` has
 * two requests a minute. The others are refused.
 */
let keys: Record<'found' | 'any' | 'inUrl' | 'limited' | 'revoked' | 'unknown' | 'mistyped', string>
/** The replies to all requests that were refused or failed. */
const refusals: string[] = []

beforeAll(async () => {
  cluster = await startWatchedCluster({ ...WITHOUT_RATE_LIMIT, URL_KEYS: 'on' })
  const createKey = async (scopes: string, { burst, sustained } = UNLIMITED) => {
    const limits = ['--burst', burst, '--sustained', sustained]
    return (await cluster.command(['key', 'create', 'ada', '--scopes', scopes, ...limits]))['key'] ?? ''
  }
  const [found, any, inUrl, limited, revoked] = await Promise.all([
    createKey('search,maps,translate,answers,read'),
    createKey('search,maps,translate,answers,read,read_any'),
    createKey('search,address'),
    createKey('search,read,read_any', { burst: '2/min', sustained: '1000/day' }),
    createKey('search'),
  ])
  await cluster.command(['key', 'revoke', revoked])
  const unknown = mintKey(randomBytes).full
  keys = { found, any, inUrl, limited, revoked, unknown, mistyped: `${found.slice(0, -1)}_` }
})
afterAll(() => cluster?.close())

type KeyName = keyof typeof keys

interface Sent {
  /** `any` unless given. */
  key?: KeyName | 'none'
  /** `Api-Key` for our own API and `Bearer` for others, unless given. */
  keyIn?: 'Bearer' | 'Basic' | 'X-API-Key' | 'path' | undefined
  method?: string
  query?: Record<string, string>
  /** Sent as JSON, unless it is a string. */
  body?: unknown
  headers?: Record<string, string>
}

interface Reply {
  status: number
  text: string
}

let requests = 0

async function send(path: string, { key = 'any', keyIn, query, body, headers, method }: Sent = {}): Promise<Reply> {
  const secret = key === 'none' ? undefined : keys[key]
  const parameters = query ? `${path.includes('?') ? '&' : '?'}${new URLSearchParams(query).toString()}` : ''
  const response = await fetch(cluster.node(0).url + (keyIn === 'path' ? `/k/${secret}` : '') + path + parameters, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      'x-forwarded-for': CLIENTS[requests++ % CLIENTS.length] ?? '',
      referer: `https://${QUERY}.example/${QUERY}`,
      'user-agent': QUERY,
      'x-request-id': QUERY,
      accept: 'application/json, text/event-stream;q=0.5',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(secret !== undefined && keyHeader(secret, keyIn ?? (path.startsWith('/api/') ? 'Api-Key' : 'Bearer'))),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const { status, statusText } = response
  const text = await response.text()
  if (status >= 400) refusals.push(`${status} ${statusText} ${JSON.stringify([...response.headers])} ${text}`)
  return { status, text }
}

function keyHeader(secret: string, keyIn: string): Record<string, string> {
  if (keyIn === 'path') return {}
  if (keyIn === 'X-API-Key') return { 'x-api-key': secret }
  const value = keyIn === 'Basic' ? Buffer.from(`me:${secret}`).toString('base64') : secret
  return { authorization: `${keyIn} ${value}` }
}

async function expectReply(path: string, sent: Sent, shows: RegExp): Promise<void> {
  const { status, text } = await send(path, sent)
  expect(status, text).toBe(200)
  expect(text).toMatch(shows)
}

let searches = 0
/** A search that is not cached. */
const freshQuery = () => `${QUERY} ${++searches}`
const q = () => ({ q: freshQuery() })
const inFrench = () => ({ text: freshQuery(), target: 'fr' })
const IN_BASE64 = `base64 encode ${QUERY}`

/** What comes back if it worked. */
const FOUND = new RegExp(`"results":\\[\\{.*${QUERY}`, 's')
const READ = new RegExp(PAGE_TEXT)
const ANSWERED = new RegExp(RegExp.escape(Buffer.from(QUERY).toString('base64')))
const TRANSLATED = new RegExp(`${QUERY}.*traduction simulée`)
const COMPLETED = new RegExp(`${QUERY}.*${QUERY} `, 'si')

const callOf = (name: string, args: object) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: args },
})

/** Searches, and returns the address of a result, which has the query in it. */
async function findPage(): Promise<string> {
  const { text } = await send('/api/v1/web/', { key: 'found', query: q() })
  const url: string = JSON.parse(text).results[0].url
  expect(url).toContain(QUERY)
  return url
}

describe('our own API', () => {
  const search = [() => ({ query: q() }), () => ({ query: { ...q(), lang: 'en', page: '2', [QUERY]: QUERY } })]
  const nothing = () => ({ query: { [QUERY]: QUERY } })
  /** Every path of the OpenAPI document: what must come back, and what is sent. */
  const ENDPOINTS: Record<string, [shows: RegExp, ...requests: (() => Sent)[]]> = {
    '/api/v1/': [/web/, nothing],
    '/api/v1/web/': [FOUND, ...search],
    '/api/v1/images/': [FOUND, ...search],
    '/api/v1/images/similar/': [FOUND, () => ({ query: { ...q(), query: freshQuery(), exclude_url: PAGE_URL } })],
    '/api/v1/news/': [FOUND, ...search],
    '/api/v1/videos/': [FOUND, ...search],
    '/api/v1/science/': [FOUND, ...search],
    '/api/v1/code/': [FOUND, ...search],
    '/api/v1/maps/': [new RegExp(`"places":\\[\\{.*${QUERY}`, 'is'), () => ({ query: { q: QUERY } })],
    '/api/v1/translate/': [TRANSLATED, () => ({ query: inFrench() }), () => ({ body: inFrench() })],
    '/api/v1/translate/languages/': [/French/, nothing],
    '/api/v1/instant/': [ANSWERED, () => ({ query: { q: IN_BASE64 } })],
    '/api/v1/cards/': [new RegExp(QUERY), () => ({ query: q() })],
    '/api/v1/suggest/': [COMPLETED, () => ({ query: q() })],
    '/api/v1/read/': [
      READ,
      () => ({ query: { url: PAGE_URL } }),
      () => ({ query: { url: PAGE_URL, format: 'sections' } }),
      () => ({ body: { url: PAGE_URL } }),
    ],
    '/api/v1/plan/': [new RegExp(`"query":.*${QUERY}`), ...search],
    '/api/v1/status/': [/providers/, nothing],
    '/api/v1/key/': [/scopes/, nothing],
    '/api/v1/usage/': [/web_search/, nothing],
    '/api/v1/openapi.json': [/"paths"/, nothing],
  }

  it('has no endpoint that this journey leaves out', async () => {
    const { text } = await send('/api/v1/openapi.json')
    expect(Object.keys(JSON.parse(text).paths).sort()).toEqual(Object.keys(ENDPOINTS).sort())
  })

  it.each(Object.entries(ENDPOINTS))('%s', async (path, [shows, ...requests]) => {
    for (const request of requests) await expectReply(path, request(), shows)
  })

  it('reads a page that was found', async () => {
    await expectReply('/api/v1/read/', { key: 'found', query: { url: await findPage() } }, READ)
  })

  it.each(['web', 'news'])('%s/ with the text of pages', { timeout: 90_000 }, async (tab) => {
    const request = () => expectReply(`/api/v1/${tab}/`, { query: { ...q(), include: 'content' } }, READ)
    // On a busy machine a page may not be read in time.
    await vi.waitFor(request, { timeout: 60_000, interval: 100 })
  })

  it.each(['text/event-stream', 'application/x-ndjson'])('a search as %s', async (accept) => {
    const { text } = await send('/api/v1/web/', { query: q(), headers: { accept } })
    expect(text).toMatch(/\bdone\b/)
    expect(text).toMatch(FOUND)
  })

  it('sees the addresses that this journey claims', async () => {
    for (const client of CLIENTS) {
      const sent = { query: { q: 'what is my ip' }, headers: { 'x-forwarded-for': client } }
      await expectReply('/api/v1/instant/', sent, new RegExp(`"ip":"${client}"`))
    }
  })
})

describe('the compatible APIs', () => {
  it.each<[path: string, shows: RegExp, sent: () => Sent]>([
    ['/searxng/search?format=json', FOUND, () => ({ query: q() })],
    ['/searxng/search?format=rss&categories=news', new RegExp(`<item>.*${QUERY}`, 's'), () => ({ query: q() })],
    ['/searxng/search', FOUND, () => ({ body: { ...q(), format: 'json' } })],
    ['/searxng?format=json', FOUND, () => ({ query: q() })],
    ['/search?format=json', FOUND, () => ({ query: q() })],
    ['/searxng/autocompleter', COMPLETED, () => ({ query: q() })],
    ['/searxng/config', /engines/, () => ({ query: q() })],
    ['/searxng/search?format=html', new RegExp(`<article class="result">.*${QUERY}`, 's'), () => ({ query: q() })],
    ['/autocompleter', COMPLETED, () => ({ query: q() })],
    ['/google/customsearch/v1', new RegExp(`"link":"[^"]*${QUERY}`), () => ({ query: q() })],
    ['/tavily/search', FOUND, () => ({ body: { query: freshQuery() } })],
    ['/tavily/search', ANSWERED, () => ({ body: { query: IN_BASE64, include_answer: true } })],
    ['/tavily/extract', READ, () => ({ body: { urls: [PAGE_URL, `${PAGE_URL}/more`] } })],
    ['/firecrawl', new RegExp(`"web":\\[\\{.*${QUERY}`, 's'), () => ({ body: { query: freshQuery() } })],
    [
      '/v2/search',
      new RegExp(`"news":\\[\\{.*${QUERY}`, 's'),
      () => ({ body: { query: freshQuery(), sources: ['web', 'news'] } }),
    ],
    ['//v1/search', new RegExp(`"data":\\[\\{.*${QUERY}`, 's'), () => ({ body: { query: freshQuery() } })],
    ['/v2/scrape', READ, () => ({ body: { url: PAGE_URL } })],
    ['/openwebui/search', new RegExp(`"link":"[^"]*${QUERY}`), () => ({ body: { query: freshQuery(), count: 3 } })],
    ['/openwebui/load', READ, () => ({ body: { urls: [PAGE_URL] } })],
  ])('%s shows %s', async (path, shows, sent) => {
    for (const keyIn of ['Bearer', 'Basic', 'X-API-Key'] as const) await expectReply(path, { ...sent(), keyIn }, shows)
  })

  it.each<[path: string, sent: () => Sent]>([
    ['/searxng/search', () => ({ query: { ...q(), format: 'json' } })],
    ['/tavily/search', () => ({ body: { query: freshQuery() } })],
    ['/firecrawl', () => ({ body: { query: freshQuery() } })],
    ['/openwebui/search', () => ({ body: { query: freshQuery() } })],
    ['/tools/search', () => ({ body: { query: freshQuery() } })],
    ['/mcp', () => ({ body: callOf('search', { query: freshQuery() }) })],
  ])('%s with the key in its path', async (path, sent) => {
    await expectReply(path, { ...sent(), key: 'inUrl', keyIn: 'path' }, new RegExp(`https?://[^"]*${QUERY}`))
  })

  /** Arguments of every tool, and what must come back. */
  const TOOLS: Record<string, [shows: RegExp, args: () => object]> = {
    search: [new RegExp(`https?://[^"]*${QUERY}`), () => ({ query: freshQuery() })],
    plan_search: [new RegExp(`Plan for .*${QUERY}`), () => ({ query: freshQuery() })],
    answer: [ANSWERED, () => ({ query: IN_BASE64 })],
    find_place: [new RegExp(`${QUERY}.*openstreetmap\\.org`, 'is'), () => ({ query: QUERY })],
    translate: [TRANSLATED, inFrench],
    read: [READ, () => ({ url: PAGE_URL })],
    suggest: [COMPLETED, () => ({ query: freshQuery() })],
    cards: [
      /"status": ?"complete|No cards|(?:wikipedia|dictionary|stackexchange|book|map):/,
      () => ({ query: freshQuery() }),
    ],
  }
  const toolOf = (name: string) => TOOLS[name] ?? [/no such tool in this test/, () => ({})]

  it('every tool of the tool server', async () => {
    const paths = Object.keys(JSON.parse((await send('/tools/openapi.json')).text).paths)
    expect(paths).toContain('/tools/search')
    for (const path of paths) {
      const [shows, args] = toolOf(path.slice('/tools/'.length))
      await expectReply(path, { body: args() }, shows)
    }
  })

  it.each(['/mcp', '/mcp?structured=1'])('every tool of %s', async (path) => {
    const list = await send(path, { body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } })
    const { tools }: { tools: { name: string }[] } = JSON.parse(list.text).result
    expect(tools.map(({ name }) => name)).toContain('read')
    for (const { name } of tools) {
      const [shows, args] = toolOf(name)
      await expectReply(path, { body: callOf(name, args()) }, shows)
    }
  })

  it('MCP reads a page that was found', async () => {
    await expectReply('/mcp', { key: 'found', body: callOf('read', { url: await findPage() }) }, READ)
  })
})

describe('requests that are refused', () => {
  const pageAt = (path: string) => ({ query: { url: `https://${PAGE_ADDRESS}.example${path}` } })
  const search = () => ({ body: { query: freshQuery() } })
  const searchTool = () => ({ body: callOf('search', { query: freshQuery() }) })

  it.each<[status: number, path: string, what: string, sent: () => Sent]>([
    [
      400,
      '/api/v1/web/',
      'wrong parameters',
      () => ({ query: { ...q(), page: QUERY, engine: QUERY, lang: `${QUERY}x` } }),
    ],
    [400, '/api/v1/read/', 'not an address', () => ({ query: { url: QUERY } })],
    [400, '/searxng/search', 'an unknown format', () => ({ query: { ...q(), format: QUERY } })],
    [400, '/tavily/search', 'wrong members', () => ({ body: { query: QUERY, include_domains: [`${QUERY}!`] } })],
    [400, '/v2/search', 'wrong members', () => ({ body: { query: QUERY, sources: [QUERY], tbs: QUERY } })],
    [400, '/v2/scrape', 'not an address', () => ({ body: { url: QUERY, formats: [QUERY] } })],
    [400, '/openwebui/search', 'not JSON', () => ({ body: `{"query": "${QUERY}` })],
    [400, '/tools/search', 'an unknown tab', () => ({ body: { query: QUERY, tab: QUERY } })],
    [400, '/mcp', 'not JSON', () => ({ body: `{"query": "${QUERY}` })],
    [401, '/api/v1/web/', 'no key', () => ({ key: 'none', query: q() })],
    [401, '/api/v1/web/', 'not a key', () => ({ key: 'none', headers: { authorization: `Api-Key ${QUERY}` } })],
    [401, '/api/v1/web/', 'a key in the query', () => ({ key: 'none', query: { ...q(), api_key: keys.any } })],
    [401, '/api/v1/web/', 'a revoked key', () => ({ key: 'revoked', query: q() })],
    [401, '/api/v1/web/', 'an unknown key', () => ({ key: 'unknown', headers: { accept: 'text/event-stream' } })],
    [401, '/api/v1/read/', 'a mistyped key', () => ({ key: 'mistyped', ...pageAt('/') })],
    [401, '/searxng/search', 'a key in the query', () => ({ key: 'none', query: { ...q(), key: keys.any } })],
    [401, '/searxng/search', 'an unknown key', () => ({ key: 'unknown', keyIn: 'Basic', query: q() })],
    [401, '/searxng/search', 'an unknown key in the path', () => ({ key: 'unknown', keyIn: 'path', query: q() })],
    [401, '/tavily/search', 'a revoked key', () => ({ key: 'revoked', keyIn: 'X-API-Key', ...search() })],
    [401, '/openwebui/search', 'a revoked key in the path', () => ({ key: 'revoked', keyIn: 'path', ...search() })],
    [401, '/tools/search', 'a mistyped key', () => ({ key: 'mistyped', ...search() })],
    [401, '/mcp', 'an unknown key', () => ({ key: 'unknown', ...searchTool() })],
    [403, '/api/v1/read/', 'a page that was not found', () => ({ key: 'found', ...pageAt(`/${PAGE_ADDRESS}`) })],
    [403, '/api/v1/read/', 'no scope', () => ({ key: 'inUrl', ...pageAt('/') })],
    [403, '/api/v1/web/', 'no scope for pages', () => ({ key: 'inUrl', query: { ...q(), include: 'content' } })],
    [403, '/api/v1/translate/', 'no scope', () => ({ key: 'inUrl', query: inFrench() })],
    [403, '/searxng/search', 'a key that may not be in the path', () => ({ keyIn: 'path', query: q() })],
    [403, '/tavily/extract', 'no scope', () => ({ key: 'inUrl', body: { urls: [PAGE_URL] } })],
    [403, '/v2/scrape', 'no scope', () => ({ key: 'inUrl', body: { url: PAGE_URL } })],
    [403, '/tools/translate', 'no scope', () => ({ key: 'inUrl', body: inFrench() })],
    [403, '/mcp', 'a page elsewhere', () => ({ headers: { origin: `https://${QUERY}.example` }, ...searchTool() })],
    [404, `/api/v1/${QUERY}/`, 'no such endpoint', () => ({})],
    [404, `/searxng/${QUERY}`, 'no such path', () => ({})],
    [404, `/v2/${QUERY}`, 'not offered', () => ({ body: { url: PAGE_URL } })],
    [404, `/${QUERY}`, 'no such page', () => ({})],
    [404, `/${QUERY}`, 'no such path after a key', () => ({ keyIn: 'path' })],
    [405, '/api/v1/web/', 'POST', () => ({ body: { ...q() } })],
    [405, '/mcp', 'GET', () => ({ query: q() })],
    [413, '/tavily/search', 'a long query', () => ({ body: { query: QUERY.repeat(6_000) } })],
    [422, '/api/v1/read/', 'robots.txt', () => pageAt(`/private/${PAGE_ADDRESS}`)],
    [422, '/api/v1/read/', 'a page that is gone', () => pageAt('/gone')],
    [422, '/api/v1/read/', 'a page that fails', () => pageAt('/broken')],
    [422, '/api/v1/read/', 'a film', () => pageAt('/film')],
    [422, '/api/v1/read/', 'an empty page', () => pageAt('/empty')],
    [422, '/api/v1/read/', 'an inner address', () => ({ query: { url: `http://127.0.0.1/${PAGE_ADDRESS}` } })],
    [422, '/openwebui/load', 'a page that was not found', () => ({ key: 'found', body: { urls: [PAGE_URL] } })],
  ])('%i: %s (%s)', async (...[status, path, , sent]) => {
    const reply = await send(path, sent())
    expect(reply.status, reply.text).toBe(status)
  })

  it.each<[what: string, name: string, args: object]>([
    ['a tool that does not exist', QUERY, { [QUERY]: QUERY }],
    ['a wrong argument', 'search', { query: QUERY, tab: QUERY }],
    ['a page that was not found', 'read', { url: PAGE_URL }],
  ])('%s, through MCP', async (_, name, args) => {
    const { text } = await send('/mcp', { key: 'found', body: callOf(name, args) })
    expect(text).toMatch(/"isError":true|"error":\{/)
    refusals.push(text)
  })

  it('429: a key that is over its limit, through every interface', async () => {
    const key = 'limited'
    const limited = async () => (await send('/api/v1/web/', { key, query: q() })).status
    expect([await limited(), await limited(), await limited()]).toEqual([200, 200, 429])
    const requests: [path: string, sent: Sent][] = [
      ['/api/v1/web/', { query: q(), headers: { accept: 'text/event-stream' } }],
      ['/api/v1/read/', { body: { url: PAGE_URL } }],
      ['/searxng/search', { query: q() }],
      ['/tavily/search', search()],
      ['/tavily/extract', { body: { urls: [PAGE_URL] } }],
      ['/v2/search', search()],
      ['/v2/scrape', { body: { url: PAGE_URL } }],
      ['/openwebui/search', search()],
      ['/tools/search', search()],
      ['/mcp', searchTool()],
    ]
    for (const [path, sent] of requests) {
      const { status, text } = await send(path, { ...sent, key })
      expect(`${path} ${status} ${text}`).toMatch(/^\S+ 429 |"isError":true/s)
      refusals.push(text)
    }
  })

  it('429: a network that guesses keys', async () => {
    const statuses = new Set<number>()
    for (let guesses = 0; guesses < 30; guesses++) {
      const headers = { 'x-forwarded-for': GUESSER, authorization: `Bearer ${mintKey(randomBytes).full}` }
      statuses.add((await send('/searxng/search', { key: 'none', query: { q: QUERY }, headers })).status)
    }
    expect(statuses).toEqual(new Set([401, 429]))
  })

  it('requests that are not HTTP, or too long', async () => {
    const { url } = cluster.node(0)
    const head = `Host: ${new URL(url).host}\r\nReferer: http://x/${QUERY}\r\nAuthorization: Bearer ${keys.any}`
    const long = QUERY.repeat(1_500)
    const statuses = await Promise.all(
      [
        `GET /${QUERY} ${keys.any} HTTP/1.1\r\n${head}\r\n\r\n`,
        `GET /api/v1/web/?q=${long} HTTP/1.1\r\n${head}\r\n\r\n`,
        `GET /api/v1/web/?q=${QUERY} HTTP/1.1\r\n${head}\r\nX-Long: ${long}\r\n\r\n`,
        `${QUERY} ${keys.any}\r\n\r\n`,
      ].map(async (bytes) => (await rawRequest(url, bytes)).status),
    )
    for (const status of statuses) expect([400, 414, 431]).toContain(status)
  })
})

describe('requests that fail', () => {
  const ENGINES = ['brave', 'mojeek', 'marginalia']
  const setFault = (fault: Fault | undefined, slugs = ENGINES) => {
    for (const slug of slugs) cluster.sandbox.setFault(slug, fault)
  }
  /** The same search through every kind of interface. */
  const SEARCHES: [path: string, sent: () => Sent][] = [
    ['/api/v1/web/', () => ({ query: q() })],
    ['/searxng/search', () => ({ query: q() })],
    ['/tools/search', () => ({ body: { query: freshQuery() } })],
    ['/api/v1/web/', () => ({ query: q(), headers: { accept: 'text/event-stream' } })],
    ['/tavily/search', () => ({ body: { query: freshQuery() } })],
    ['/openwebui/search', () => ({ body: { query: freshQuery() } })],
    ['/mcp', () => ({ body: callOf('search', { query: freshQuery() }) })],
  ]
  /** One more in a row, and the engines would no longer be asked. */
  const FAILURES = 4

  it.each<[string, Fault]>([
    ['never answers', { kind: 'hang' }],
    ['answers with an error', { kind: 'status', status: 500 }],
    ['does not accept our key', { kind: 'badKey' }],
    ['answers with a web page', { kind: 'html' }],
    ['sends half of a reply', { kind: 'cut-off' }],
    ['resets the connection', { kind: 'refuse' }],
  ])('503: every engine %s', async (_, fault) => {
    const failing = SEARCHES.splice(0, FAILURES)
    SEARCHES.push(...failing)
    const before = cluster.sandbox.callCount('brave')
    setFault(fault)
    const replies = await Promise.all(failing.map(([path, sent]) => send(path, sent())))
    for (const { status, text } of replies) {
      expect(`${status} ${text}`).toMatch(/^503 |"status":503|"isError":true/)
      refusals.push(text)
    }
    expect(cluster.sandbox.callCount('brave') - before).toBeGreaterThanOrEqual(FAILURES)
    setFault(undefined)
    await expectReply('/api/v1/web/', { query: q() }, FOUND)
  })

  it('a client leaves before an engine answers', async () => {
    setFault({ kind: 'hang' }, ['mojeek'])
    const leaving = new AbortController()
    const headers = { authorization: `Api-Key ${keys.any}`, accept: 'text/event-stream' }
    const url = `${cluster.node(0).url}/api/v1/web/?q=${QUERY}-leaves`
    const seen: string[] = []
    for await (const { event } of readEvents(await fetch(url, { headers, signal: leaving.signal }))) {
      seen.push(event)
      if (event === 'results') break
    }
    leaving.abort()
    expect(seen).toContain('results')
    setFault(undefined)
  })

  it('503: every provider fails', async () => {
    setFault({ kind: 'status', status: 500 }, Object.keys(SANDBOX_KEYS))
    const tabs = ['images', 'news', 'videos', 'science', 'code', 'maps', 'suggest', 'cards']
    const failed = await Promise.all([
      ...tabs.map((tab) => send(`/api/v1/${tab}/`, { query: q() })),
      send('/api/v1/translate/', { body: inFrench() }),
      send('/api/v1/instant/', { query: { q: `weather in ${QUERY}` } }),
    ])
    expect(failed.map(({ status }) => status)).toEqual(failed.map(() => 503))
  })
})

describe('of all that was sent', () => {
  /** By place. */
  let stored: Map<string, string>

  beforeAll(async () => {
    await cluster.command(['key', 'rotate', keys.found])
    stored = await cluster.readStored()
    stored.set('refusals', refusals.join('\n'))
  })

  it.each([
    '/api/v1/web/',
    '/api/v1/read/',
    '/searxng/search',
    '/tavily/extract',
    '/firecrawl/v2/scrape',
    '/openwebui/load',
    '/tools/translate',
    '/mcp',
  ])('what was stored of %s is searched', (route) => {
    expect(stored.get('log')).toContain(`"route":"${route}","status":200`)
    expect(stored.get('metrics')).toContain(`route="${route}"`)
  })

  it('the stored data to search is not empty', () => {
    for (const status of [400, 401, 403, 404, 405, 413, 422, 429, 503])
      expect(stored.get('refusals')).toMatch(new RegExp(`^${status} `, 'm'))
    expect(stored.get('headers to others')).toContain('user-agent')
    for (const endpoint of ['web_search', 'translate', 'read'])
      expect(stored.get('table usage_daily')).toContain(endpoint)
    expect(stored.get('Redis commands')).toMatch(/^evalsha /im)
    expect(stored.get('Redis keys')).toMatch(/^bb:\{\d+\}:found$/m)
    expect([...stored.keys()].some((place) => place.startsWith('Redis value of bb:response:'))).toBe(true)
  })

  it('a trace would be found in any encoding', () => {
    const texts = ['', 'x', 'xy'].map((before) => Buffer.from(`${before}${QUERY}!`))
    const encoded = texts.flatMap((text) => [text.toString(), text.toString('base64'), text.toString('hex')])
    const planted = new Map(encoded.map((text, at) => [String(at), text]))
    expect(placesOf(planted, QUERY)).toEqual([...planted.keys()])
  })

  it('no query is stored anywhere', () => {
    expect(placesOf(stored, QUERY)).toEqual([])
    expect(hashedPlacesOf(stored, QUERY)).toEqual([])
  })

  it('no page is stored anywhere, nor its address or that of a picture', () => {
    for (const canary of [PAGE_TEXT, PAGE_ADDRESS, PICTURE_ADDRESS]) expect(placesOf(stored, canary)).toEqual([])
    expect(hashedPlacesOf(stored, PAGE_URL)).toEqual([])
  })

  it('no client address is stored anywhere', () => {
    expect(WRITTEN_ADDRESSES.flatMap((address) => placesOf(stored, address))).toEqual([])
  })

  it('no key is stored anywhere, nor the secret of one', () => {
    for (const key of Object.values(keys)) {
      expect(placesOf(stored, key)).toEqual([])
      expect(placesOf(stored, key.slice(key.indexOf('.') + 1))).toEqual([])
    }
  })

  it('a prefix is only in the table of keys, and in messages that a key has changed', () => {
    const commands = (stored.get('Redis commands') ?? '').replaceAll(/^publish bb:key-changes .*$/gim, '')
    const others = new Map([...stored, ['Redis commands', commands]])
    const places = Object.values(keys).flatMap((key) => placesOf(others, prefixOf(key)))
    expect([...new Set(places)]).toEqual(['table key_secrets'])
  })

  it('everything stored is declared', () => {
    expect(undeclaredIn(stored, readPrivacyDeclaration())).toEqual({ redisKeys: [], logFields: [], metrics: [] })
  })

  it('others are not told where a request came from', () => {
    expect(stored.get('headers to others')).not.toMatch(/referer|"origin"|cookie|x-forwarded/)
    const calls = Object.keys(SANDBOX_KEYS).flatMap((slug) => cluster.sandbox.calls(slug))
    const told = new Map([['calls', JSON.stringify(calls)]])
    expect(placesOf(told, QUERY)).toEqual(['calls'])
    for (const secret of [...WRITTEN_ADDRESSES, ...Object.values(keys)]) expect(placesOf(told, secret)).toEqual([])
  })

  it('no provider address is in the log or the metrics', () => {
    const hosts = [cluster.sandbox.url, cluster.pages.url].map((url) => new URL(url).host)
    const places = hosts.flatMap((host) => placesOf(stored, host))
    expect(places.filter((place) => place !== 'headers to others')).toEqual([])
  })
})
