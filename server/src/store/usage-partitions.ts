// The partitions of `usage_daily` in PostgreSQL, one per month. Rows of a month without a partition go to `usage_daily_other`:
// nothing is lost, but such a month stays there and is eventually deleted row by row instead of in one step.
import type { Kysely } from 'kysely'
import { endOfMonth, monthOf } from '../text/utc-day.ts'
import { getStatements } from './get-statements.ts'
import { pruneDays } from './pruning.ts'
import type { Schema } from './schema.ts'

/** For `bowerbird migrate`: the instance's own role then needn't create any for a long time. */
const MONTHS_AHEAD = 12

/** Creates the partitions of this month and the `ahead` months after it. */
export async function makeUsagePartitions(db: Kysely<Schema>, now: number, ahead = MONTHS_AHEAD): Promise<void> {
  let month = monthOf(now)
  for (let i = 0; i <= ahead; i++) {
    await getStatements(db).ensureUsagePartition(db, month)
    month = monthOf(endOfMonth(month))
  }
}

/** Deletes all days before `firstDay` ('2026-11-15'). */
export async function pruneUsage(db: Kysely<Schema>, firstDay: string): Promise<void> {
  await getStatements(db).dropUsagePartitions(db, firstDay)
  await db.deleteFrom('usage_totals').where('day', '<', firstDay).execute()
  await pruneDays(db, firstDay, { table: 'usage_daily', key: ['key_id', 'day', 'endpoint', 'source'] })
}
