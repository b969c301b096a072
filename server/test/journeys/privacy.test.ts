// What people search for, and what opens their accounts, is nobody's business: not the log's, not the metrics', not the
// database's, not Redis'. Searches and keys with a mark in them go through every door, well and badly, and then the
// mark is looked for everywhere.
import { randomBytes } from 'node:crypto'
import type { Fault } from '@bowerbird/sandbox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mintKey } from '../../src/keys/key-format.ts'
import { type Cluster, prefixOf, startCluster, UNLIMITED } from '../support/cluster.ts'
import { rawRequest } from '../support/raw-request.ts'
import { readMetrics, readRedis, readTables } from '../support/stored-data.ts'

const METRICS_TOKEN = 'metrics-token-of-the-test'
const CANARY = `canary${randomBytes(8).toString('hex')}`

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

let cluster: Cluster
/** A good key, one that was revoked, one that was never issued, one with a typo. */
let keys: string[]
/** Everything that was kept anywhere, by where it was kept. */
let kept: Map<string, string>

beforeAll(async () => {
  const settings = { LOG_LEVEL: 'trace', METRICS_TOKEN, SEARCH_TIMEOUT_MS: '300' }
  cluster = await startCluster({ nodes: 1, settings })
  const [good, revoked] = await Promise.all([cluster.createKey(UNLIMITED), cluster.createKey(UNLIMITED)])
  keys = [good, revoked, mintKey(randomBytes).full, `${good.slice(0, -1)}_`]
  await cluster.command(['key', 'revoke', revoked])
  await sendEverywhere()
  kept = new Map([
    ['log', cluster.node(0).logged()],
    ['metrics', await readMetrics(cluster.node(0).url, METRICS_TOKEN)],
    ...(await readTables(cluster.databaseUrl)),
    ...(await readRedis(cluster.redis.url)),
  ])
})
afterAll(() => cluster?.close())

async function sendEverywhere(): Promise<void> {
  const { api, url } = cluster.node(0)
  const document = (await api.get('/api/v1/openapi.json')).json
  for (const fault of FAULTS) {
    for (const slug of ['brave', 'mojeek', 'marginalia']) cluster.sandbox.setFault(slug, fault)
    for (const [turn, path] of Object.keys(document.paths).entries()) {
      const parameters = `q=${CANARY}%20${turn}&lang=${CANARY}x&engine=${CANARY}&${CANARY}=${CANARY}`
      for (const query of [`q=${CANARY}-${turn}-${fault?.kind}`, parameters, `api_key=${keys[0]}&q=climate`]) {
        await api.get(`${path}?${query}`, { key: keys[0] })
      }
    }
  }
  for (const key of keys) {
    await api.get('/api/v1/web/?q=climate', { key })
    await api.get(`/api/v1/${CANARY}/${key}/`, { key })
    await api.get('/api/v1/web/', { key, method: 'POST', body: `q=${CANARY}` })
    const head = `Host: ${new URL(url).host}\r\nX-Request-Id: ${CANARY}\r\nReferer: http://x/${CANARY}\r\nUser-Agent: ${CANARY}`
    await rawRequest(url, `GET /api/v1/web/?q=${CANARY} HTTP/1.1\r\n${head}\r\nAuthorization: Bearer ${key}\r\n\r\n`)
    await rawRequest(url, `GET /${CANARY} ${key} HTTP/1.1\r\n${head}\r\n\r\n`)
  }
  await cluster.command(['key', 'rotate', keys[0] ?? ''])
  // Usage and last uses are on their way.
  await new Promise((resolve) => setTimeout(resolve, 2_500))
}

const placesOf = (text: string): string[] =>
  [...kept].filter(([, content]) => content.includes(text)).map(([place]) => place)

describe('of all that was sent', () => {
  it('there is something to look through', () => {
    expect(placesOf('/api/v1/web/')).toEqual(expect.arrayContaining(['log', 'metrics']))
    expect(placesOf('web_search')).toContain('table usage_daily')
    expect([...kept.keys()].some((place) => place.startsWith('Redis value of'))).toBe(true)
    expect(kept.get('Redis keys')).toMatch(/bb:/)
  })

  it('no query is anywhere', () => {
    expect(placesOf(CANARY)).toEqual([])
  })

  it('no key is anywhere, and no secret of one', () => {
    for (const key of keys) {
      expect(placesOf(key)).toEqual([])
      expect(placesOf(key.slice(key.indexOf('.') + 1))).toEqual([])
    }
  })

  it('a prefix is only where keys are kept', () => {
    const places = keys.flatMap((key) => placesOf(prefixOf(key)))
    expect([...new Set(places)]).toEqual(['table key_secrets'])
  })

  it('no address of a provider is in the log or the metrics', () => {
    expect(placesOf(new URL(cluster.sandbox.url).host)).toEqual([])
  })
})
