// The rows of the cost ledger in PostgreSQL: absolute counts that only grow, each identified by provider, day and
// process.
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../storage/schema.ts'
import { dayOf, endOfMonth, startOfMonth } from '../usage-reading.ts'

/** The calls one process has made to a provider on a day. */
export interface CostCount {
  provider: string
  /** UTC, '2026-11-15'. */
  day: string
  source: string
  calls: number
  /** Millionths of a US dollar. */
  micros: number
}

const ROWS_A_STATEMENT = 500

/** Of a month ('2026-11'), and of one provider or of all. */
export async function readCostRows(db: Kysely<Schema>, month: string, provider?: string): Promise<CostCount[]> {
  let question = db
    .selectFrom('provider_costs')
    .select([sql<string>`day::text`.as('day'), 'provider', 'source', 'calls', 'micros'])
    .where('day', '>=', dayOf(startOfMonth(month)))
    .where('day', '<', dayOf(endOfMonth(month)))
  if (provider !== undefined) question = question.where('provider', '=', provider)
  const rows = await question.execute()
  return rows.map((row) => ({ ...row, calls: Number(row.calls), micros: Number(row.micros) }))
}

/** Without rows it writes nothing, which still fails if the ledger is not writable. */
export async function writeCostRows(db: Kysely<Schema>, counts: CostCount[]): Promise<void> {
  for (let i = 0; i < Math.max(1, counts.length); i += ROWS_A_STATEMENT) {
    await writeRows(db, counts.slice(i, i + ROWS_A_STATEMENT))
  }
}

/** In a fixed order, so that two nodes writing the same rows wait for each other and do not deadlock. */
async function writeRows(db: Kysely<Schema>, rows: CostCount[]): Promise<void> {
  const column = (name: keyof CostCount) => rows.map((row) => row[name])
  await sql`
    insert into provider_costs (day, provider, source, calls, micros)
    select day, provider, source, max(calls), max(micros) from unnest(
      ${column('day')}::date[], ${column('provider')}::text[], ${column('source')}::text[],
      ${column('calls')}::bigint[], ${column('micros')}::bigint[]
    ) as news (day, provider, source, calls, micros)
    group by day, provider, source
    order by day, provider, source
    on conflict (day, provider, source) do update
      set calls = greatest(provider_costs.calls, excluded.calls),
          micros = greatest(provider_costs.micros, excluded.micros)
      where provider_costs.calls < excluded.calls or provider_costs.micros < excluded.micros`.execute(db)
}
