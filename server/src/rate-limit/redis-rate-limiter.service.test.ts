import { randomBytes } from 'node:crypto'
import type { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PrivateRedis, startPrivateRedis } from '../../test/support/private-redis.ts'
import { useRedisAdmin } from '../../test/support/redis-admin.ts'
import { takeRedis } from '../../test/support/worker-redis.ts'
import { createLog } from '../log.ts'
import { openRedis, type RedisClient } from '../redis/redis-client.ts'
import { REDIS_CLOCK } from './consume-script.ts'
import type { ConsumeRequest, Limits, RateLimiter } from './rate-limiter.ts'
import { NOON, rateLimiterRules } from './rate-limiter-rules.test-rules.ts'
import { createRedisRateLimiter } from './redis-rate-limiter.ts'
import { userLimitsRules } from './user-limits-rules.test-rules.ts'

const log = createLog('silent')
const limits: Limits = {
  burst: { count: 60, windowMs: 60_000 },
  sustained: { count: 5_000, windowMs: 86_400_000 },
  monthlyCap: undefined,
}
const request = (subject: string, own: Partial<Limits> = {}): ConsumeRequest => ({
  subject,
  limits: { ...limits, ...own },
  counts: true,
})

interface TrialParts {
  redis: RedisClient
  prefix: string
  luaClock?: string
  loadMonthUsage?: () => Promise<{ used: number; validMs: number }>
}

function openRateLimiter({ redis, prefix, luaClock = REDIS_CLOCK, loadMonthUsage }: TrialParts): RateLimiter {
  const rateLimiter = createRedisRateLimiter({
    redis,
    clock: Date.now,
    luaClock,
    prefix,
    loadMonthUsage: loadMonthUsage ?? (async () => ({ used: 0, validMs: 600_000 })),
  })
  const present = async <T>(answer: Promise<T | undefined>): Promise<T> => {
    const value = await answer
    if (value === undefined) throw new Error('Redis is away')
    return value
  }
  return {
    consume: (request) => present(rateLimiter.consume(request)),
    peek: (request) => present(rateLimiter.peek(request)),
  }
}

const aPrefix = () => `bbtest:${randomBytes(6).toString('hex')}:`

async function clean(client: Redis, prefix: string): Promise<void> {
  for await (const keys of client.scanStream({ match: `${prefix}*`, count: 1_000 })) {
    if (keys.length > 0) await client.unlink(...keys)
  }
}

async function openTrial() {
  const prefix = aPrefix()
  const taken = await takeRedis()
  const redis = await openRedis(taken.url, log)
  let used = 0
  const loadMonthUsage = async () => ({ used, validMs: 600_000 })
  const luaClock = `tonumber(redis.call('GET', '${prefix}clock'))`
  // Over the same connection, and so before the spending that follows.
  const setTime = (ms: number) => void redis.send('SET', `${prefix}clock`, ms * 1_000)
  const rateLimiter = openRateLimiter({ redis, prefix, luaClock, loadMonthUsage })
  setTime(NOON)
  return {
    rateLimiter,
    setTime,
    setMonthUsage(value: number) {
      used = value
    },
    async close() {
      await redis.close()
      taken.giveBack()
    },
  }
}

rateLimiterRules('the rate limiter in Redis', openTrial, 120)
userLimitsRules('the rate limiter in Redis', openTrial)

describe('the rate limiter in Redis, on its own clock', () => {
  const prefix = aPrefix()
  let server: PrivateRedis
  const admin = useRedisAdmin(() => server.url)
  let links: RedisClient[]
  const linkOf = (i: number): RedisClient => links[i] ?? expect.unreachable('there are four links')
  beforeAll(async () => {
    server = await startPrivateRedis()
    links = await Promise.all([0, 1, 2, 3].map(() => openRedis(server.url, log)))
  })
  afterAll(async () => {
    await Promise.all(links.map((redis) => redis.close()))
    await server.remove()
  })
  it('admits exactly 60 of 1,000 parallel requests over four connections', async () => {
    const meters = links.map((redis) => openRateLimiter({ redis, prefix }))
    const spends = Array.from({ length: 250 }, () =>
      meters.map((rateLimiter) => rateLimiter.consume(request('1'))),
    ).flat()
    const verdicts = await Promise.all(spends)
    expect(verdicts.filter(({ refusedBy }) => !refusedBy)).toHaveLength(60)
  })

  it('a month cap whose counter is unknown to all nodes at once is not overspent', async () => {
    const loadMonthUsage = async () => ({ used: 5, validMs: 600_000 })
    const meters = links.map((redis) => openRateLimiter({ redis, prefix, loadMonthUsage }))
    const capped = request('2', { monthlyCap: 12 })
    const verdicts = await Promise.all(
      Array.from({ length: 10 }, () => meters.map((rateLimiter) => rateLimiter.consume(capped))).flat(),
    )
    expect(verdicts.filter(({ refusedBy }) => !refusedBy)).toHaveLength(7)
  })

  it.each(['limits', 'burst', 'sustained'])('what Redis has evicted (%s) is taken for empty', async (part) => {
    const rateLimiter = openRateLimiter({ redis: linkOf(0), prefix })
    const strict = request(`8-${part}`, { burst: { count: 2, windowMs: 100 } })
    for (let i = 0; i < 2; i++) await rateLimiter.consume(strict)
    await admin().del(`${prefix}{8-${part}}:${part}`)
    await rateLimiter.consume(strict)
    await new Promise((resolve) => setTimeout(resolve, 120))
    expect((await rateLimiter.consume(strict)).refusedBy).toBeUndefined()
  })

  it('everything it writes expires, and carries the hash tag of its subject', async () => {
    await clean(admin(), prefix)
    const rateLimiter = openRateLimiter({ redis: linkOf(0), prefix })
    const { giveBack } = await rateLimiter.consume(request('5', { monthlyCap: 100 }))
    giveBack()
    await rateLimiter.peek(request('5'))
    const keys = await admin().keys(`${prefix}*`)
    expect(keys).toHaveLength(4)
    for (const key of keys) expect(await admin().pttl(key), key).toBeGreaterThan(0)
    expect(keys.filter((key) => !key.startsWith(`${prefix}{5}:`))).toEqual([])
  })
})
