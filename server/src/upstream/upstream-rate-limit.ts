// A provider's rate limit and daily quota, kept by all nodes together: the limiter of API requests
// (`rate-limit/rate-limiter.ts`) with the provider as its subject, and a short wait in front of it. Calls that wait are
// served in no particular order.
//
// A call counts when it starts, but a provider counts it when it arrives, and the first of two calls may take longer to get
// there. So our window is a little longer than the provider's.
import type { Deadline } from '@bowerbird/engines/deadline.ts'
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import type { RateLimiter } from '../rate-limit/rate-limiter.ts'

/** As an engine's terms declare it. */
interface UpstreamRate {
  calls: number
  perSeconds: number
}

interface UpstreamRates {
  /** Calls wait for it. */
  rate: UpstreamRate | undefined
  /** A quota, which no call waits for. */
  dailyCalls?: number | undefined
}

export interface UpstreamRateLimit {
  /**
   * Waits until a call may be made, and counts it. Throws UpstreamError `busy` if the wait would be too long, and
   * `overBudget` if the daily quota is used up.
   */
  acquire: (deadline: Deadline, maxWaitMs: number) => Promise<void>
  /** Milliseconds until the daily quota allows a call; 0 if it allows one now. */
  peekQuota: () => Promise<number>
}

interface UpstreamRateLimitParts {
  rateLimiter: Pick<RateLimiter, 'consume' | 'peek'>
  /** Milliseconds of a monotonic clock. */
  clock?: () => number
}

/** How much longer one call may take to arrive than the next. */
const MARGIN_MS = 250
const SECONDS_PER_DAY = 86_400

const toWindow = ({ calls, perSeconds }: UpstreamRate) => ({ count: calls, windowMs: perSeconds * 1_000 + MARGIN_MS })

/** Creates the limit of each provider; undefined if it has none. */
export function createUpstreamRateLimits({ rateLimiter, clock = () => performance.now() }: UpstreamRateLimitParts) {
  return (slug: string, { rate, dailyCalls }: UpstreamRates): UpstreamRateLimit | undefined => {
    const quota = dailyCalls === undefined ? undefined : { calls: dailyCalls, perSeconds: SECONDS_PER_DAY }
    const [short, long] = [rate ?? quota, quota ?? rate]
    if (!short || !long) return undefined
    const limits = { burst: toWindow(short), sustained: toWindow(long), monthlyCap: undefined }
    const request = { subject: `provider ${slug}`, limits, counts: false }
    /** Calls of this process that wait. */
    let waiting = 0

    return {
      async acquire(deadline, maxWaitMs) {
        const giveUpAt = clock() + Math.min(maxWaitMs, deadline.remainingMs())
        let isWaiting = false
        try {
          for (;;) {
            const { refusedBy, waitMs } = await rateLimiter.consume(request)
            if (deadline.signalled) throw tooManyWaiting(0)
            if (refusedBy === undefined) return
            if (quota && (refusedBy === 'sustained' || !rate)) throw quotaUsedUp(waitMs)
            const { count, windowMs } = limits.burst
            const queueMs = isWaiting ? 0 : windowMs * Math.floor(waiting / count)
            if (clock() + waitMs + queueMs > giveUpAt) throw tooManyWaiting(waitMs + queueMs)
            if (!isWaiting) waiting++
            isWaiting = true
            await sleep(waitMs, deadline)
          }
        } finally {
          if (isWaiting) waiting--
        }
      },
      async peekQuota() {
        const { sustained } = await rateLimiter.peek(request)
        return quota && sustained.remaining === 0 ? sustained.resetSeconds * 1_000 : 0
      },
    }
  }
}

const tooManyWaiting = (retryAfterMs: number): UpstreamError =>
  new UpstreamError('busy', 'too many calls are waiting for the provider', retryAfter(retryAfterMs))

const quotaUsedUp = (retryAfterMs: number): UpstreamError =>
  new UpstreamError('overBudget', "the provider's calls for the day are used up", retryAfter(retryAfterMs))

const retryAfter = (ms: number) => ({ retryAfterSeconds: Math.max(1, Math.ceil(ms / 1000)) })

/** Ends by the deadline. Adds a millisecond because timers may fire that much early. */
const sleep = (ms: number, deadline: Deadline): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(() => {
      stopWatchingDeadline()
      resolve()
    }, ms + 1)
    const stopWatchingDeadline = deadline.onExpire(() => {
      clearTimeout(timer)
      resolve()
    })
  })
