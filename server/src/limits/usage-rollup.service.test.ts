import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createPgliteFolder } from '../../test/support/pglite-folder.ts'
import { useRedisAdmin } from '../../test/support/redis-admin.ts'
import { type TakenRedis, takeRedis } from '../../test/support/worker-redis.ts'
import { createLog } from '../log.ts'
import { type Database, openPglite } from '../storage/database.ts'
import { migrate } from '../storage/migrations.ts'
import { openRedis, type RedisClient } from '../storage/redis-client.ts'
import { openOwnDatabase } from './own-database.test-body.ts'
import type { ConsumeRequest, Limits } from './rate-limiter.ts'
import { createRateLimiter } from './rate-limiter-with-fallback.ts'
import { shardOf } from './rollup/usage-shard.ts'
import { totalOf } from './usage-reading.ts'
import { createUsageRollup } from './usage-rollup.ts'

const log = createLog('silent')
const NOON = Date.UTC(2026, 10, 15, 12)
const limits: Limits = {
  burst: { count: 1_000_000, windowMs: 1_000 },
  sustained: { count: 1_000_000, windowMs: 86_400_000 },
  monthlyCap: undefined,
}
const request = (caller: string, endpoint = 'web'): ConsumeRequest => ({ caller, limits, endpoint })

let database: Database
let redis: TakenRedis
const admin = useRedisAdmin(() => redis.url)
let links: RedisClient[]
let keys = 0
const aKey = () => `${++keys}`
beforeAll(async () => {
  database = await openOwnDatabase()
  redis = await takeRedis()
  links = await Promise.all([0, 1, 2].map(() => openRedis(redis.url, log)))
})
afterAll(async () => {
  await Promise.all(links.map((redis) => redis.close()))
  redis.giveBack()
  await database.close()
})

const instance = `bbtest:${randomBytes(6).toString('hex')}:`

/** Nodes of one instance of their own, on one simulated clock. */
function openNodes(count: number) {
  const prefix = `${instance}${randomBytes(4).toString('hex')}:`
  const time = { now: NOON }
  const luaClock = `tonumber(redis.call('GET', '${prefix}clock'))`
  const setTime = async (ms: number) => {
    time.now = ms
    await admin().set(`${prefix}clock`, ms * 1_000)
  }
  const nodes = links.slice(0, count).map((redis) => {
    const parts = { db: database.db, clock: () => time.now, log }
    const rateLimiter = createRateLimiter({ ...parts, redis, luaClock, prefix })
    return { ...createUsageRollup({ ...parts, rateLimiter }), rateLimiter }
  })
  const loseRedis = async () => {
    const lost = await admin().keys(`${prefix}*`)
    await admin().del(...lost.filter((key) => !key.endsWith('clock')))
  }
  const nodeOf = (i: number) => nodes[i] ?? expect.unreachable('there is such a node')
  return { nodes, nodeOf, prefix, time, setTime, loseRedis }
}

async function storedUsage(keyId: string): Promise<number> {
  const rows = await database.db.selectFrom('usage_daily').selectAll().where('key_id', '=', keyId).execute()
  return rows.reduce((sum, { counted, refunded }) => sum + Number(counted) - Number(refunded), 0)
}

describe('the roll-up of usage', () => {
  afterEach(() => sql`alter table if exists usage_away rename to usage_daily`.execute(database.db))

  it('brings every count to PostgreSQL exactly, whenever, wherever and however often it runs', async () => {
    const step = fc.oneof(
      { weight: 6, arbitrary: fc.record({ do: fc.constant('spend'), node: fc.nat(2), fails: fc.boolean() }) },
      { weight: 2, arbitrary: fc.record({ do: fc.constant('flush'), node: fc.nat(2) }) },
      { weight: 1, arbitrary: fc.record({ do: fc.constant('flush all'), node: fc.nat(2) }) },
      {
        weight: 3,
        arbitrary: fc.record({ do: fc.constant('wait'), ms: fc.constantFrom(1, 900, 1_100, 61_000, 43_200_000) }),
      },
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const { nodes, nodeOf, time, setTime } = openNodes(3)
        const key = aKey()
        let expected = 0
        await setTime(NOON)
        for (const step of steps) {
          if ('ms' in step) await setTime(time.now + step.ms)
          else if ('fails' in step) {
            const { refund } = await nodeOf(step.node).rateLimiter.consume(request(key))
            if (step.fails) refund()
            else expected++
          } else if (step.do === 'flush') await nodeOf(step.node).flush()
          else await Promise.all(nodes.map((node) => node.flush()))
          const { counts, isComplete } = await nodeOf(0).readUsage(key, '2026-11-01')
          expect(totalOf({ counts, isComplete })).toBe(expected)
        }
        await nodeOf(1).flush()
        expect(await storedUsage(key)).toBe(expected)
      }),
      { numRuns: 25 },
    )
  })

  it('forgets an entry only after a quiet minute, and counts what comes later all the same', async () => {
    const { nodeOf, prefix, setTime } = openNodes(1)
    const key = aKey()
    const entries = () => admin().zcard(`${prefix}{usage:${shardOf(key)}}:dirty`)
    await setTime(NOON)
    await nodeOf(0).rateLimiter.consume(request(key))
    await nodeOf(0).flush()
    await setTime(NOON + 59_999)
    await nodeOf(0).flush()
    expect(await entries()).toBe(1)
    await setTime(NOON + 60_001)
    await nodeOf(0).flush()
    expect(await entries()).toBe(0)
    await nodeOf(0).rateLimiter.consume(request(key))
    await nodeOf(0).flush()
    expect(await storedUsage(key)).toBe(2)
  })

  it('a change that stands under an announcement already rolled up is rolled up with the next pass', async () => {
    const { nodeOf, setTime } = openNodes(1)
    const key = aKey()
    await setTime(NOON)
    await nodeOf(0).rateLimiter.consume(request(key))
    await setTime(NOON + 1)
    await nodeOf(0).flush()
    await setTime(NOON + 900)
    await nodeOf(0).rateLimiter.consume(request(key))
    await nodeOf(0).flush()
    expect(await storedUsage(key)).toBe(2)
  })

  it('an entry that is announced again while it is being rolled up is not forgotten', async () => {
    const { nodeOf, setTime } = openNodes(1)
    const sharedUsage = nodeOf(0).rateLimiter.sharedUsage ?? expect.unreachable('there is Redis')
    await setTime(NOON)
    const key = aKey()
    const shard = sharedUsage.shards[shardOf(key)] ?? expect.unreachable('every key has a shard')
    await nodeOf(0).rateLimiter.consume(request(key))
    const all = () => shard.dirty(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY)
    const read = await all()
    await setTime(NOON + 61_000)
    sharedUsage.announce(read[0]?.name ?? '')
    await shard.forget(read)
    const [kept] = await all()
    expect(kept?.score).toBe((NOON + 61_000) * 1_000)
    await shard.forget(await all())
    expect(await all()).toEqual([])
  })

  it('counts on both sides of midnight under the day they fell on', async () => {
    const { nodeOf, setTime } = openNodes(1)
    const key = aKey()
    const midnight = Date.UTC(2026, 10, 16)
    await setTime(midnight - 400)
    await nodeOf(0).rateLimiter.consume(request(key))
    await setTime(midnight + 400)
    await nodeOf(0).rateLimiter.consume(request(key))
    await nodeOf(0).flush()
    const { counts } = await nodeOf(0).readUsage(key, '2026-11-01')
    expect(await storedUsage(key)).toBe(2)
    expect(counts.map(({ day }) => day).sort()).toEqual(['2026-11-15', '2026-11-16'])
  })

  it('a Redis that loses its data loses no count that was rolled up, and goes on from there', async () => {
    const { nodeOf, setTime, loseRedis } = openNodes(1)
    const key = aKey()
    await setTime(NOON)
    for (let i = 0; i < 5; i++) await nodeOf(0).rateLimiter.consume(request(key))
    await nodeOf(0).flush()
    await loseRedis()
    await setTime(NOON + 2_000)
    for (let i = 0; i < 3; i++) await nodeOf(0).rateLimiter.consume(request(key))
    expect(totalOf(await nodeOf(0).readUsage(key, '2026-11-15'))).toBe(8)
    await nodeOf(0).flush()
    expect(await storedUsage(key)).toBe(8)
  })

  it('what a killed node has counted is rolled up by another', async () => {
    const { nodeOf, setTime } = openNodes(2)
    const key = aKey()
    await setTime(NOON)
    await Promise.all(Array.from({ length: 50 }, () => nodeOf(0).rateLimiter.consume(request(key))))
    await nodeOf(1).flush()
    expect(await storedUsage(key)).toBe(50)
  })

  it('PostgreSQL away: usage is kept, readable but said to be incomplete, and written when it is back', async () => {
    const { nodeOf, setTime } = openNodes(1)
    const key = aKey()
    await setTime(NOON)
    await nodeOf(0).rateLimiter.consume(request(key))
    await nodeOf(0).rateLimiter.fallback.consume(request(key))
    await sql`alter table usage_daily rename to usage_away`.execute(database.db)
    expect(await nodeOf(0).flush()).toBe(false)
    const reading = await nodeOf(0).readUsage(key, '2026-11-15')
    expect(reading).toMatchObject({ isComplete: false, counts: [{ endpoint: 'web', count: 2 }] })
    await sql`alter table usage_away rename to usage_daily`.execute(database.db)
    expect(await nodeOf(0).flush()).toBe(true)
    expect(await storedUsage(key)).toBe(2)
  })

  it('more callers than a page and more rows than a statement are all written', async () => {
    const { nodeOf, setTime, time } = openNodes(1)
    const some = Array.from({ length: 1_100 }, aKey)
    await setTime(NOON)
    for (const key of some) {
      await setTime(time.now + 1)
      await nodeOf(0).rateLimiter.consume(request(key))
      await nodeOf(0).rateLimiter.fallback.consume(request(key, 'news'))
    }
    await nodeOf(0).flush()
    const { total } = await database.db
      .selectFrom('usage_daily')
      .select(sql<string>`sum(counted)`.as('total'))
      .where('key_id', 'in', some)
      .executeTakeFirstOrThrow()
    expect(Number(total)).toBe(2_200)
  })

  it('an older value that arrives late changes nothing', async () => {
    const { nodeOf, setTime } = openNodes(1)
    const key = aKey()
    await setTime(NOON)
    const { rateLimiter } = nodeOf(0)
    await rateLimiter.fallback.consume(request(key))
    const { counts } = rateLimiter.fallback.usage.takeUnwritten()
    const late = { ...rateLimiter.fallback.usage, takeUnwritten: () => ({ counts, putBack: () => undefined }) }
    await rateLimiter.fallback.consume(request(key))
    await nodeOf(0).flush()
    const parts = { db: database.db, clock: () => NOON, log }
    await createUsageRollup({
      ...parts,
      rateLimiter: { ...rateLimiter, sharedUsage: undefined, fallback: { ...rateLimiter.fallback, usage: late } },
    }).flush()
    expect(await storedUsage(key)).toBe(2)
  })

  it('a month cap counts what any source has stored', async () => {
    const { nodes, nodeOf, setTime } = openNodes(2)
    const key = aKey()
    const capped = { ...request(key), limits: { ...limits, monthlyCap: 5 } }
    await setTime(NOON)
    await nodeOf(0).rateLimiter.fallback.consume(request(key))
    await nodeOf(0).flush()
    await nodeOf(1).rateLimiter.consume(request(key))
    const verdicts = await Promise.all(
      nodes.flatMap(({ rateLimiter }) => Array.from({ length: 5 }, () => rateLimiter.consume(capped))),
    )
    expect(verdicts.filter(({ refusedBy }) => !refusedBy)).toHaveLength(3)
  })

  it('runs by itself once started, makes the partitions, and writes the rest when stopped', async () => {
    const { nodeOf, setTime } = openNodes(1)
    const key = aKey()
    await setTime(NOON)
    await nodeOf(0).start()
    await nodeOf(0).rateLimiter.consume(request(key))
    await expect.poll(() => storedUsage(key), { timeout: 5_000 }).toBe(1)
    await nodeOf(0).rateLimiter.fallback.consume(request(key))
    await nodeOf(0).stop()
    expect(await storedUsage(key)).toBe(2)
    const partitions = await sql<{ name: string }>`
      select inhrelid::regclass::text as name from pg_inherits where inhparent = 'usage_daily'::regclass`.execute(
      database.db,
    )
    const names = partitions.rows.map(({ name }) => name)
    expect(names).toContain('usage_daily_2026_11')
    expect(names).toContain('usage_daily_2026_12')
  })

  it('works without Redis and on PGlite', async () => {
    const { db, close } = await openPglite(await createPgliteFolder())
    await migrate(db)
    const parts = { db, clock: () => NOON, log }
    const rateLimiter = createRateLimiter({ ...parts, redis: undefined })
    const rollup = createUsageRollup({ ...parts, rateLimiter })
    await rateLimiter.consume(request('1'))
    expect(await rollup.flush()).toBe(true)
    const { refund } = await rateLimiter.consume(request('1'))
    await rateLimiter.consume(request('address:::1'))
    expect(await rollup.flush()).toBe(true)
    refund()
    expect(await rollup.readUsage('1', '2026-11-01')).toEqual({
      counts: [{ day: '2026-11-15', endpoint: 'web', count: 1 }],
      isComplete: true,
    })
    await close()
  })
})
