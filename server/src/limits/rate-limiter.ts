// The contract of the rate limiter: one call per request, answered in one round trip. It checks all limits and spends
// them together, so a refused request costs nothing. What a key has used is counted elsewhere, when the reply is sent
// (`usage.ts`); only a monthly cap is also a counter here, because a cap must hold across nodes.
//
// The burst limit is an exact sliding window: the times of recent admissions are kept, and a request passes if fewer
// than `count` of them are younger than the window. The sustained limit has too many admissions to remember each one,
// so its window is divided into 1,440 buckets (one minute each, for a day). A bucket counts until its last moment has
// left the window, which errs on the strict side by at most one bucket.
//
// Two implementations follow these rules and pass the same tests: `redis-rate-limiter.ts`, shared by all nodes, and
// `memory-rate-limiter.ts`, for a small instance and for when Redis is unavailable. `rate-limiter-with-fallback.ts`
// combines them.

export interface Rate {
  count: number
  windowMs: number
}

export interface Limits {
  burst: Rate
  sustained: Rate
  /** Counted requests per UTC month, or undefined for no cap. */
  monthlyCap: number | undefined
}

/** The limits of all keys of a user together; undefined for none. */
export interface UserLimits {
  burst: Rate | undefined
  sustained: Rate | undefined
  monthlyCap: number | undefined
}

export interface ConsumeRequest {
  /** The caller's identity: a key's id, or an address for wrong keys. Becomes a hash tag. */
  caller: string
  limits: Limits
  /** Whether the request spends monthly caps. */
  counts: boolean
  /** The key's owner, if the instance limits what a user's keys do together. */
  user?: { id: string; limits: UserLimits } | undefined
}

/** A user's limits are counted under this name. */
export const userCaller = (userId: string): string => `user ${userId}`

/** The user's id, if it is such a name. */
export const readUserCaller = (caller: string): string | undefined =>
  caller.startsWith('user ') ? caller.slice('user '.length) : undefined

export interface WindowState {
  remaining: number
  /** Whole seconds until more is available: until the oldest admission leaves the window. Waiting that long works. */
  resetSeconds: number
}

/** The current state of both limits of a caller. */
export interface LimitStates {
  burst: WindowState
  sustained: WindowState
}

export type LimitName = 'burst' | 'sustained' | 'month' | 'user-burst' | 'user-sustained' | 'user-month'

export interface ConsumeVerdict extends LimitStates {
  /** Which limit refused; undefined if the request was admitted and spent. */
  refusedBy: LimitName | undefined
  /** Whole seconds after which the request would pass, 0 when it was admitted. */
  retryAfterSeconds: number
  /** Gives back what the request has spent of monthly caps, and never the rates; call it once. Not waited for. */
  giveBack: () => void
}

/**
 * How much of a month ('2026-11') a caller has used. Called if a cap is set and the rate limiter does not know, or no
 * longer knows: the value is valid for `validMs` and then read again, so a counter that has lost something recovers by
 * itself. Never throws: if the history cannot be read, it returns what is known, valid for a short time.
 */
export type LoadMonthUsage = (caller: string, month: string) => Promise<{ used: number; validMs: number }>

export interface RateLimiter {
  consume: (request: ConsumeRequest) => Promise<ConsumeVerdict>
  /** The current state of a caller's limits. Spends nothing. */
  peek: (request: Omit<ConsumeRequest, 'counts'>) => Promise<LimitStates>
}

export const nothingToGiveBack = (): void => undefined
