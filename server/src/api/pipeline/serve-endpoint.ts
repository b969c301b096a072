// The order of every API request: authenticate → (answer cache) → throttle → validate → handle → reply.
//
// Parameters are read before the limits are checked, but errors in them are reported afterwards. That way a single
// round trip checks and updates all limits, monthly caps included; a request with a bad parameter counts against the
// rate limits but not as usage. A request is counted when the head of its 2xx reply is sent, which for a stream is its
// start. A failed request is taken back from the monthly caps.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../../errors.ts'
import type { Scope } from '../../keys/scopes.ts'
import type { VerifiedKey } from '../../keys/verify-key.ts'
import type { Log } from '../../log.ts'
import { type Caller, describeAudience } from '../../search/caller.ts'
import { publicAddress } from '../../text/public-address.ts'
import type { ApiServices } from '../api-services.ts'
import type { Call, Endpoint } from '../endpoint.ts'
import type { Admission } from './admission.ts'
import { type AnswerCache, CacheableAnswer } from './answer-cache.ts'
import type { Authenticate } from './authenticate.ts'
import { requireScope } from './authenticate.ts'
import { EventReply, streamTypeOf } from './event-reply.ts'
import { createKeyCaller } from './key-caller.ts'
import { type ReadParams, readParams } from './read-params.ts'
import { sendJson, sendTagged } from './send-json.ts'

export type Reading<Params = Record<string, unknown>> = ReadParams<Params> | { ok: false; refusal: Refusal }

/** An endpoint of the API, or a compatible API's form of one. */
export interface Served<Params> {
  /** The scope that the key needs; undefined: any valid key will do. */
  scope: Scope | undefined
  /** The name under which a request's usage is counted; undefined: it isn't counted. */
  countedAs: (params: Params) => string | undefined
  /** Whether `handle` can report its progress to a client. */
  streams?: boolean | undefined
  handle: (call: Call<Params>) => unknown
}

interface ServingParts<Params> {
  authenticate: Authenticate
  /** Where the parameters come from: the URL, or the body of a POST, which has to be awaited. */
  read: (request: FastifyRequest) => Reading<Params> | Promise<Reading<Params>>
  /** The cache for replies that can be sent again. */
  answers?: AnswerCache<Params> | undefined
  send: (reply: FastifyReply, body: unknown) => FastifyReply | Promise<FastifyReply>
  cacheControl: string
}

/** For replies that only the key that asked may see. */
export const PRIVATE_NO_STORE = 'private, no-store'

export const serveEndpoint = (
  endpoint: Endpoint,
  current: () => ApiServices,
  { authenticate, read, answers }: Pick<ServingParts<Record<string, unknown>>, 'authenticate' | 'read' | 'answers'>,
) =>
  serveRequest(
    {
      scope: endpoint.scope,
      countedAs: () => (endpoint.counts ? endpoint.name : undefined),
      streams: endpoint.streams,
      // The endpoint's own schema has parsed the parameters.
      handle: (call) => endpoint.handle(call as never),
    },
    current,
    {
      authenticate,
      read,
      answers,
      send: endpoint.isTagged ? sendTagged : sendJson,
      // A client may keep a tagged reply, but must revalidate it with a key before each use.
      cacheControl: endpoint.isTagged ? 'private, no-cache' : PRIVATE_NO_STORE,
    },
  )

export function serveRequest<Params>(
  { scope, countedAs, streams, handle }: Served<Params>,
  current: () => ApiServices,
  { authenticate, read: readRequest, answers, send, cacheControl }: ServingParts<Params>,
) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const services = current()
    reply.header('Cache-Control', cacheControl)
    const key = await authenticate(request)
    request.keyId = key.keyId
    requireScope(key, scope)

    const { accept = '*/*' } = request.headers
    const streamType = streams && request.method === 'GET' && accept !== '*/*' ? streamTypeOf(accept) : undefined
    let events: EventReply | undefined
    const setHeader = (name: string, value: string): void => {
      if (events) events.setHeader(name, value)
      else reply.header(name, value)
    }
    const caller = createKeyCaller(key, services, { isRelayed: isRelayed(request), setHeader })
    const answerKey = `${request.url} ${describeAudience(caller, await caller.findRules())}`
    const cached = streamType ? undefined : answers?.find(answerKey)
    const reading: Reading<Params> = cached ? { ok: true, ...cached } : await readRequest(request)
    const verdict = await services.admit(
      key,
      reply,
      reading.ok && request.method !== 'HEAD' ? countedAs(reading.params) : undefined,
    )
    if (!reading.ok) throw 'refusal' in reading ? reading.refusal : new Refusal('parameter_invalid', reading.messages)
    if (reading.ignored) reply.header('Ignored-Parameters', reading.ignored)

    try {
      if (cached) {
        reply.headers(cached.answer.headers)
        caller.onFound?.(cached.answer.addresses)
        await send(reply, cached.answer)
      } else {
        if (streamType) events = new EventReply(reply, streamType, verdict.count)
        const { params } = reading
        const call = new RequestCall({ request, services, caller, key, verdict, params, setHeader, events })
        if (events) return await sendEvents(events, () => handle(call), services.log)
        const answer = await handle(call)
        // An answer that is kept is found by its URL, which would keep the secret too.
        if (answer instanceof CacheableAnswer && !reply.hasHeader('Query-Guard'))
          answers?.keep(answerKey, { params, ignored: reading.ignored, answer })
        await send(reply, answer)
      }
      verdict.count()
      return reply
    } catch (error) {
      verdict.giveBack()
      throw error
    }
  }
}

/** Whether another Bowerbird asks: it says so in `Via`, to which proxies on the way add themselves. */
const isRelayed = ({ headers: { via } }: FastifyRequest): boolean =>
  via !== undefined && via.split(',').some((hop) => hop.trim() === '1.1 bowerbird')

interface CallParts<Params>
  extends Pick<Call<Params>, 'params' | 'key' | 'caller' | 'verdict' | 'services' | 'setHeader'> {
  request: FastifyRequest
  events: EventReply | undefined
}

/** Computes rarely used fields lazily. */
class RequestCall<Params> implements Call<Params> {
  readonly params: Params
  readonly key: VerifiedKey
  readonly caller: Caller
  readonly verdict: Admission
  readonly services: ApiServices
  readonly setHeader: Call<Params>['setHeader']
  readonly events: EventReply | undefined
  readonly #request: FastifyRequest

  constructor(parts: CallParts<Params>) {
    this.params = parts.params
    this.key = parts.key
    this.caller = parts.caller
    this.verdict = parts.verdict
    this.services = parts.services
    this.setHeader = parts.setHeader
    this.events = parts.events
    this.#request = parts.request
  }

  get baseUrl(): string {
    return publicAddress(this.#request, this.services.publicUrl)
  }

  get isHead(): boolean {
    return this.#request.method === 'HEAD'
  }

  get client(): Call<Params>['client'] {
    return { ip: this.#request.ip }
  }
}

async function sendEvents(events: EventReply, handle: () => unknown, log: Log) {
  try {
    events.done(await handle())
  } catch (error) {
    if (!events.hasStarted) throw error
    events.fail(error, log)
  }
  return events.reply
}

export const createUrlReader =
  ({ params }: Endpoint) =>
  (request: FastifyRequest): Reading =>
    // Fastify types the parsed query as unknown; its parser always gives an object.
    readParams(params, request.query as Record<string, unknown>)
