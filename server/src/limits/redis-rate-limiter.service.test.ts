import { randomBytes } from 'node:crypto'
import type { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PrivateRedis, startPrivateRedis } from '../../test/support/private-redis.ts'
import { useRedisAdmin } from '../../test/support/redis-admin.ts'
import { takeRedis } from '../../test/support/worker-redis.ts'
import { createLog } from '../log.ts'
import { openRedis, type RedisClient } from '../storage/redis-client.ts'
import { consumeScript, REDIS_CLOCK } from './consume-script.ts'
import type { ConsumeRequest, Limits, RateLimiter } from './rate-limiter.ts'
import { NOON, rateLimiterRules } from './rate-limiter-rules.test-body.ts'
import { createRedisRateLimiter } from './redis-rate-limiter.ts'
import { createSharedUsage } from './redis-usage.ts'
import { createUnsettledCalls } from './unsettled-calls.ts'
import { userLimitsRules } from './users/user-limits-rules.test-body.ts'

const log = createLog('silent')
const limits: Limits = {
  burst: { count: 60, windowMs: 60_000 },
  sustained: { count: 5_000, windowMs: 86_400_000 },
  monthlyCap: undefined,
}
const request = (caller: string, own: Partial<Limits> = {}): ConsumeRequest => ({
  caller,
  limits: { ...limits, ...own },
  endpoint: 'web',
})

interface TrialParts {
  redis: RedisClient
  prefix: string
  luaClock?: string
  loadMonthUsage?: () => Promise<{ used: number; validMs: number }>
}

function openRateLimiter({ redis, prefix, luaClock = REDIS_CLOCK, loadMonthUsage }: TrialParts): RateLimiter {
  const usage = createSharedUsage({ redis, clock: Date.now, luaClock, prefix })
  const rateLimiter = createRedisRateLimiter({
    redis,
    usage,
    clock: Date.now,
    luaClock,
    prefix,
    unsettled: createUnsettledCalls({ redis, luaClock, prefix, onFound: usage.holdOn }),
    unrolled: usage.unrolled,
    nameOf: async (caller) => caller,
    loadMonthUsage: loadMonthUsage ?? (async () => ({ used: 0, validMs: 600_000 })),
    refundElsewhere: () => expect.unreachable('Redis is there'),
  })
  const present = async <T>(answer: Promise<T | undefined>): Promise<T> => {
    const value = await answer
    if (value === undefined) throw new Error('Redis is away')
    return value
  }
  return {
    consume: (request) => present(rateLimiter.consume(request)),
    peek: (caller, limits) => present(rateLimiter.peek(caller, limits)),
    usageOf: (caller, day) => present(rateLimiter.usageOf(caller, day)),
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
  const today = () => new Date().toISOString().slice(0, 10)
  const countedOf = async (rateLimiter: RateLimiter, caller: string) =>
    (await rateLimiter.usageOf(caller, today())).reduce((sum, { counted }) => sum + counted, 0)

  it('admits exactly 60 of 1,000 parallel requests over four connections, and counts 60', async () => {
    const meters = links.map((redis) => openRateLimiter({ redis, prefix }))
    const spends = Array.from({ length: 250 }, () =>
      meters.map((rateLimiter) => rateLimiter.consume(request('1'))),
    ).flat()
    const verdicts = await Promise.all(spends)
    expect(verdicts.filter(({ refusedBy }) => !refusedBy)).toHaveLength(60)
    const waits = new Set(
      verdicts.filter(({ refusedBy }) => refusedBy).map(({ retryAfterSeconds }) => retryAfterSeconds),
    )
    expect([...waits].every((wait) => wait === 60 || wait === 59)).toBe(true)
    for (const rateLimiter of meters) expect(await countedOf(rateLimiter, '1')).toBe(60)
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

  it('a server that has forgotten the script is told it again, with no request lost or counted twice', async () => {
    const rateLimiter = openRateLimiter({ redis: linkOf(0), prefix })
    await rateLimiter.consume(request('3'))
    await admin().script('FLUSH')
    const verdicts = await Promise.all(Array.from({ length: 20 }, () => rateLimiter.consume(request('3'))))
    expect(verdicts.map(({ burst }) => burst.remaining).sort((a, b) => b - a)).toEqual(
      Array.from({ length: 20 }, (_, i) => 58 - i),
    )
    expect(await countedOf(rateLimiter, '3')).toBe(21)
  })

  it('announces a caller before it spends for it, also when the server has forgotten only the announcing', async () => {
    const rateLimiter = openRateLimiter({ redis: linkOf(0), prefix })
    await admin().script('FLUSH')
    await admin().script('LOAD', consumeScript(REDIS_CLOCK))
    const monitor = await admin().monitor()
    const seen: string[] = []
    monitor.on('monitor', (_, words: string[]) => seen.push(words.slice(0, 2).join(' ').toUpperCase()))
    await rateLimiter.consume(request('7'))
    await expect.poll(() => seen.some((words) => words.startsWith('HINCRBY'))).toBe(true)
    monitor.disconnect()
    const orderOf = (word: string) => seen.findIndex((words) => words.startsWith(`${word} ${prefix.toUpperCase()}`))
    expect(orderOf('ZADD')).toBeGreaterThan(-1)
    expect(orderOf('ZADD')).toBeLessThan(orderOf('HINCRBY'))
  })

  it('counters that were lost are born anew as another source', async () => {
    const rateLimiter = openRateLimiter({ redis: linkOf(0), prefix })
    await rateLimiter.consume(request('4'))
    const [before] = await rateLimiter.usageOf('4', today())
    await clean(admin(), prefix)
    await rateLimiter.consume(request('4'))
    const [after] = await rateLimiter.usageOf('4', today())
    expect(after).toMatchObject({ counted: 1 })
    expect(after?.source).not.toBe(before?.source)
  })

  it('nothing it writes lives for ever, and usage lives for at least three days', async () => {
    await clean(admin(), prefix)
    const rateLimiter = openRateLimiter({ redis: linkOf(0), prefix })
    const { refund } = await rateLimiter.consume(request('5', { monthlyCap: 100 }))
    refund()
    await rateLimiter.usageOf('5', today())
    const keys = await admin().keys(`${prefix}*`)
    expect(keys.length).toBeGreaterThanOrEqual(5)
    for (const key of keys) {
      const life = await admin().pttl(key)
      expect(life, key).toBeGreaterThan(key.includes('usage:') ? 3 * 86_400_000 : 0)
    }
  })

  it('all keys of a caller carry its hash tag', async () => {
    const keys = await admin().keys(`${prefix}*`)
    const own = keys.filter((key) => !key.startsWith(`${prefix}{usage:`))
    expect(own.every((key) => key.startsWith(`${prefix}{5}:`))).toBe(true)
  })

  it('a server that restarts from an old snapshot counts on as another source', async () => {
    const rateLimiter = openRateLimiter({ redis: linkOf(0), prefix })
    await rateLimiter.consume(request('6'))
    await admin().save()
    await rateLimiter.consume(request('6'))
    const [before] = await rateLimiter.usageOf('6', today())
    await server.stop()
    await server.start()
    await expect.poll(() => links.some((redis) => redis.isAway()), { timeout: 5_000 }).toBe(false)
    await expect.poll(() => rateLimiter.consume(request('6')).then(({ refusedBy }) => refusedBy)).toBeUndefined()
    const after = await rateLimiter.usageOf('6', today())
    expect(after).toHaveLength(2)
    expect(after.map(({ counted }) => counted)).toEqual([1, 1])
    expect(after.map(({ source }) => source)).toContain(before?.source)
  })
})
