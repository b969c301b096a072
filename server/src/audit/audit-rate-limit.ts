// Keeps anonymous visitors from filling the table with events they can cause at will: the same event is recorded at
// most once a minute, and there is a limit for all events of a minute. The log reports how many exceeded that limit.
import { LRUCache } from 'lru-cache'
import type { Log } from '../log.ts'
import { atMost } from '../lru-bounds.ts'

export type AuditRateLimit = ReturnType<typeof createAuditRateLimit>

const MINUTE_MS = 60_000
const MAX_PER_MINUTE = 600
const MAX_REMEMBERED = 10_000

export function createAuditRateLimit(clock: () => number, log: Log) {
  const lastAt = new LRUCache<string, number>(atMost(MAX_REMEMBERED))
  let minute = 0
  let admitted = 0
  let leftOut = 0

  function startMinuteIfOver(): void {
    const now = Math.floor(clock() / MINUTE_MS)
    if (now === minute) return
    if (leftOut > 0) log.warn({ leftOut }, 'too many security events to record')
    minute = now
    admitted = 0
    leftOut = 0
  }

  return {
    /** Whether to record an event. Repetitions have the same `identity`; an event without one is always new. */
    admits(identity?: string): boolean {
      startMinuteIfOver()
      const now = clock()
      const before = identity === undefined ? undefined : lastAt.get(identity)
      // If the clock was set back, the last event counts as long ago.
      if (before !== undefined && Math.abs(now - before) < MINUTE_MS) return false
      if (admitted >= MAX_PER_MINUTE) {
        leftOut++
        return false
      }
      admitted++
      if (identity !== undefined) lastAt.set(identity, now)
      return true
    },
  }
}
