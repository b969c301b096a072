// Providers and pages hide text from people that language models read: in tag characters, variation selectors, joiners,
// fillers. None of it leaves the instance, whichever way an answer goes out. What Persian, Hindi and emoji need stays.
import { randomUUID } from 'node:crypto'
import { type Sandbox, startSandbox } from '@bowerbird/sandbox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createUser } from '../../src/accounts/users.ts'
import { sandboxSettings } from '../../src/demo/sandbox-settings.ts'
import { PERMISSION_SCOPES } from '../../src/keys/scopes.ts'
import { WITHOUT_RATE_LIMIT } from '../spec/without-upstream-rate-limit.ts'
import { type FormBrowser, openFormBrowser } from '../support/form-browser.ts'
import { type HostileUpstream, INVISIBLE, leaksIn, SAMPLE, startHostileUpstream } from '../support/hostile-upstream.ts'
import { MCP_HEADERS, mcpMessage } from '../support/surface-request.ts'
import { startTestInstance, type TestInstance } from '../support/test-instance.ts'

const PASSWORD = 'correct horse battery'

let sandbox: Sandbox
let upstream: HostileUpstream
let server: TestInstance
let key: string
let browser: FormBrowser

beforeAll(async () => {
  sandbox = await startSandbox()
  upstream = await startHostileUpstream(sandbox.url)
  server = await startTestInstance({
    ...sandboxSettings((slug) => `${upstream.url}/${slug}`),
    ...WITHOUT_RATE_LIMIT,
    READER_PROXY_URL: `${upstream.url}/pages`,
  })
  key = await server.createKey({ burst: '100000/min', sustained: '1000000/day', scopes: [...PERMISSION_SCOPES] })
  await createUser(server.instance.services.access, { username: 'grace', password: PASSWORD })
  browser = openFormBrowser(server.url)
  await browser.fillIn('/login', '/login', { username: 'grace', password: PASSWORD })
})

afterAll(async () => {
  await server?.close()
  await upstream?.close()
  await sandbox?.close()
})

/** Nothing to it is cached, and the sandbox finds much. */
const fresh = (words = 'climate') => `${words} ${randomUUID().slice(0, 8)}`

async function get(path: string, params: Record<string, string>, headers: Record<string, string> = {}) {
  const url = `${server.url}${path}?${new URLSearchParams(params).toString()}`
  const reply = await fetch(url, { headers: { authorization: `Api-Key ${key}`, ...headers } })
  const body = await reply.text()
  expect([reply.status, body.length > 0], `${path} ${body.slice(0, 200)}`).toEqual([200, true])
  return body
}

async function post(path: string, body: object | string, headers: Record<string, string> = {}) {
  const reply = await fetch(server.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  const text = await reply.text()
  expect(reply.status, `${path} ${text.slice(0, 200)}`).toBe(200)
  return text
}

async function tool(name: string, args: object, query = '') {
  const text = await post(`/mcp${query}`, mcpMessage('tools/call', { name, arguments: args }), MCP_HEADERS)
  expect(JSON.parse(text).result?.isError, text.slice(0, 300)).toBeUndefined()
  return text
}

async function page(path: string): Promise<string> {
  const { status, body } = await browser.ask(path)
  expect(status, path).toBe(200)
  return body
}

const aPage = () => `https://harbour-gazette.example/stories/${randomUUID().slice(0, 8)}`
const NAMES = [
  'Eiffel Tower',
  'Paris',
  'Marie Curie',
  'Climate change',
  'Coffee',
  'Jupiter',
  'Dune',
  'python',
  'recursion',
]
const PLACES = ['Paris', 'Berlin', 'Springfield', 'London', 'Lisbon', 'Oslo', 'Rome', 'Vienna', 'Madrid', 'Prague']
let turn = 0
const one = (list: readonly string[]) => list[turn++ % list.length] ?? ''

const search = (path: string, extra: Record<string, string> = {}, headers = {}) =>
  get(path, { q: fresh(), ...extra }, headers)

/** Way out → a request there. Each is repeated until every invisible character has come in. */
const WAYS_OUT: Record<string, () => Promise<string>> = {
  'web/': () => search('/api/v1/web/', { include: 'explain' }),
  'news/': () => search('/api/v1/news/'),
  'images/': () => search('/api/v1/images/'),
  'videos/': () => search('/api/v1/videos/'),
  'science/': () => search('/api/v1/science/'),
  'code/': () => search('/api/v1/code/'),
  'suggest/': () => get('/api/v1/suggest/', { q: fresh('how does the climate change') }),
  'cards/': () => get('/api/v1/cards/', { q: one(NAMES) }),
  'maps/': () => get('/api/v1/maps/', { q: fresh(one(PLACES)) }),
  'translate/': () => get('/api/v1/translate/', { q: fresh('good morning to all of you'), target: 'fr' }),
  'read/': () => get('/api/v1/read/', { url: aPage(), length: '100000' }),
  'include=content': () => search('/api/v1/web/', { include: 'content', content_results: '3' }),
  events: () => search('/api/v1/web/', {}, { accept: 'text/event-stream' }),
  lines: () => search('/api/v1/news/', {}, { accept: 'application/x-ndjson' }),
  'instant/': () => get('/api/v1/instant/', { q: `translate ${fresh('good morning to all of you')} to french` }),
  'SearXNG, suggestions': () => get('/searxng/autocompleter', { q: fresh('how does the climate change') }),
  'MCP search': () => tool('search', { query: fresh() }, '?structured=1'),
  // In one letter case and another: the same card, and another request.
  'MCP cards': () => tool('cards', { query: one(['EIFFEL TOWER', 'eiffel tower', 'Eiffel tower']) }, '?structured=1'),
  'MCP suggest': () => tool('suggest', { query: fresh('how does the climate change') }, '?structured=1'),
  "ChatGPT's search": () => tool('search', { query: fresh() }, '?shape=chatgpt'),
  "ChatGPT's fetch": () => tool('fetch', { id: aPage() }, '?shape=chatgpt'),
  'MCP read': () => tool('read', { url: aPage() }),
  'MCP find_place': () => tool('find_place', { query: fresh(one(PLACES)) }),
  'MCP translate': () => tool('translate', { text: fresh('good morning to all of you'), target: 'fr' }),
  'tool server': () => post('/tools/search', { query: fresh(), tab: 'news' }),
  'SearXNG, JSON': () => get('/searxng/search', { q: fresh(), format: 'json' }),
  'SearXNG, RSS': () => get('/searxng/search', { q: fresh(), format: 'rss' }),
  'Tavily search': () => post('/tavily/search', { query: fresh(), max_results: 20, include_favicon: true }),
  'Tavily extract': () => post('/tavily/extract', { urls: [aPage(), aPage()] }),
  'Open WebUI search': () => post('/openwebui/search', { query: fresh(), count: 20 }),
  'Open WebUI loader': () => post('/openwebui/load', { urls: [aPage()] }),
  'website, web': () => page(`/search?q=${encodeURIComponent(fresh())}`),
  'website, news': () => page(`/search?tab=news&q=${encodeURIComponent(fresh())}`),
  'website, images': () => page(`/search?tab=images&q=${encodeURIComponent(fresh())}`),
  'website, videos': () => page(`/search?tab=videos&q=${encodeURIComponent(fresh())}`),
  'website, card': () => page(`/search?q=${encodeURIComponent(one(NAMES))}`),
  'website, Read': async () => {
    const results = await page(`/search?q=${encodeURIComponent(fresh())}`)
    return await page(/href="(\/read[^"]*)"/.exec(results)?.[1]?.replaceAll('&amp;', '&') ?? '')
  },
  'website, maps': () => page(`/maps?q=${encodeURIComponent(fresh(one(PLACES)))}`),
}

const MOST_REQUESTS = 40

/** Entities of markup and escapes of JSON are characters too. */
const decoded = (body: string): string =>
  body.startsWith('<')
    ? body.replace(/&#(?:x([\da-f]+)|(\d+));/gi, (_, hex: string | undefined, decimal: string) =>
        String.fromCodePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)),
      )
    : body.replace(/\\u([\da-f]{4})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

describe('text that nobody sees', () => {
  it('is some four thousand characters', () => {
    expect(INVISIBLE.length).toBeGreaterThan(4_000)
    for (const character of '\u00ad\u034f\u115f\u1160\u17b4\u180e\u200b\u2060\u2800\u3164\ufe00\ufeff\uffa0\ufff9')
      expect(INVISIBLE).toContain(character)
  })

  it.each(Object.keys(WAYS_OUT))('does not leave through %s', async (name) => {
    const cameIn = new Set<string>()
    const leaks: string[] = []
    upstream.takeSent()
    for (let request = 0; request < MOST_REQUESTS && cameIn.size < INVISIBLE.length; request++) {
      const body = decoded((await WAYS_OUT[name]?.()) ?? '')
      for (const character of upstream.takeSent()) cameIn.add(character)
      leaks.push(...leaksIn(body))
      expect(body).toContain(SAMPLE)
    }
    expect(leaks).toEqual([])
    expect(cameIn.size).toBe(INVISIBLE.length)
  })
})
