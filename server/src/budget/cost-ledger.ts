// The calls to each provider and their cost, by UTC day, in the database. Calls to a provider with a cap are recorded
// there before they are made (`provider-budget.ts`). All others are counted here, in memory, and written about once a
// second as absolute values under this process' own source; a killed process loses its last second.
import { randomBytes } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Log } from '../log.ts'
import { pruneDays } from '../store/pruning.ts'
import type { Schema } from '../store/schema.ts'
import { WriteBehind } from '../store/write-behind.ts'
import { dayOf, endOfMonth, monthOf, startOfMonth } from '../text/utc-day.ts'
import type { BudgetSettings } from './provider-budget.ts'

export interface ProviderCost {
  provider: string
  calls: number
  /** Millionths of a US dollar. */
  micros: number
}

/** This instance's calls to its providers, and their costs. */
export interface CostReader {
  /** For a month ('2026-11'). Rejects if the database is unavailable. */
  ofMonth: (month: string) => Promise<ProviderCost[]>
  /** Price and caps by the provider's slug. */
  readonly budgets: ReadonlyMap<string, BudgetSettings>
}

/**
 * A row: the calls to a provider on a day. `source` is the process that made them, or `budget` for a provider with a
 * cap.
 */
interface CostCount {
  provider: string
  /** UTC, '2026-11-15'. */
  day: string
  source: string
  calls: number
  /** Millionths of a US dollar. */
  micros: number
}

export type CostLedger = ReturnType<typeof createCostLedger>

interface LedgerParts {
  db: Kysely<Schema>
  clock: () => number
  log: Log
}

const WRITE_EVERY_MS = 1_000

const keyOf = ({ provider, day, source }: CostCount): string => `${day} ${provider} ${source}`

export function createCostLedger({ db, clock, log }: LedgerParts) {
  const source = `memory:${randomBytes(8).toString('hex')}`
  /** Each provider's count on the last day that this process called it. */
  const counts = new Map<string, CostCount>()
  const writeBehind = new WriteBehind<CostCount>({
    name: 'provider costs',
    everyMs: WRITE_EVERY_MS,
    log,
    write: (rows) => writeCostRows(db, rows),
  })

  return {
    /** Counts one call to a provider without a cap. */
    count(provider: string, micros: number): void {
      const day = dayOf(clock())
      const last = counts.get(provider)
      const { calls, micros: microsBefore } = last?.day === day ? last : { calls: 0, micros: 0 }
      const count = { provider, day, source, calls: calls + 1, micros: microsBefore + micros }
      counts.set(provider, count)
      writeBehind.put(keyOf(count), count)
    },
    /** Reads a month ('2026-11'), including this process' unwritten calls. Rejects if the database is unavailable. */
    async readCosts(month: string): Promise<ProviderCost[]> {
      const unwritten = writeBehind.unwritten().filter(({ day }) => day.startsWith(month))
      const latest = new Map((await readCostRows(db, month)).map((count) => [keyOf(count), count]))
      // Rows written in the meantime are newer.
      for (const count of unwritten) {
        if (count.calls > (latest.get(keyOf(count))?.calls ?? 0)) latest.set(keyOf(count), count)
      }
      return sumByProvider([...latest.values()])
    },
    start: () => writeBehind.start(),
    /** Stops, and writes what is left. */
    stop: () => writeBehind.stop(),
    /** Writes everything counted so far. False if that failed; the counts are kept. */
    flush: () => writeBehind.flush(),
  }
}

function sumByProvider(counts: CostCount[]): ProviderCost[] {
  const sums = new Map<string, ProviderCost>()
  for (const { provider, calls, micros } of counts) {
    const sum = sums.get(provider) ?? { provider, calls: 0, micros: 0 }
    sums.set(provider, { provider, calls: sum.calls + calls, micros: sum.micros + micros })
  }
  return [...sums.values()].sort((a, b) => (a.provider < b.provider ? -1 : 1))
}

/** Reads the rows of a month ('2026-11'). */
export async function readCostRows(db: Kysely<Schema>, month: string): Promise<CostCount[]> {
  const rows = await db
    .selectFrom('provider_costs')
    .select(['day', 'provider', 'source', 'calls', 'micros'])
    .where('day', '>=', dayOf(startOfMonth(month)))
    .where('day', '<', dayOf(endOfMonth(month)))
    .execute()
  return rows.map((row) => ({ ...row, calls: Number(row.calls), micros: Number(row.micros) }))
}

/** Writes a process' absolute counts. Keeps the larger value: a statement that timed out may still run later. */
export async function writeCostRows(db: Kysely<Schema>, rows: readonly CostCount[]): Promise<void> {
  if (rows.length === 0) return
  await db
    .insertInto('provider_costs')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['day', 'provider', 'source']).doUpdateSet({
        calls: sql`greatest(provider_costs.calls, excluded.calls)`,
        micros: sql`greatest(provider_costs.micros, excluded.micros)`,
      }),
    )
    .execute()
}

/** Counts a call that the operator makes from the command line. It ignores the cap, but counts towards it. */
export async function countTrial(db: Kysely<Schema>, { provider, micros, source, now }: Trial): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await transaction
      .updateTable('provider_budgets')
      .set({ calls: sql`calls + 1`, micros: sql`micros + ${micros}` })
      .where('provider', '=', provider)
      .where('month', '=', `${monthOf(now)}-01`)
      .execute()
    await transaction
      .insertInto('provider_costs')
      .values({ day: dayOf(now), provider, source, calls: 1, micros })
      .execute()
  })
}

interface Trial {
  provider: string
  micros: number
  /** Unique. */
  source: string
  now: number
}

/** Deletes the days before this one ('2026-11-15'). */
export const pruneCosts = (db: Kysely<Schema>, firstDay: string): Promise<number> =>
  pruneDays(db, firstDay, { table: 'provider_costs', key: ['day', 'provider', 'source'] })

/** Deletes the months that began before this day ('2026-11-15'). */
export const pruneBudgets = (db: Kysely<Schema>, firstDay: string): Promise<unknown> =>
  db.deleteFrom('provider_budgets').where('month', '<', firstDay).execute()
