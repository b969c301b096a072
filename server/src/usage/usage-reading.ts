// Reads the usage of keys from PostgreSQL.
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../postgres/schema.ts'

export interface DayCount {
  /** UTC, '2026-11-15'. */
  day: string
  endpoint: string
  count: number
}

export interface UsageReading {
  counts: DayCount[]
  /** False if PostgreSQL could not be queried: older usage is then missing. */
  isComplete: boolean
}

export interface UsageOfKeys {
  counts: (DayCount & { keyId: string })[]
  isComplete: boolean
}

export const totalOf = ({ counts }: UsageReading): number => counts.reduce((total, { count }) => total + count, 0)

interface UsageQuestion {
  keyIds: readonly string[]
  /** UTC, inclusive. */
  sinceDay: string
  /** The source whose counts are returned separately (`isOwn`). */
  ownSource: string
}

export async function readUsageRows(db: Kysely<Schema>, { keyIds, sinceDay, ownSource }: UsageQuestion) {
  const rows = await db
    .selectFrom('usage_daily')
    .select([sql<string>`day::text`.as('day'), 'key_id', 'endpoint', sql<boolean>`source = ${ownSource}`.as('isOwn')])
    .select(sql<string>`sum(counted)`.as('count'))
    .where('key_id', '=', sql<string>`any(${keyIds}::bigint[])`)
    .where('day', '>=', sinceDay)
    .groupBy([sql`1`, sql`2`, sql`3`, sql`4`])
    .execute()
  return rows.map(({ key_id: keyId, count, ...row }) => ({ ...row, keyId, count: Number(count) }))
}
