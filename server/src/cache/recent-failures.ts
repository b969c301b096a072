// Remembers which pages a provider has just failed to give, so that the same query is not sent again at once for
// everyone who wants it. The list is short and short-lived: when more pages fail than fit, the circuit breaker takes
// over.
import { LRUCache } from 'lru-cache'
import type { UpstreamError } from '../errors.ts'

const MOST_FAILURES = 1_000

export interface RecentFailures {
  find: (key: string, now: number) => UpstreamError | undefined
  note: (key: string, error: UpstreamError, until: number) => void
}

export function createRecentFailures(): RecentFailures {
  const failures = new LRUCache<string, { error: UpstreamError; until: number }>({ max: MOST_FAILURES })
  return {
    find(key, now) {
      const failure = failures.get(key)
      if (!failure) return undefined
      if (now < failure.until) return failure.error
      failures.delete(key)
      return undefined
    },
    note: (key, error, until) => {
      failures.set(key, { error, until })
    },
  }
}
