// What is known of a provider's health, and how one more observation changes it. Pure: who stores it is someone else.
//
// The first observation decides. From `up` it takes two failures in a row to be `down`, so that one dropped connection
// alarms nobody; one success is enough to be `up` again. What says nothing about the provider changes nothing at all.
import type { UpstreamErrorKind } from '../errors.ts'

export interface ProviderHealth {
  state: 'up' | 'down' | 'unknown'
  /** Milliseconds since 1970 of the last observation that counted. */
  checkedAt: number | undefined
  lastOkAt: number | undefined
  /** Our own wording, never upstream's; '' when the last observation was a success. */
  lastError: string
  consecutiveFailures: number
}

/** An UpstreamError fits the second form as it is, with `ok: false` beside it. */
export type Observation = { ok: true } | { ok: false; kind: UpstreamErrorKind; isQueryFault?: boolean }

const FAILURES_TO_BE_DOWN = 2

const ERROR_TEXTS: Record<UpstreamErrorKind, string> = {
  timeout: 'No complete reply in time.',
  unreachable: 'The connection failed.',
  throttled: 'The provider asks for fewer requests.',
  blocked: 'The provider refuses this instance, or its address is not allowed.',
  rejected: 'The provider refused the request; its key or settings may be wrong.',
  malformed: 'The reply could not be understood.',
  overBudget: '',
  open: '',
  busy: '',
}

const NOTHING_OBSERVED: ProviderHealth = {
  state: 'unknown',
  checkedAt: undefined,
  lastOkAt: undefined,
  lastError: '',
  consecutiveFailures: 0,
}

export const observe = (previous: ProviderHealth | undefined, outcome: Observation, at: number): ProviderHealth => {
  const before = previous ?? NOTHING_OBSERVED
  if (outcome.ok) return { state: 'up', checkedAt: at, lastOkAt: at, lastError: '', consecutiveFailures: 0 }
  // A searcher's mistake is not the provider's, and what was never asked has nothing to say.
  if (outcome.isQueryFault || ERROR_TEXTS[outcome.kind] === '') return before

  const consecutiveFailures = before.consecutiveFailures + 1
  const staysUp = before.state === 'up' && consecutiveFailures < FAILURES_TO_BE_DOWN
  return {
    state: staysUp ? 'up' : 'down',
    checkedAt: at,
    lastOkAt: before.lastOkAt,
    lastError: ERROR_TEXTS[outcome.kind],
    consecutiveFailures,
  }
}
