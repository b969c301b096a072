// Stops asking a provider that keeps failing, and finds out by single trials when it is well again. One for each
// provider and process: a state machine without timers, which reads the clock only when it is asked.
//
//   closed    everything passes. The fifth failure in a row opens it, and so does a provider that says when to come back.
//   open      nothing passes until the back-off is over: 1 s, doubled by every trial that fails, up to 60 s.
//   half-open one call passes, the trial; all others are refused until it is known. Success closes, failure opens again.
//
// Whoever enters gets a ticket and must hand it back exactly once, with what became of the call. A ticket is the number
// of the period it was given in: what a call of an earlier period says is too old to count, so a crowd of slow failures
// cannot open twice, and no straggler decides in place of the trial.
import type { UpstreamError } from '../errors.ts'

/** Milliseconds of a clock that only runs forward. */
type Clock = () => number

export interface CircuitBreaker {
  /** A ticket, or undefined when the provider must not be asked now. */
  enter: () => number | undefined
  /** Whole seconds until it is worth asking again, at least 1. */
  retryAfterSeconds: () => number
  succeed: (ticket: number) => void
  fail: (ticket: number, error: Pick<UpstreamError, 'kind' | 'retryAfterSeconds'>) => void
  /** The call was not made, or says nothing about the provider. */
  abandon: (ticket: number) => void
}

const FAILURES_TO_OPEN = 5
const FIRST_BACK_OFF_MS = 1_000
const LONGEST_BACK_OFF_MS = 60_000
/** Of the back-off, to either side: nodes that were refused together do not come back together. */
const JITTER = 0.2
/** A provider may ask for a day; we look again after ten minutes. */
const LONGEST_RETRY_AFTER_MS = 600_000

export function createCircuitBreaker({ clock, random }: { clock: Clock; random: () => number }): CircuitBreaker {
  let state: 'closed' | 'open' | 'trying' = 'closed'
  let period = 0
  let failures = 0
  let backOffMs = FIRST_BACK_OFF_MS
  let trialAt = 0

  function open(forMs: number): void {
    state = 'open'
    period++
    trialAt = clock() + forMs
  }

  function backOff(): void {
    open(backOffMs * (1 - JITTER + 2 * JITTER * random()))
    backOffMs = Math.min(2 * backOffMs, LONGEST_BACK_OFF_MS)
  }

  return {
    enter() {
      if (state === 'closed') return period
      if (state === 'trying' || clock() < trialAt) return undefined
      state = 'trying'
      return ++period
    },
    retryAfterSeconds: () => Math.max(1, Math.ceil((trialAt - clock()) / 1000)),
    succeed(ticket) {
      if (ticket !== period) return
      failures = 0
      if (state === 'closed') return
      state = 'closed'
      backOffMs = FIRST_BACK_OFF_MS
    },
    fail(ticket, { kind, retryAfterSeconds = 0 }) {
      const askedToWaitMs = kind === 'throttled' ? Math.min(retryAfterSeconds * 1000, LONGEST_RETRY_AFTER_MS) : 0
      if (ticket !== period) {
        // Several calls may be told to wait at once: the longest wait holds.
        if (state === 'open') trialAt = Math.max(trialAt, clock() + askedToWaitMs)
        return
      }
      failures++
      if (askedToWaitMs > 0) open(askedToWaitMs)
      else if (state === 'trying' || failures >= FAILURES_TO_OPEN) backOff()
    },
    abandon(ticket) {
      // The place of the trial is free again, and the time for it has come already.
      if (ticket === period && state === 'trying') state = 'open'
    },
  }
}
