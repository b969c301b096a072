// A provider's health, and how an observation changes it. Pure: the caller stores it.
//
// The first observation decides. Going from `up` to `down` takes two failures in a row, so that one dropped connection
// causes no alarm; a single success makes it `up` again. Observations that say nothing about the provider change
// nothing.
import type { UpstreamErrorKind } from '@bowerbird/engines/upstream-error.ts'

export interface ProviderHealth {
  state: 'up' | 'down' | 'unknown'
  /** Milliseconds since 1970 of the last observation that counted. */
  checkedAt: number | undefined
  lastOkAt: number | undefined
  /** Our own wording, never upstream's; '' if the last observation was a success. */
  lastError: string
  consecutiveFailures: number
}

/** An UpstreamError fits the second form as it is, with `ok: false` beside it. */
export type Observation =
  | { ok: true }
  | { ok: false; kind: UpstreamErrorKind; isQueryFault?: boolean; hasReplied?: boolean }

/** Why a provider was up or down: the kind of the error, but with server errors separate from broken connections. */
export type Reason = 'ok' | 'serverError' | UpstreamErrorKind

export const reasonOf = (outcome: Observation): Reason => {
  if (outcome.ok) return 'ok'
  return outcome.kind === 'unreachable' && outcome.hasReplied ? 'serverError' : outcome.kind
}

const FAILURES_TO_BE_DOWN = 2

const ERROR_TEXTS: Record<Reason, string> = {
  ok: '',
  timeout: 'The provider did not respond in time.',
  unreachable: 'The connection to the provider failed.',
  serverError: 'The provider responded with a server error.',
  throttled: 'The provider is throttling this instance.',
  blocked: 'The provider is blocking this instance, or its address is not allowed.',
  rejected: 'The provider rejected the request; its key or settings may be wrong.',
  malformed: 'The response could not be read.',
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
  // A bad query isn't the provider's fault, and a call that was never made says nothing.
  const lastError = ERROR_TEXTS[reasonOf(outcome)]
  if (outcome.isQueryFault || lastError === '') return before

  const consecutiveFailures = before.consecutiveFailures + 1
  const staysUp = before.state === 'up' && consecutiveFailures < FAILURES_TO_BE_DOWN
  return {
    state: staysUp ? 'up' : 'down',
    checkedAt: at,
    lastOkAt: before.lastOkAt,
    lastError,
    consecutiveFailures,
  }
}
