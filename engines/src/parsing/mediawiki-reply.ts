// Reads replies of any MediaWiki site: errors come as status 200 with an `error` member. An error code that isn't known
// to be temporary counts as a refusal.

import type { ProviderReply } from '../engine.ts'
import { UpstreamError } from '../upstream-error.ts'
import { jsonReply, record, word } from './json-reply.ts'
import { errorWithWait, waitOf } from './status-error.ts'

/** Codes that blame the query, rather than the caller or the server. */
const QUERY_FAULTS = new Set(['cirrussearch-query-too-long', 'cirrussearch-parse-error', 'no-such-entity'])

const OUT_OF_ORDER = new Set(['cirrussearch-backend-error', 'search-disabled', 'srsearch-disabled'])

const refusalOf = (code: string, wait: number): UpstreamError => {
  if (code === 'ratelimited') return errorWithWait('throttled', 'The provider asks us to slow down.', wait)
  if (code === 'maxlag' || code === 'readonly' || code.startsWith('internal_api_error') || OUT_OF_ORDER.has(code)) {
    return errorWithWait('unreachable', 'The provider is out of order.', wait)
  }
  return new UpstreamError('rejected', 'The provider refused the request.', { isQueryFault: QUERY_FAULTS.has(code) })
}

export const mediaWikiReply = (reply: ProviderReply, now: number): Readonly<Record<string, unknown>> => {
  const body = jsonReply(reply, { now })
  if (body['error'] !== undefined) {
    throw refusalOf(word(record(body['error'])['code']), waitOf(reply, now, Number.NaN))
  }
  return body
}
