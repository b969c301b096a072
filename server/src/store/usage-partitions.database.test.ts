import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { pruneCosts } from '../budget/cost-ledger.ts'
import { DATABASE_KINDS, openTestDatabase } from '../keys/access.test-database.ts'
import { getStatements } from './get-statements.ts'
import { pruneUsage } from './usage-partitions.ts'

describe.each(DATABASE_KINDS)('old usage and costs (%s)', (kind) => {
  let opened: Awaited<ReturnType<typeof openTestDatabase>>
  beforeEach(async () => {
    opened = await openTestDatabase(kind)
  })
  afterEach(() => opened.drop())

  const DAYS = ['2024-03-09', '2025-09-30', '2025-10-10', '2025-10-11', '2026-11-15']
  const daysIn = async (table: string): Promise<string[]> => {
    const { rows } = await sql<{ day: string }>`select day from ${sql.table(table)} order by day`.execute(
      opened.database.db,
    )
    return rows.map(({ day }) => day)
  }
  const partitions = async (): Promise<string[]> => {
    const { rows } = await sql<{ name: string }>`
      select inhrelid::regclass::text as name from pg_inherits
      where inhparent = 'usage_daily'::regclass order by name`.execute(opened.database.db)
    return rows.map(({ name }) => name)
  }

  it('usage is deleted by day, and whole months by dropping their partition', async () => {
    const { db } = opened.database
    for (const month of ['2025-09', '2025-10', '2026-11']) await getStatements(db).ensureUsagePartition(db, month)
    for (const day of DAYS) {
      const row = { day, key_id: '1', endpoint: 'web', source: 'memory:1', counted: 3 }
      await db.insertInto('usage_daily').values(row).execute()
      await db.insertInto('usage_totals').values({ day, endpoint: 'web', count: 3 }).execute()
    }
    await pruneUsage(db, '2025-10-11')
    expect(await daysIn('usage_daily')).toEqual(['2025-10-11', '2026-11-15'])
    expect(await daysIn('usage_totals')).toEqual(['2025-10-11', '2026-11-15'])
    if (kind === 'postgres')
      expect(await partitions()).toEqual(['usage_daily_2025_10', 'usage_daily_2026_11', 'usage_daily_other'])
    await pruneUsage(db, '2025-10-11')
    expect(await daysIn('usage_daily')).toHaveLength(2)
  })

  it('rows are deleted in batches, however many there are', async () => {
    const { db } = opened.database
    const row = { day: '2024-01-01', endpoint: 'web', source: 'memory:1', counted: 1 }
    for (let from = 0; from < 12_000; from += 3_000) {
      const rows = Array.from({ length: 3_000 }, (_, i) => ({ ...row, key_id: String(from + i) }))
      await db.insertInto('usage_daily').values(rows).execute()
    }
    await pruneUsage(db, '2025-01-01')
    expect(await daysIn('usage_daily')).toEqual([])
  })

  it('costs of providers are deleted by day', async () => {
    const { db } = opened.database
    for (const day of DAYS) {
      await db
        .insertInto('provider_costs')
        .values({ day, provider: 'brave', source: 'memory:1', calls: 1, micros: 5_000 })
        .execute()
    }
    expect(await pruneCosts(db, '2025-10-11')).toBe(3)
    expect(await daysIn('provider_costs')).toEqual(['2025-10-11', '2026-11-15'])
  })
})
