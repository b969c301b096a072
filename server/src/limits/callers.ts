// What this process remembers of each caller's limits. It is bounded: the least recently seen caller makes room, because
// strangers with many addresses must not grow the process, and one with nothing left in any window is dropped.
import { LRUCache } from 'lru-cache'
import type { Limits } from '../state/meter.ts'
import { SlidingWindow } from './sliding-window.ts'

export interface Caller {
  burst: SlidingWindow
  sustained: SlidingWindow
  /** Counted requests of a month, as far as they are known and for how long. */
  month: { month: string; used: number; until: number } | undefined
  /** From then on nothing of it is in any window, and no request is still waiting for its month. */
  idleAt: number
}

const MOST_CALLERS = 100_000
const SWEEP_EVERY_MS = 1_000
const MOST_SWEPT = 1_000
const NEW_CALLER_MS = 60_000
/** As long as Redis keeps it beyond the window: a limit that is widened meanwhile still finds what was admitted. */
const SPARE_MS = 60_000
const SUSTAINED_BUCKETS = 1_440

export function createCallers() {
  const callers = new LRUCache<string, Caller>({ max: MOST_CALLERS })
  let nextSweep = 0

  function sweep(now: number): void {
    if (now < nextSweep) return
    nextSweep = now + SWEEP_EVERY_MS
    const idle: string[] = []
    for (const name of callers.rkeys()) {
      if (idle.length === MOST_SWEPT || (callers.peek(name)?.idleAt ?? 0) > now) break
      idle.push(name)
    }
    for (const name of idle) callers.delete(name)
  }

  return {
    meet(name: string, now: number): Caller {
      sweep(now)
      const known = callers.get(name)
      if (known) return known
      const sustained = new SlidingWindow(SUSTAINED_BUCKETS)
      const caller = { burst: new SlidingWindow(0), sustained, month: undefined, idleAt: now + NEW_CALLER_MS }
      callers.set(name, caller)
      return caller
    },
    find: (name: string): Caller | undefined => callers.get(name),
  }
}

export const weighLimits = ({ burst, sustained }: Caller, limits: Limits, now: number) => ({
  burst: burst.weigh(limits.burst, now),
  sustained: sustained.weigh(limits.sustained, now),
})

export function recordAdmission(caller: Caller, limits: Limits, now: number): void {
  caller.burst.record(limits.burst, now)
  caller.sustained.record(limits.sustained, now)
  const sustainedMs = limits.sustained.windowMs * (1 + 1 / SUSTAINED_BUCKETS)
  caller.idleAt = Math.max(caller.idleAt, now + limits.burst.windowMs + SPARE_MS, now + sustainedMs + SPARE_MS)
}
