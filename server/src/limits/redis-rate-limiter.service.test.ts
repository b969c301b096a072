import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PrivateRedis, startPrivateRedis } from '../../test/support/private-redis.ts'
import { createLog } from '../log.ts'
import type { Limits, Meter, SpendRequest } from '../state/meter.ts'
import { meterRules, NOON } from './rate-limiter-rules.test-body.ts'
import { openRedis, type RedisLink } from '../state/redis-link.ts'
import { createRedisMeter } from '../state/redis-meter.ts'
import { command } from '../state/resp-command.ts'
import { createSharedUsage } from '../state/shared-usage.ts'
import { REDIS_CLOCK, spendScript } from './consume-script.ts'

const SHARED_URL = 'redis://127.0.0.1:6379'
const log = createLog('silent')
const limits: Limits = {
  burst: { count: 60, windowMs: 60_000 },
  sustained: { count: 5_000, windowMs: 86_400_000 },
  monthlyCap: undefined,
}
const request = (caller: string, own: Partial<Limits> = {}): SpendRequest => ({
  caller,
  limits: { ...limits, ...own },
  endpoint: 'web',
})

interface TrialParts {
  link: RedisLink
  prefix: string
  luaClock?: string
  loadMonthUsage?: () => Promise<{ used: number; validMs: number }>
}

function openMeter({ link, prefix, luaClock = REDIS_CLOCK, loadMonthUsage }: TrialParts): Meter {
  const usage = createSharedUsage({ link, clock: Date.now, luaClock, prefix })
  const meter = createRedisMeter({
    link,
    usage,
    clock: Date.now,
    luaClock,
    prefix,
    loadMonthUsage: loadMonthUsage ?? (async () => ({ used: 0, validMs: 600_000 })),
    refundElsewhere: () => expect.unreachable('Redis is there'),
  })
  const present = async <T>(answer: Promise<T | undefined>): Promise<T> => {
    const value = await answer
    if (value === undefined) throw new Error('Redis is away')
    return value
  }
  return {
    spend: (request) => present(meter.spend(request)),
    weigh: (caller, limits) => present(meter.weigh(caller, limits)),
    usageOf: (caller, day) => present(meter.usageOf(caller, day)),
  }
}

const aPrefix = () => `bbtest:${randomBytes(6).toString('hex')}:`

async function clean({ client }: RedisLink, prefix: string): Promise<void> {
  for await (const keys of client.scanStream({ match: `${prefix}*`, count: 1_000 })) {
    if (keys.length > 0) await client.unlink(...keys)
  }
}

meterRules(
  'the meter in Redis',
  async () => {
    const prefix = aPrefix()
    const link = await openRedis(SHARED_URL, log)
    let used = 0
    const loadMonthUsage = async () => ({ used, validMs: 600_000 })
    const luaClock = `tonumber(redis.call('GET', '${prefix}clock'))`
    // Over the wire, and so before the spending that follows.
    const setTime = (ms: number) => void link.send(command('SET', `${prefix}clock`, `${ms * 1_000}`))
    const meter = openMeter({ link, prefix, luaClock, loadMonthUsage })
    setTime(NOON)
    return {
      meter,
      setTime,
      setMonthUsage(value: number) {
        used = value
      },
      async close() {
        await clean(link, prefix)
        await link.close()
      },
    }
  },
  120,
)

describe('the meter in Redis, on its own clock', () => {
  const prefix = aPrefix()
  let server: PrivateRedis
  let links: RedisLink[]
  const linkOf = (i: number): RedisLink => links[i] ?? expect.unreachable('there are four links')
  beforeAll(async () => {
    server = await startPrivateRedis()
    links = await Promise.all([0, 1, 2, 3].map(() => openRedis(server.url, log)))
  })
  afterAll(async () => {
    await Promise.all(links.map((link) => link.close()))
    await server.remove()
  })
  const today = () => new Date().toISOString().slice(0, 10)
  const countedOf = async (meter: Meter, caller: string) =>
    (await meter.usageOf(caller, today())).reduce((sum, { counted }) => sum + counted, 0)

  it('admits exactly 60 of 1,000 parallel requests over four connections, and counts 60', async () => {
    const meters = links.map((link) => openMeter({ link, prefix }))
    const spends = Array.from({ length: 250 }, () => meters.map((meter) => meter.spend(request('1')))).flat()
    const verdicts = await Promise.all(spends)
    expect(verdicts.filter(({ refusedBy }) => !refusedBy)).toHaveLength(60)
    const waits = new Set(
      verdicts.filter(({ refusedBy }) => refusedBy).map(({ retryAfterSeconds }) => retryAfterSeconds),
    )
    expect([...waits].every((wait) => wait === 60 || wait === 59)).toBe(true)
    for (const meter of meters) expect(await countedOf(meter, '1')).toBe(60)
  })

  it('a month cap whose counter is unknown to all nodes at once is not overspent', async () => {
    const loadMonthUsage = async () => ({ used: 5, validMs: 600_000 })
    const meters = links.map((link) => openMeter({ link, prefix, loadMonthUsage }))
    const capped = request('2', { monthlyCap: 12 })
    const verdicts = await Promise.all(
      Array.from({ length: 10 }, () => meters.map((meter) => meter.spend(capped))).flat(),
    )
    expect(verdicts.filter(({ refusedBy }) => !refusedBy)).toHaveLength(7)
  })

  it('a server that has forgotten the script is told it again, with no request lost or counted twice', async () => {
    const meter = openMeter({ link: linkOf(0), prefix })
    await meter.spend(request('3'))
    await linkOf(1).client.script('FLUSH')
    const verdicts = await Promise.all(Array.from({ length: 20 }, () => meter.spend(request('3'))))
    expect(verdicts.map(({ burst }) => burst.remaining).sort((a, b) => b - a)).toEqual(
      Array.from({ length: 20 }, (_, i) => 58 - i),
    )
    expect(await countedOf(meter, '3')).toBe(21)
  })

  it('announces a caller before it spends for it, also when the server has forgotten only the announcing', async () => {
    const meter = openMeter({ link: linkOf(0), prefix })
    await linkOf(0).client.script('FLUSH')
    await linkOf(1).client.script('LOAD', spendScript(REDIS_CLOCK))
    const monitor = await linkOf(2).client.monitor()
    const seen: string[] = []
    monitor.on('monitor', (_, words: string[]) => seen.push(words.slice(0, 2).join(' ').toUpperCase()))
    await meter.spend(request('7'))
    await expect.poll(() => seen.some((words) => words.startsWith('HINCRBY'))).toBe(true)
    monitor.disconnect()
    const orderOf = (word: string) => seen.findIndex((words) => words.startsWith(`${word} ${prefix.toUpperCase()}`))
    expect(orderOf('ZADD')).toBeGreaterThan(-1)
    expect(orderOf('ZADD')).toBeLessThan(orderOf('HINCRBY'))
  })

  it('counters that were lost are born anew as another source', async () => {
    const meter = openMeter({ link: linkOf(0), prefix })
    await meter.spend(request('4'))
    const [before] = await meter.usageOf('4', today())
    await clean(linkOf(0), prefix)
    await meter.spend(request('4'))
    const [after] = await meter.usageOf('4', today())
    expect(after).toMatchObject({ counted: 1 })
    expect(after?.source).not.toBe(before?.source)
  })

  it('nothing it writes lives for ever, and usage lives for at least three days', async () => {
    await clean(linkOf(0), prefix)
    const meter = openMeter({ link: linkOf(0), prefix })
    const { refund } = await meter.spend(request('5', { monthlyCap: 100 }))
    refund()
    await meter.usageOf('5', today())
    const keys = await linkOf(0).client.keys(`${prefix}*`)
    expect(keys.length).toBeGreaterThanOrEqual(5)
    for (const key of keys) {
      const life = await linkOf(0).client.pttl(key)
      expect(life, key).toBeGreaterThan(key.includes('usage:') ? 3 * 86_400_000 : 0)
    }
  })

  it('all keys of a caller carry its hash tag', async () => {
    const keys = await linkOf(0).client.keys(`${prefix}*`)
    const own = keys.filter((key) => key !== `${prefix}usage:dirty`)
    expect(own.every((key) => key.startsWith(`${prefix}{5}:`))).toBe(true)
  })

  it('a server that restarts from an old snapshot counts on as another source', async () => {
    const meter = openMeter({ link: linkOf(0), prefix })
    await meter.spend(request('6'))
    await linkOf(0).client.save()
    await meter.spend(request('6'))
    const [before] = await meter.usageOf('6', today())
    await server.stop()
    await server.start()
    await expect.poll(() => links.some((link) => link.isAway()), { timeout: 5_000 }).toBe(false)
    await expect.poll(() => meter.spend(request('6')).then(({ refusedBy }) => refusedBy)).toBeUndefined()
    const after = await meter.usageOf('6', today())
    expect(after).toHaveLength(2)
    expect(after.map(({ counted }) => counted)).toEqual([1, 1])
    expect(after.map(({ source }) => source)).toContain(before?.source)
  })
})
