// A cap in calls is exact over all nodes, no paid call is made that cannot be recorded, and a rate limit is kept by all
// together.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ApiReply } from '../support/api-client.ts'
import { type Cluster, startCluster, UNLIMITED } from '../support/cluster.ts'

const engineStatus = ({ headers }: ApiReply): string => headers.get('engine-status') ?? ''

describe('never overspent', () => {
  let cluster: Cluster
  let key: string
  beforeAll(async () => {
    cluster = await startCluster({
      settings: { BRAVE_MONTHLY_CALLS: '50', BRAVE_PACE: '100000/s', SEARCH_CACHE_SECONDS: '0' },
    })
    key = await cluster.createKey(UNLIMITED)
    await Promise.all(cluster.nodes.map(({ api }) => api.get('/api/v1/key/', { key })))
  })
  afterAll(() => cluster?.close())

  it('200 searches at once over three nodes with a cap of 50 calls make exactly 50', async () => {
    const replies = await Promise.all(
      Array.from({ length: 200 }, (_, turn) => cluster.node(turn).api.get(`/api/v1/web/?q=spend+${turn}`, { key })),
    )
    expect(replies.filter(({ status }) => status !== 200)).toEqual([])
    expect(cluster.sandbox.callCount('brave')).toBe(50)
    const refused = replies.filter((reply) => engineStatus(reply).includes('engine_a;budget'))
    expect(refused).toHaveLength(150)
    for (const reply of refused) {
      expect(reply.headers.get('search-status')).toBe('partial')
      expect(reply.json.engine).toEqual(['engine_b', 'engine_c'])
      expect(reply.json.results.length).toBeGreaterThan(0)
    }
  }, 60_000)

  it('a node that starts later knows what was spent', async () => {
    const reply = await cluster.node(1).api.get('/api/v1/web/?q=afterwards', { key })
    expect(engineStatus(reply)).toContain('engine_a;budget')
    expect(cluster.sandbox.callCount('brave')).toBe(50)
  })
})

describe('with a provider that breaks off', () => {
  it('a request that is sent a second time counts as a second call', async () => {
    const cluster = await startCluster({
      nodes: 1,
      settings: { BRAVE_MONTHLY_CALLS: '5', BRAVE_PACE: 'off', SEARCH_CACHE_SECONDS: '0' },
    })
    try {
      const key = await cluster.createKey(UNLIMITED)
      cluster.sandbox.setFault('brave', { kind: 'refuse' })
      for (let turn = 0; turn < 8; turn += 1) {
        const reply = await cluster.node(0).api.get(`/api/v1/web/?q=broken+${turn}`, { key })
        expect(engineStatus(reply)).toMatch(/engine_a;(unreachable|budget|open)/)
      }
      expect(cluster.sandbox.callCount('brave')).toBe(5)
    } finally {
      await cluster.close()
    }
  }, 60_000)
})

describe('with the ledger away', () => {
  it('no paid call is made, the others answer, and it recovers by itself', async () => {
    const cluster = await startCluster({ nodes: 1, settings: { BRAVE_MONTHLY_USD: '5', SEARCH_CACHE_SECONDS: '0' } })
    try {
      const key = await cluster.createKey(UNLIMITED)
      const search = (query: string) => cluster.node(0).api.get(`/api/v1/web/?q=${query}`, { key })
      expect(engineStatus(await search('before'))).toContain('engine_a;ok')
      const before = cluster.sandbox.callCount('brave')
      await cluster.redis.stop()
      for (let turn = 0; turn < 5; turn += 1) {
        const reply = await search(`away+${turn}`)
        expect(reply.status).toBe(200)
        expect(engineStatus(reply)).toMatch(/engine_a;budget.*engine_b;ok/)
      }
      expect(cluster.sandbox.callCount('brave')).toBe(before)
      await cluster.redis.start()
      await expect.poll(async () => engineStatus(await search('after')), { timeout: 15_000 }).toContain('engine_a;ok')
    } finally {
      await cluster.close()
    }
  }, 60_000)
})

describe('rate limit', () => {
  it('one call a second is never exceeded at the provider, whatever the load of three nodes', async () => {
    const cluster = await startCluster({ settings: { BRAVE_PACE: '1/s', SEARCH_CACHE_SECONDS: '0' } })
    try {
      const key = await cluster.createKey(UNLIMITED)
      cluster.sandbox.setFault('brave', { kind: 'banAbove', calls: 1, perMs: 950 })
      const until = performance.now() + 6_000
      let turn = 0
      const client = async () => {
        while (performance.now() < until) {
          turn += 1
          const reply = await cluster.node(turn).api.get(`/api/v1/web/?q=rate+${turn}`, { key })
          expect(reply.status).toBe(200)
          await sleep(20)
        }
      }
      await Promise.all(Array.from({ length: 12 }, client))
      expect(cluster.sandbox.rateLimitViolations('brave')).toBe(0)
      expect(cluster.sandbox.callCount('brave')).toBeGreaterThanOrEqual(3)
    } finally {
      await cluster.close()
    }
  }, 60_000)
})
