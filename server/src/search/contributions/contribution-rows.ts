// The rows of `engine_contributions` in PostgreSQL: absolute counts that only grow, one row per engine, day and
// process.
import { type Kysely, sql } from 'kysely'
import { pruneDays } from '../../postgres/pruning.ts'
import type { Schema } from '../../postgres/schema.ts'
import type { ContributionCount } from './contribution-counts.ts'

/** Reads the rows since a day (UTC, inclusive). */
export async function readContributionRows(db: Kysely<Schema>, sinceDay: string): Promise<ContributionCount[]> {
  const rows = await db
    .selectFrom('engine_contributions')
    .select([
      sql<string>`day::text`.as('day'),
      'engine',
      'source',
      'searches',
      'results',
      'returned',
      'alone',
      'calls',
      'failures',
      'answer_ms',
    ])
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
  const column = (name: keyof ContributionCount) => counts.map((count) => count[name])
  await sql`
    insert into engine_contributions
      (day, engine, source, searches, results, returned, alone, calls, failures, answer_ms)
    select * from unnest(
      ${column('day')}::date[], ${column('engine')}::text[], ${column('source')}::text[],
      ${column('searches')}::bigint[], ${column('results')}::bigint[], ${column('returned')}::bigint[],
      ${column('alone')}::bigint[], ${column('calls')}::bigint[], ${column('failures')}::bigint[],
      ${column('answerMs')}::bigint[])
    on conflict (day, engine, source) do update
      set searches = excluded.searches, results = excluded.results, returned = excluded.returned,
          alone = excluded.alone, calls = excluded.calls, failures = excluded.failures,
          answer_ms = excluded.answer_ms`.execute(db)
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
