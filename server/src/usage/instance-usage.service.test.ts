import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openOwnDatabase } from '../rate-limit/own-database.test-rules.ts'
import type { Database } from '../store/database.ts'
import { createInstanceUsage } from './instance-usage.ts'

const NOON = Date.UTC(2026, 10, 15, 12)
const DAY_MS = 86_400_000

let database: Database
beforeAll(async () => {
  database = await openOwnDatabase()
})
afterAll(() => database.close())
beforeEach(async () => {
  await sql`delete from usage_daily`.execute(database.db)
  await sql`delete from usage_totals`.execute(database.db)
})

const write = (day: string, keyId: string, values: { endpoint?: string; source?: string; counted: number }) =>
  database.db
    .insertInto('usage_daily')
    .values({ day, key_id: keyId, endpoint: 'web_search', source: 'a', ...values })
    .onConflict((conflict) =>
      conflict.columns(['key_id', 'day', 'endpoint', 'source']).doUpdateSet({ counted: values.counted }),
    )
    .execute()

function open() {
  const time = { now: NOON }
  return { time, usage: createInstanceUsage({ db: database.db, clock: () => time.now }) }
}

describe('the usage of the instance', () => {
  it('is that of all keys together, by day and endpoint, from the day that was asked for', async () => {
    await write('2026-10-16', '1', { counted: 5 })
    await write('2026-11-14', '1', { counted: 5 })
    await write('2026-11-14', '2', { counted: 7 })
    await write('2026-11-14', '2', { counted: 2, source: 'another process' })
    await write('2026-11-14', '2', { counted: 3, endpoint: 'maps' })
    await write('2026-11-15', '1', { counted: 1 })
    expect(await open().usage.read('2026-10-17')).toEqual([
      { day: '2026-11-14', endpoint: 'maps', count: 3 },
      { day: '2026-11-14', endpoint: 'web_search', count: 14 },
      { day: '2026-11-15', endpoint: 'web_search', count: 1 },
    ])
  })

  it('follows today within seconds, and the days before within a minute', async () => {
    const days = ['2026-10-20', '2026-11-14', '2026-11-15']
    for (const day of days) await write(day, '1', { counted: 1 })
    const { time, usage } = open()
    const counts = async () => (await usage.read('2026-10-17')).map(({ count }) => count)
    expect(await counts()).toEqual([1, 1, 1])
    for (const day of days) await write(day, '1', { counted: 2 })
    expect(await counts()).toEqual([1, 1, 1])
    time.now += 2_000
    expect(await counts()).toEqual([1, 1, 2])
    time.now += 60_000
    expect(await counts()).toEqual([1, 2, 2])
  })

  it('of days that no longer change is summed up once for all nodes', async () => {
    await write('2026-10-20', '1', { counted: 1 })
    await write('2026-10-21', '1', { counted: 2, endpoint: 'maps' })
    const before = await open().usage.read('2026-10-17')
    expect(before.map(({ count }) => count)).toEqual([1, 2])
    await sql`delete from usage_daily`.execute(database.db)
    expect(await open().usage.read('2026-10-17')).toEqual(before)
    const { rows } = await sql<{ days: string }>`select count(distinct day) as days from usage_totals`.execute(
      database.db,
    )
    // From 17 October to 8 November: the six days before today may still change.
    expect(Number(rows[0]?.days)).toBe(23)
  })

  it('is summed up less often if summing takes long', async () => {
    await write('2026-11-15', '1', { counted: 1 })
    let now = NOON
    // Each look at the clock takes three seconds, and a sum as long.
    const usage = createInstanceUsage({ db: database.db, clock: () => (now += 3_000) })
    await usage.read('2026-11-15')
    await write('2026-11-15', '1', { counted: 2 })
    expect(await usage.read('2026-11-15')).toMatchObject([{ count: 1 }])
    now += 60_000
    expect(await usage.read('2026-11-15')).toMatchObject([{ count: 2 }])
  })

  it('a day that is over by now is read once more', async () => {
    await write('2026-11-15', '1', { counted: 1 })
    const { time, usage } = open()
    await usage.read('2026-11-15')
    await write('2026-11-15', '1', { counted: 9 })
    time.now += DAY_MS
    expect(await usage.read('2026-11-15')).toEqual([{ day: '2026-11-15', endpoint: 'web_search', count: 9 }])
  })

  it('rejects when PostgreSQL cannot be asked, and has forgotten nothing afterwards', async () => {
    await write('2026-11-15', '1', { counted: 1 })
    const { usage } = open()
    await sql`alter table usage_daily rename to usage_away`.execute(database.db)
    await expect(usage.read('2026-11-15')).rejects.toThrow()
    await sql`alter table usage_away rename to usage_daily`.execute(database.db)
    expect(await usage.read('2026-11-15')).toHaveLength(1)
  })
})
