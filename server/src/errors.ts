// The two ways to say no. A Refusal is meant for the caller and carries only text that is safe to show.
// An UpstreamError is what went wrong at a provider: it becomes health and Engine-Status and is never shown raw.
// Anything else that is thrown is a bug, answered 500 without detail.

/** Messages by parameter name, as the body of a 400. */
export type FieldMessages = Record<string, string[]>

export type RefusalBody = { detail: string } | FieldMessages

export class Refusal extends Error {
  readonly status: number
  readonly body: RefusalBody
  readonly headers: Record<string, string>

  constructor(status: number, body: RefusalBody | string, headers: Record<string, string> = {}) {
    super(`refused with ${status}`)
    this.status = status
    this.body = typeof body === 'string' ? { detail: body } : body
    this.headers = headers
  }
}

/**
 * timeout      no complete reply by the deadline
 * unreachable  no connection, or the connection broke
 * throttled    the provider asks us to slow down
 * blocked      the provider, or our own address guard, refuses us as a client
 * rejected     the provider refuses this request: bad credentials or a bad parameter
 * malformed    the reply is not what the provider's contract says, or is too large
 * overBudget   not asked, because the operator's budget for it is spent
 * open         not asked, because it has just failed repeatedly: the circuit is open
 * busy         not asked, because too many calls wait for it already
 */
export type UpstreamErrorKind =
  | 'timeout'
  | 'unreachable'
  | 'throttled'
  | 'blocked'
  | 'rejected'
  | 'malformed'
  | 'overBudget'
  | 'open'
  | 'busy'

interface UpstreamErrorDetails {
  /** How long the provider asks us to wait. */
  retryAfterSeconds?: number | undefined
  /** True when the searcher's own query was refused: it says nothing about the provider's health. */
  isQueryFault?: boolean
  cause?: unknown
}

export class UpstreamError extends Error {
  readonly kind: UpstreamErrorKind
  readonly retryAfterSeconds: number | undefined
  readonly isQueryFault: boolean

  /** `message` is our own wording: no address, no key, no text of the provider's. */
  constructor(kind: UpstreamErrorKind, message: string, details: UpstreamErrorDetails = {}) {
    super(message, { cause: details.cause })
    this.kind = kind
    this.retryAfterSeconds = details.retryAfterSeconds
    this.isQueryFault = details.isQueryFault ?? false
  }
}

const DEFAULT_RETRY_SECONDS = 5
const LONGEST_RETRY_SECONDS = 3_600

/** When to try again where every one of several failed: as soon as the first of them asks for. */
export function retrySeconds(waits: readonly (number | undefined)[]): number {
  const shortest = Math.min(...waits.map((wait) => wait ?? DEFAULT_RETRY_SECONDS))
  return Math.min(LONGEST_RETRY_SECONDS, Math.max(1, Math.ceil(shortest)))
}
