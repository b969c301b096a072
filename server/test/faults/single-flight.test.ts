// Paid calls are made once: by a node for all its searches, and again only to refresh a stale response in the background.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Cluster, startCluster, UNLIMITED } from '../support/cluster.ts'

const ENGINES = ['brave', 'mojeek', 'marginalia']
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
    // Long enough that a slow machine's queue of five hundred doesn't look like a slow engine.
    cluster = await startCluster({ nodes: 2, settings: { SEARCH_TIMEOUT_MS: '20000' } })
    key = await cachedKey(cluster)
  })
  afterAll(() => cluster?.close())

  const search = (query: string, turn: number) => cluster.node(turn).api.get(`/api/v1/web/?q=${query}`, { key })

  it('500 concurrent identical searches make one call per engine, and the other node none', async () => {
    const replies = await Promise.all(Array.from({ length: 500 }, () => search('coalesce', 0)))
    replies.push(await search('coalesce', 1))
    expect(replies.filter(({ status }) => status !== 200)).toEqual([])
    expect(new Set(replies.map(({ headers }) => headers.get('search-status')))).toEqual(new Set(['complete']))
    expect(new Set(replies.map(({ json }) => json.results.length)).size).toBe(1)
    expect(calls(cluster)).toEqual([1, 1, 1])
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
