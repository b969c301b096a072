// Finds the key in a request to a compatible API. Programs that were written for other services cannot all send our own
// header, so a key is accepted in each of the headers that they do send: `Authorization` (as `Api-Key`, as `Bearer`, or
// as the password of `Basic`), `X-API-Key`, and the headers of Brave and Google. It is also accepted in the path, as in
// `/k/<key>/searxng/search`, if the operator allows that and the key has the scope for it, but never in the query string.
//
// A key in a path is removed from the URL before the request is routed, so that nothing that logs, counts or shows a
// URL can see it, whether or not the instance accepts such keys.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { Authenticate, CheckKey } from '../api/pipeline/authenticate.ts'
import { Refusal } from '../errors.ts'
import { URL_KEY_SCOPE } from '../keys/scopes.ts'
import type { VerifiedKey } from '../keys/verify-key.ts'

const pathKeys = new WeakMap<IncomingMessage, string>()

/** undefined: the request had no key in its path, or this instance doesn't accept them. */
export const pathKeyOf = (raw: IncomingMessage): string | undefined => pathKeys.get(raw)

const KEY_IN_PATH =
  /^\/k\/([^/?]{1,200})(\/(?:searxng|autocompleter|tavily|firecrawl|google|openwebui|tools|mcp)(?:[/?].*)?)$/
const BARE_SEARCH = /^\/search\/?(\?.*)$/
const PROGRAM_FORMAT = /[?&]format=(?:json|rss|csv)(?:&|$)/
/** Firecrawl's clients append these to an address without a path. AnythingLLM writes two slashes. */
const FIRECRAWL_AT_ROOT = /^\/{1,2}(?=v[12]\/)/
/** A route that answers 404. */
export const NOT_FOUND_PATH = '/k'

/**
 * Fastify calls the returned function before routing, to get the URL to route by. Removes a key from the path, and
 * routes SearXNG's own `/search?format=json` and Firecrawl's `/v2/search` to the compatible APIs, because some programs
 * drop the path of the address they are configured with. Almost all URLs stay as they are.
 */
export function createUrlRewriter(areUrlKeysOn: boolean): (raw: IncomingMessage) => string {
  return (raw) => {
    const url = raw.url ?? '/'
    if (url.startsWith('/k/')) return withoutKey(url, areUrlKeysOn ? raw : undefined)
    if (!url.startsWith('/search')) return url.replace(FIRECRAWL_AT_ROOT, '/firecrawl/')
    const query = BARE_SEARCH.exec(url)?.[1]
    return query !== undefined && PROGRAM_FORMAT.test(query) ? `/searxng/search${query}` : url
  }
}

function withoutKey(url: string, raw: IncomingMessage | undefined): string {
  const [, key, rest] = KEY_IN_PATH.exec(url) ?? []
  if (raw === undefined || key === undefined || rest === undefined) return NOT_FOUND_PATH
  pathKeys.set(raw, key)
  return rest
}

const TOKEN = /^(?:api-key|bearer) +(\S{1,200}) *$/i
const BASIC = /^basic +([a-z\d+/]{1,1000}={0,2}) *$/i
const MAX_KEY_LENGTH = 200
const BEARER_CHALLENGE = { 'WWW-Authenticate': 'Bearer' }

export const createCompatAuthenticate =
  (check: CheckKey): Authenticate =>
  (request) => {
    const pathKey = pathKeyOf(request.raw)
    if (pathKey === undefined) return check(presentedKey(request), request)
    const checked = check(pathKey, request)
    return checked instanceof Promise ? checked.then(requireUrlScope) : requireUrlScope(checked)
  }

/** Headers with nothing but a key: of many services, and of Google. */
const KEY_HEADERS = ['x-api-key', 'x-goog-api-key']

function findKeyHeader(headers: IncomingHttpHeaders): string | undefined {
  for (const name of KEY_HEADERS) {
    const value = headers[name]
    if (typeof value === 'string' && value !== '' && value.length <= MAX_KEY_LENGTH) return value.trim()
  }
  return undefined
}

function presentedKey({ headers }: FastifyRequest): string {
  const { authorization } = headers
  if (authorization === undefined) {
    const key = findKeyHeader(headers)
    if (key !== undefined) return key
    throw new Refusal(
      'key_missing',
      'Send your API key in this header: Authorization: Bearer <API_KEY>.',
      BEARER_CHALLENGE,
    )
  }
  const presented = TOKEN.exec(authorization)?.[1] ?? passwordOf(authorization)
  if (!presented)
    throw new Refusal(
      'key_malformed',
      'The Authorization header must have the form: Bearer <API_KEY>.',
      BEARER_CHALLENGE,
    )
  return presented
}

/** The password of Basic authentication. Any user name will do. */
function passwordOf(authorization: string): string | undefined {
  const encoded = BASIC.exec(authorization)?.[1]
  if (encoded === undefined) return undefined
  const pair = Buffer.from(encoded, 'base64').toString()
  const at = pair.indexOf(':')
  return at === -1 ? undefined : pair.slice(at + 1)
}

function requireUrlScope(key: VerifiedKey): VerifiedKey {
  if (key.scopes.has(URL_KEY_SCOPE)) return key
  throw new Refusal('key_in_url', "This API key can't be used in a URL. Send it in a header, or create a key for URLs.")
}
