// The contract of the meter: one question a request, answered in one round trip. It checks both limits, spends them
// and counts the usage together, so that a refused request costs nothing and an admitted one is counted exactly once.
//
// The burst limit is an exact sliding window: the times of the last admissions are kept, and a request passes when
// fewer than `count` of them are younger than the window. The sustained limit has too many admissions to remember each,
// so its window is cut into 1,440 buckets (a minute each, for a day); a bucket counts until its last moment has left
// the window, which errs on the strict side by at most one bucket.
//
// Two implementations keep these rules and run the same tests: `redis-meter.ts`, shared by all nodes, and
// `memory-meter.ts`, for a small instance and for the time while Redis is away. `meter-with-twin.ts` joins them.

export interface Rate {
  count: number
  windowMs: number
}

export interface Limits {
  burst: Rate
  sustained: Rate
  /** Counted requests a UTC month, or undefined for no cap. */
  monthlyCap: number | undefined
}

export interface SpendRequest {
  /** The caller's identity: a key's id, or an address for wrong keys. Becomes a hash tag. */
  caller: string
  limits: Limits
  /** The endpoint whose usage rises, or undefined for a request that does not count. */
  endpoint: string | undefined
}

export interface WindowState {
  remaining: number
  /** Whole seconds until more is available: until the oldest admission leaves the window. Obeying it works. */
  resetSeconds: number
}

/** Where both limits of a caller stand. */
export interface LimitStates {
  burst: WindowState
  sustained: WindowState
}

export interface SpendVerdict extends LimitStates {
  /** Which limit refused; undefined when the request was admitted, spent and counted. */
  refusedBy: 'burst' | 'sustained' | 'month' | undefined
  /** Whole seconds after which the request would pass, 0 when it was admitted. */
  retryAfterSeconds: number
  /** Takes the usage (never the limits) back, when the request fails after all. Not waited for. */
  refund: () => void
}

/** What one source has counted for a caller on a day; see UsageDailyTable in schema.ts. */
export interface UsageCount {
  caller: string
  /** UTC, '2026-11-15'. */
  day: string
  endpoint: string
  source: string
  counted: number
  refunded: number
}

/**
 * How much of a month ('2026-11') a caller has used, asked when a cap is set and the meter does not know, or not any more:
 * what it was told is good for `validMs`, then it asks again, so a counter that has lost something heals by itself.
 * Never throws: a history that cannot be read gives what is known, for a short time.
 */
export type LoadMonthUsage = (caller: string, month: string) => Promise<{ used: number; validMs: number }>

export interface Meter {
  spend: (request: SpendRequest) => Promise<SpendVerdict>
  /** Where a caller's limits stand. Spends nothing. */
  weigh: (caller: string, limits: Limits) => Promise<LimitStates>
  /** The live counts of a caller for a day, by endpoint and source. */
  usageOf: (caller: string, day: string) => Promise<UsageCount[]>
}
