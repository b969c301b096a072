// Engines are slow, broken or hostile. The reply comes in time and says whether it is complete, partial or empty.
import type { Fault } from '@bowerbird/sandbox'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ApiReply } from '../support/api-client.ts'
import { type Cluster, startCluster, UNLIMITED } from '../support/cluster.ts'
import { eventually } from '../support/eventually.ts'

const TIMEOUT_MS = 1_500
/** For everything but waiting, on a busy machine. */
const MARGIN_MS = 10_000

const ENGINES = { engine_a: 'brave', engine_b: 'mojeek', engine_c: 'marginalia' }

const FAULTS: Fault[] = [
  { kind: 'status', status: 500 },
  { kind: 'status', status: 404 },
  { kind: 'blocked' },
  { kind: 'badKey' },
  { kind: 'html' },
  { kind: 'empty-body' },
  { kind: 'cut-off' },
  { kind: 'reset' },
  { kind: 'refuse' },
  { kind: 'hang' },
  { kind: 'drip' },
  { kind: 'huge' },
  { kind: 'gzip-bomb' },
  { kind: 'wrong-shape' },
  { kind: 'latency', latencyMs: 10 * TIMEOUT_MS },
]

let cluster: Cluster
let key: string
let searches = 0

beforeAll(async () => {
  // Without the cache, every search calls the engines.
  const settings = { SEARCH_TIMEOUT_MS: String(TIMEOUT_MS), SEARCH_CACHE_SECONDS: '0' }
  cluster = await startCluster({ nodes: 1, settings })
  key = await cluster.createKey(UNLIMITED)
})
afterAll(() => cluster?.close())
beforeEach(heal)

/** Failed engines recover once they have answered. */
async function heal(): Promise<void> {
  cluster.sandbox.reset()
  const isComplete = async () => (await search()).headers.get('search-status') === 'complete'
  expect(await eventually(isComplete, 30_000)).toBe(true)
}

/** Searches for something new each time. */
async function search(): Promise<ApiReply & { ms: number }> {
  const askedAt = performance.now()
  const reply = await cluster.node(0).api.get(`/api/v1/web/?q=honest-${searches++}`, { key })
  return { ...reply, ms: performance.now() - askedAt }
}

function breakAll(fault: Fault): void {
  for (const slug of Object.values(ENGINES)) cluster.sandbox.setFault(slug, fault)
}

describe('one engine of three', () => {
  it('slow beyond the deadline: the others answer by then, and the reply names it', async () => {
    cluster.sandbox.setFault(ENGINES.engine_b, { kind: 'latency', latencyMs: 5 * TIMEOUT_MS })
    const { status, json, headers, ms } = await search()
    expect(status).toBe(200)
    expect(ms).toBeLessThan(TIMEOUT_MS + MARGIN_MS)
    expect(json.engine).toEqual(['engine_a', 'engine_c'])
    expect(json.results.length).toBeGreaterThan(5)
    expect(headers.get('search-status')).toBe('partial')
    expect(headers.get('engine-status')).toMatch(
      /^engine_a;ok;n=\d+;ms=\d+, engine_b;timeout;ms=\d+, engine_c;ok;n=\d+;ms=\d+$/,
    )
  })

  it.each(FAULTS)('failing by $kind: the others answer by the deadline, and the reply is partial', async (fault) => {
    cluster.sandbox.setFault(ENGINES.engine_b, fault)
    const { status, json, headers, ms } = await search()
    expect([status, json.engine]).toEqual([200, ['engine_a', 'engine_c']])
    expect(ms).toBeLessThan(TIMEOUT_MS + MARGIN_MS)
    expect(headers.get('search-status')).toBe('partial')
    expect(headers.get('engine-status')).toMatch(
      / engine_b;(timeout|unreachable|throttled|blocked|rejected|malformed);/,
    )
  })

  it('returning no results is not a failure: the reply is complete', async () => {
    cluster.sandbox.setFault(ENGINES.engine_b, { kind: 'no-results' })
    const { status, headers } = await search()
    expect([status, headers.get('search-status')]).toEqual([200, 'complete'])
  })
})

describe('all engines', () => {
  it.each(FAULTS)('failing by $kind: 503 by the deadline, with a reason and Retry-After', async (fault) => {
    breakAll(fault)
    const { status, json, headers, ms } = await search()
    expect(status).toBe(503)
    expect(ms).toBeLessThan(TIMEOUT_MS + MARGIN_MS)
    expect(json.detail).toMatch(/^\S.*\.$/)
    expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expect(headers.get('engine-status')).toMatch(/engine_a;.*engine_b;.*engine_c;/)
  })

  it('finding nothing: an empty reply, marked complete', async () => {
    breakAll({ kind: 'no-results' })
    const { status, json, headers } = await search()
    expect([status, json.results, headers.get('search-status')]).toEqual([200, [], 'complete'])
  })

  it('recovered: replies are complete again', async () => {
    breakAll({ kind: 'refuse' })
    for (let i = 0; i < 10; i++) expect((await search()).status).toBe(503)
    await heal()
  })
})

// Last, because rate-limited engines stay skipped.
describe('all engines asking us to slow down', () => {
  it('503, and an engine that asks for a minute is not called again before it is over', async () => {
    breakAll({ kind: 'throttled', retryAfterSeconds: 60 })
    const first = await search()
    expect(first.status).toBe(503)
    expect(first.headers.get('engine-status')).toMatch(/engine_a;throttled;.*engine_b;throttled;.*engine_c;throttled;/)
    expect(Number(first.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    const calls = cluster.sandbox.callCount(ENGINES.engine_c)
    expect((await search()).status).toBe(503)
    expect(cluster.sandbox.callCount(ENGINES.engine_c)).toBe(calls)
  })
})
