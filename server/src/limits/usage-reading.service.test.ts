import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createLog } from '../log.ts'
import type { Database } from '../storage/database.ts'
import { openOwnDatabase } from './own-database.test-body.ts'
import type { Limits } from './rate-limiter.ts'
import { createRateLimiter } from './rate-limiter-with-fallback.ts'
import { readUsage, readUsageOfKeys } from './usage-reading.ts'
import { createUsageRollup } from './usage-rollup.ts'

const log = createLog('silent')
const NOON = Date.UTC(2026, 10, 15, 12)
const limits: Limits = {
  burst: { count: 1_000, windowMs: 1_000 },
  sustained: { count: 1_000, windowMs: 86_400_000 },
  monthlyCap: undefined,
}

let database: Database
beforeAll(async () => {
  database = await openOwnDatabase()
})
afterAll(() => database.close())
afterEach(async () => {
  await sql`alter table if exists usage_away rename to usage_daily`.execute(database.db)
  await sql`delete from usage_daily`.execute(database.db)
})

function openNode() {
  const parts = { db: database.db, clock: () => NOON, log }
  const rateLimiter = createRateLimiter({ ...parts, redis: undefined })
  const count = async (caller: string, endpoint: string, times = 1) => {
    for (let i = 0; i < times; i++) await rateLimiter.consume({ caller, limits, endpoint })
  }
  return { context: { ...parts, rateLimiter }, rollup: createUsageRollup({ ...parts, rateLimiter }), count }
}

const write = (day: string, keyId: string, values: { source: string; counted: number; refunded?: number }) =>
  database.db
    .insertInto('usage_daily')
    .values({ day, key_id: keyId, endpoint: 'web_search', refunded: 0, ...values })
    .execute()

describe('the usage of several keys', () => {
  it('is that of each key, as if each had been read alone', async () => {
    const { context, rollup, count } = openNode()
    await count('1', 'web_search', 3)
    await count('2', 'maps', 2)
    await count('3', 'web_search')
    await rollup.flush()
    // What PostgreSQL has already and what it has not must not count twice.
    await count('1', 'web_search', 2)
    await write('2026-10-20', '1', { source: 'a', counted: 4, refunded: 1 })
    await write('2026-10-20', '1', { source: 'b', counted: 7 })
    const { counts, isComplete } = await readUsageOfKeys(context, { keyIds: ['1', '2'], sinceDay: '2026-10-17' })
    expect(isComplete).toBe(true)
    expect(new Set(counts)).toEqual(
      new Set([
        { keyId: '1', day: '2026-10-20', endpoint: 'web_search', count: 10 },
        { keyId: '1', day: '2026-11-15', endpoint: 'web_search', count: 5 },
        { keyId: '2', day: '2026-11-15', endpoint: 'maps', count: 2 },
      ]),
    )
    for (const keyId of ['1', '2']) {
      const alone = await readUsage(context, { keyId, sinceDay: '2026-10-17' })
      expect(alone.counts.map((one) => ({ keyId, ...one }))).toEqual(counts.filter((one) => one.keyId === keyId))
    }
  })

  it('without PostgreSQL is what the live counters know, and says that something is missing', async () => {
    const { context, count } = openNode()
    await count('1', 'web_search')
    await sql`alter table usage_daily rename to usage_away`.execute(database.db)
    expect(await readUsageOfKeys(context, { keyIds: ['1', '2'], sinceDay: '2026-10-17' })).toEqual({
      counts: [{ keyId: '1', day: '2026-11-15', endpoint: 'web_search', count: 1 }],
      isComplete: false,
    })
  })
})
