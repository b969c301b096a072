// The limits of all keys of a user together, with Redis and PostgreSQL: where things are kept and what they are read from.
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PrivateRedis, startPrivateRedis } from '../../../test/support/private-redis.ts'
import { useRedisAdmin } from '../../../test/support/redis-admin.ts'
import { createLog } from '../../log.ts'
import type { Database } from '../../storage/database.ts'
import { openRedis, type RedisClient } from '../../storage/redis-client.ts'
import { openOwnDatabase } from '../own-database.test-body.ts'
import type { ConsumeRequest, Limits, UserLimits } from '../rate-limiter.ts'
import { createRateLimiter } from '../rate-limiter-with-fallback.ts'
import { totalOf } from '../usage-reading.ts'
import { createUsageRollup } from '../usage-rollup.ts'

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
    const parts = { db: database.db, clock: Date.now, log }
    const rateLimiter = createRateLimiter({ ...parts, redis, limitsUsers: true })
    return { rateLimiter, rollup: createUsageRollup({ ...parts, rateLimiter }) }
  }
  const request = (key: number): ConsumeRequest => ({
    caller: keys[key] ?? '',
    limits,
    endpoint: 'web',
    user: { id: userId, limits: ofUser },
  })
  const month = () => `${new Date().toISOString().slice(0, 7)}-01`

  it('are kept beside those of the keys, in one slot, and usage is read and rolled up from there', async () => {
    const { rateLimiter, rollup } = openNode()
    for (const key of [0, 0, 0, 1]) expect((await rateLimiter.consume(request(key))).refusedBy).toBeUndefined()
    const names = (await admin().keys('*')).filter((name) => !name.startsWith('bb:{usage:'))
    expect(names.length).toBeGreaterThanOrEqual(8)
    expect(names.filter((name) => !name.startsWith(`bb:{user:${userId}}:`))).toEqual([])
    for (const name of names) expect(await admin().pttl(name), name).toBeGreaterThan(0)

    // Another node has never seen these keys.
    const other = openNode()
    const usage = await other.rollup.readUsage(keys[0] ?? '', month())
    expect(totalOf(usage)).toBe(3)
    expect((await other.rateLimiter.peek(keys[0] ?? '', limits)).burst.remaining).toBe(97)
    await rollup.flush()
    const stored = await database.db.selectFrom('usage_daily').selectAll().orderBy('key_id').execute()
    expect(stored.map(({ key_id, counted }) => [key_id, Number(counted)])).toEqual([
      [keys[0], 3],
      [keys[1], 1],
    ])
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
      evaluateOnce: watch('evaluateOnce', redis.evaluateOnce),
    }
    // Time stands still, so that nothing has to be announced again.
    const now = Date.now()
    const rateLimiter = createRateLimiter({ redis: watched, db: database.db, clock: () => now, log, limitsUsers: true })
    const plain = { burst: ofUser.burst, sustained: ofUser.burst, monthlyCap: 1_000 }
    const asked = { ...request(0), user: { id: userId, limits: plain } }
    for (let i = 0; i < 2; i++) await rateLimiter.consume(asked)
    calls.length = 0
    expect((await rateLimiter.consume(asked)).refusedBy).toBeUndefined()
    expect(calls).toEqual(['evaluateOnce'])
    await admin().flushall()
  })

  it('the monthly cap starts from the usage of all keys in PostgreSQL, with Redis and without', async () => {
    await admin().flushall()
    const { rateLimiter } = openNode()
    expect((await rateLimiter.consume(request(1))).refusedBy).toBeUndefined()
    expect((await rateLimiter.consume(request(0))).refusedBy).toBeUndefined()
    expect((await rateLimiter.consume(request(1))).refusedBy).toBe('user-month')
    await server.stop()
    await expect.poll(() => redis.isAway()).toBe(true)
    const alone = openNode()
    const verdicts = []
    for (let i = 0; i < 3; i++) verdicts.push((await alone.rateLimiter.consume(request(0))).refusedBy)
    expect(verdicts).toEqual([undefined, undefined, 'user-month'])
  })
})
