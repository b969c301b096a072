// Deletes usage and costs older than the retention period. Usage is partitioned by month, so whole months are dropped
// with their partition, which takes no time. If the role may not drop tables, their rows are deleted instead.
import { type Kysely, sql } from 'kysely'
import { PRUNE_BATCH, pruneInBatches } from '../postgres/pruning.ts'
import type { Schema } from '../postgres/schema.ts'
import { dayOf, endOfMonth } from '../text/utc-day.ts'

/** Deletes all days before `firstDay` ('2026-11-15'). */
export async function pruneUsage(db: Kysely<Schema>, firstDay: string): Promise<void> {
  for (const name of await oldPartitions(db, firstDay)) await dropPartition(db, name)
  await db.deleteFrom('usage_totals').where('day', '<', firstDay).execute()
  await pruneInBatches(() =>
    sql`
      delete from usage_daily
      where (key_id, day, endpoint, source) in (
        select key_id, day, endpoint, source from usage_daily where day < ${firstDay}::date limit ${PRUNE_BATCH})`.execute(
      db,
    ),
  )
}

/** The partitions of months that ended before that day. */
async function oldPartitions(db: Kysely<Schema>, firstDay: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_inherits join pg_class on pg_class.oid = inhrelid
    where inhparent = 'usage_daily'::regclass`.execute(db)
  return rows
    .map(({ name }) => name)
    .filter((name) => {
      const [, year, month] = /^usage_daily_(\d{4})_(\d{2})$/.exec(name) ?? []
      return year !== undefined && dayOf(endOfMonth(`${year}-${month}`)) <= firstDay
    })
}

const MAY_NOT = '42501'

async function dropPartition(db: Kysely<Schema>, name: string): Promise<void> {
  try {
    await sql`drop table if exists ${sql.id(name)}`.execute(db)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === MAY_NOT)) throw error
  }
}

export const pruneCosts = (db: Kysely<Schema>, firstDay: string): Promise<number> =>
  pruneInBatches(() =>
    sql`
      delete from provider_costs
      where (day, provider, source) in (
        select day, provider, source from provider_costs where day < ${firstDay}::date limit ${PRUNE_BATCH})`.execute(
      db,
    ),
  )
