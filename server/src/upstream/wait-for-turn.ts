// Waits until a call may be made at the provider's pace, or gives up at once when that is out of reach. Whoever gets its
// turn holds a place that it must leave when the call has ended; whoever gives up has left it.
import { UpstreamError } from '../errors.ts'
import type { Deadline } from './deadline.ts'

/** One call, from before it may be made until it has ended. */
export interface PacePlace {
  /** May it go now? If it is in the line, it asks again after `waitMs`. */
  ask: (maxWaitMs: number) => Promise<{ go: true } | { go: false; waitMs: number; isInLine: boolean }>
  /** To be called once by whoever may go or is in the line; who is told neither has no place to leave. */
  leave: () => void
}

export interface Pace {
  join: () => PacePlace
}

interface TurnParts {
  pace: Pace
  deadline: Deadline
  maxWaitMs: number
  /** Milliseconds of a clock that only runs forward. */
  clock: () => number
}

/** Throws UpstreamError `busy` when no turn is within reach. */
export async function waitForTurn({ pace, deadline, maxWaitMs, clock }: TurnParts): Promise<PacePlace> {
  const giveUpAt = clock() + Math.min(maxWaitMs, deadline.remainingMs())
  const place = pace.join()
  for (;;) {
    const turn = await place.ask(Math.max(0, giveUpAt - clock()))
    if (!turn.go && !turn.isInLine) throw tooMany(turn.waitMs)
    if (!turn.go) await sleep(turn.waitMs, deadline)
    if (deadline.signalled) {
      place.leave()
      throw tooMany(0)
    }
    if (turn.go) return place
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
