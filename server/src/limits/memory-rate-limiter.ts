// The rate limiter of one process: the only one on a small instance, and the local fallback on a larger one. The
// fallback is informed of every admission by Redis (`note`), so that when Redis becomes unavailable the node still
// knows what it has let through. Its usage counters are one source that is never reused: a restarted process is a new
// source.
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
  type RateLimiter,
  userCaller,
  type WindowState,
} from './rate-limiter.ts'
import type { Weight } from './sliding-window.ts'
import { createUsageCounters, type UsageCounters } from './usage-counters.ts'
import { dayOf, endOfMonth, monthOf } from './usage-reading.ts'

export interface MemoryRateLimiter extends RateLimiter {
  /** Records an admission that was decided elsewhere; affects the limits, not the usage. */
  note: (request: ConsumeRequest, at: number) => void
  /** The refusal that follows from this process' own admissions, or undefined. Spends nothing. */
  refusalOf: (request: ConsumeRequest) => ConsumeVerdict | undefined
  usage: UsageCounters
}

interface MemoryRateLimiterParts {
  clock: () => number
  /** Unique to this process. */
  source: string
  loadMonthUsage: LoadMonthUsage
}

export function createMemoryRateLimiter({ clock, source, loadMonthUsage }: MemoryRateLimiterParts): MemoryRateLimiter {
  const callers = createCallers()
  const usage = createUsageCounters(source)
  const knowMonth = createMonthKeeper(clock, loadMonthUsage)

  /** The callers whose limits a request spends: the key, and its user if there are limits for users. */
  const meet = ({ caller, user }: ConsumeRequest, now: number): Spenders => ({
    key: callers.meet(caller, now),
    user: user && callers.meet(userCaller(user.id), now),
  })

  function spendNow(request: ConsumeRequest, spenders: Spenders): ConsumeVerdict {
    const { limits, endpoint } = request
    const now = clock()
    const refusal = refuse(request, spenders, now)
    if (refusal) return refusal
    recordFor(request, spenders, now)
    if (endpoint === undefined) return admit(spenders.key, limits, { now, refund: nothingToRefund })
    const day = dayOf(now)
    usage.count(request.caller, day, endpoint)
    const months = cappedMonths(request, spenders)
    for (const { month } of months) month.used++
    let isRefunded = false
    return admit(spenders.key, limits, {
      now,
      refund() {
        if (isRefunded) return
        isRefunded = true
        usage.refund(request.caller, day, endpoint)
        for (const { month } of months) month.used--
      },
    })
  }

  return {
    async consume(request) {
      const spenders = meet(request, clock())
      const { caller, endpoint, limits, user } = request
      if (endpoint !== undefined && limits.monthlyCap !== undefined) await knowMonth(spenders.key, caller)
      if (endpoint !== undefined && user?.limits.monthlyCap !== undefined && spenders.user)
        await knowMonth(spenders.user, userCaller(user.id))
      return spendNow(request, spenders)
    },
    async peek(name, limits) {
      const caller = callers.find(name)
      return caller ? statesOf(peekLimits(caller, limits, clock())) : untouched(limits)
    },
    usageOf: async (caller, day) => usage.of(caller, day),
    note(request, at) {
      const spenders = meet(request, at)
      // Expired entries are dropped only when the window is read.
      peekLimits(spenders.key, request.limits, at)
      if (spenders.user && request.user) peekUserLimits(spenders.user, request.user.limits, at)
      recordFor(request, spenders, at)
    },
    refusalOf(request) {
      const key = callers.find(request.caller)
      const user = request.user && callers.find(userCaller(request.user.id))
      // Months are Redis' own.
      return key || user ? refuse({ ...request, endpoint: undefined }, { key, user }, clock()) : undefined
    },
    usage,
  }
}

/** Ensures that a caller's month is known. */
function createMonthKeeper(clock: () => number, loadMonthUsage: LoadMonthUsage) {
  return async (caller: Caller, name: string): Promise<void> => {
    for (;;) {
      const now = clock()
      const month = monthOf(now)
      const isKnown = () => caller.month?.month === month && now < caller.month.until
      if (isKnown()) return
      const { used, validMs } = await loadMonthUsage(name, month)
      // Requests that waited for the same value must not undo what the first of them has spent since.
      if (!isKnown()) caller.month = { month, used, until: now + validMs }
    }
  }
}

interface Spenders {
  key: Caller
  user: Caller | undefined
}

/** One may be unknown so far. */
type KnownSpenders = { [Which in keyof Spenders]: Caller | undefined }

function recordFor({ limits, user }: ConsumeRequest, spenders: Spenders, now: number): void {
  recordAdmission(spenders.key, limits, now)
  if (spenders.user && user) recordUserAdmission(spenders.user, user.limits, now)
}

/** The months that this request counts in and that have a cap. */
function cappedMonths({ endpoint, limits, user }: ConsumeRequest, spenders: KnownSpenders) {
  if (endpoint === undefined) return []
  const months = [
    { name: 'month' as const, month: spenders.key?.month, cap: limits.monthlyCap },
    { name: 'user-month' as const, month: spenders.user?.month, cap: user?.limits.monthlyCap },
  ]
  return months.flatMap(({ name, month, cap }) => (month && cap !== undefined ? [{ name, month, cap }] : []))
}

const nothingToRefund = (): void => undefined

function refuse(request: ConsumeRequest, spenders: KnownSpenders, now: number): ConsumeVerdict | undefined {
  const { limits, user } = request
  const weights = spenders.key && peekLimits(spenders.key, limits, now)
  const ofUser = spenders.user && user && peekUserLimits(spenders.user, user.limits, now)
  const waits: [name: LimitName, ms: number][] = [
    ['burst', weights?.burst.waitMs ?? 0],
    ['sustained', weights?.sustained.waitMs ?? 0],
    ['user-burst', ofUser?.burstMs ?? 0],
    ['user-sustained', ofUser?.sustainedMs ?? 0],
  ]
  for (const { name, month, cap } of cappedMonths(request, spenders))
    waits.push([name, month.used >= cap ? endOfMonth(month.month) - now : 0])
  const longestMs = Math.max(...waits.map(([, ms]) => ms))
  if (longestMs === 0) return undefined
  if (spenders.key) rememberFor(spenders.key, limits, now)
  if (spenders.user && user) rememberFor(spenders.user, user.limits, now)
  return {
    refusedBy: waits.find(([, ms]) => ms === longestMs)?.[0],
    retryAfterSeconds: Math.ceil(longestMs / 1000),
    ...(weights ? statesOf(weights) : untouched(limits)),
    refund: nothingToRefund,
  }
}

function admit(caller: Caller, limits: Limits, { now, refund }: { now: number; refund: () => void }): ConsumeVerdict {
  const { burst, sustained } = peekLimits(caller, limits, now)
  return {
    refusedBy: undefined,
    retryAfterSeconds: 0,
    // This request may have filled a window. The reset is still when its oldest entry leaves, not the next one's wait.
    burst: windowState({ ...burst, waitMs: 0 }),
    sustained: windowState({ ...sustained, waitMs: 0 }),
    refund,
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
