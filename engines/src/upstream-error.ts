// A provider failure: it feeds provider health and Engine-Status and is never shown verbatim.

/**
 * timeout      no complete reply by the deadline
 * unreachable  no connection, the connection broke, or the provider reported an outage (`hasReplied`)
 * throttled    the provider asks us to slow down
 * blocked      the provider refuses us as a client
 * guarded      no connection, because our own address guard refuses the address that the provider's name leads to
 * rejected     the provider refuses this request: bad credentials or a bad parameter
 * malformed    the reply does not follow the provider's contract, or is too large
 * overBudget   not called, because the operator's budget for it is used up
 * open         not called, because it keeps failing: the circuit is open
 * busy         not called, because too many calls are already waiting for it, or cancelled, because no caller is left
 */
export type UpstreamErrorKind =
  | 'timeout'
  | 'unreachable'
  | 'throttled'
  | 'blocked'
  | 'guarded'
  | 'rejected'
  | 'malformed'
  | 'overBudget'
  | 'open'
  | 'busy'

/** `guarded` isn't one of them: the call was tried, and fails until the provider's address changes. */
const DECLINED_KINDS: ReadonlySet<UpstreamErrorKind> = new Set(['overBudget', 'open', 'busy'])

interface UpstreamErrorDetails {
  /** How long the provider asks us to wait. */
  retryAfterSeconds?: number | undefined
  /** True if the provider refused the query itself, which says nothing about the provider's health. */
  isQueryFault?: boolean
  /** True if an `unreachable` provider did reply: with HTTP 5xx, or with its own equivalent. */
  hasReplied?: boolean
  /** True if the call never reached the provider, because the operator's outgoing proxy didn't connect to it. */
  isProxyFault?: boolean
  cause?: unknown
}

export class UpstreamError extends Error {
  readonly kind: UpstreamErrorKind
  readonly retryAfterSeconds: number | undefined
  readonly isQueryFault: boolean
  readonly hasReplied: boolean
  readonly isProxyFault: boolean

  /** `message` is our own wording: no URL, no key, none of the provider's text. */
  constructor(kind: UpstreamErrorKind, message: string, details: UpstreamErrorDetails = {}) {
    super(message, { cause: details.cause })
    this.kind = kind
    this.retryAfterSeconds = details.retryAfterSeconds
    this.isQueryFault = details.isQueryFault ?? false
    this.hasReplied = details.hasReplied ?? false
    this.isProxyFault = details.isProxyFault ?? false
  }

  /** True if this node declined to call the provider, or cancelled the call: that says nothing about the provider. */
  get wasDeclined(): boolean {
    return DECLINED_KINDS.has(this.kind)
  }
}
