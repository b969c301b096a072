// Mounts a compatible API on the HTTP server. It translates a request of another service's API into one of our own
// searches, and the answer back. Keys, scopes, limits and usage are handled by the API's pipeline
// (`api/pipeline/serve-endpoint.ts`), so a request costs the same and is permitted the same either way.
import type { Tab } from '@bowerbird/engines/engine.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Call } from '../api/endpoint.ts'
import type { Authenticate } from '../api/pipeline/authenticate.ts'
import { type FieldsToRead, readFields } from '../api/pipeline/read-body.ts'
import type { ReadParams } from '../api/pipeline/read-params.ts'
import {
  createRequestHandler,
  type Pipeline,
  PRIVATE_NO_STORE,
  type Reading,
  type RequestSteps,
  type RouteDefinition,
} from '../api/pipeline/serve-endpoint.ts'
import type { InstantAnswers } from '../cards/instant-answers.ts'
import { type ErrorCode, fieldMessages, frameworkCode, Refusal, type RefusalBody } from '../errors.ts'
import type { Log } from '../log.ts'
import type { SearchRequest } from '../search/search-request.ts'
import { STATUS_CODES } from '../text/node-http.ts'
import { refuseOtherMethods } from '../text/refuse-other-methods.ts'
import { pathKeyOf } from './key-location.ts'

export interface CompatRoute<Params> extends Omit<RouteDefinition<Params>, 'begin'> {
  path: string
  methods: readonly ('GET' | 'POST')[]
  /** The parameters, and how long a body with them may be. */
  fields: FieldsToRead
  /** As for a route of our own; `read` is handed the `fields`. */
  begin: () => {
    read: (request: FastifyRequest, fields: FieldsToRead) => Reading<Params> | Promise<Reading<Params>>
    handle: RequestSteps<Params>['handle']
  }
  send: (reply: FastifyReply, body: unknown) => FastifyReply | Promise<FastifyReply>
  /** The body of an error, in the form that this API's clients read. */
  describeError: (error: CompatError) => unknown
  /** For an API whose clients read headers of its own; called before a reply is sent. */
  addHeaders?: (reply: FastifyReply) => void
  /** For an API whose clients expect another status than ours. */
  statusOf?: (refusal: Refusal) => number
}

/** What every compatible API is mounted with. */
export interface CompatFrame {
  http: FastifyInstance
  pipeline: Pipeline
  authenticate: Authenticate
}

export function mountCompatRoute<Params>(
  { http, pipeline, authenticate }: CompatFrame,
  route: CompatRoute<Params>,
): void {
  const { scope, fields, send, addHeaders, path: url } = route
  const begin = (): RequestSteps<Params> => {
    const { read, handle } = route.begin()
    return { read: (request) => read(request, fields), handle }
  }
  const serve = createRequestHandler(
    { ...route, begin },
    { pipeline, authenticate, send, cacheControl: PRIVATE_NO_STORE },
  )
  const onRequest = (request: FastifyRequest, reply: FastifyReply) => {
    hideReferrer(request, reply)
    return serve(request, reply)
  }
  const errorHandler = createErrorHandler(pipeline.log, route.describeError, route.statusOf)
  // Served before Fastify reads the body: we read it ourselves, and only for a valid key.
  const config = { surface: { access: 'key', scope, fields: fields.names } } as const
  const bodyLimit = fields.maxBytes
  const onSend = addHeaders && (async (_request: FastifyRequest, reply: FastifyReply) => addHeaders(reply))
  http.route({
    method: [...route.methods],
    url,
    onRequest,
    handler: onRequest,
    errorHandler,
    bodyLimit,
    config,
    ...(onSend && { onSend }),
  })
  refuseOtherMethods(http, route, { errorHandler })
}

/** A URL with a key in it must not leak through the Referer header. */
export function hideReferrer(request: FastifyRequest, reply: FastifyReply): void {
  if (pathKeyOf(request.raw) !== undefined) reply.header('Referrer-Policy', 'no-referrer')
}

export const createErrorHandler =
  (log: Log, describe: (error: CompatError) => unknown, statusOf?: (refusal: Refusal) => number) =>
  (thrown: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const ours = toCompatError(thrown, request, log)
    const error = statusOf && thrown instanceof Refusal ? { ...ours, status: statusOf(thrown) } : ours
    hideReferrer(request, reply)
    sendCompatError(reply.header('Cache-Control', PRIVATE_NO_STORE), error, describe(error))
  }

/** An error of a compatible API, which each API writes in the shape that its clients read. */
export interface CompatError {
  status: number
  sentence: string
  headers: Record<string, string>
}

export function toCompatError(error: unknown, request: FastifyRequest, log: Log): CompatError {
  if (error instanceof Refusal) {
    const headers = error.status === 401 ? { ...error.headers, 'WWW-Authenticate': 'Bearer' } : error.headers
    // The query has another name in each API.
    const body = error.code === 'secret_in_query' ? { detail: Object.values(error.body).flat().join(' ') } : error.body
    return { status: error.status, sentence: sentenceOf(body), headers }
  }
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
  if (status >= 400 && status < 500)
    return { status, sentence: 'The request could not be read.', headers: codeHeader(frameworkCode(status)) }
  log.error({ request: request.id, route: request.routeOptions.url, err: error })
  const sentence = `Internal server error, logged under request ID ${request.id}.`
  return { status: 500, sentence, headers: codeHeader('internal_error') }
}

const codeHeader = (code: ErrorCode) => ({ 'Error-Code': code })

/** Parameter errors become one line: `q: Send at most 500 characters.` */
export const sentenceOf = (body: RefusalBody): string =>
  typeof body.detail === 'string'
    ? body.detail
    : Object.entries(body)
        .map(([name, messages]) => `${name}: ${[messages].flat().join(' ')}`)
        .join(' ')

const PRINTABLE = /^[ -~]{1,200}$/

/** Puts the sentence into the reason phrase, because many clients show nothing else. */
export function sendCompatError(reply: FastifyReply, { status, sentence, headers }: CompatError, body: unknown): void {
  const reason = STATUS_CODES[status]
  if (reason && PRINTABLE.test(sentence)) reply.raw.statusMessage = `${reason}; ${sentence.replace(/\.$/, '')}`
  reply.code(status).headers(headers).type('application/json').send(JSON.stringify(body))
}

/** The API endpoint that a search is counted under: compatible APIs have no usage counts of their own. */
export const ENDPOINT_OF_TAB: Record<Tab, string> = {
  web: 'web_search',
  images: 'image_search',
  news: 'news_search',
  videos: 'video_search',
  science: 'science_search',
  code: 'code_search',
}

/**
 * The text of the instant answer to a query; '' if there is none or the key has no scope for it. If a source fails,
 * only the answer is missing, not the results. A personal answer would be about the client program, not its user, so it
 * is left out.
 */
export async function instantText(
  { key, caller, client }: Pick<Call<unknown>, 'key' | 'caller' | 'client'>,
  answers: InstantAnswers,
  { text, lang }: SearchRequest,
): Promise<string> {
  if (!key.scopes.has('answers')) return ''
  try {
    const found = await answers.answer(caller, { text, lang, client })
    return found && !found.isPersonal ? found.answer.text : ''
  } catch (error) {
    if (error instanceof Refusal) return ''
    throw error
  }
}

interface MissingPath extends Pick<CompatRoute<unknown>, 'path' | 'describeError'> {
  sentence?: string
  headers?: Record<string, string>
}

/** Answers 404 to every method on a path, in the shape of the API's errors. */
export function mountNotFound(
  { http, pipeline }: Pick<CompatFrame, 'http' | 'pipeline'>,
  { path, describeError, sentence = 'Not found. Check the URL.', headers = {} }: MissingPath,
): void {
  const refuse = async (): Promise<never> => {
    throw new Refusal('not_found', sentence, headers)
  }
  const config = { surface: { access: 'nobody' } } as const
  http.all(path, { onRequest: refuse, errorHandler: createErrorHandler(pipeline.log, describeError), config }, refuse)
}

/** Reads the members of a schema from a JSON or form body. */
export async function readBodyAs<Members extends z.ZodObject>(
  request: FastifyRequest,
  schema: Members,
  fields: FieldsToRead,
): Promise<Reading<z.output<Members>>> {
  const given = await readFields(request, fields)
  return given instanceof Refusal ? { ok: false, refusal: given } : readMembers(schema, given)
}

/** Validates the members of a JSON object. Returns the values, or all errors at once, keyed by member. */
export function readMembers<Members extends z.ZodObject>(
  schema: Members,
  given: Record<string, unknown>,
): ReadParams<z.output<Members>> {
  const read = schema.safeParse(given)
  return read.success ? { ok: true, params: read.data } : { ok: false, messages: fieldMessages(read.error) }
}
