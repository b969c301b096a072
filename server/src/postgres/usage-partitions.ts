// The partitions of `usage_daily`, one per month. Rows of a month without a partition go to `usage_daily_other`:
// nothing is lost, but such a month stays there and is eventually deleted row by row instead of in one step.
import { type Kysely, sql } from 'kysely'
import type { Schema } from './schema.ts'

/** For `bowerbird migrate`: the instance's own role then needn't create any for a long time. */
const MONTHS_AHEAD = 12
/** Counters are updated once a second: with free space in its page, an update touches no index. */
const FILLFACTOR = 70

/** Creates the partitions of this month and the `ahead` months after it. */
export async function makeUsagePartitions(db: Kysely<Schema>, now: number, ahead = MONTHS_AHEAD): Promise<void> {
  const first = new Date(now)
  for (let i = 0; i <= ahead; i++) {
    const month = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + i, 1))
    await ensureUsagePartition(db, month.toISOString().slice(0, 7))
  }
}

/** Creates a month's partition ('2026-11') unless it exists or rows of that month are already elsewhere. */
export async function ensureUsagePartition(db: Kysely<Schema>, month: string): Promise<void> {
  const name = `usage_daily_${month.replace('-', '_')}`
  const [year = 0, monthOfYear = 0] = month.split('-').map(Number)
  const next = new Date(Date.UTC(year, monthOfYear, 1)).toISOString().slice(0, 10)
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
