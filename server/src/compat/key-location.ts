// Finds the key in a request to a compatible API. Programs that were written for other services cannot all send our own
// header, so a key is accepted in each of the headers that they have: `Authorization: Api-Key`, `Authorization: Bearer`,
// the password of `Authorization: Basic`, and `X-API-Key`; and in the path, `/k/<key>/searxng/search`, if the operator
// allows it and the key has the scope for it. Never in the query string.
//
// A key in a path is removed from the URL before the request is routed, so that nothing that logs, counts or shows a URL
// can see it, whether or not the instance accepts such keys.
import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { Authenticate, CheckKey } from '../api/pipeline/authenticate.ts'
import { Refusal } from '../errors.ts'
import type { KeyLocation } from '../keys/last-requests.ts'
import { URL_KEY_SCOPE } from '../keys/scopes.ts'
import type { VerifiedKey } from '../keys/verify-key.ts'

const keys = new WeakMap<IncomingMessage, string>()

/** undefined: the request had no key in its path, or this instance doesn't accept them. */
export const pathKeyOf = (raw: IncomingMessage): string | undefined => keys.get(raw)

const IN_PATH = /^\/k\/([^/?]{1,200})(\/(?:searxng|tavily|openwebui|tools|mcp)(?:[/?].*)?)$/
const BARE_SEARCH = /^\/search\/?(\?.*)$/
const FOR_A_PROGRAM = /[?&]format=(?:json|rss|csv)(?:&|$)/
/** A route that answers 404. */
export const NOT_FOUND_PATH = '/k'

/**
 * Fastify calls the returned function before routing, to get the URL to route by. Removes a key from the path, and routes
 * SearXNG's own `/search?format=json` to the SearXNG-compatible API, because some programs drop every path from the
 * address they were given. Almost all URLs stay as they are.
 */
export function createUrlRewriter(arePathKeysOn: boolean): (raw: IncomingMessage) => string {
  return (raw) => {
    const url = raw.url ?? '/'
    if (url.startsWith('/k/')) return withoutKey(url, arePathKeysOn ? raw : undefined)
    if (!url.startsWith('/search')) return url
    const query = BARE_SEARCH.exec(url)?.[1]
    return query !== undefined && FOR_A_PROGRAM.test(query) ? `/searxng/search${query}` : url
  }
}

function withoutKey(url: string, raw: IncomingMessage | undefined): string {
  const [, key, rest] = IN_PATH.exec(url) ?? []
  if (raw === undefined || key === undefined || rest === undefined) return NOT_FOUND_PATH
  keys.set(raw, key)
  return rest
}

const TOKEN = /^(?:api-key|bearer) +(\S{1,200}) *$/i
const BASIC = /^basic +([a-z\d+/]{1,1000}={0,2}) *$/i
const LONGEST_KEY = 200

export const createCompatAuthenticate =
  (check: CheckKey): Authenticate =>
  (request) => {
    const inPath = pathKeyOf(request.raw)
    if (inPath === undefined) return check(presentedKey(request), request)
    const checked = check(inPath, request)
    return checked instanceof Promise ? checked.then(requireUrlScope) : requireUrlScope(checked)
  }

/** The key location of a request whose key was accepted. */
export function keyLocationOf({ raw, headers: { authorization } }: FastifyRequest): KeyLocation {
  if (pathKeyOf(raw) !== undefined) return 'URL'
  if (authorization === undefined) return 'X-API-Key'
  const scheme = authorization.slice(0, authorization.indexOf(' ')).toLowerCase()
  return scheme === 'bearer' ? 'Bearer' : scheme === 'basic' ? 'Basic' : 'Api-Key'
}

function presentedKey({ headers }: FastifyRequest): string {
  const { authorization, 'x-api-key': own } = headers
  if (authorization === undefined) {
    if (typeof own === 'string' && own !== '' && own.length <= LONGEST_KEY) return own.trim()
    throw unauthorized('Send your API key in this header: Authorization: Bearer <API_KEY>.')
  }
  const presented = TOKEN.exec(authorization)?.[1] ?? passwordOf(authorization)
  if (!presented) throw unauthorized('The Authorization header must have the form: Bearer <API_KEY>.')
  return presented
}

/** Any user name will do. */
function passwordOf(authorization: string): string | undefined {
  const encoded = BASIC.exec(authorization)?.[1]
  if (encoded === undefined) return undefined
  const pair = Buffer.from(encoded, 'base64').toString()
  const at = pair.indexOf(':')
  return at === -1 ? undefined : pair.slice(at + 1)
}

function requireUrlScope(key: VerifiedKey): VerifiedKey {
  if (key.scopes.has(URL_KEY_SCOPE)) return key
  throw new Refusal(403, 'This API key may not stand in a URL. Create one for that, or send it in a header.')
}

const unauthorized = (detail: string): Refusal => new Refusal(401, detail, { 'WWW-Authenticate': 'Bearer' })
