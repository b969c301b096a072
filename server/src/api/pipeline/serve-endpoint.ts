// The order of every API request: authenticate → scope → site rules → (answer cache) → read → limits → validate → handle →
// reply.
//
// Parameters are read before the limits are checked, but errors in them are reported afterwards. That way a single
// round trip checks and updates all limits, monthly caps included; a request with a bad parameter counts against the
// rate limits but not as usage. A request is counted when the head of its 2xx reply is sent, which for a stream is its
// start. A request that fails before then is refunded to the monthly caps; a stream that fails later is not.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../../errors.ts'
import type { Scope } from '../../keys/scopes.ts'
import type { Log } from '../../log.ts'
import { describeAudience } from '../../search/caller.ts'
import { publicAddress } from '../../text/public-address.ts'
import type { Call, Endpoint } from '../endpoint.ts'
import type { Admit } from './admission.ts'
import { type AnswerCache, CacheableAnswer } from './answer-cache.ts'
import type { Authenticate } from './authenticate.ts'
import { requireScope } from './authenticate.ts'
import { EventReply, findStreamType } from './event-reply.ts'
import { createKeyCaller, type KeyCallerParts } from './key-caller.ts'
import { type ReadParams, readParams } from './read-params.ts'
import { sendJson, sendTagged } from './send-json.ts'

export type Reading<Params = Record<string, unknown>> = ReadParams<Params> | { ok: false; refusal: Refusal }

/** What every request with a key goes through. It is the same for the life of the process. */
export interface Pipeline extends KeyCallerParts {
  admit: Admit
  publicUrl: string
  log: Log
}

/** An endpoint of the API, or a compatible API's form of one. */
export interface RouteDefinition<Params> {
  /** The scope that the key needs; undefined: any valid key will do. */
  scope: Scope | undefined
  /** The name under which a request's usage is counted; undefined: it isn't counted. */
  countedAs: (params: Params) => string | undefined
  /** Whether `handle` can report its progress to a client. */
  streams?: boolean | undefined
  /** Called when a request begins. What it returns keeps the settings in force at that moment, even if they change. */
  begin: () => RequestSteps<Params>
}

export interface RequestSteps<Params> {
  /** Reads the parameters from the URL, or from the body of a POST, which has to be awaited. */
  read: (request: FastifyRequest) => Reading<Params> | Promise<Reading<Params>>
  handle: (call: Call<Params>) => unknown
}

interface HandlerParts<Params> {
  pipeline: Pipeline
  authenticate: Authenticate
  /** The cache for replies that can be sent again. */
  answers?: AnswerCache<Params> | undefined
  send: (reply: FastifyReply, body: unknown) => FastifyReply | Promise<FastifyReply>
  cacheControl: string
}

/** For replies that only the key that asked may see. */
export const PRIVATE_NO_STORE = 'private, no-store'

export function createRequestHandler<Params>(
  { scope, countedAs, streams, begin }: RouteDefinition<Params>,
  { pipeline, authenticate, answers, send, cacheControl }: HandlerParts<Params>,
) {
  const { admit, publicUrl, log } = pipeline
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { read, handle } = begin()
    reply.header('Cache-Control', cacheControl)
    const key = await authenticate(request)
    request.keyId = key.keyId
    requireScope(key, scope)

    const { accept = '*/*' } = request.headers
    const streamType = streams && accept !== '*/*' ? findStreamType(request.method, accept) : undefined
    let events: EventReply | undefined
    // Once the reply is a stream, its head is sent with the first event: headers that come later go into an event.
    const setHeader = (name: string, value: string): void => {
      if (events) events.setHeader(name, value)
      else reply.header(name, value)
    }
    const caller = createKeyCaller(key, pipeline, { isRelayed: isRelayed(request), setHeader })
    const answerKey = `${request.url} ${describeAudience(caller, await caller.findRules())}`
    const cached = streamType ? undefined : answers?.find(answerKey)
    const reading: Reading<Params> = cached
      ? { ok: true, params: cached.params, ignored: cached.ignored }
      : await read(request)
    const admission = await admit(
      key,
      reply,
      reading.ok && request.method !== 'HEAD' ? countedAs(reading.params) : undefined,
    )
    const { params, ignored } = requireValid(reading)
    if (ignored) reply.header('Ignored-Parameters', ignored)

    try {
      if (streamType) {
        events = new EventReply(reply, streamType, admission.count)
        const call = buildCall(request, publicUrl, { params, key, caller, admission, setHeader, events })
        return await sendEvents(events, () => handle(call), log)
      }
      if (cached) {
        reply.headers(cached.answer.headers)
        caller.onFound?.(cached.answer.addresses)
        await send(reply, cached.answer)
      } else {
        const answer = await handle(buildCall(request, publicUrl, { params, key, caller, admission, setHeader }))
        // A query that holds a secret must not be kept, and the answer's key has its URL.
        const isKept = answer instanceof CacheableAnswer && !reply.hasHeader('Query-Guard')
        if (isKept) answers?.keep(answerKey, { params, ignored, answer })
        await send(reply, answer)
      }
      admission.count()
      return reply
    } catch (error) {
      admission.giveBack()
      throw error
    }
  }
}

/** Throws what is wrong with the parameters. */
function requireValid<Params>(reading: Reading<Params>): Extract<Reading<Params>, { ok: true }> {
  if (reading.ok) return reading
  if ('refusal' in reading) throw reading.refusal
  throw new Refusal('parameter_invalid', reading.messages)
}

const buildCall = <Params>(
  request: FastifyRequest,
  publicUrl: string,
  own: Omit<Call<Params>, 'isHead' | 'client' | 'baseUrl'>,
): Call<Params> => ({
  ...own,
  isHead: request.method === 'HEAD',
  // Getters, because few endpoints need them.
  get client() {
    return { ip: request.ip }
  },
  get baseUrl() {
    return publicAddress(request, publicUrl)
  },
})

interface EndpointParts extends Pick<HandlerParts<Record<string, unknown>>, 'pipeline' | 'authenticate' | 'answers'> {
  /** The endpoint as the settings in force make it. */
  current: () => Endpoint
  read: (request: FastifyRequest, endpoint: Endpoint) => Reading | Promise<Reading>
}

/** `endpoint` is the one that was mounted: its scope and form are those of every later one of its name. */
export const createEndpointHandler = (endpoint: Endpoint, parts: EndpointParts) =>
  createRequestHandler(
    {
      scope: endpoint.scope,
      countedAs: () => (endpoint.counts ? endpoint.name : undefined),
      streams: endpoint.streams,
      begin() {
        const current = parts.current()
        return {
          read: (request) => parts.read(request, current),
          // The endpoint's own schema has parsed the parameters.
          handle: (call) => current.handle(call as never),
        }
      },
    },
    {
      ...parts,
      send: endpoint.isTagged ? sendTagged : sendJson,
      // A client may keep a tagged reply, but must revalidate it with a key before each use.
      cacheControl: endpoint.isTagged ? 'private, no-cache' : PRIVATE_NO_STORE,
    },
  )

/** Whether the client is another Bowerbird: it names itself in `Via`, where proxies add themselves, too. */
const isRelayed = ({ headers: { via } }: FastifyRequest): boolean =>
  via !== undefined && via.split(',').some((hop) => hop.trim() === '1.1 bowerbird')

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
