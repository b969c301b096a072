// Waits until a call may go out at the provider's pace. The moment was reserved elsewhere; what is decided here is
// whether it can still be used. A moment that this process reaches too late, because it was busy or the network slow,
// would come too close to the next one: it is given up and another is asked for. So the pace is kept even by a process
// that stalls. A reserved moment that is not used is lost, which only ever makes the pace slower.
import { UpstreamError } from '../errors.ts'
import type { Deadline } from './deadline.ts'

/** `remainingMs` is how long the caller can still wait at all; a deadline that cannot tell is only waited for. */
export type PatientDeadline = Deadline & { remainingMs?: () => number }

/** When one call may go, in the time of the same clock as below. Or nothing was taken, and when to ask again. */
type Turn = { from: number; until: number } | { retryAfterMs: number }

export interface Pace {
  /** Takes the next free moment unless it is further away than `maxWaitMs`; then nothing is taken. */
  reserve: (maxWaitMs: number) => Promise<Turn>
}

interface TurnParts {
  pace: Pace
  deadline: PatientDeadline
  maxWaitMs: number
  /** Milliseconds of a clock that only runs forward. */
  clock: () => number
}

/** Throws UpstreamError `busy` when there is no moment within reach. */
export async function waitForTurn({ pace, deadline, maxWaitMs, clock }: TurnParts): Promise<void> {
  const giveUpAt = clock() + Math.min(maxWaitMs, deadline.remainingMs?.() ?? maxWaitMs)
  for (;;) {
    const turn = await pace.reserve(Math.max(0, giveUpAt - clock()))
    if ('retryAfterMs' in turn) throw tooMany(turn.retryAfterMs)
    const waitMs = turn.from - clock()
    if (waitMs > 0) await sleep(waitMs, deadline)
    if (deadline.signalled) throw tooMany(0)
    const now = clock()
    if (now <= turn.until) return
    if (now >= giveUpAt) throw tooMany(0)
  }
}

const tooMany = (retryAfterMs: number): UpstreamError =>
  new UpstreamError('busy', 'too many calls wait for the provider', {
    retryAfterSeconds: Math.max(1, Math.ceil(retryAfterMs / 1000)),
  })

/** Ends at the deadline at the latest. A timer may fire a millisecond early, hence one more. */
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
