// The limits of all keys of a user together, with Redis and PostgreSQL: where things are kept and what they are read
// from.
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PrivateRedis, startPrivateRedis } from '../../test/support/private-redis.ts'
import { useRedisAdmin } from '../../test/support/redis-admin.ts'
import { createLog } from '../log.ts'
import { openRedis, type RedisClient } from '../redis/redis-client.ts'
import type { Database } from '../store/database.ts'
import { Usage } from '../usage/usage.ts'
import { openOwnDatabase } from './own-database.test-rules.ts'
import type { ConsumeRequest, Limits, UserLimits } from './rate-limiter.ts'
import { createRateLimiter } from './rate-limiter-with-fallback.ts'

const log = createLog('silent')
const limits: Limits = {
  burst: { count: 100, windowMs: 60_000 },
  sustained: { count: 100, windowMs: 86_400_000 },
  monthlyCap: undefined,
}
const ofUser: UserLimits = { burst: { count: 50, windowMs: 60_000 }, sustained: undefined, monthlyCap: 6 }

describe('the limits of all keys of a user', () => {
  let database: Database
  let server: PrivateRedis
  const admin = useRedisAdmin(() => server.url)
  let redis: RedisClient
  let userId: string
  let keys: string[]
  beforeAll(async () => {
    ;[database, server] = await Promise.all([openOwnDatabase(), startPrivateRedis()])
    redis = await openRedis(server.url, log)
    const { db } = database
    const user = await sql<{
      id: string
    }>`insert into users (username, password_hash) values ('ada', '') returning id`.execute(db)
    userId = user.rows[0]?.id ?? ''
    const made = await sql<{ id: string }>`
      insert into api_keys (user_id, name, scopes) select ${userId}, '', '{search}' from generate_series(1, 2)
      returning id`.execute(db)
    keys = made.rows.map(({ id }) => id)
  })
  afterAll(async () => {
    await redis.close()
    await Promise.all([server.remove(), database.close()])
  })

  function openNode() {
    const usage = new Usage({ db: database.db, clock: Date.now, log })
    const rateLimiter = createRateLimiter({ redis, clock: Date.now, loadMonthUsage: usage.loadMonth })
    const search = async (key: number) => {
      const { refusedBy } = await rateLimiter.consume(request(key))
      if (!refusedBy) usage.count(keys[key] ?? '', 'web')
      return refusedBy
    }
    return { usage, rateLimiter, search }
  }
  const request = (key: number): ConsumeRequest => ({
    subject: keys[key] ?? '',
    limits,
    counts: true,
    user: { id: userId, limits: ofUser },
  })

  it('are kept beside those of the keys, in one slot', async () => {
    const { search, usage } = openNode()
    for (const key of [0, 0, 0, 1]) expect(await search(key)).toBeUndefined()
    const names = await admin().keys('*')
    // The user has no sustained limit, and no key a cap.
    expect(names).toHaveLength(2 * 3 + 3)
    expect(names.filter((name) => !name.startsWith(`bb:{user:${userId}}:`))).toEqual([])
    for (const name of names) expect(await admin().pttl(name), name).toBeGreaterThan(0)
    const other = openNode()
    expect((await other.rateLimiter.peek(request(0))).burst.remaining).toBe(97)
    expect(await usage.flush()).toBe(true)
  })

  it('take one round trip, as a request without them does', async () => {
    const calls: string[] = []
    const watch =
      <Args extends unknown[], Result>(name: string, call: (...args: Args) => Result) =>
      (...args: Args): Result => {
        calls.push(name)
        return call(...args)
      }
    const watched: RedisClient = {
      ...redis,
      send: watch('send', redis.send),
      evaluate: watch('evaluate', redis.evaluate),
    }
    const loadMonthUsage = async () => ({ used: 0, validMs: 600_000 })
    const rateLimiter = createRateLimiter({ redis: watched, clock: Date.now, loadMonthUsage })
    const plain = { burst: ofUser.burst, sustained: ofUser.burst, monthlyCap: 1_000 }
    const asked = { ...request(0), user: { id: userId, limits: plain } }
    for (let i = 0; i < 2; i++) await rateLimiter.consume(asked)
    calls.length = 0
    expect((await rateLimiter.consume(asked)).refusedBy).toBeUndefined()
    expect(calls).toEqual(['evaluate'])
    await admin().flushall()
  })

  it('the monthly cap starts from the usage of all keys in PostgreSQL, with Redis and without', async () => {
    await admin().flushall()
    const { search, usage } = openNode()
    expect(await search(1)).toBeUndefined()
    await admin().flushall()
    // The last of them is not written yet.
    expect(await search(0)).toBeUndefined()
    expect(await search(1)).toBe('user-month')
    await usage.flush()
    await server.stop()
    await expect.poll(() => redis.isAway()).toBe(true)
    const alone = openNode()
    expect(await alone.search(0)).toBe('user-month')
  })
})
