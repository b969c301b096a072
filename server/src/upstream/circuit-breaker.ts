// Stops calls to a provider that keeps failing, and detects its recovery with single trial calls. There is one per
// provider and process: a state machine without timers, which reads the clock only when it is used.
//
//   closed     Every call passes. The fifth failure in a row opens it; so does a provider that says how long to wait.
//   open       No call passes until the back-off is over: 1 s, doubled by every failed trial, up to 60 s.
//   half-open  One call passes, the trial; all others are refused until its outcome is known. Success closes it,
//              failure opens it again.
//
// A caller that is let through gets a ticket and must return it exactly once, with the outcome of the call. A ticket is
// the number of the period in which it was issued. Outcomes from an earlier period are ignored, so a crowd of slow
// failures can't open the breaker twice, and no straggler can decide in place of the trial.
import type { UpstreamError } from '@bowerbird/engines/upstream-error.ts'

/** Milliseconds of a monotonic clock. */
type Clock = () => number

export interface CircuitBreaker {
  /** A ticket, or undefined if the provider must not be called now. */
  enter: () => number | undefined
  /** Whole seconds until a retry makes sense, at least 1. */
  retryAfterSeconds: () => number
  /** True if calls are refused, or only a trial is let through. */
  isOpen: () => boolean
  succeed: (ticket: number) => void
  fail: (ticket: number, error: Pick<UpstreamError, 'kind' | 'retryAfterSeconds'>) => void
  /** For a call that wasn't made, or that says nothing about the provider. */
  abandon: (ticket: number) => void
}

const FAILURES_TO_OPEN = 5
const FIRST_BACK_OFF_MS = 1_000
const MAX_BACK_OFF_MS = 60_000
/** Jitter as a share of the back-off, in both directions, so that nodes refused together do not retry together. */
const JITTER = 0.2
/** Even if a provider asks for a day, we try again after ten minutes, or after `restSeconds` if that is longer. */
const MAX_RETRY_AFTER_MS = 600_000

interface CircuitBreakerParts {
  clock: Clock
  random: () => number
  /** How long it opens on `throttled` without a retry time; 0: counts like any failure. */
  restSeconds?: number
}

export function createCircuitBreaker({ clock, random, restSeconds = 0 }: CircuitBreakerParts): CircuitBreaker {
  const maxWaitMs = Math.max(MAX_RETRY_AFTER_MS, restSeconds * 1000)
  let state: 'closed' | 'open' | 'half-open' = 'closed'
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
    backOffMs = Math.min(2 * backOffMs, MAX_BACK_OFF_MS)
  }

  return {
    enter() {
      if (state === 'closed') return period
      if (state === 'half-open' || clock() < trialAt) return undefined
      state = 'half-open'
      return ++period
    },
    retryAfterSeconds: () => Math.max(1, Math.ceil((trialAt - clock()) / 1000)),
    isOpen: () => state !== 'closed',
    succeed(ticket) {
      if (ticket !== period) return
      failures = 0
      if (state === 'closed') return
      state = 'closed'
      backOffMs = FIRST_BACK_OFF_MS
    },
    fail(ticket, { kind, retryAfterSeconds = restSeconds }) {
      const askedToWaitMs = kind === 'throttled' ? Math.min(retryAfterSeconds * 1000, maxWaitMs) : 0
      if (ticket !== period) {
        // Several calls may be throttled at the same time: the longest wait wins.
        if (state === 'open') trialAt = Math.max(trialAt, clock() + askedToWaitMs)
        return
      }
      failures++
      if (askedToWaitMs > 0) open(askedToWaitMs)
      else if (state === 'half-open' || failures >= FAILURES_TO_OPEN) backOff()
    },
    abandon(ticket) {
      // The next caller can be the trial right away.
      if (ticket === period && state === 'half-open') state = 'open'
    },
  }
}
