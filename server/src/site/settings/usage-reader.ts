// The requests made with API keys, and the limits that apply to them, as pages show them.
import type { LimitStates, Limits } from '../../rate-limit/rate-limiter.ts'
import type { DayCount, UsageOfKeys } from '../../usage/usage.ts'

export interface UsageReader {
  /** Since a day (UTC, inclusive). */
  ofKeys: (keyIds: readonly string[], sinceDay: string) => Promise<UsageOfKeys>
  /** For all keys together. Rejects if PostgreSQL is unavailable. */
  ofInstance: (sinceDay: string) => Promise<DayCount[]>
  /** The instance's limits; a key may have its own. */
  limits: Limits
  peek: (key: { id: string; userId: string }, limits: Limits) => Promise<LimitStates>
}
