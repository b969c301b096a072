// Limits and shared responses work on every form of Redis: one server, a master found through Sentinels, a cluster. They
// keep working while a replica takes over.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRedisStore } from '../../src/cache/redis-store.ts'
import {
  aProvider,
  IN_CLEAR,
  newKeyPrefix,
  openCache,
  saying,
  within,
} from '../../src/cache/response-cache.test-harness.ts'
import { createLog } from '../../src/log.ts'
import { openOwnDatabase } from '../../src/rate-limit/own-database.test-rules.ts'
import type { ConsumeRequest } from '../../src/rate-limit/rate-limiter.ts'
import { createRateLimiter } from '../../src/rate-limit/rate-limiter-with-fallback.ts'
import { openRedis, type RedisClient } from '../../src/redis/redis-client.ts'
import type { Database } from '../../src/store/database.ts'
import { Usage } from '../../src/usage/usage.ts'
import { startPrivateRedis } from '../support/private-redis.ts'
import {
  type RedisForm,
  startRedisCluster,
  startRedisSentinels,
  type TestRedisCluster,
} from '../support/redis-forms.ts'

const log = createLog('silent')
const LINKS = 3
const BACK_MS = 15_000

async function startSingle(): Promise<RedisForm> {
  const redis = await startPrivateRedis()
  return { url: redis.url, masterOf: async () => redis, close: () => redis.remove() }
}

let keysMade = 0
const aKey = () => `${++keysMade}`
const requestOf = (key: string, burst = 1_000_000): ConsumeRequest => ({
  subject: key,
  counts: true,
  limits: {
    burst: { count: burst, windowMs: 60_000 },
    sustained: { count: 1_000_000, windowMs: 86_400_000 },
    monthlyCap: undefined,
  },
})

function openNode(redis: RedisClient, { db }: Database) {
  const parts = { db, clock: Date.now, log }
  const rateLimiter = createRateLimiter({ redis, clock: Date.now, loadMonthUsage: new Usage(parts).loadMonth })
  const shared = createRedisStore(redis, IN_CLEAR)
  return {
    rateLimiter,
    cache: openCache({ shared, clock: Date.now, maxAgeSeconds: 3_600, log }),
  }
}

type Node = ReturnType<typeof openNode>

describe.each([
  ['one server', startSingle],
  ['a master that Sentinels name', startRedisSentinels],
  ['a cluster', startRedisCluster as () => Promise<RedisForm>],
])('on %s', (_, start) => {
  let form: RedisForm
  let database: Database
  let links: RedisClient[] = []
  let nodes: Node[] = []
  const at = (turn: number): Node => nodes[turn % LINKS] ?? expect.unreachable('there are some')

  beforeAll(async () => {
    ;[form, database] = await Promise.all([start(), openOwnDatabase()])
    links = await Promise.all(Array.from({ length: LINKS }, () => openRedis(form.url, log)))
    nodes = links.map((redis) => openNode(redis, database))
    expect(links.map((redis) => redis.state())).toEqual(links.map(() => ({ state: 'connected' })))
  })
  afterAll(async () => {
    await Promise.all(links.map((redis) => redis.close()))
    await Promise.all([form?.close(), database?.close()])
  })

  /** How many of 200 concurrent requests at all nodes pass. */
  const passing = async (key: string, limit: number): Promise<number> => {
    const asked = Array.from({ length: 200 }, (_, turn) => at(turn).rateLimiter.consume(requestOf(key, limit)))
    return (await Promise.all(asked)).filter(({ refusedBy }) => !refusedBy).length
  }

  /** Sends requests to all nodes without pause meanwhile; returns how many were refused. */
  async function refusedDuring(key: string, happening: () => Promise<void>): Promise<number> {
    const isOver = new AbortController()
    let refused = 0
    const asking = nodes.map(async ({ rateLimiter }) => {
      while (!isOver.signal.aborted) {
        if ((await rateLimiter.consume(requestOf(key))).refusedBy) refused++
        await sleep(2)
      }
    })
    await happening()
    isOver.abort()
    await Promise.all(asking)
    return refused
  }

  it('of any number of concurrent requests exactly the limit passes', async () => {
    const keys = Array.from({ length: 12 }, aKey)
    const passed = await Promise.all(keys.map((key) => passing(key, 60)))
    expect(passed).toEqual(keys.map(() => 60))
  })

  it('a response that one node has fetched is found by the others', async () => {
    const provider = aProvider()
    const keyPrefix = newKeyPrefix()
    await at(0).cache.obtain(keyPrefix, [provider.ask()], within(5_000))
    await links[0]?.send('GET', 'nothing')
    const outcomes = await Promise.all(
      nodes.map(({ cache }) => cache.obtain(keyPrefix, [provider.ask()], within(5_000))),
    )
    expect(outcomes.flat().map(saying)).toEqual(nodes.map(() => 'call-1'))
    expect(provider.calls).toHaveLength(1)
  })

  it.skipIf(start !== startRedisCluster)('a key that moves to another server is followed', async () => {
    const cluster = form as TestRedisCluster // as the condition says
    const key = aKey()
    const refused = await refusedDuring(key, async () => {
      await sleep(200)
      await cluster.switchMasterOf(`bb:{${key}}:burst`)
      await sleep(300)
    })
    await expect.poll(() => links.every((redis) => !redis.isAway()), { timeout: BACK_MS }).toBe(true)
    expect(refused).toBe(0)
    expect(await passing(aKey(), 60)).toBe(60)
  })

  it.skipIf(start === startSingle)('a killed master is replaced, and limits are shared again', async () => {
    const key = aKey()
    const refused = await refusedDuring(key, async () => {
      await sleep(300)
      await (await form.masterOf(`bb:{${key}}:burst`)).stop()
      await expect.poll(() => links.some((redis) => redis.isAway()), { interval: 5 }).toBe(true)
      await expect.poll(() => links.every((redis) => !redis.isAway()), { timeout: BACK_MS }).toBe(true)
      await sleep(300)
    })
    expect(refused).toBe(0)
    const keys = Array.from({ length: 6 }, aKey)
    expect(await Promise.all(keys.map((limited) => passing(limited, 60)))).toEqual(keys.map(() => 60))
  })
})
