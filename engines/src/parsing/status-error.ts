// Converts a provider's HTTP status to an UpstreamError. An adapter whose provider says more than the status (a code in
// the body, its own reset header) checks that first and leaves the rest to this. The messages are ours: neither the
// provider's text nor its URL may reach a log or the status endpoint.

import type { ProviderReply } from '../engine.ts'
import { UpstreamError, type UpstreamErrorKind } from '../upstream-error.ts'

const MAX_WAIT_SECONDS = 31 * 86_400

const headerOf = (reply: ProviderReply, name: string): string => {
  const value = reply.headers[name]
  return (typeof value === 'object' ? value[0] : value) ?? ''
}

/** `Retry-After` in seconds, from either of its forms, seconds or an HTTP date; NaN if it is neither. */
const retryAfter = (reply: ProviderReply, now: number): number => {
  const header = headerOf(reply, 'retry-after').trim()
  const seconds = header === '' ? Number.NaN : Number(header)
  return Number.isNaN(seconds) ? (Date.parse(header) - now) / 1000 : seconds
}

/** No call is left, as GitHub says it and others after it. */
const isSpent = (reply: ProviderReply): boolean =>
  (reply.status === 403 || reply.status === 429) && numberInHeader(reply, 'x-ratelimit-remaining', 0) === 0

/** Until there are calls again, which is a time in seconds; NaN if some are left. */
const untilReset = (reply: ProviderReply, now: number): number =>
  isSpent(reply) ? numberInHeader(reply, 'x-ratelimit-reset', 0) - now / 1000 : Number.NaN

/** An error with a Retry-After, unless `seconds` is NaN, past or absurd. */
export const errorWithWait = (kind: UpstreamErrorKind, message: string, seconds: number): UpstreamError => {
  const isSensible = seconds > 0 && seconds <= MAX_WAIT_SECONDS
  return new UpstreamError(kind, message, {
    hasReplied: true,
    ...(isSensible && { retryAfterSeconds: Math.ceil(seconds) }),
  })
}

/** A refusal that will pass is throttling: with a 403 and a wait, GitHub and others ask for fewer calls. */
const kindOf = (reply: ProviderReply, seconds: number): UpstreamErrorKind => {
  const { status } = reply
  if (status >= 500) return 'unreachable'
  if (status === 429 || isSpent(reply) || (status === 403 && seconds > 0)) return 'throttled'
  if (status === 403 || status === 407 || status === 451) return 'blocked'
  return status >= 400 ? 'rejected' : 'malformed'
}

const messageFor = (status: number, kind: UpstreamErrorKind): string => {
  if (status === 401) return 'The provider does not accept the API key.'
  if (status === 402) return 'The provider asks for payment.'
  if (kind === 'throttled') return 'The provider asks us to slow down.'
  if (kind === 'blocked') return `The provider refuses this server (status ${status}).`
  if (kind === 'unreachable') return `The provider is out of order (status ${status}).`
  return kind === 'rejected'
    ? `The provider refused the request (status ${status}).`
    : `The provider answered with unexpected status ${status}.`
}

/** `Retry-After` if there is one, else `fallback`: the provider's other rate-limit information, or our guess. */
export const secondsToWait = (reply: ProviderReply, now: number, fallback: number): number => {
  const seconds = retryAfter(reply, now)
  return seconds > 0 ? seconds : fallback
}

export const statusError = (reply: ProviderReply, now: number): UpstreamError => {
  const seconds = secondsToWait(reply, now, untilReset(reply, now))
  const kind = kindOf(reply, seconds)
  return errorWithWait(kind, messageFor(reply.status, kind), seconds)
}

/** For a provider that reports throttling in its own way; `seconds` is the wait it names. */
export const throttled = (reply: ProviderReply, now: number, seconds = Number.NaN): UpstreamError =>
  errorWithWait('throttled', 'The provider asks us to slow down.', secondsToWait(reply, now, seconds))

/** For a provider that reports in its own way that it can't take this query. */
export const queryRefused = (): UpstreamError =>
  new UpstreamError('rejected', 'The provider refuses this query.', { isQueryFault: true })

/** The n-th of a header's comma-separated numbers, counted from 0; NaN if there is none. */
export const numberInHeader = (reply: ProviderReply, name: string, index: number): number =>
  Number.parseInt(headerOf(reply, name).split(',')[index] ?? '', 10)
