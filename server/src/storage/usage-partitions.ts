// The partitions of `usage_daily`, one for each month. A month without one is kept in `usage_daily_other`: that loses
// nothing, but such a month stays there, and is deleted row by row in the end instead of at once.
import { type Kysely, sql } from 'kysely'
import type { Schema } from './schema.ts'

/** For `bowerbird migrate`: so that the instance's own role need not make any for a long time. */
const MONTHS_AHEAD = 12
/** A counter is updated once a second; with room in its page, an update touches no index. */
const FILLFACTOR = 70

/** This month's and the following ones, so many of them. */
export async function makeUsagePartitions(db: Kysely<Schema>, now: number, ahead = MONTHS_AHEAD): Promise<void> {
  const first = new Date(now)
  for (let i = 0; i <= ahead; i++) {
    const month = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + i, 1))
    await ensureUsagePartition(db, month.toISOString().slice(0, 7))
  }
}

/** Creates the partition of a month ('2026-11') unless it exists, or rows of that month are elsewhere already. */
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
