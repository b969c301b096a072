// What all MediaWiki sites share: they refuse clients that do not identify themselves, and their errors are HTTP 200.
import type { ProviderReply, ProviderRequest } from './provider.ts'

/** Default names of libraries, and those of browsers, which programs must not use. */
const NAMELESS_AGENT = /^(?:node|undici|axios|got|curl|wget|python|go-http|java|okhttp|mozilla)\b/i

export const mediaWikiError = (code: string, info: string): ProviderReply => ({
  status: 200,
  headers: { 'mediawiki-api-error': code },
  json: { error: { code, info, docref: 'See /w/api.php for API usage.' }, servedby: 'mw-api.sandbox' },
})

const plain = (status: number, text: string, headers: Record<string, string> = {}): ProviderReply => ({
  status,
  headers,
  text,
  contentType: 'text/plain; charset=utf-8',
})

/** Refusals before the request reaches the wiki. */
export function mediaWikiGate({ headers }: ProviderRequest): ProviderReply | undefined {
  const agent = headers['user-agent'] ?? ''
  if (agent !== '' && !NAMELESS_AGENT.test(agent)) return undefined
  return plain(403, 'Please set a user-agent and respect our robot policy.')
}

export const mediaWikiFailures = {
  badKey: () => plain(403, 'Please set a user-agent and respect our robot policy.'),
  throttled: (_now: number, retryAfterSeconds: number) =>
    plain(429, 'You are making too many requests to the API.', { 'retry-after': String(retryAfterSeconds) }),
  failure: (_now: number, status: number) => plain(status, 'Wikimedia Error'),
}
