// A Refusal is meant for the client and contains only text that is safe to show. The other error type is the engines'
// UpstreamError. Anything else that is thrown is a bug, answered with a 500 without details.
//
// Every refusal has a code, which programs can compare and which is sent in the header `Error-Code`. A code is never
// renamed: clients depend on it. The sentences may change.
import type { z } from 'zod'

interface ErrorKind {
  status: number
  /** One line of docs/api/errors.md: `npm run docs` writes the table there. */
  meaning: string
}

export const ERROR_CODES = {
  parameter_invalid: { status: 400, meaning: "A parameter is missing or has a value that isn't allowed." },
  secret_in_query: {
    status: 400,
    meaning: 'The query seems to contain a secret, and the operator refuses such queries; `Query-Guard` has its kind.',
  },
  body_invalid: { status: 400, meaning: "The body is incomplete, or isn't what its type says." },
  message_invalid: { status: 400, meaning: "The MCP server doesn't take this message, or not with these headers." },
  request_malformed: { status: 400, meaning: "The request isn't valid HTTP, or its URL isn't percent-encoded." },
  https_required: { status: 400, meaning: 'Passkeys on the website need HTTPS.' },
  key_missing: { status: 401, meaning: 'No API key was sent.' },
  key_malformed: { status: 401, meaning: 'What was sent is not an API key: part of it is missing, or mistyped.' },
  key_unknown: { status: 401, meaning: 'No such API key exists.' },
  key_revoked: { status: 401, meaning: 'The API key was revoked.' },
  key_expired: { status: 401, meaning: 'The API key, or its old secret after a rotation, has expired.' },
  sign_in_required: { status: 401, meaning: 'The website needs you to sign in first.' },
  metrics_token_wrong: { status: 401, meaning: 'The metrics need a token, which is missing or wrong.' },
  account_disabled: { status: 403, meaning: 'The account that owns the API key is disabled.' },
  network_not_allowed: { status: 403, meaning: 'The API key is restricted to other networks than yours.' },
  scope_missing: { status: 403, meaning: "The API key doesn't have the scope that this endpoint needs." },
  key_in_url: { status: 403, meaning: "The API key was sent in a URL, and doesn't have the `address` scope." },
  page_not_in_results: {
    status: 403,
    meaning: 'The API key reads only pages that its own searches and cards have returned.',
  },
  origin_not_allowed: { status: 403, meaning: "The web page that sent the request isn't on an allowed origin." },
  second_factor_required: { status: 403, meaning: 'The account has to set up a second factor first.' },
  form_expired: { status: 403, meaning: 'A form of the website is too old, or was sent from another site.' },
  admin_required: { status: 403, meaning: 'Only administrators may do this.' },
  not_found: { status: 404, meaning: 'Nothing exists at this URL.' },
  method_not_allowed: { status: 405, meaning: 'The URL exists, but not for this method. `Allow` lists the others.' },
  request_timeout: { status: 408, meaning: 'The request took too long to arrive.' },
  conflict: { status: 409, meaning: "A change on the website doesn't fit the present state." },
  body_too_large: { status: 413, meaning: 'The body is too large.' },
  url_too_long: { status: 414, meaning: 'The URL is too long.' },
  content_type_unsupported: { status: 415, meaning: 'The body has a type that this URL does not take.' },
  range_invalid: { status: 416, meaning: 'The map is read in ranges of bytes, and this is none of them.' },
  host_not_allowed: { status: 421, meaning: "The host name in the URL isn't one that the instance answers to." },
  page_unreadable: { status: 422, meaning: "The page can't be read; `reason` has more." },
  rate_limited: { status: 429, meaning: 'A rate limit is used up.' },
  monthly_cap_reached: { status: 429, meaning: 'The monthly cap of the API key or the account is used up.' },
  wrong_keys_limited: { status: 429, meaning: 'Too many wrong API keys have come from your network.' },
  attempts_limited: { status: 429, meaning: 'Too many attempts to sign in or confirm.' },
  headers_too_long: { status: 431, meaning: 'The headers are too long.' },
  internal_error: { status: 500, meaning: 'A bug in Bowerbird, logged under the request ID.' },
  overloaded: { status: 503, meaning: 'The instance is handling as many requests as it can.' },
  storage_unavailable: {
    status: 503,
    meaning: "The key or account can't be checked now: perhaps the database is down.",
  },
  no_engine_configured: { status: 503, meaning: 'No engine is configured for this tab, or none of those you named.' },
  no_engine_responded: { status: 503, meaning: 'Every engine failed; `Engine-Status` has the reasons.' },
  budget_used_up: {
    status: 503,
    meaning: 'Every engine that could be asked has used up its budget; `Retry-After` says how long.',
  },
  suggestions_not_configured: { status: 503, meaning: 'The operator has turned suggestions off.' },
  suggestions_failed: { status: 503, meaning: 'No suggestion provider responded.' },
  maps_not_configured: { status: 503, meaning: 'There is no geocoder.' },
  maps_failed: { status: 503, meaning: 'No geocoder responded.' },
  translation_not_configured: { status: 503, meaning: 'There is no translation backend.' },
  translation_failed: { status: 503, meaning: "The translation backend didn't respond." },
  answer_failed: { status: 503, meaning: 'The source of an instant answer failed.' },
  cards_not_configured: { status: 503, meaning: 'The operator has turned off every kind of card.' },
  cards_failed: { status: 503, meaning: 'Every source of cards failed; `Card-Status` has the reasons.' },
  reader_busy: { status: 503, meaning: 'Too many pages are being read.' },
} as const satisfies Record<string, ErrorKind>

export type ErrorCode = keyof typeof ERROR_CODES

export const isErrorCode = (code: unknown): code is ErrorCode =>
  typeof code === 'string' && Object.hasOwn(ERROR_CODES, code)

/** Messages by parameter name, as the body of a 400. */
export type FieldMessages = Record<string, string[]>

export function fieldMessages({ issues }: z.ZodError): FieldMessages {
  const messages: FieldMessages = {}
  for (const { path, message } of issues) {
    const name = String(path[0] ?? 'detail')
    messages[name] = [...(messages[name] ?? []), message]
  }
  return messages
}

/** Where a refusal can have several causes, `reason` is a stable word that programs can compare. */
export type RefusalBody = { detail: string; reason?: string; status?: number } | FieldMessages

export class Refusal extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly body: RefusalBody
  /** Includes the code, so that it is sent with the headers, wherever they are sent. */
  readonly headers: Record<string, string>

  constructor(code: ErrorCode, body: RefusalBody | string, headers: Record<string, string> = {}) {
    super(`refused: ${code}`)
    this.code = code
    this.status = ERROR_CODES[code].status
    this.body = typeof body === 'string' ? { detail: body } : body
    this.headers = { ...headers, 'Error-Code': code }
  }
}

/** The code of a system's error, such as ENOENT, to be told in a sentence. */
export const codeOf = (error: unknown): string =>
  (error instanceof Error && 'code' in error && String(error.code)) || 'unknown'

const FRAMEWORK_CODES: Record<number, ErrorCode> = {
  413: 'body_too_large',
  414: 'url_too_long',
  415: 'content_type_unsupported',
}

/** The code for an error of Fastify's own, by its status below 500. */
export const frameworkCode = (status: number): ErrorCode => FRAMEWORK_CODES[status] ?? 'request_malformed'

const DEFAULT_RETRY_SECONDS = 5
const MAX_RETRY_SECONDS = 3_600

/** Seconds to wait after several providers have all failed: the shortest wait that any of them asked for. */
export function retrySeconds(waits: readonly (number | undefined)[]): number {
  const shortest = Math.min(...waits.map((wait) => wait ?? DEFAULT_RETRY_SECONDS))
  return Math.min(MAX_RETRY_SECONDS, Math.max(1, Math.ceil(shortest)))
}
