// What holds of limits, usage and single flight holds on every form of Redis: one server, a master that Sentinels
// name, a cluster. And it goes on holding while a replica takes over.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRedisStore } from '../../src/cache/redis-store.ts'
import { aProvider, IN_CLEAR, newBase, saying, within } from '../../src/cache/response-cache.test-stage.ts'
import { createResponseCache } from '../../src/cache/response-cache.ts'
import { openOwnDatabase } from '../../src/limits/own-database.test-body.ts'
import type { ConsumeRequest, ConsumeVerdict } from '../../src/limits/rate-limiter.ts'
import { createRateLimiter } from '../../src/limits/rate-limiter-with-fallback.ts'
import { createUsageRollup } from '../../src/limits/usage-rollup.ts'
import { createLog } from '../../src/log.ts'
import type { Database } from '../../src/storage/database.ts'
import { openRedis, type RedisClient } from '../../src/storage/redis-client.ts'
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

let callers = 0
const aCaller = () => `${++callers}`
const requestOf = (caller: string, burst = 1_000_000): ConsumeRequest => ({
  caller,
  endpoint: 'web',
  limits: {
    burst: { count: burst, windowMs: 60_000 },
    sustained: { count: 1_000_000, windowMs: 86_400_000 },
    monthlyCap: undefined,
  },
})

function openNode(redis: RedisClient, { db }: Database) {
  const parts = { db, clock: Date.now, log }
  const rateLimiter = createRateLimiter({ ...parts, redis })
  const shared = createRedisStore(redis, IN_CLEAR)
  return {
    rateLimiter,
    rollup: createUsageRollup({ ...parts, rateLimiter }),
    cache: createResponseCache({ shared, clock: Date.now, maxAgeSeconds: 3_600, log }),
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

  const storedUsage = async (caller: string): Promise<number> => {
    const rows = await database.db.selectFrom('usage_daily').selectAll().where('key_id', '=', caller).execute()
    return rows.reduce((sum, { counted, refunded }) => sum + Number(counted) - Number(refunded), 0)
  }
  const flushAll = async () => {
    for (const { rollup } of nodes) await rollup.flush()
  }

  it('of any number of requests at once exactly as many pass as the limit says', async () => {
    const keys = Array.from({ length: 12 }, aCaller)
    const passed = await Promise.all(
      keys.map(async (caller) => {
        const asked = Array.from({ length: 200 }, (_, turn) => at(turn).rateLimiter.consume(requestOf(caller, 60)))
        return (await Promise.all(asked)).filter(({ refusedBy }) => !refusedBy).length
      }),
    )
    expect(passed).toEqual(keys.map(() => 60))
  })

  it('every request is in the usage once, and none that was refunded', async () => {
    const keys = Array.from({ length: 30 }, aCaller)
    const verdicts: ConsumeVerdict[] = []
    for (const caller of keys)
      for (let turn = 0; turn < 9; turn++) verdicts.push(await at(turn).rateLimiter.consume(requestOf(caller)))
    for (const verdict of verdicts.filter((_, index) => index % 9 === 0)) verdict.refund()
    await sleep(100)
    await at(0).rollup.flush()
    expect(await Promise.all(keys.map(storedUsage))).toEqual(keys.map(() => 8))
  })

  it('what an earlier version has counted and announced in one set for all is rolled up too', async () => {
    const [link] = links
    const caller = aCaller()
    const day = Math.floor(Date.now() / 86_400_000)
    const announcedAt = (Date.now() - 61_000) * 1_000
    await link?.send('HSET', `bb:{${caller}}:usage:${day}`, 'born', announcedAt, 'counted:0123456789ab:web', 7)
    await link?.send('ZADD', 'bb:usage:dirty', announcedAt, `${caller}|${day}`)
    await at(0).rollup.flush()
    expect(await storedUsage(caller)).toBe(7)
    expect(await link?.send('EXISTS', 'bb:usage:dirty')).toBe(0)
  })

  it('what several nodes want at once is fetched once, and the others hear of it', async () => {
    const waits: number[] = []
    for (let round = 0; round < 5; round++) {
      const provider = aProvider(() => sleep(100))
      const base = newBase()
      const started = performance.now()
      const outcomes = await Promise.all(nodes.map(({ cache }) => cache.obtain(base, [provider.ask()], within(5_000))))
      waits.push(performance.now() - started)
      expect(provider.calls).toHaveLength(1)
      expect(outcomes.flat().map(saying)).toEqual(nodes.map(() => 'call-1'))
    }
    // Sooner than somebody would who only looks four times a second.
    expect(Math.min(...waits)).toBeLessThan(240)
  })

  it.skipIf(start !== startRedisCluster)(
    'a key that moves to another server is followed, and nothing is lost',
    async () => {
      const cluster = form as TestRedisCluster // as the condition says
      const caller = aCaller()
      const passed: ConsumeVerdict[] = []
      const isOver = new AbortController()
      const asking = nodes.map(async ({ rateLimiter }) => {
        while (!isOver.signal.aborted) {
          passed.push(await rateLimiter.consume(requestOf(caller)))
          await sleep(2)
        }
      })
      await sleep(200)
      await cluster.switchMasterOf(`bb:{${caller}}:burst`)
      await sleep(300)
      isOver.abort()
      await Promise.all(asking)
      await expect.poll(() => links.every((redis) => !redis.isAway()), { timeout: BACK_MS }).toBe(true)
      await flushAll()
      expect(await storedUsage(caller)).toBe(passed.length)
    },
  )

  it.skipIf(start === startSingle)(
    'a master that is killed is replaced, and every request still counts once',
    async () => {
      const keys = Array.from({ length: 6 }, aCaller)
      const asked = new Map(keys.map((caller) => [caller, 0]))
      const isOver = new AbortController()
      const asking = nodes.map(async ({ rateLimiter }) => {
        while (!isOver.signal.aborted) {
          for (const caller of keys) {
            await rateLimiter.consume(requestOf(caller))
            asked.set(caller, (asked.get(caller) ?? 0) + 1)
          }
          await sleep(5)
        }
      })
      await sleep(300)
      await (await form.masterOf(`bb:{${keys[0]}}:burst`)).stop()
      await expect.poll(() => links.some((redis) => redis.isAway()), { interval: 5 }).toBe(true)
      await expect.poll(() => links.every((redis) => !redis.isAway()), { timeout: BACK_MS }).toBe(true)
      await sleep(300)
      isOver.abort()
      await Promise.all(asking)
      const expected = keys.map((caller) => asked.get(caller))
      await expect
        .poll(
          async () => {
            await flushAll()
            return await Promise.all(keys.map(storedUsage))
          },
          { timeout: BACK_MS },
        )
        .toEqual(expected)
    },
  )
})
