// Keeps anonymous visitors from filling the table with events they can cause at will: the same event is recorded once a
// minute, and all of them together have a limit per minute. The log reports how many exceeded that limit.
import { LRUCache } from 'lru-cache'
import type { Log } from '../log.ts'
import { atMost } from '../lru-bounds.ts'

export type AuditRateLimit = ReturnType<typeof createAuditRateLimit>

const MINUTE_MS = 60_000
const MOST_A_MINUTE = 600
const MOST_REMEMBERED = 10_000

export function createAuditRateLimit(clock: () => number, log: Log) {
  const lastAt = new LRUCache<string, number>(atMost(MOST_REMEMBERED))
  let minute = 0
  let admitted = 0
  let leftOut = 0

  function startMinute(): void {
    const now = Math.floor(clock() / MINUTE_MS)
    if (now === minute) return
    if (leftOut > 0) log.warn({ leftOut }, 'too many security events to record')
    minute = now
    admitted = 0
    leftOut = 0
  }

  return {
    /** Whether to record it. `what` identifies repetitions; without it, the event counts as a new one. */
    admits(what?: string): boolean {
      startMinute()
      const now = clock()
      const before = what === undefined ? undefined : lastAt.get(what)
      // If the clock was set back, the last event counts as long ago.
      if (before !== undefined && Math.abs(now - before) < MINUTE_MS) return false
      if (admitted >= MOST_A_MINUTE) {
        leftOut++
        return false
      }
      admitted++
      if (what !== undefined) lastAt.set(what, now)
      return true
    },
  }
}
