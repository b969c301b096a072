// Keeps each caller's rate limit state in this process. Memory is bounded: every kind of caller has its own LRU cache,
// so a visitor with many addresses can neither grow the process nor evict keys. A caller with nothing left in any
// window is dropped.
import { LRUCache } from 'lru-cache'
import { atMost } from '../lru-bounds.ts'
import type { Limits, UserLimits } from './rate-limiter.ts'
import { SlidingWindow } from './sliding-window.ts'

export interface Caller {
  burst: SlidingWindow
  sustained: SlidingWindow
  /** Counted requests this month, if loaded, and until when that count is valid. */
  month: { month: string; used: number; until: number } | undefined
  /** After this time all its windows are empty, and no request is waiting for its monthly usage. */
  idleAt: number
}

const MOST_CALLERS = 100_000
const SWEEP_EVERY_MS = 1_000
const MOST_SWEPT = 1_000
const NEW_CALLER_MS = 60_000
/** Redis keeps entries this long beyond the window too, so that a longer window still finds earlier admissions. */
const SPARE_MS = 60_000
const SUSTAINED_BUCKETS = 1_440

export function createCallers() {
  const kinds = new Map<string, LRUCache<string, Caller>>()
  let nextSweep = 0

  /** A name is an id, optionally preceded by words (`site search user 7`). The words are the kind. */
  function alike(name: string): LRUCache<string, Caller> {
    const kind = name.slice(0, name.lastIndexOf(' ') + 1)
    const known = kinds.get(kind)
    if (known) return known
    const callers = new LRUCache<string, Caller>(atMost(MOST_CALLERS))
    kinds.set(kind, callers)
    return callers
  }

  function sweep(now: number): void {
    if (now < nextSweep) return
    nextSweep = now + SWEEP_EVERY_MS
    for (const callers of kinds.values()) sweepKind(callers, now)
  }

  function sweepKind(callers: LRUCache<string, Caller>, now: number): void {
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
      const callers = alike(name)
      const known = callers.get(name)
      if (known) return known
      const sustained = new SlidingWindow(SUSTAINED_BUCKETS)
      const caller = { burst: new SlidingWindow(0), sustained, month: undefined, idleAt: now + NEW_CALLER_MS }
      callers.set(name, caller)
      return caller
    },
    find: (name: string): Caller | undefined => alike(name).get(name),
  }
}

export const peekLimits = ({ burst, sustained }: Caller, limits: Limits, now: number) => ({
  burst: burst.peek(limits.burst, now),
  sustained: sustained.peek(limits.sustained, now),
})

/** How long a user has to wait for each limit; 0 if it isn't reached or not set. */
export const peekUserLimits = ({ burst, sustained }: Caller, limits: UserLimits, now: number) => ({
  burstMs: limits.burst ? burst.peek(limits.burst, now).waitMs : 0,
  sustainedMs: limits.sustained ? sustained.peek(limits.sustained, now).waitMs : 0,
})

export function recordUserAdmission(user: Caller, limits: UserLimits, now: number): void {
  if (limits.burst) user.burst.record(limits.burst, now)
  if (limits.sustained) user.sustained.record(limits.sustained, now)
  rememberFor(user, limits, now)
}

export function recordAdmission(caller: Caller, limits: Limits, now: number): void {
  caller.burst.record(limits.burst, now)
  caller.sustained.record(limits.sustained, now)
  rememberFor(caller, limits, now)
}

/** Keeps refused callers as long as admitted ones; their limits may have changed since their last admission. */
export function rememberFor(caller: Caller, { burst, sustained }: Partial<UserLimits>, now: number): void {
  const sustainedMs = (sustained?.windowMs ?? 0) * (1 + 1 / SUSTAINED_BUCKETS)
  caller.idleAt = Math.max(caller.idleAt, now + Math.max(burst?.windowMs ?? 0, sustainedMs) + SPARE_MS)
}
