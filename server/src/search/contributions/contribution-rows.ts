// The rows of `engine_contributions` in the database: absolute counts that only grow, one row per engine, day and
// process.
import { type Kysely, sql } from 'kysely'
import { pruneDays } from '../../store/pruning.ts'
import type { Schema } from '../../store/schema.ts'
import type { ContributionCount } from './contribution-counts.ts'

/** Reads the rows since a day (UTC, inclusive). */
export async function readContributionRows(db: Kysely<Schema>, sinceDay: string): Promise<ContributionCount[]> {
  const rows = await db
    .selectFrom('engine_contributions')
    .select(['day', 'engine', 'source', 'searches', 'results', 'returned', 'alone', 'calls', 'failures', 'answer_ms'])
    .where('day', '>=', sinceDay)
    .execute()
  return rows.map(({ day, engine, source, answer_ms: answerMs, ...counts }) => ({
    day,
    engine,
    source,
    searches: Number(counts.searches),
    results: Number(counts.results),
    returned: Number(counts.returned),
    alone: Number(counts.alone),
    calls: Number(counts.calls),
    failures: Number(counts.failures),
    answerMs: Number(answerMs),
  }))
}

/** Only the process that counted a row ever writes it. */
export async function writeContributionRows(db: Kysely<Schema>, counts: readonly ContributionCount[]): Promise<void> {
  if (counts.length === 0) return
  await db
    .insertInto('engine_contributions')
    .values(counts.map(({ answerMs, ...count }) => ({ ...count, answer_ms: answerMs })))
    .onConflict((conflict) =>
      conflict.columns(['day', 'engine', 'source']).doUpdateSet((row) => ({
        searches: row.ref('excluded.searches'),
        results: row.ref('excluded.results'),
        returned: row.ref('excluded.returned'),
        alone: row.ref('excluded.alone'),
        calls: row.ref('excluded.calls'),
        failures: row.ref('excluded.failures'),
        answer_ms: row.ref('excluded.answer_ms'),
      })),
    )
    .execute()
}

/** Sums the cost of each provider since a day, in millionths of a US dollar. */
export async function readCostsSince(db: Kysely<Schema>, sinceDay: string): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('provider_costs')
    .select(['provider', sql<string>`sum(micros)`.as('micros')])
    .where('day', '>=', sinceDay)
    .groupBy('provider')
    .execute()
  return new Map(rows.map(({ provider, micros }) => [provider, Number(micros)]))
}

/** Deletes the days before this one ('2026-11-15'). */
export const pruneContributions = (db: Kysely<Schema>, firstDay: string): Promise<number> =>
  pruneDays(db, firstDay, { table: 'engine_contributions', key: ['day', 'engine', 'source'] })
