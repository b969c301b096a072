// Queries and credentials must not end up in the log, the metrics, the database or Redis. Searches and keys containing
// a canary go through every interface, successfully and not, and then the canary is searched for everywhere.
import { randomBytes } from 'node:crypto'
import type { Fault } from '@bowerbird/sandbox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mintKey } from '../../src/keys/key-format.ts'
import { type Cluster, prefixOf, startCluster, UNLIMITED } from '../support/cluster.ts'
import { rawRequest } from '../support/raw-request.ts'
import { readMetrics, readRedis, readTables } from '../support/stored-data.ts'

const METRICS_TOKEN = 'metrics-token-of-the-test'
const CANARY = `canary${randomBytes(8).toString('hex')}`

const ENGINES = ['brave', 'mojeek', 'marginalia']
const FAULTS: (Fault | undefined)[] = [
  undefined,
  { kind: 'status', status: 500 },
  { kind: 'badKey' },
  { kind: 'throttled', retryAfterSeconds: 1 },
  { kind: 'html' },
  { kind: 'cut-off' },
  { kind: 'refuse' },
  { kind: 'hang' },
]

type CompatRequest = [path: string, body?: object]

/** Requests to the compatible APIs. */
const compatRequests = (turn: number): CompatRequest[] => [
  [`/searxng/search?q=${CANARY}-${turn}&format=json`],
  [`/searxng/search?q=${CANARY}&format=rss&categories=news`],
  [`/searxng/search?q=climate&format=${CANARY}`],
  [`/searxng/autocompleter?q=${CANARY}`],
  [`/searxng/${CANARY}`],
  [`/search?q=${CANARY}&format=json`],
  ['/tavily/search', { query: CANARY, include_domains: [`${CANARY}.example`] }],
  ['/tavily/extract', { urls: [`https://${CANARY}.example/${CANARY}`] }],
  ['/openwebui/search', { query: CANARY, count: CANARY }],
  ['/openwebui/load', { urls: [`https://${CANARY}.example/${CANARY}`] }],
  ['/tools/search', { query: CANARY, tab: CANARY }],
  ['/tools/translate', { text: CANARY, target: 'de' }],
  ['/mcp', callOf('search', { query: `${CANARY} ${turn}` })],
  ['/mcp', callOf('read', { url: `https://${CANARY}.example/${CANARY}` })],
  ['/mcp', callOf(CANARY, {})],
]

function callOf(name: string, given: object) {
  return { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } }
}

let cluster: Cluster
/** A valid key, one allowed in URLs, a revoked one, one never issued, one with a typo. */
let keys: string[]
/** Refusals by the compatible APIs, with headers. */
const refusals: string[] = []
/** Everything that was stored, keyed by place. */
let kept: Map<string, string>

beforeAll(async () => {
  const settings = { LOG_LEVEL: 'trace', METRICS_TOKEN, SEARCH_TIMEOUT_MS: '300', URL_KEYS: 'on' }
  cluster = await startCluster({ nodes: 1, settings })
  const [good, revoked] = await Promise.all([cluster.createKey(UNLIMITED), cluster.createKey(UNLIMITED)])
  const limits = ['--burst', UNLIMITED.burst, '--sustained', UNLIMITED.sustained]
  const inUrl = await cluster.command(['key', 'create', 'ada', '--scopes', 'search,address', ...limits])
  keys = [good, inUrl['key'] ?? '', revoked, mintKey(randomBytes).full, `${good.slice(0, -1)}_`]
  await cluster.command(['key', 'revoke', revoked])
  await sendEverywhere()
  kept = new Map([
    ['log', cluster.node(0).logged()],
    ['metrics', await readMetrics(cluster.node(0).url, METRICS_TOKEN)],
    ['refusals', refusals.join('\n')],
    [
      'headers to engines',
      JSON.stringify(ENGINES.flatMap((slug) => cluster.sandbox.calls(slug)).map(({ headers }) => headers)),
    ],
    ...(await readTables(cluster.databaseUrl)),
    ...(await readRedis(cluster.redis.url)),
  ])
})
afterAll(() => cluster?.close())

async function sendEverywhere(): Promise<void> {
  const { api, url } = cluster.node(0)
  const document = (await api.get('/api/v1/openapi.json')).json
  for (const [turn, fault] of FAULTS.entries()) {
    for (const slug of ENGINES) cluster.sandbox.setFault(slug, fault)
    // Compatible APIs fail in the same way as the API: some of the faults are enough.
    for (const request of turn % 3 === 0 ? compatRequests(turn) : []) {
      await sendCompat(request, keys[0])
      await sendCompat(request, undefined, keys[1])
    }
    for (const [turn, path] of Object.keys(document.paths).entries()) {
      const parameters = `q=${CANARY}%20${turn}&lang=${CANARY}x&engine=${CANARY}&${CANARY}=${CANARY}`
      for (const query of [`q=${CANARY}-${turn}-${fault?.kind}`, parameters, `api_key=${keys[0]}&q=climate`]) {
        await api.get(`${path}?${query}`, { key: keys[0] })
      }
    }
  }
  for (const key of keys) {
    await sendCompat([`/searxng/search?q=${CANARY}&key=${key}`], key)
    await sendCompat([`/${key}/searxng/search?q=${CANARY}`], undefined, key)
    await sendCompat([`/searxng/search?q=${CANARY}`], undefined, key)
    await api.get('/api/v1/web/?q=climate', { key })
    await api.get(`/api/v1/${CANARY}/${key}/`, { key })
    await api.get('/api/v1/web/', { key, method: 'POST', body: `q=${CANARY}` })
    const head = `Host: ${new URL(url).host}\r\nX-Request-Id: ${CANARY}\r\nReferer: http://x/${CANARY}\r\nUser-Agent: ${CANARY}`
    await rawRequest(url, `GET /api/v1/web/?q=${CANARY} HTTP/1.1\r\n${head}\r\nAuthorization: Bearer ${key}\r\n\r\n`)
    await rawRequest(url, `GET /${CANARY} ${key} HTTP/1.1\r\n${head}\r\n\r\n`)
  }
  await cluster.command(['key', 'rotate', keys[0] ?? ''])
  // Usage and last-used times are written with a delay.
  await new Promise((resolve) => setTimeout(resolve, 2_500))
}

/** Sends the key in a header or in the path. */
async function sendCompat([path, body]: CompatRequest, key?: string, inPath?: string): Promise<void> {
  const response = await fetch(`${cluster.node(0).url}${inPath === undefined ? '' : `/k/${inPath}`}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (response.status >= 400) refusals.push(`${response.status} ${text} ${JSON.stringify([...response.headers])}`)
}

const placesOf = (text: string): string[] =>
  [...kept].filter(([, content]) => content.includes(text)).map(([place]) => place)

describe('of all that was sent', () => {
  it('the stored data to search is not empty', () => {
    expect(placesOf('/api/v1/web/')).toEqual(expect.arrayContaining(['log', 'metrics']))
    expect(placesOf('"/mcp"')).toEqual(expect.arrayContaining(['log', 'metrics']))
    for (const status of ['400 {', '401 {', '403 {', '404 {', '503 {']) expect(placesOf(status)).toContain('refusals')
    expect(placesOf('user-agent')).toContain('headers to engines')
    expect(placesOf('web_search')).toContain('table usage_daily')
    expect([...kept.keys()].some((place) => place.startsWith('Redis value of'))).toBe(true)
    expect(kept.get('Redis keys')).toMatch(/bb:/)
  })

  it('no query is stored anywhere', () => {
    expect(placesOf(CANARY)).toEqual([])
  })

  it('no key is stored anywhere, nor the secret of one', () => {
    for (const key of keys) {
      expect(placesOf(key)).toEqual([])
      expect(placesOf(key.slice(key.indexOf('.') + 1))).toEqual([])
    }
  })

  it('a prefix is only in the table of keys', () => {
    const places = keys.flatMap((key) => placesOf(prefixOf(key)))
    expect([...new Set(places)]).toEqual(['table key_secrets'])
  })

  it('engines are not told where a search came from', () => {
    expect(kept.get('headers to engines')).not.toMatch(/referer|"origin"|cookie|x-forwarded/)
  })

  it('no provider address is in the log or the metrics', () => {
    expect(placesOf(new URL(cluster.sandbox.url).host)).toEqual([])
  })
})
