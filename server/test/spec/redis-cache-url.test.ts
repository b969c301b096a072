// Cached responses in a separate Redis: that one may be bounded and evict keys, and the main one, which must not, is
// spared them. The node warns if that isn't so.
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PrivateRedis, startPrivateRedis } from '../support/private-redis.ts'
import { startTestInstance, type TestInstance } from '../support/test-instance.ts'

let limits: PrivateRedis
let cache: PrivateRedis
let server: TestInstance

beforeAll(async () => {
  ;[limits, cache] = await Promise.all([
    startPrivateRedis(() => ['--maxmemory-policy', 'volatile-lru']),
    startPrivateRedis(() => ['--maxmemory', '3mb', '--maxmemory-policy', 'allkeys-lru']),
  ])
  server = await startTestInstance({ REDIS_URL: limits.url, REDIS_CACHE_URL: cache.url })
})
afterAll(async () => {
  await server?.close()
  await Promise.all([limits?.remove(), cache?.remove()])
})

async function keysIn({ port }: PrivateRedis): Promise<string[]> {
  const client = new Redis(port)
  try {
    return await client.keys('*')
  } finally {
    client.disconnect()
  }
}

const readiness = async () => await (await fetch(`${server.url}/readyz?verbose`)).json()

describe('with REDIS_CACHE_URL', () => {
  it('that Redis has only responses, and REDIS_URL has everything else', async () => {
    expect((await server.api.get('/api/v1/web/?q=apart')).status).toBe(200)
    await expect.poll(async () => (await keysIn(cache)).some((key) => key.startsWith('bb:response:'))).toBe(true)
    expect((await keysIn(cache)).filter((key) => !key.startsWith('bb:response:'))).toEqual([])
    const others = await keysIn(limits)
    expect(others.some((key) => key.endsWith(':burst'))).toBe(true)
    expect(others.filter((key) => key.startsWith('bb:response:'))).toEqual([])
  })

  it('the node warns about a Redis that may evict limits', () => {
    expect(server.logged()).toContain('Redis may evict limits; set maxmemory-policy to noeviction')
    expect(server.logged()).not.toContain('cached responses are not bounded')
  })

  it('a full cache loses responses, but no limits', async () => {
    const key = await server.createKey({ burst: '3/min', sustained: '1000/day' })
    const passes = async () => (await server.api.get('/api/v1/web/?q=limited', { key })).status
    expect([await passes(), await passes(), await passes(), await passes()]).toEqual([200, 200, 200, 429])
    const client = new Redis(cache.port)
    for (let at = 0; at < 40; at++) await client.set(`bb:response:filler:${at}`, 'x'.repeat(100_000))
    expect(Number(/evicted_keys:(\d+)/.exec(await client.info('stats'))?.[1])).toBeGreaterThan(0)
    client.disconnect()
    expect(await passes()).toBe(429)
    expect(await readiness()).toEqual({
      status: 'ok',
      redis: { limits: { state: 'connected' }, cache: { state: 'connected' } },
    })
  })

  it('without the cache, searches work, limits stay shared, and readiness reports what is missing', async () => {
    await cache.stop()
    await expect.poll(readiness).toMatchObject({
      status: 'degraded',
      detail: 'degraded: Redis for cached responses',
      redis: { cache: { state: 'away' } },
    })
    expect((await server.api.get('/api/v1/web/?q=without')).status).toBe(200)
  })
})
