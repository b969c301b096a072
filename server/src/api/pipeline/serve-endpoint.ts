// The order of every API request: authenticate → throttle → validate → handle → reply.
//
// Parameters are read before the limits are checked, but mistakes in them are reported afterwards. That way a single
// round trip checks both limits, spends them and counts the usage; a bad parameter costs rate limit but no usage. A
// request that was counted and then fails is refunded.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { Refusal } from '../../errors.ts'
import type { Scope } from '../../keys/scopes.ts'
import type { VerifiedKey } from '../../keys/verify-key.ts'
import type { ConsumeVerdict } from '../../limits/rate-limiter.ts'
import { publicAddress } from '../../text/public-address.ts'
import type { ApiServices } from '../api-services.ts'
import type { Call, Endpoint } from '../endpoint.ts'
import { RenderedJson } from '../rendered-json.ts'
import type { Authenticate } from './authenticate.ts'
import { EventReply, streamTypeOf } from './event-reply.ts'
import { type ReadParams, readParams } from './read-params.ts'
import { servicesFor } from './remember-found.ts'
import { requireScope } from './require-scope.ts'
import { sendJson, sendTagged } from './send-json.ts'

const MOST_KNOWN_URLS = 500

export type Reading<Params = Record<string, unknown>> = ReadParams<Params> | { ok: false; refusal: Refusal }

/** What is served: an endpoint of the API, or what a door makes of one. */
export interface Served<Params> {
  /** What the key must be allowed to do; undefined: any valid key will do. */
  scope: Scope | undefined
  /** The name under which a request's usage is counted; undefined if it does not count. */
  countedAs: (params: Params) => string | undefined
  /** Whether `handle` can tell a client what it knows so far. */
  streams?: boolean | undefined
  handle: (call: Call<Params>) => unknown
}

interface Serving<Params> {
  authenticate: Authenticate
  /** Where the parameters come from: the URL, or the body of a POST, which has to be awaited. */
  read: (request: FastifyRequest) => Reading<Params> | Promise<Reading<Params>>
  send: (reply: FastifyReply, body: unknown) => FastifyReply | Promise<FastifyReply>
  cacheControl: string
}

type ReadRequest = Serving<Record<string, unknown>>['read']

/** What a key gets is for nobody else. */
export const FOR_NOBODY_ELSE = 'private, no-store'

export const serveEndpoint = (
  endpoint: Endpoint,
  services: ApiServices,
  { authenticate, read }: { authenticate: Authenticate; read: ReadRequest },
) =>
  serveRequest(
    {
      scope: endpoint.scope,
      countedAs: (params) => (isCounted(endpoint, params) ? endpoint.name : undefined),
      streams: endpoint.streams,
      // Its own schema has read the parameters.
      handle: (call) => endpoint.handle(call as never),
    },
    services,
    {
      authenticate,
      read,
      send: endpoint.isTagged ? (reply, body) => sendTagged(reply, new RenderedJson(body)) : sendJson,
      // A tagged reply may be kept, but not used again before we were asked with a key.
      cacheControl: endpoint.isTagged ? 'private, no-cache' : FOR_NOBODY_ELSE,
    },
  )

export function serveRequest<Params>(
  { scope, countedAs, streams, handle }: Served<Params>,
  services: ApiServices,
  { authenticate, read: readRequest, send, cacheControl }: Serving<Params>,
) {
  const { admit } = services
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    reply.header('Cache-Control', cacheControl)
    // A cached key is returned synchronously: awaiting it would cost a microtask for nothing.
    const verified = authenticate(request)
    const key = verified instanceof Promise ? await verified : verified
    request.keyId = key.keyId
    requireScope(key, scope)

    // As above: only a body has to be awaited.
    const reading = readRequest(request)
    const read = reading instanceof Promise ? await reading : reading
    const verdict = await admit(key, reply, read.ok && request.method !== 'HEAD' ? countedAs(read.params) : undefined)
    if (!read.ok) throw 'refusal' in read ? read.refusal : new Refusal(400, read.messages)

    try {
      const parts = { request, reply, services: servicesFor(key, services), key, verdict, params: read.params }
      const streamType = streams && request.method === 'GET' ? streamTypeOf(request.headers.accept) : undefined
      if (streamType) return await sendEvents(new EventReply(reply, streamType), parts, handle)
      const body = await handle(new RequestCall(parts))
      const sending = send(reply, body)
      if (sending instanceof Promise) await sending
      return reply
    } catch (error) {
      verdict.refund()
      throw error
    }
  }
}

interface CallParts<Params> extends Pick<Call<Params>, 'params' | 'key' | 'verdict' | 'services'> {
  request: FastifyRequest
  reply: FastifyReply
}

/** Finds out only when asked what few endpoints want to know. */
class RequestCall<Params> implements Call<Params> {
  readonly params: Params
  readonly key: VerifiedKey
  readonly verdict: ConsumeVerdict
  readonly services: ApiServices
  readonly setHeader: Call<Params>['setHeader']
  readonly events: EventReply | undefined
  readonly #request: FastifyRequest

  constructor({ request, reply, services, key, verdict, params }: CallParts<Params>, events?: EventReply) {
    this.params = params
    this.key = key
    this.verdict = verdict
    this.services = services
    this.setHeader = events?.setHeader ?? ((name, value) => void reply.header(name, value))
    this.events = events
    this.#request = request
  }

  get baseUrl(): string {
    return publicAddress(this.#request, this.services.publicUrl)
  }

  get isHead(): boolean {
    return this.#request.method === 'HEAD'
  }

  get client(): Call<Params>['client'] {
    return { ip: this.#request.ip, userAgent: this.#request.headers['user-agent'] ?? '' }
  }
}

async function sendEvents<Params>(events: EventReply, parts: CallParts<Params>, handle: Served<Params>['handle']) {
  try {
    events.done(await handle(new RequestCall(parts, events)))
  } catch (error) {
    if (!events.hasStarted) throw error
    // Whoever leaves has had what there was.
    if (!events.signal.aborted) parts.verdict.refund()
    events.fail(error, parts.services.log)
  }
  return events.reply
}

export function addressReader({ params, post }: Endpoint): ReadRequest {
  // Fastify types the parsed query as unknown; its parser always gives an object.
  const read = (request: FastifyRequest): Reading => readParams(params, request.query as Record<string, unknown>)
  // What may also be sent as a long text is the caller's own, and seldom comes twice.
  if (post) return read
  // Validation is a twentieth of a cached search, and depends on nothing but the URL.
  const known = new LRUCache<string, Reading>({ max: MOST_KNOWN_URLS })
  return (request) => {
    const url = request.raw.url ?? ''
    const before = known.get(url)
    if (before) return before
    const now = read(request)
    known.set(url, now)
    return now
  }
}

const isCounted = ({ counts }: Endpoint, params: Record<string, unknown>): boolean =>
  typeof counts === 'boolean' ? counts : counts(params)
