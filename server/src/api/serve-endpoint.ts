// The order of every API request: authenticate → throttle → validate → handle → reply.
//
// Parameters are read before the limits are asked and their mistakes told after, so that one round trip checks both
// limits, spends them and counts the usage; a bad parameter costs rate budget but no usage. A request that was counted
// and then fails is refunded.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { VerifiedKey } from '../keys/verify-key.ts'
import { Refusal } from '../errors.ts'
import { publicAddress } from '../text/public-address.ts'
import type { ApiServices } from './api-services.ts'
import type { Authenticate } from './authenticate.ts'
import { type Endpoint, RenderedJson } from './endpoint.ts'
import { type ReadParams, readParams } from './pipeline/read-params.ts'
import { limitsOf, rateLimit, rateLimitPolicy, refusalOf } from './pipeline/rate-limit.ts'

const ADDRESSES_REMEMBERED = 500

type Reading = ReadParams<Record<string, unknown>> | { ok: false; refusal: Refusal }

interface Serving {
  authenticate: Authenticate
  /** Where the parameters come from: the address, or the body of a POST, which has to be waited for. */
  read: (request: FastifyRequest) => Reading | Promise<Reading>
}

export function serveEndpoint(endpoint: Endpoint, services: ApiServices, { authenticate, read: readRequest }: Serving) {
  const { meter, limits: defaults } = services
  const defaultPolicy = rateLimitPolicy(defaults)

  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    // A warm key comes back at once: awaiting it would cost a turn of the event loop's queue for nothing.
    const verified = authenticate(request.headers.authorization, request.ip)
    const key = verified instanceof Promise ? await verified : verified
    request.keyId = key.keyId
    requireScope(key, endpoint)

    // The same as above: only a body is worth waiting for.
    const reading = readRequest(request)
    const read = reading instanceof Promise ? await reading : reading
    const limits = limitsOf(key, defaults)
    const verdict = await meter.spend({
      caller: key.keyId,
      limits,
      endpoint: endpoint.counts && read.ok ? endpoint.name : undefined,
    })
    reply.header('RateLimit-Policy', limits === defaults ? defaultPolicy : rateLimitPolicy(limits))
    reply.header('RateLimit', rateLimit(verdict))
    const refusal = refusalOf(verdict)
    if (refusal) throw refusal
    if (!read.ok) throw 'refusal' in read ? read.refusal : new Refusal(400, read.messages)

    try {
      const body = await endpoint.handle({
        params: read.params,
        key,
        verdict,
        services,
        baseUrl: publicAddress(request, services.publicUrl),
        client: { ip: request.ip, userAgent: request.headers['user-agent'] ?? '' },
        setHeader: (name, value) => void reply.header(name, value),
      })
      return reply
        .header('Content-Type', 'application/json; charset=utf-8')
        .send(body instanceof RenderedJson ? body.bytes : JSON.stringify(body))
    } catch (error) {
      verdict.refund()
      throw error
    }
  }
}

/** What was read from an address before is not read again: popular searches come in the same words. */
export function addressReader({ params, post }: Endpoint): (request: FastifyRequest) => Reading {
  // Fastify types the parsed query as unknown; its parser always gives an object.
  const readQuery = (request: FastifyRequest) => readParams(params, request.query as Record<string, unknown>)
  // What may as well be a long text is somebody's own, and seldom comes twice.
  if (post) return readQuery
  const known = new LRUCache<string, Reading>({ max: ADDRESSES_REMEMBERED })
  return (request) => {
    const address = request.raw.url ?? ''
    const remembered = known.get(address)
    if (remembered) return remembered
    const read = readQuery(request)
    known.set(address, read)
    return read
  }
}

function requireScope(key: VerifiedKey, { scope }: Endpoint): void {
  if (scope && !key.scopes.has(scope)) throw new Refusal(403, `This API key does not have the scope ${scope}.`)
}
