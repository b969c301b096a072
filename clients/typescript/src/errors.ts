// Everything that a call can throw, apart from the reason of the caller's own abort signal. The message is the server's
// sentence where it sent one. Neither message nor members ever hold the key.
import { type Meta, readMeta } from './meta.ts'

/** Mistakes by the name of the parameter. */
export type FieldErrors = Record<string, string[]>

export interface ErrorFacts {
  /** The HTTP status; absent if there was no reply. */
  status?: number | undefined
  /** From `Error-Code`. */
  code?: string | undefined
  /** The server's sentence, or empty. */
  detail?: string | undefined
  errors?: FieldErrors | undefined
  /** Seconds, from `Retry-After`. */
  retryAfter?: number | undefined
  /** Of the reply, if there was one. */
  headers?: Headers | undefined
  /** Of a page that can't be read. */
  reason?: string | undefined
  pageStatus?: number | undefined
  cause?: unknown
}

export class BowerbirdError extends Error {
  override name = 'BowerbirdError'
  readonly status: number | undefined
  /** Why, for a program to compare: `key_expired`, `no_engine_responded`, … Empty if the instance didn't reply. */
  readonly code: string
  readonly detail: string
  readonly errors: FieldErrors
  readonly retryAfter: number | undefined
  /** Quote it to the operator: the request's id in the log of the instance. */
  readonly requestId: string
  /** As of a reply: what became of each engine, and what is left of the limits. */
  readonly meta: Meta

  constructor(message: string, { status, code, detail, errors, retryAfter, headers, cause }: ErrorFacts = {}) {
    super(message, cause === undefined ? {} : { cause })
    this.status = status
    this.code = code ?? ''
    this.detail = detail ?? ''
    this.errors = errors ?? {}
    this.retryAfter = retryAfter
    this.meta = readMeta(headers ?? new Headers())
    this.requestId = this.meta.requestId
  }
}

/** 400: `errors` says what is wrong with which parameter. */
export class BadRequestError extends BowerbirdError {
  override name = 'BadRequestError'
}

/** 401: the key is missing, malformed, unknown, revoked or expired. */
export class AuthenticationError extends BowerbirdError {
  override name = 'AuthenticationError'
}

/** 403: the account is disabled, or the key lacks the scope. */
export class PermissionDeniedError extends BowerbirdError {
  override name = 'PermissionDeniedError'
}

/** 422: the page can't be read; `reason` says why: `robots`, `no_content`, `timeout`, … */
export class UnreadablePageError extends BowerbirdError {
  override name = 'UnreadablePageError'
  readonly reason: string
  /** The page's own HTTP status, with the reason `status`. */
  readonly pageStatus: number | undefined

  constructor(message: string, facts: ErrorFacts = {}) {
    super(message, facts)
    this.reason = facts.reason ?? ''
    this.pageStatus = facts.pageStatus
  }
}

/** 429: a limit is used up; `retryAfter` says for how long. */
export class RateLimitError extends BowerbirdError {
  override name = 'RateLimitError'
}

/** 503: nobody answered (`retryAfter` is set), or the instance isn't configured for this. */
export class UnavailableError extends BowerbirdError {
  override name = 'UnavailableError'
}

/** There was no reply, or it broke off. */
export class ConnectionFailedError extends BowerbirdError {
  override name = 'ConnectionFailedError'
}

/** The call took longer than `timeoutMs`. */
export class TimedOutError extends BowerbirdError {
  override name = 'TimedOutError'
}

/** Something answered, but not with what this API sends: a proxy's page, a redirect. */
export class UnexpectedReplyError extends BowerbirdError {
  override name = 'UnexpectedReplyError'
}

const BY_STATUS: Record<number, typeof BowerbirdError> = {
  400: BadRequestError,
  401: AuthenticationError,
  403: PermissionDeniedError,
  422: UnreadablePageError,
  429: RateLimitError,
  503: UnavailableError,
}

/** For a reply that can't be from a Bowerbird instance, which sends nothing but JSON. */
export const notJson = (status: number, headers: Headers): UnexpectedReplyError =>
  new UnexpectedReplyError(notJsonMessage(status), { status, headers })

const notJsonMessage = (status: number): string =>
  `The reply has status ${status} and is not JSON. Check that the URL is that of a Bowerbird instance, and any proxy in front of it.`

/** The error that a reply of this status stands for. `body` is undefined if it isn't JSON. */
export function errorOf(status: number, headers: Headers, body: unknown): BowerbirdError {
  const Kind = BY_STATUS[status] ?? (body === undefined ? UnexpectedReplyError : BowerbirdError)
  const errors = fieldErrorsIn(body)
  const detail = detailIn(body)
  const sentences = Object.entries(errors).map(([name, messages]) => `${name}: ${messages.join(' ')}`)
  const other = body === undefined ? notJsonMessage(status) : `The instance answered with status ${status}.`
  const { reason, status: pageStatus } = isObject(body) ? body : {}
  return new Kind(detail || sentences.join(' ') || other, {
    status,
    code: headers.get('error-code') ?? '',
    detail,
    errors,
    retryAfter: retryAfterIn(headers),
    headers,
    reason: typeof reason === 'string' ? reason : undefined,
    pageStatus: typeof pageStatus === 'number' ? pageStatus : undefined,
  })
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const detailIn = (body: unknown): string => (isObject(body) && typeof body['detail'] === 'string' ? body['detail'] : '')

function fieldErrorsIn(body: unknown): FieldErrors {
  if (!isObject(body)) return {}
  const isMessages = (entry: [string, unknown]): entry is [string, string[]] =>
    Array.isArray(entry[1]) && entry[1].every((message) => typeof message === 'string')
  return Object.fromEntries(Object.entries(body).filter(isMessages))
}

/** Bowerbird sends seconds; a proxy in front of it may send a date. */
function retryAfterIn(headers: Headers): number | undefined {
  const value = headers.get('retry-after')?.trim() ?? ''
  if (/^\d{1,9}$/.test(value)) return Number(value)
  const date = /^[A-Z][a-z]{2}, /.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - Date.now()) / 1000))
}
