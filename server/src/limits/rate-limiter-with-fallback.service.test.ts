import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PrivateRedis, startPrivateRedis } from '../../test/support/private-redis.ts'
import { useRedisAdmin } from '../../test/support/redis-admin.ts'
import { createLog } from '../log.ts'
import type { Database } from '../storage/database.ts'
import { openRedis, type RedisClient } from '../storage/redis-client.ts'
import { openOwnDatabase } from './own-database.test-body.ts'
import type { ConsumeRequest, Limits } from './rate-limiter.ts'
import { createRateLimiter, type RateLimiterWithFallback } from './rate-limiter-with-fallback.ts'

const log = createLog('silent')
const limits: Limits = {
  burst: { count: 10, windowMs: 60_000 },
  sustained: { count: 5_000, windowMs: 86_400_000 },
  monthlyCap: undefined,
}
const request = (caller: string): ConsumeRequest => ({ caller, limits, endpoint: 'web' })

describe('the rate limiter with its local fallback', () => {
  let database: Database
  let server: PrivateRedis
  const admin = useRedisAdmin(() => server.url)
  let links: RedisClient[]
  let meters: RateLimiterWithFallback[]
  const rateLimiterOf = (i: number): RateLimiterWithFallback => meters[i] ?? expect.unreachable('there are two nodes')
  const isBack = () => links.every((redis) => !redis.isAway())
  beforeAll(async () => {
    ;[database, server] = await Promise.all([openOwnDatabase(), startPrivateRedis()])
    links = await Promise.all([0, 1].map(() => openRedis(server.url, log)))
    meters = links.map((redis) => createRateLimiter({ redis, db: database.db, clock: Date.now, log }))
  })
  afterAll(async () => {
    await Promise.all(links.map((redis) => redis.close()))
    await Promise.all([server.remove(), database.close()])
  })
  const admittedOf = async (rateLimiter: RateLimiterWithFallback, caller: string, requests: number) => {
    const verdicts = await Promise.all(Array.from({ length: requests }, () => rateLimiter.consume(request(caller))))
    return verdicts.filter(({ refusedBy }) => !refusedBy).length
  }
  const usageOf = async (caller: string) => {
    const days = [Date.now() - 86_400_000, Date.now()].map((ms) => new Date(ms).toISOString().slice(0, 10))
    const live = await Promise.all(days.map((day) => rateLimiterOf(0).usageOf(caller, day)))
    return live.flat().reduce((sum, { counted, refunded }) => sum + counted - refunded, 0)
  }

  const leftOf = async (rateLimiter: RateLimiterWithFallback, caller: string) =>
    (await rateLimiter.peek(caller, limits)).burst.remaining

  it('nodes share their limits through Redis', async () => {
    expect(await admittedOf(rateLimiterOf(0), '1', 6)).toBe(6)
    expect(await leftOf(rateLimiterOf(1), '1')).toBe(4)
    expect(await admittedOf(rateLimiterOf(1), '1', 10)).toBe(4)
  })

  it('Redis restarted and empty before anybody noticed: a node lets no more through than before', async () => {
    expect(await admittedOf(rateLimiterOf(0), '6', 10)).toBe(10)
    await server.stop()
    await server.start()
    await expect.poll(isBack, { timeout: 5_000 }).toBe(true)
    expect(await admin().exists('bb:{6}:burst')).toBe(0)
    expect(await admittedOf(rateLimiterOf(0), '6', 10)).toBe(0)
  })

  it('Redis gone: no wait, no error, and what a node has let through still counts; back and empty: it still does', async () => {
    expect(await admittedOf(rateLimiterOf(0), '2', 6)).toBe(6)
    const { refund } = await rateLimiterOf(0).consume(request('3'))
    await server.stop()
    await expect.poll(() => links.some((redis) => !redis.isAway())).toBe(false)
    const startedAt = performance.now()
    expect(await leftOf(rateLimiterOf(0), '2')).toBe(4)
    expect(await admittedOf(rateLimiterOf(0), '2', 50)).toBe(4)
    expect(performance.now() - startedAt).toBeLessThan(100)
    refund()
    expect(await usageOf('3')).toBe(0)
    await server.start()
    await expect.poll(isBack, { timeout: 5_000 }).toBe(true)
    expect([await leftOf(rateLimiterOf(0), '2'), await admittedOf(rateLimiterOf(0), '2', 50)]).toEqual([0, 0])
    expect(await admittedOf(rateLimiterOf(0), '4', 6)).toBe(6)
    expect(await admittedOf(rateLimiterOf(1), '4', 10)).toBe(4)
  })

  it('Redis frozen: one slow request at most, then the local fallback answers at once', async () => {
    expect(await admittedOf(rateLimiterOf(0), '5', 5)).toBe(5)
    server.freeze()
    expect((await rateLimiterOf(0).consume(request('5'))).burst.remaining).toBe(4)
    const startedAt = performance.now()
    expect(await admittedOf(rateLimiterOf(0), '5', 20)).toBe(4)
    expect(performance.now() - startedAt).toBeLessThan(100)
    server.thaw()
    await expect.poll(isBack, { timeout: 5_000 }).toBe(true)
    expect(await admittedOf(rateLimiterOf(0), '5', 20)).toBe(0)
  })
})
