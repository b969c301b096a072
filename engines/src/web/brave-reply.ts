// What all Brave replies have in common: the kind in `type`, what was searched for in `query`, and an error code in the
// body. A bad key is a 422, like a bad query, so the status alone would blame the wrong one.

import type { ProviderReply } from '../engine.ts'
import { jsonIn, list, record, title, word } from '../parsing/json-reply.ts'
import { errorWithWait, numberInHeader, statusError, waitOf } from '../parsing/status-error.ts'
import { UpstreamError } from '../upstream-error.ts'

/** Seconds until the per-second and the per-month window reset: `1, 1419704`. */
const RESET_HEADER = 'x-ratelimit-reset'

/** Interprets the code in an error body; `undefined` if it adds nothing to the status. */
const refusalOf = (reply: ProviderReply, now: number): UpstreamError | undefined => {
  const resetIn = (window: number) => waitOf(reply, now, numberInHeader(reply, RESET_HEADER, window))
  const body = record(jsonIn(reply.body))
  // Live replies have `error`; Brave's own example has `errors`.
  const error = record(body['error'] ?? list(body['errors'])[0])
  switch (word(error['code'])) {
    case 'SUBSCRIPTION_TOKEN_INVALID':
      return new UpstreamError('rejected', 'The provider does not accept the API key.')
    case 'SUBSCRIPTION_NOT_FOUND':
      return new UpstreamError('rejected', 'The API key has no subscription to this search.')
    case 'RATE_LIMITED':
      return errorWithWait('throttled', 'The limit per second is reached.', resetIn(0))
    case 'QUOTA_LIMITED':
      return errorWithWait('throttled', 'The quota of the plan is used up.', resetIn(1))
    case 'VALIDATION':
      return list(record(error['meta'])['errors']).some((mistake) => list(record(mistake)['loc']).includes('q'))
        ? new UpstreamError('rejected', 'The provider refuses this query.', { isQueryFault: true })
        : undefined
    default:
      return undefined
  }
}

/** Returns the body after checking `type`, which is always there; a block without results is left out. */
export const braveReply = (
  reply: ProviderReply,
  type: 'search' | 'images' | 'news' | 'videos' | 'suggest',
  now: number,
): Readonly<Record<string, unknown>> => {
  if (reply.status < 200 || reply.status > 299) throw refusalOf(reply, now) ?? statusError(reply, now)
  const body = jsonIn(reply.body)
  if (body?.['type'] !== type) throw new UpstreamError('malformed', 'The provider answered with no search page.')
  return body
}

/** Reads Brave's `query` block: `altered` is what was searched for instead of `original`. */
export const correctionOf = (block: unknown): string => {
  const { altered, original } = record(block)
  const meant = title(altered)
  return meant.toLowerCase() === title(original).toLowerCase() ? '' : meant
}
