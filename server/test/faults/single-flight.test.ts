// Paid calls are made once: by one node for all, and again only to refresh a stale response in the background.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Cluster, startCluster, UNLIMITED } from '../support/cluster.ts'

const ENGINES = ['brave', 'mojeek', 'marginalia']
const WARM_UP_ROUNDS = 10
const calls = ({ sandbox }: Cluster): number[] => ENGINES.map((slug) => sandbox.callCount(slug))

/** Creates a key that every node has cached, so that the measured requests don't wait for the lookup. */
async function cachedKey(cluster: Cluster): Promise<string> {
  const key = await cluster.createKey(UNLIMITED)
  await Promise.all(cluster.nodes.map(({ api }) => api.get('/api/v1/key/', { key })))
  return key
}

describe('single flight', () => {
  let cluster: Cluster
  let key: string
  beforeAll(async () => {
    // Long enough that a slow machine's queue of three thousand doesn't look like a slow engine.
    cluster = await startCluster({ settings: { SEARCH_TIMEOUT_MS: '20000' } })
    key = await cachedKey(cluster)
    // A process that hasn't compiled its code yet may take longer for a thousand searches than a lease lasts.
    for (let round = 0; round < WARM_UP_ROUNDS; round++)
      await Promise.all(Array.from({ length: 60 }, (_, turn) => search('warm', turn)))
  })
  afterAll(() => cluster?.close())
  beforeEach(() => cluster.sandbox.reset())

  const search = (query: string, turn: number) => cluster.node(turn).api.get(`/api/v1/web/?q=${query}`, { key })

  it('3,000 concurrent identical searches on three nodes make one call per engine', async () => {
    const replies = await Promise.all(Array.from({ length: 3_000 }, (_, turn) => search('coalesce', turn)))
    expect(replies.filter(({ status }) => status !== 200)).toEqual([])
    expect(new Set(replies.map(({ headers }) => headers.get('search-status')))).toEqual(new Set(['complete']))
    expect(new Set(replies.map(({ json }) => json.results.length)).size).toBe(1)
    expect(calls(cluster)).toEqual([1, 1, 1])
  })

  it('a node killed during a call delays the others by two seconds at most', async () => {
    for (const slug of ENGINES) cluster.sandbox.setFault(slug, { kind: 'hang' })
    const lost = search('lease', 2).catch(() => 'the node is gone')
    await sleep(300)
    const waiting = search('lease', 0)
    await sleep(100)
    for (const slug of ENGINES) cluster.sandbox.setFault(slug, undefined)
    await cluster.node(2).stop('SIGKILL')
    const killedAt = performance.now()
    const reply = await waiting
    expect([reply.status, reply.headers.get('search-status')]).toEqual([200, 'complete'])
    // Two seconds of delay, plus the search itself.
    expect(performance.now() - killedAt).toBeLessThan(2_300)
    expect(await lost).toBe('the node is gone')
    expect(calls(cluster)).toEqual([2, 2, 2])
  })
})

describe('a response past half its life', () => {
  it('is served immediately and refreshed once, and no search waits', async () => {
    const cluster = await startCluster({ nodes: 2, settings: { SEARCH_CACHE_SECONDS: '6' } })
    try {
      const key = await cachedKey(cluster)
      const search = () => cluster.node(0).api.get('/api/v1/web/?q=refresh', { key })
      await search()
      await sleep(3_200)
      for (const slug of ENGINES) cluster.sandbox.setFault(slug, { kind: 'latency', latencyMs: 2_400 })
      const started = performance.now()
      const replies = await Promise.all(Array.from({ length: 30 }, search))
      // None of them waited for the refresh.
      expect(performance.now() - started).toBeLessThan(2_400)
      expect(new Set(replies.map(({ headers }) => headers.get('search-status')))).toEqual(new Set(['complete']))
      await expect.poll(() => calls(cluster), { timeout: 5_000 }).toEqual([2, 2, 2])
      await sleep(500)
      expect(calls(cluster)).toEqual([2, 2, 2])
    } finally {
      await cluster.close()
    }
  })
})
