// The meter of one process: all there is on a small instance, and the twin of Redis' on a larger one. The twin is told
// of every admission by Redis (`note`), so that when Redis goes away the node still knows what it has let through.
// Its usage counters are one source, never used again: a process that starts anew is another source.
import { type Caller, createCallers, recordAdmission, weighLimits } from '../limits/callers.ts'
import type { LimitStates, Limits, LoadMonthUsage, Meter, SpendRequest, SpendVerdict, WindowState } from './meter.ts'
import type { Weight } from '../limits/sliding-window.ts'
import { createUsageCounters, type UsageCounters } from '../limits/usage-counters.ts'
import { dayOf, endOfMonth, monthOf } from '../limits/usage-reading.ts'

export interface MemoryMeter extends Meter {
  /** Records an admission that was decided elsewhere: the limits, not the usage. */
  note: (request: SpendRequest, at: number) => void
  /** The refusal that this process' own admissions ask for, or undefined. Spends nothing. */
  refusalOf: (request: SpendRequest) => SpendVerdict | undefined
  usage: UsageCounters
}

interface MemoryMeterParts {
  clock: () => number
  /** Unique to this process. */
  source: string
  loadMonthUsage: LoadMonthUsage
}

export function createMemoryMeter({ clock, source, loadMonthUsage }: MemoryMeterParts): MemoryMeter {
  const callers = createCallers()
  const usage = createUsageCounters(source)

  async function knowMonth(caller: Caller, name: string): Promise<void> {
    for (;;) {
      const now = clock()
      const month = monthOf(now)
      const isKnown = () => caller.month?.month === month && now < caller.month.until
      if (isKnown()) return
      const { used, validMs } = await loadMonthUsage(name, month)
      // Requests that waited for the same answer must not undo what the first of them has spent since.
      if (!isKnown()) caller.month = { month, used, until: now + validMs }
    }
  }

  function spendNow(request: SpendRequest, caller: Caller): SpendVerdict {
    const { limits, endpoint } = request
    const now = clock()
    const month = endpoint === undefined || limits.monthlyCap === undefined ? undefined : caller.month
    const isMonthUsed = month !== undefined && month.used >= (limits.monthlyCap ?? 0)
    const refusal = refuse(caller, limits, { now, monthWaitMs: isMonthUsed ? endOfMonth(month.month) - now : 0 })
    if (refusal) return refusal
    recordAdmission(caller, limits, now)
    if (endpoint === undefined) return admit(caller, limits, { now, refund: nothingToRefund })
    const day = dayOf(now)
    usage.count(request.caller, day, endpoint)
    if (month) month.used++
    let isRefunded = false
    return admit(caller, limits, {
      now,
      refund() {
        if (isRefunded) return
        isRefunded = true
        usage.refund(request.caller, day, endpoint)
        if (month) month.used--
      },
    })
  }

  return {
    async spend(request) {
      const caller = callers.meet(request.caller, clock())
      if (request.endpoint !== undefined && request.limits.monthlyCap !== undefined)
        await knowMonth(caller, request.caller)
      return spendNow(request, caller)
    },
    async weigh(name, limits) {
      const caller = callers.find(name)
      return caller ? statesOf(weighLimits(caller, limits, clock())) : untouched(limits)
    },
    usageOf: async (caller, day) => usage.of(caller, day),
    note(request, at) {
      const caller = callers.meet(request.caller, at)
      // Only weighing forgets what has left the window.
      weighLimits(caller, request.limits, at)
      recordAdmission(caller, request.limits, at)
    },
    refusalOf(request) {
      const caller = callers.find(request.caller)
      return caller && refuse(caller, request.limits, { now: clock(), monthWaitMs: 0 })
    },
    usage,
  }
}

const nothingToRefund = (): void => undefined

function refuse(
  caller: Caller,
  limits: Limits,
  { now, monthWaitMs }: { now: number; monthWaitMs: number },
): SpendVerdict | undefined {
  const weights = weighLimits(caller, limits, now)
  const { burst, sustained } = weights
  const longestMs = Math.max(burst.waitMs, sustained.waitMs, monthWaitMs)
  if (longestMs === 0) return undefined
  const otherThanBurst = longestMs === sustained.waitMs ? 'sustained' : 'month'
  return {
    refusedBy: longestMs === burst.waitMs ? 'burst' : otherThanBurst,
    retryAfterSeconds: Math.ceil(longestMs / 1000),
    ...statesOf(weights),
    refund: nothingToRefund,
  }
}

function admit(caller: Caller, limits: Limits, { now, refund }: { now: number; refund: () => void }): SpendVerdict {
  const { burst, sustained } = weighLimits(caller, limits, now)
  return {
    refusedBy: undefined,
    retryAfterSeconds: 0,
    // The last of a window is spent now: when more is available is the oldest's leaving, not the next request's wait.
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
