// The contract of the rate limiter: one call and usually one round trip per request. All limits are checked and spent
// together, so a refused request costs nothing. Usage is counted elsewhere, when the reply is sent (`usage.ts`). Only
// monthly caps also have a counter here, because a cap must hold across nodes.
//
// The burst limit is an exact sliding window: it stores the times of recent admissions, and a request passes if fewer
// than `count` of them are within the window. The sustained limit has too many admissions to store each one, so its
// window is divided into 1,440 buckets (one minute each, for a day). A bucket counts until its last moment has left the
// window, which errs on the strict side by at most one bucket.
//
// Two implementations follow these rules and pass the same tests: `redis-rate-limiter.ts`, shared by all nodes, and
// `memory-rate-limiter.ts`, for a small instance and for when Redis is unavailable. `rate-limiter-with-fallback.ts`
// combines them.

export interface Rate {
  count: number
  windowMs: number
}

export const SUSTAINED_BUCKETS = 1_440

/**
 * A request drops what has left its windows. A subject without requests is kept this much longer than its windows, so
 * that a window that is lengthened meanwhile still finds earlier admissions.
 */
export const IDLE_SPARE_MS = 60_000

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
  /** Whose limits these are: a key's id, a provider, or on the website a quota with its user or network. Becomes a hash tag. */
  subject: string
  limits: Limits
  /** Whether the request spends monthly caps. */
  counts: boolean
  /** The key's owner, if the instance limits all keys of a user together. */
  user?: { id: string; limits: UserLimits } | undefined
}

/** The subject of the limits that all keys of a user share. */
export const userSubject = (userId: string): string => `user ${userId}`

/** The user's id, or undefined if the subject isn't a user. */
export const readUserSubject = (subject: string): string | undefined =>
  subject.startsWith('user ') ? subject.slice('user '.length) : undefined

export interface WindowState {
  remaining: number
  /** Whole seconds until the oldest admission leaves the window; if the limit is reached, until a request passes. */
  resetSeconds: number
}

/** The current state of a subject's two limits. */
export interface LimitStates {
  burst: WindowState
  sustained: WindowState
}

export type LimitName = 'burst' | 'sustained' | 'month' | 'user-burst' | 'user-sustained' | 'user-month'

export interface ConsumeVerdict extends LimitStates {
  /** Which limit refused; undefined if the request was admitted and spent. */
  refusedBy: LimitName | undefined
  /** After which the request would pass, 0 when it was admitted. */
  waitMs: number
  /** The same in whole seconds. */
  retryAfterSeconds: number
  /** Refunds the monthly caps, never the rates. Call it at most once. Doesn't wait for Redis. */
  giveBack: () => void
}

/**
 * Loads a subject's usage in a month ('2026-11'). Called if a cap is set and the rate limiter has no valid value. The
 * value is valid for `validMs` and then loaded again, so a counter that lost requests recovers by itself. Never throws:
 * if the history cannot be read, it returns what is known, valid for a short time.
 */
export type LoadMonthUsage = (subject: string, month: string) => Promise<{ used: number; validMs: number }>

export interface RateLimiter {
  consume: (request: ConsumeRequest) => Promise<ConsumeVerdict>
  /** The current state of a subject's limits. Spends nothing. */
  peek: (request: Omit<ConsumeRequest, 'counts'>) => Promise<LimitStates>
}

export const nothingToGiveBack = (): void => undefined
