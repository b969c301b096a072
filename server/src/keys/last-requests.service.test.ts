import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../../test/support/eventually.ts'
import { useRedisAdmin } from '../../test/support/redis-admin.ts'
import { type TakenRedis, takeRedis } from '../../test/support/worker-redis.ts'
import { createLog } from '../log.ts'
import { openRedis, type RedisClient } from '../redis/redis-client.ts'
import { createLastRequests, type LastRequest, type LastRequests } from './last-requests.ts'

const NOW = 1_794_700_000_000
const REQUEST: LastRequest = {
  at: NOW,
  method: 'GET',
  route: '/searxng/search',
  carrier: 'Bearer',
  status: 200,
  ms: 12.5,
  search: 'complete',
  engines: 'engine_a;ok',
  refusal: '',
}

const PATIENCE_MS = 10_000
let redis: TakenRedis
const admin = useRedisAdmin(() => redis.url)
let links: RedisClient[]
let nodes: LastRequests[]
beforeAll(async () => {
  redis = await takeRedis()
  links = await Promise.all([1, 2].map(() => openRedis(redis.url, createLog('silent'))))
  nodes = links.map((link) => createLastRequests(link, () => NOW))
  await eventually(async () => links.every((link) => link.isSubscribed()), PATIENCE_MS)
})
afterAll(async () => {
  await Promise.all(links.map((link) => link.close()))
  redis.giveBack()
})

describe('the last request with a key', () => {
  it('is the latest of all nodes, whichever is asked', async () => {
    nodes[0]?.note('7', REQUEST)
    nodes[1]?.note('7', { ...REQUEST, at: NOW + 1_000, status: 429, refusal: 'Too many requests.' })
    for (const node of nodes) {
      const isLatest = async () => (await node.read('7'))?.status === 429
      expect(await eventually(isLatest, PATIENCE_MS)).toBe(true)
    }
  })

  it('is nowhere but in memory until somebody looks, and then in Redis for a minute', async () => {
    nodes[0]?.note('8', REQUEST)
    expect(await admin().exists('bb:{8}:last-request')).toBe(0)
    const isKnown = async () => (await nodes[1]?.read('8')) !== undefined
    expect(await eventually(isKnown, PATIENCE_MS)).toBe(true)
    expect(await nodes[1]?.read('8')).toEqual(REQUEST)
    const life = await admin().pttl('bb:{8}:last-request')
    expect([life > 0, life <= 60_000]).toEqual([true, true])
  })

  it('of another key is not shown', async () => {
    nodes[0]?.note('9', REQUEST)
    expect(await nodes[1]?.read('10')).toBeUndefined()
  })
})

describe('without Redis', () => {
  it('a node knows its own, for an hour', async () => {
    let now = NOW
    const alone = createLastRequests(undefined, () => now)
    alone.note('7', REQUEST)
    expect(await alone.read('7')).toEqual(REQUEST)
    now += 3_600_000
    expect(await alone.read('7')).toBeUndefined()
  })
})
