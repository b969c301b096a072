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
import type { Call, Endpoint } from '../endpoint.ts'
import type { Admission, Admit } from './admission.ts'
import { type AnswerCache, CacheableAnswer } from './answer-cache.ts'
import type { Authenticate } from './authenticate.ts'
import { requireScope } from './authenticate.ts'
import { EventReply, streamTypeOf } from './event-reply.ts'
import { createKeyCaller, type KeyCallerParts } from './key-caller.ts'
import { type ReadParams, readParams } from './read-params.ts'
import { sendJson, sendTagged } from './send-json.ts'

export type Reading<Params = Record<string, unknown>> = ReadParams<Params> | { ok: false; refusal: Refusal }

/** What every request with a key goes through. No setting that can change while the instance runs changes it. */
export interface Pipeline extends KeyCallerParts {
  admit: Admit
  publicUrl: string
  log: Log
}

/** An endpoint of the API, or a compatible API's form of one. */
export interface Served<Params, Current> {
  /** The scope that the key needs; undefined: any valid key will do. */
  scope: Scope | undefined
  /** The name under which a request's usage is counted; undefined: it isn't counted. */
  countedAs: (params: Params) => string | undefined
  /** Whether `handle` can report its progress to a client. */
  streams?: boolean | undefined
  /** What it uses that changes with the settings, if anything does: a request takes it when it begins. */
  current: () => Current
  /** Where the parameters come from: the URL, or the body of a POST, which has to be awaited. */
  read: (request: FastifyRequest, current: Current) => Reading<Params> | Promise<Reading<Params>>
  handle: (call: Call<Params>, current: Current) => unknown
}

interface ServingParts<Params> {
  pipeline: Pipeline
  authenticate: Authenticate
  /** The cache for replies that can be sent again. */
  answers?: AnswerCache<Params> | undefined
  send: (reply: FastifyReply, body: unknown) => FastifyReply | Promise<FastifyReply>
  cacheControl: string
}

/** For replies that only the key that asked may see. */
export const PRIVATE_NO_STORE = 'private, no-store'

type EndpointParts = Pick<ServingParts<Record<string, unknown>>, 'pipeline' | 'authenticate' | 'answers'> &
  Pick<Served<Record<string, unknown>, Endpoint>, 'current' | 'read'>

/** The parameters and `handle` of a request are those of `current`; the rest is as it was `mounted`. */
export const serveEndpoint = (mounted: Endpoint, { pipeline, authenticate, answers, current, read }: EndpointParts) =>
  serveRequest(
    {
      scope: mounted.scope,
      countedAs: () => (mounted.counts ? mounted.name : undefined),
      streams: mounted.streams,
      current,
      read,
      // The endpoint's own schema has parsed the parameters.
      handle: (call, endpoint) => endpoint.handle(call as never),
    },
    {
      pipeline,
      authenticate,
      answers,
      send: mounted.isTagged ? sendTagged : sendJson,
      // A client may keep a tagged reply, but must revalidate it with a key before each use.
      cacheControl: mounted.isTagged ? 'private, no-cache' : PRIVATE_NO_STORE,
    },
  )

export function serveRequest<Params, Current>(
  { scope, countedAs, streams, current: takeCurrent, read, handle }: Served<Params, Current>,
  { pipeline, authenticate, answers, send, cacheControl }: ServingParts<Params>,
) {
  const { admit, publicUrl, log } = pipeline
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const current = takeCurrent()
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
    const caller = createKeyCaller(key, pipeline, { isRelayed: isRelayed(request), setHeader })
    const answerKey = `${request.url} ${describeAudience(caller, await caller.findRules())}`
    const cached = streamType ? undefined : answers?.find(answerKey)
    const reading: Reading<Params> = cached ? { ok: true, ...cached } : await read(request, current)
    const verdict = await admit(
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
        const call = new RequestCall({ request, publicUrl, caller, key, verdict, params, setHeader, events })
        if (events) return await sendEvents(events, () => handle(call, current), log)
        const answer = await handle(call, current)
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

interface CallParts<Params> extends Pick<Call<Params>, 'params' | 'key' | 'caller' | 'verdict' | 'setHeader'> {
  request: FastifyRequest
  publicUrl: string
  events: EventReply | undefined
}

/** Computes rarely used fields lazily. */
class RequestCall<Params> implements Call<Params> {
  readonly params: Params
  readonly key: VerifiedKey
  readonly caller: Caller
  readonly verdict: Admission
  readonly setHeader: Call<Params>['setHeader']
  readonly events: EventReply | undefined
  readonly #request: FastifyRequest
  readonly #publicUrl: string

  constructor(parts: CallParts<Params>) {
    this.params = parts.params
    this.key = parts.key
    this.caller = parts.caller
    this.verdict = parts.verdict
    this.setHeader = parts.setHeader
    this.events = parts.events
    this.#request = parts.request
    this.#publicUrl = parts.publicUrl
  }

  get baseUrl(): string {
    return publicAddress(this.#request, this.#publicUrl)
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

/** Reads the parameters of a GET. */
export const readUrl = (request: FastifyRequest, { params }: Endpoint): Reading =>
  // Fastify types the parsed query as unknown; its parser always gives an object.
  readParams(params, request.query as Record<string, unknown>)
