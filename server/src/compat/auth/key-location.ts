// Finds the caller's key in a request to a compatible API. Programs that were written for other services cannot all
// send our own header, so a key is accepted in each of the headers that they have: `Authorization: Api-Key`,
// `Authorization: Bearer`, the password of `Authorization: Basic`, and `X-API-Key`; and in the path, if the operator
// allows it and the key is marked for it. Never in the query string.
import type { FastifyRequest } from 'fastify'
import type { Authenticate, CheckKey } from '../../api/pipeline/authenticate.ts'
import { Refusal } from '../../errors.ts'
import type { KeyCarrier } from '../../keys/last-requests.ts'
import { URL_KEY_SCOPE } from '../../keys/scopes.ts'
import type { VerifiedKey } from '../../keys/verify-key.ts'
import { pathKeyOf } from './path-key.ts'

const TOKEN = /^(?:api-key|bearer) +(\S{1,200}) *$/i
const BASIC = /^basic +([a-z\d+/]{1,1000}={0,2}) *$/i
const LONGEST_KEY = 200

export const createDoorAuthenticate =
  (check: CheckKey): Authenticate =>
  (request) => {
    const inPath = pathKeyOf(request.raw)
    if (inPath === undefined) return check(presentedKey(request), request)
    const checked = check(inPath, request)
    return checked instanceof Promise ? checked.then(requireMark) : requireMark(checked)
  }

/** The key location of a request whose key was accepted. */
export function carrierOf({ raw, headers: { authorization } }: FastifyRequest): KeyCarrier {
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

function requireMark(key: VerifiedKey): VerifiedKey {
  if (key.scopes.has(URL_KEY_SCOPE)) return key
  throw new Refusal(403, 'This API key may not stand in a URL. Create one for that, or send it in a header.')
}

const unauthorized = (detail: string): Refusal => new Refusal(401, detail, { 'WWW-Authenticate': 'Bearer' })
