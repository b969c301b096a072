// The partitions of `usage_daily`, one per month. Rows of a month without a partition go to `usage_daily_other`:
// nothing is lost, but such a month stays there and is eventually deleted row by row instead of in one step.
import { type Kysely, sql } from 'kysely'
import { dayOf, endOfMonth, monthOf } from '../text/utc-day.ts'
import { isPermissionDenied } from './database.ts'
import { pruneDays } from './pruning.ts'
import type { Schema } from './schema.ts'

/** For `bowerbird migrate`: the instance's own role then needn't create any for a long time. */
const MONTHS_AHEAD = 12
/** Counters are updated once a second: with free space in its page, an update touches no index. */
const FILLFACTOR = 70

/** Creates the partitions of this month and the `ahead` months after it. */
export async function makeUsagePartitions(db: Kysely<Schema>, now: number, ahead = MONTHS_AHEAD): Promise<void> {
  let month = monthOf(now)
  for (let i = 0; i <= ahead; i++) {
    await ensureUsagePartition(db, month)
    month = monthOf(endOfMonth(month))
  }
}

/** Creates a month's partition ('2026-11') unless it exists or rows of that month are already elsewhere. */
export async function ensureUsagePartition(db: Kysely<Schema>, month: string): Promise<void> {
  const name = `usage_daily_${month.replace('-', '_')}`
  const next = dayOf(endOfMonth(month))
  await sql`
    do ${sql.lit(`begin
      if to_regclass('${name}') is null
        and not exists (select from usage_daily_other where day >= '${month}-01' and day < '${next}') then
        create table ${name} partition of usage_daily for values from ('${month}-01') to ('${next}')
          with (fillfactor = ${FILLFACTOR});
      end if;
    exception when duplicate_table or unique_violation then null;
    end`)}`.execute(db)
}

/**
 * Deletes all days before `firstDay` ('2026-11-15'). Whole months are dropped with their partition, which takes no
 * time. If the role may not drop tables, their rows are deleted instead.
 */
export async function pruneUsage(db: Kysely<Schema>, firstDay: string): Promise<void> {
  for (const name of await oldPartitions(db, firstDay)) await dropPartition(db, name)
  await db.deleteFrom('usage_totals').where('day', '<', firstDay).execute()
  await pruneDays(db, firstDay, { table: 'usage_daily', key: ['key_id', 'day', 'endpoint', 'source'] })
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

async function dropPartition(db: Kysely<Schema>, name: string): Promise<void> {
  try {
    await sql`drop table if exists ${sql.id(name)}`.execute(db)
  } catch (error) {
    if (!isPermissionDenied(error)) throw error
  }
}
