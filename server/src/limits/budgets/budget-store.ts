// Where a budget is kept: what a provider has cost this month, and what is reserved for calls in progress. Two stores
// follow these rules and pass the same tests: `redis-budget-store.ts`, shared by all nodes, and
// `memory-budget-store.ts`.
//
// The amount spent is the sum of counts, each identified by provider, day and process, which only ever grow. A count is
// raised to a value, never added to. So the same report may arrive twice, late, from the process itself or from
// PostgreSQL, and a store that has lost everything, or was restored from an old state, is repaired by reporting
// everything that is known. Until that has happened, it admits nothing.
import type { CostCount } from './cost-rows.ts'

export interface BudgetSettings {
  /** The most in a UTC month; undefined: no limit. */
  callsPerMonth?: number | undefined
  microsPerMonth?: number | undefined
  /** Whole millionths of a US dollar. */
  pricePerCallMicros: number
}

/**
 * How long a reservation may stay open. Then nobody will say any more whether the call was made, because the node was
 * killed in the middle of it, so it counts as made, under a source of its own.
 */
export const RESERVATION_MS = 60_000
/** The source of such a count is this and the reservation's id. */
export const UNSETTLED = 'unsettled:'

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
 * promised  nothing is left, but part of it is only reserved for other calls
 * spent     nothing is left
 * unknown   the store must first be told what was spent
 */
export type BudgetVerdict = 'granted' | 'promised' | 'spent' | 'unknown'

export interface BudgetStore {
  /** Undefined: the store is unavailable. */
  reserve: (request: ReserveRequest) => Promise<BudgetVerdict | undefined>
  /**
   * Ends a reservation. With a count, the call was billed, and the count is its process' new one. Not waited for.
   */
  settle: (reservation: { provider: string; id: string }, count: CostCount | undefined) => void
  /** Reports everything known about a month. False: the store is unavailable. */
  learn: (provider: string, month: string, counts: readonly CostCount[]) => Promise<boolean>
  /** What other processes have counted, for the ledger; empty if another node has just taken it, unless forced. */
  counts: (providers: readonly string[], isForced: boolean) => Promise<CostCount[]>
}
