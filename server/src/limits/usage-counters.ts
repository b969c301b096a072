// The usage that this process has counted itself, by day, caller and endpoint. A counter that has changed since it was
// last taken for writing is "unwritten". The writer gets absolute values, so a write can be repeated.
import type { UsageCount } from './rate-limiter.ts'

/** Counts that PostgreSQL does not have yet. Whoever takes them must write them or put them back. */
interface UnwrittenUsage {
  counts: UsageCount[]
  putBack: () => void
}

export interface UsageCounters {
  count: (caller: string, day: string, endpoint: string) => void
  /** Also refunds counts of other sources, because refunds too are summed over all sources. */
  refund: (caller: string, day: string, endpoint: string) => void
  of: (caller: string, day: string) => UsageCount[]
  takeUnwritten: () => UnwrittenUsage
  /**
   * Drops the days before this one. A day with something unwritten stays, because its counters must keep their values.
   */
  forgetBefore: (day: string) => void
}

export function createUsageCounters(source: string): UsageCounters {
  const days = new Map<string, Map<string, UsageCount[]>>()
  const unwritten = new Set<UsageCount>()

  function counterOf(caller: string, day: string, endpoint: string): UsageCount {
    const callers = days.get(day) ?? new Map<string, UsageCount[]>()
    days.set(day, callers)
    const counters = callers.get(caller) ?? []
    callers.set(caller, counters)
    const known = counters.find((counter) => counter.endpoint === endpoint)
    if (known) return known
    const counter = { caller, day, endpoint, source, counted: 0, refunded: 0 }
    counters.push(counter)
    return counter
  }

  return {
    count(caller, day, endpoint) {
      const counter = counterOf(caller, day, endpoint)
      counter.counted++
      unwritten.add(counter)
    },
    refund(caller, day, endpoint) {
      const counter = counterOf(caller, day, endpoint)
      counter.refunded++
      unwritten.add(counter)
    },
    of: (caller, day) => (days.get(day)?.get(caller) ?? []).map((counter) => ({ ...counter })),
    takeUnwritten() {
      const taken = [...unwritten]
      unwritten.clear()
      return {
        counts: taken.map((counter) => ({ ...counter })),
        putBack() {
          for (const counter of taken) unwritten.add(counter)
        },
      }
    },
    forgetBefore(day) {
      const kept = new Set([...unwritten].map((counter) => counter.day))
      for (const past of days.keys()) if (past < day && !kept.has(past)) days.delete(past)
    },
  }
}
