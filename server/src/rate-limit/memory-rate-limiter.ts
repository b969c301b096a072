// The rate limiter of a single process: the only one on a small instance, the local fallback on a larger one. As the
// fallback it records every request that Redis admitted (`note`), so that when Redis becomes unavailable the node still
// knows what it has let through.
//
// Memory is bounded: every kind of subject has its own LRU cache, so a visitor with many addresses can neither exhaust
// memory nor evict the state of API keys. A subject with nothing left in any window is dropped.
import { LRUCache } from 'lru-cache'
import { atMost } from '../lru-bounds.ts'
import { endOfMonth, monthOf } from '../text/utc-day.ts'
import {
  type ConsumeRequest,
  type ConsumeVerdict,
  IDLE_SPARE_MS,
  type LimitName,
  type LimitStates,
  type Limits,
  type LoadMonthUsage,
  nothingToGiveBack,
  type RateLimiter,
  SUSTAINED_BUCKETS,
  type UserLimits,
  userSubject,
  type WindowState,
} from './rate-limiter.ts'
import { SlidingWindow, type WindowUsage } from './sliding-window.ts'

export interface MemoryRateLimiter extends RateLimiter {
  /** Records an admission that was decided elsewhere. */
  note: (request: ConsumeRequest, at: number) => void
}

interface MemoryRateLimiterParts {
  clock: () => number
  loadMonthUsage: LoadMonthUsage
}

/** The state of a key, a user or a network. */
interface SubjectState {
  burst: SlidingWindow
  sustained: SlidingWindow
  /** Counted requests this month, if loaded, and until when that count is valid. */
  monthUsage: { month: string; used: number; until: number } | undefined
  /** After this time all its windows are empty, and no request is waiting for its monthly usage. */
  idleAt: number
}

const MAX_SUBJECTS = 100_000
const SWEEP_EVERY_MS = 1_000
const MAX_SWEPT = 1_000
const NEW_SUBJECT_MS = 60_000

export function createMemoryRateLimiter({ clock, loadMonthUsage }: MemoryRateLimiterParts): MemoryRateLimiter {
  const store = createSubjectStore()
  const ensureMonthUsage = createMonthLoader(clock, loadMonthUsage)

  /** Finds whose limits a request spends: a key's or a website quota's, and those of the key's user if users have any. */
  const subjectsOf = ({ subject, user }: ConsumeRequest, now: number): Subjects => ({
    main: store.findOrAdd(subject, now),
    user: user && store.findOrAdd(userSubject(user.id), now),
  })

  function spendNow(request: ConsumeRequest, subjects: Subjects): ConsumeVerdict {
    const now = clock()
    const refusal = refuse(request, subjects, now)
    if (refusal) return refusal
    recordFor(request, subjects, now)
    const months = cappedMonths(request, subjects)
    for (const { usage } of months) usage.used++
    const { burst, sustained } = peekLimits(subjects.main, request.limits, now)
    return {
      refusedBy: undefined,
      waitMs: 0,
      retryAfterSeconds: 0,
      // This request may have filled a window. Still report when its oldest entry leaves, not the next request's wait.
      burst: windowState({ ...burst, waitMs: 0 }),
      sustained: windowState({ ...sustained, waitMs: 0 }),
      giveBack() {
        for (const { usage } of months) usage.used--
      },
    }
  }

  return {
    async consume(request) {
      const subjects = subjectsOf(request, clock())
      const { subject, counts, limits, user } = request
      if (counts && limits.monthlyCap !== undefined) await ensureMonthUsage(subjects.main, subject)
      if (counts && user?.limits.monthlyCap !== undefined && subjects.user)
        await ensureMonthUsage(subjects.user, userSubject(user.id))
      return spendNow(request, subjects)
    },
    async peek({ subject, limits }) {
      const known = store.find(subject)
      return known ? limitStatesOf(peekLimits(known, limits, clock())) : unusedStates(limits)
    },
    note(request, at) {
      const subjects = subjectsOf(request, at)
      // Expired entries are dropped only when the window is read.
      peekLimits(subjects.main, request.limits, at)
      if (subjects.user && request.user) peekUserLimits(subjects.user, request.user.limits, at)
      recordFor(request, subjects, at)
    },
  }
}

/** Loads a subject's monthly usage unless a valid value is already there. */
function createMonthLoader(clock: () => number, loadMonthUsage: LoadMonthUsage) {
  return async (state: SubjectState, subject: string): Promise<void> => {
    for (;;) {
      const now = clock()
      const month = monthOf(now)
      const isKnown = () => state.monthUsage?.month === month && now < state.monthUsage.until
      if (isKnown()) return
      const { used, validMs } = await loadMonthUsage(subject, month)
      // Several requests may wait for the same value: keep what the first of them has spent since.
      if (!isKnown()) state.monthUsage = { month, used, until: now + validMs }
    }
  }
}

interface Subjects {
  main: SubjectState
  user: SubjectState | undefined
}

function recordFor({ limits, user }: ConsumeRequest, subjects: Subjects, now: number): void {
  recordAdmission(subjects.main, limits, now)
  if (subjects.user && user) recordAdmission(subjects.user, user.limits, now)
}

/** The capped months, of the key and of the user, that this request counts towards. */
function cappedMonths({ counts, limits, user }: ConsumeRequest, subjects: Subjects) {
  if (!counts) return []
  const months = [
    { name: 'month' as const, usage: subjects.main.monthUsage, cap: limits.monthlyCap },
    { name: 'user-month' as const, usage: subjects.user?.monthUsage, cap: user?.limits.monthlyCap },
  ]
  return months.flatMap(({ name, usage, cap }) => (usage && cap !== undefined ? [{ name, usage, cap }] : []))
}

function refuse(request: ConsumeRequest, subjects: Subjects, now: number): ConsumeVerdict | undefined {
  const { limits, user } = request
  const windows = peekLimits(subjects.main, limits, now)
  const userWaits = subjects.user && user && peekUserLimits(subjects.user, user.limits, now)
  const waits: [name: LimitName, ms: number][] = [
    ['burst', windows.burst.waitMs],
    ['sustained', windows.sustained.waitMs],
    ['user-burst', userWaits?.burstMs ?? 0],
    ['user-sustained', userWaits?.sustainedMs ?? 0],
  ]
  for (const { name, usage, cap } of cappedMonths(request, subjects))
    waits.push([name, usage.used >= cap ? endOfMonth(usage.month) - now : 0])
  const longestWaitMs = Math.max(...waits.map(([, ms]) => ms))
  if (longestWaitMs === 0) return undefined
  postponeIdle(subjects.main, limits, now)
  if (subjects.user && user) postponeIdle(subjects.user, user.limits, now)
  return {
    refusedBy: waits.find(([, ms]) => ms === longestWaitMs)?.[0],
    waitMs: longestWaitMs,
    retryAfterSeconds: Math.ceil(longestWaitMs / 1000),
    ...limitStatesOf(windows),
    giveBack: nothingToGiveBack,
  }
}

const limitStatesOf = ({ burst, sustained }: Record<keyof LimitStates, WindowUsage>): LimitStates => ({
  burst: windowState(burst),
  sustained: windowState(sustained),
})

const unusedStates = ({ burst, sustained }: Limits): LimitStates => ({
  burst: { remaining: burst.count, resetSeconds: 0 },
  sustained: { remaining: sustained.count, resetSeconds: 0 },
})

const windowState = ({ remaining, waitMs, resetMs }: WindowUsage): WindowState => ({
  remaining,
  resetSeconds: Math.ceil((waitMs || resetMs) / 1000),
})

/** Creates the store of all subjects' state, with one LRU cache for each kind of subject. */
function createSubjectStore() {
  const kinds = new Map<string, LRUCache<string, SubjectState>>()
  let nextSweep = 0

  /** A subject is an id, optionally preceded by words (`site search user 7`). The words are its kind. */
  function cacheFor(subject: string): LRUCache<string, SubjectState> {
    const kind = subject.slice(0, subject.lastIndexOf(' ') + 1)
    const cache = kinds.get(kind) ?? new LRUCache<string, SubjectState>(atMost(MAX_SUBJECTS))
    kinds.set(kind, cache)
    return cache
  }

  function sweep(now: number): void {
    if (now < nextSweep) return
    nextSweep = now + SWEEP_EVERY_MS
    for (const cache of kinds.values()) dropIdle(cache, now)
  }

  return {
    find: (subject: string): SubjectState | undefined => cacheFor(subject).get(subject),
    findOrAdd(subject: string, now: number): SubjectState {
      sweep(now)
      const cache = cacheFor(subject)
      const known = cache.get(subject)
      if (known) return known
      const sustained = new SlidingWindow(SUSTAINED_BUCKETS)
      const state = { burst: new SlidingWindow(0), sustained, monthUsage: undefined, idleAt: now + NEW_SUBJECT_MS }
      cache.set(subject, state)
      return state
    },
  }
}

/** Starts with the least recently used, and stops at the first that isn't idle. */
function dropIdle(cache: LRUCache<string, SubjectState>, now: number): void {
  const idle: string[] = []
  for (const subject of cache.rkeys()) {
    if (idle.length === MAX_SWEPT || (cache.peek(subject)?.idleAt ?? 0) > now) break
    idle.push(subject)
  }
  for (const subject of idle) cache.delete(subject)
}

const peekLimits = ({ burst, sustained }: SubjectState, limits: Limits, now: number) => ({
  burst: burst.peek(limits.burst, now),
  sustained: sustained.peek(limits.sustained, now),
})

/** How long a user has to wait for each limit; 0 if it isn't reached or not set. */
const peekUserLimits = ({ burst, sustained }: SubjectState, limits: UserLimits, now: number) => ({
  burstMs: limits.burst ? burst.peek(limits.burst, now).waitMs : 0,
  sustainedMs: limits.sustained ? sustained.peek(limits.sustained, now).waitMs : 0,
})

function recordAdmission(state: SubjectState, limits: UserLimits, now: number): void {
  if (limits.burst) state.burst.record(limits.burst, now)
  if (limits.sustained) state.sustained.record(limits.sustained, now)
  postponeIdle(state, limits, now)
}

/** Keeps refused subjects as long as admitted ones; their limits may have changed since their last admission. */
function postponeIdle(state: SubjectState, { burst, sustained }: UserLimits, now: number): void {
  const sustainedMs = (sustained?.windowMs ?? 0) * (1 + 1 / SUSTAINED_BUCKETS)
  state.idleAt = Math.max(state.idleAt, now + Math.max(burst?.windowMs ?? 0, sustainedMs) + IDLE_SPARE_MS)
}
