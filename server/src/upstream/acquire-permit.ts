// Waits until a call may be made within the provider's rate limit, or gives up immediately if the wait would be too
// long. On success the caller holds a permit, which it must release when the call has ended; a caller that gives up
// holds none.

import type { Deadline } from '@bowerbird/engines/deadline.ts'
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import type { Permit, UpstreamRateLimit } from './upstream-rate-limit.ts'

interface TurnParts {
  rateLimit: UpstreamRateLimit
  deadline: Deadline
  maxWaitMs: number
  /** Milliseconds of a monotonic clock. */
  clock: () => number
}

/** Throws UpstreamError `busy` if the wait would be too long, `overBudget` if the daily quota is used up. */
export async function acquire({ rateLimit, deadline, maxWaitMs, clock }: TurnParts): Promise<Permit> {
  const giveUpAt = clock() + Math.min(maxWaitMs, deadline.remainingMs())
  const permit = rateLimit.createPermit()
  for (;;) {
    const turn = await permit.tryAcquire(Math.max(0, giveUpAt - clock()))
    if (!turn.go && !turn.isQueued) throw turn.isSpent ? usedUp(turn.waitMs) : tooMany(turn.waitMs)
    if (!turn.go) await sleep(turn.waitMs, deadline)
    if (deadline.signalled) {
      permit.release()
      throw tooMany(0)
    }
    if (turn.go) return permit
  }
}

const tooMany = (retryAfterMs: number): UpstreamError =>
  new UpstreamError('busy', 'too many calls are waiting for the provider', retryAfter(retryAfterMs))

const usedUp = (retryAfterMs: number): UpstreamError =>
  new UpstreamError('overBudget', "the provider's calls for the day are used up", retryAfter(retryAfterMs))

const retryAfter = (ms: number) => ({ retryAfterSeconds: Math.max(1, Math.ceil(ms / 1000)) })

/** Ends by the deadline. Adds a millisecond because timers may fire that much early. */
const sleep = (ms: number, deadline: Deadline): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(() => {
      leaveDeadline()
      resolve()
    }, ms + 1)
    const leaveDeadline = deadline.onExpire(() => {
      clearTimeout(timer)
      resolve()
    })
  })
