// Where a budget is kept: what a provider has cost this month, and what is promised to calls under way. Two stores keep
// these rules and run the same tests: `redis-budget-store.ts`, shared by all nodes, and `memory-budget-store.ts`.
//
// What was spent is the sum of counts that each know their provider, day and process and only ever grow. A count is
// raised to a value, never added to, so the same news may come twice, late, from the process itself or from PostgreSQL,
// and a store that has lost everything, or was restored from something old, is made whole by telling it all
// that is known. Until it has been told, it admits nothing.
import type { CostCount } from './cost-rows.ts'

export interface BudgetSettings {
  /** At most, in a UTC month; left out: no limit. */
  callsPerMonth?: number | undefined
  microsPerMonth?: number | undefined
  /** Whole millionths of a US dollar. */
  pricePerCallMicros: number
}

/** How long a promise holds. A node that is killed in the middle of a call takes nothing from the budget for longer. */
export const RESERVATION_MS = 60_000

export interface ReserveRequest {
  provider: string
  /** '2026-11' */
  month: string
  /** Unique. */
  id: string
  settings: BudgetSettings
}

/**
 * granted   the call may be made, and must be settled
 * promised  nothing is left, but some of it is only promised to other calls
 * spent     nothing is left
 * unknown   the store must be told first what was spent
 */
export type BudgetVerdict = 'granted' | 'promised' | 'spent' | 'unknown'

export interface BudgetStore {
  /** Undefined: the store is away. */
  reserve: (request: ReserveRequest) => Promise<BudgetVerdict | undefined>
  /** Ends a reservation. With a count the call was billed, and this is what its process has counted now. Not waited for. */
  settle: (reservation: { provider: string; id: string }, count: CostCount | undefined) => void
  /** Tells all that is known of a month. False: the store is away. */
  learn: (provider: string, month: string, counts: readonly CostCount[]) => Promise<boolean>
  /** What other processes have counted, for the ledger; empty when another node has just taken it, unless forced. */
  counts: (providers: readonly string[], isForced: boolean) => Promise<CostCount[]>
}
