// The rows of the cost ledger in PostgreSQL, each identified by provider, day and source: the process that made the
// calls, or `budget` for the calls to a provider with a cap (`provider-budget.ts`).
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../postgres/schema.ts'
import { dayOf, endOfMonth, monthOf, startOfMonth } from '../text/utc-day.ts'

/** The calls to a provider on a day. */
export interface CostCount {
  provider: string
  /** UTC, '2026-11-15'. */
  day: string
  source: string
  calls: number
  /** Millionths of a US dollar. */
  micros: number
}

/** Reads the rows of a month ('2026-11'). */
export async function readCostRows(db: Kysely<Schema>, month: string): Promise<CostCount[]> {
  const rows = await db
    .selectFrom('provider_costs')
    .select([sql<string>`day::text`.as('day'), 'provider', 'source', 'calls', 'micros'])
    .where('day', '>=', dayOf(startOfMonth(month)))
    .where('day', '<', dayOf(endOfMonth(month)))
    .execute()
  return rows.map((row) => ({ ...row, calls: Number(row.calls), micros: Number(row.micros) }))
}

/** Writes a process' absolute counts. Keeps the larger value: a statement that timed out may still run later. */
export async function writeCostRows(db: Kysely<Schema>, rows: readonly CostCount[]): Promise<void> {
  const column = (name: keyof CostCount) => rows.map((row) => row[name])
  await sql`
    insert into provider_costs (day, provider, source, calls, micros)
    select * from unnest(
      ${column('day')}::date[], ${column('provider')}::text[], ${column('source')}::text[],
      ${column('calls')}::bigint[], ${column('micros')}::bigint[])
    on conflict (day, provider, source) do update
      set calls = greatest(provider_costs.calls, excluded.calls),
          micros = greatest(provider_costs.micros, excluded.micros)`.execute(db)
}

/** Counts a call that the operator makes from the command line. It ignores the cap, but counts towards it. */
export async function countTrial(db: Kysely<Schema>, { provider, micros, source, now }: Trial): Promise<void> {
  await sql`
    with budget as (
      update provider_budgets set calls = calls + 1, micros = micros + ${micros}
      where provider = ${provider} and month = ${`${monthOf(now)}-01`}::date)
    insert into provider_costs (day, provider, source, calls, micros)
    values (${dayOf(now)}::date, ${provider}, ${source}, 1, ${micros})`.execute(db)
}

interface Trial {
  provider: string
  micros: number
  /** Unique. */
  source: string
  now: number
}

/** Deletes the months that began before this day ('2026-11-15'). */
export const pruneBudgets = (db: Kysely<Schema>, firstDay: string): Promise<unknown> =>
  db.deleteFrom('provider_budgets').where('month', '<', firstDay).execute()
