// The rate limiter of a single process: the only one on a small instance, the local fallback on a larger one. As the
// fallback it records every request that Redis admitted (`note`), so that when Redis becomes unavailable the node still
// knows what it has let through.

import { endOfMonth, monthOf } from '../text/utc-day.ts'
import {
  type Caller,
  createCallers,
  peekLimits,
  peekUserLimits,
  recordAdmission,
  recordUserAdmission,
  rememberFor,
} from './callers.ts'
import {
  type ConsumeRequest,
  type ConsumeVerdict,
  type LimitName,
  type LimitStates,
  type Limits,
  type LoadMonthUsage,
  nothingToGiveBack,
  type RateLimiter,
  userCaller,
  type WindowState,
} from './rate-limiter.ts'
import type { Weight } from './sliding-window.ts'

export interface MemoryRateLimiter extends RateLimiter {
  /** Records an admission that was decided elsewhere. */
  note: (request: ConsumeRequest, at: number) => void
}

interface MemoryRateLimiterParts {
  clock: () => number
  loadMonthUsage: LoadMonthUsage
}

export function createMemoryRateLimiter({ clock, loadMonthUsage }: MemoryRateLimiterParts): MemoryRateLimiter {
  const callers = createCallers()
  const knowMonth = createMonthKeeper(clock, loadMonthUsage)

  /** Finds the callers whose limits a request spends: the key, and its user if users have limits. */
  const meet = ({ caller, user }: ConsumeRequest, now: number): Spenders => ({
    key: callers.meet(caller, now),
    user: user && callers.meet(userCaller(user.id), now),
  })

  function spendNow(request: ConsumeRequest, spenders: Spenders): ConsumeVerdict {
    const now = clock()
    const refusal = refuse(request, spenders, now)
    if (refusal) return refusal
    recordFor(request, spenders, now)
    const months = cappedMonths(request, spenders)
    for (const { month } of months) month.used++
    const { burst, sustained } = peekLimits(spenders.key, request.limits, now)
    return {
      refusedBy: undefined,
      retryAfterSeconds: 0,
      // This request may have filled a window. Still report when its oldest entry leaves, not the next request's wait.
      burst: windowState({ ...burst, waitMs: 0 }),
      sustained: windowState({ ...sustained, waitMs: 0 }),
      giveBack() {
        for (const { month } of months) month.used--
      },
    }
  }

  return {
    async consume(request) {
      const spenders = meet(request, clock())
      const { caller, counts, limits, user } = request
      if (counts && limits.monthlyCap !== undefined) await knowMonth(spenders.key, caller)
      if (counts && user?.limits.monthlyCap !== undefined && spenders.user)
        await knowMonth(spenders.user, userCaller(user.id))
      return spendNow(request, spenders)
    },
    async peek({ caller, limits }) {
      const known = callers.find(caller)
      return known ? statesOf(peekLimits(known, limits, clock())) : untouched(limits)
    },
    note(request, at) {
      const spenders = meet(request, at)
      // Expired entries are dropped only when the window is read.
      peekLimits(spenders.key, request.limits, at)
      if (spenders.user && request.user) peekUserLimits(spenders.user, request.user.limits, at)
      recordFor(request, spenders, at)
    },
  }
}

/** Loads a caller's monthly usage unless a valid value is already there. */
function createMonthKeeper(clock: () => number, loadMonthUsage: LoadMonthUsage) {
  return async (caller: Caller, name: string): Promise<void> => {
    for (;;) {
      const now = clock()
      const month = monthOf(now)
      const isKnown = () => caller.month?.month === month && now < caller.month.until
      if (isKnown()) return
      const { used, validMs } = await loadMonthUsage(name, month)
      // Several requests may wait for the same value: keep what the first of them has spent since.
      if (!isKnown()) caller.month = { month, used, until: now + validMs }
    }
  }
}

interface Spenders {
  key: Caller
  user: Caller | undefined
}

function recordFor({ limits, user }: ConsumeRequest, spenders: Spenders, now: number): void {
  recordAdmission(spenders.key, limits, now)
  if (spenders.user && user) recordUserAdmission(spenders.user, user.limits, now)
}

/** The capped months, of the key and of the user, that this request counts towards. */
function cappedMonths({ counts, limits, user }: ConsumeRequest, spenders: Spenders) {
  if (!counts) return []
  const months = [
    { name: 'month' as const, month: spenders.key.month, cap: limits.monthlyCap },
    { name: 'user-month' as const, month: spenders.user?.month, cap: user?.limits.monthlyCap },
  ]
  return months.flatMap(({ name, month, cap }) => (month && cap !== undefined ? [{ name, month, cap }] : []))
}

function refuse(request: ConsumeRequest, spenders: Spenders, now: number): ConsumeVerdict | undefined {
  const { limits, user } = request
  const weights = peekLimits(spenders.key, limits, now)
  const ofUser = spenders.user && user && peekUserLimits(spenders.user, user.limits, now)
  const waits: [name: LimitName, ms: number][] = [
    ['burst', weights.burst.waitMs],
    ['sustained', weights.sustained.waitMs],
    ['user-burst', ofUser?.burstMs ?? 0],
    ['user-sustained', ofUser?.sustainedMs ?? 0],
  ]
  for (const { name, month, cap } of cappedMonths(request, spenders))
    waits.push([name, month.used >= cap ? endOfMonth(month.month) - now : 0])
  const longestMs = Math.max(...waits.map(([, ms]) => ms))
  if (longestMs === 0) return undefined
  rememberFor(spenders.key, limits, now)
  if (spenders.user && user) rememberFor(spenders.user, user.limits, now)
  return {
    refusedBy: waits.find(([, ms]) => ms === longestMs)?.[0],
    retryAfterSeconds: Math.ceil(longestMs / 1000),
    ...statesOf(weights),
    giveBack: nothingToGiveBack,
  }
}

const statesOf = ({ burst, sustained }: Record<keyof LimitStates, Weight>): LimitStates => ({
  burst: windowState(burst),
  sustained: windowState(sustained),
})

const untouched = ({ burst, sustained }: Limits): LimitStates => ({
  burst: { remaining: burst.count, resetSeconds: 0 },
  sustained: { remaining: sustained.count, resetSeconds: 0 },
})

const windowState = ({ remaining, waitMs, resetMs }: Weight): WindowState => ({
  remaining,
  resetSeconds: Math.ceil((waitMs || resetMs) / 1000),
})
