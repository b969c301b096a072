import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PrivateRedis, startPrivateRedis } from '../../test/support/private-redis.ts'
import { createLog } from '../log.ts'
import { openRedis, type RedisClient } from '../redis/redis-client.ts'
import type { ConsumeRequest, Limits } from './rate-limiter.ts'
import { createRateLimiter, type RateLimiterWithFallback } from './rate-limiter-with-fallback.ts'

const log = createLog('silent')
const limits: Limits = {
  burst: { count: 10, windowMs: 60_000 },
  sustained: { count: 5_000, windowMs: 86_400_000 },
  monthlyCap: undefined,
}
const request = (subject: string): ConsumeRequest => ({ subject, limits, counts: true })

describe('the rate limiter with its local fallback', () => {
  let server: PrivateRedis
  let links: RedisClient[]
  let meters: RateLimiterWithFallback[]
  const rateLimiterOf = (i: number): RateLimiterWithFallback => meters[i] ?? expect.unreachable('there are two nodes')
  const isBack = () => links.every((redis) => !redis.isAway())
  beforeAll(async () => {
    server = await startPrivateRedis()
    links = await Promise.all([0, 1].map(() => openRedis(server.url, log)))
    const loadMonthUsage = async () => ({ used: 0, validMs: 600_000 })
    meters = links.map((redis) => createRateLimiter({ redis, clock: Date.now, loadMonthUsage }))
  })
  afterAll(async () => {
    await Promise.all(links.map((redis) => redis.close()))
    await server.remove()
  })
  const admittedOf = async (rateLimiter: RateLimiterWithFallback, subject: string, requests: number) => {
    const verdicts = await Promise.all(Array.from({ length: requests }, () => rateLimiter.consume(request(subject))))
    return verdicts.filter(({ refusedBy }) => !refusedBy).length
  }
  const leftOf = async (rateLimiter: RateLimiterWithFallback, subject: string) =>
    (await rateLimiter.peek(request(subject))).burst.remaining

  it('Redis gone: no error, and what a node has let through still counts', async () => {
    expect(await admittedOf(rateLimiterOf(0), '2', 6)).toBe(6)
    await server.stop()
    await expect.poll(() => links.some((redis) => !redis.isAway())).toBe(false)
    expect(await leftOf(rateLimiterOf(0), '2')).toBe(4)
    expect(await admittedOf(rateLimiterOf(0), '2', 50)).toBe(4)
    expect(rateLimiterOf(0).localDecisions()).toBe(50)
  })

  it('back and empty: Redis decides again, for all nodes together', async () => {
    await server.start()
    await expect.poll(isBack, { timeout: 5_000 }).toBe(true)
    expect(await admittedOf(rateLimiterOf(0), '2', 6)).toBe(6)
    expect(await admittedOf(rateLimiterOf(1), '2', 10)).toBe(4)
  })

  it('Redis frozen: the local fallback decides', async () => {
    expect(await admittedOf(rateLimiterOf(0), '5', 5)).toBe(5)
    server.freeze()
    expect((await rateLimiterOf(0).consume(request('5'))).burst.remaining).toBe(4)
    expect(await admittedOf(rateLimiterOf(0), '5', 20)).toBe(4)
    server.thaw()
    await expect.poll(isBack, { timeout: 5_000 }).toBe(true)
  })
})
