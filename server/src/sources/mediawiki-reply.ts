// What every MediaWiki site has in common as a data source: errors come as status 200 with an `error` member. Most
// codes are [U]; whatever is not known to pass by itself is a refusal.
import type { EngineReply } from '../providers/engine.ts'
import { jsonReply, record, word } from '../providers/reading/json-reply.ts'
import { UpstreamError } from '../errors.ts'

/** Codes that say that what was asked for is at fault, and not who asked or who was asked. */
const QUERY_FAULTS = new Set(['cirrussearch-query-too-long', 'cirrussearch-parse-error', 'no-such-entity'])

const refusalOf = (code: string): UpstreamError => {
  if (code === 'ratelimited') return new UpstreamError('throttled', 'The provider asks us to slow down.')
  if (code === 'maxlag' || code === 'readonly' || code.startsWith('internal_api_error')) {
    return new UpstreamError('unreachable', 'The provider is out of order.')
  }
  return new UpstreamError('rejected', 'The provider refused the request.', { isQueryFault: QUERY_FAULTS.has(code) })
}

export const mediaWikiReply = (reply: EngineReply, now: number): Readonly<Record<string, unknown>> => {
  const body = jsonReply(reply, { now })
  if (body['error'] !== undefined) throw refusalOf(word(record(body['error'])['code']))
  return body
}
