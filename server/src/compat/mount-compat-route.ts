// Mounts a compatible API on the HTTP server. It translates a request of another service's API into one of our own
// searches, and the answer back. Key, scope, limits and usage are the API's (`api/pipeline/serve-endpoint.ts`), so that
// a request costs the same and may do the same either way.
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import type { ApiServices } from '../api/api-services.ts'
import type { Authenticate } from '../api/pipeline/authenticate.ts'
import { FOR_NOBODY_ELSE, type Reading, type Served, serveRequest } from '../api/pipeline/serve-endpoint.ts'
import { Refusal } from '../errors.ts'
import { pathKeyOf } from './auth/path-key.ts'
import { type DoorError, sendDoorError, toDoorError } from './compat-error.ts'

export interface Door<Params> extends Served<Params> {
  path: string
  methods: readonly ('GET' | 'POST')[]
  read: (request: FastifyRequest) => Reading<Params> | Promise<Reading<Params>>
  send: (reply: FastifyReply, body: unknown) => FastifyReply | Promise<FastifyReply>
  /** The body of an error, in the form that this API's clients read. */
  describeError: (error: DoorError) => unknown
}

export interface DoorFrame {
  http: FastifyInstance
  services: ApiServices
  authenticate: Authenticate
}

export function mountDoor<Params>({ http, services, authenticate }: DoorFrame, door: Door<Params>): void {
  const { read, send, path: url } = door
  const serve = serveRequest(door, services, { authenticate, read, send, cacheControl: FOR_NOBODY_ELSE })
  const onRequest = (request: FastifyRequest, reply: FastifyReply) => {
    hideReferrer(request, reply)
    return serve(request, reply)
  }
  const errorHandler = createErrorHandler(services, door.describeError)
  // Served before Fastify reads the body: we read it ourselves, and only for a valid key.
  http.route({ method: [...door.methods], url, onRequest, handler: onRequest, errorHandler })
  refuseOtherMethods(http, door, errorHandler)
}

/** A URL with a key in it must not leak through the Referer header. */
export function hideReferrer(request: FastifyRequest, reply: FastifyReply): void {
  if (pathKeyOf(request.raw) !== undefined) reply.header('Referrer-Policy', 'no-referrer')
}

export const createErrorHandler =
  ({ log }: ApiServices, describe: (error: DoorError) => unknown) =>
  (thrown: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const error = toDoorError(thrown, request, log)
    hideReferrer(request, reply)
    sendDoorError(reply.header('Cache-Control', FOR_NOBODY_ELSE), error, describe(error))
  }

const METHODS: readonly HTTPMethods[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']

interface Methods {
  path: string
  methods: readonly ('GET' | 'POST')[]
}

/** Refuses before the key or the body is read. */
export function refuseOtherMethods(
  http: FastifyInstance,
  { path, methods }: Methods,
  errorHandler: ReturnType<typeof createErrorHandler>,
): void {
  const allow = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ')
  const refuse = async ({ method }: FastifyRequest): Promise<never> => {
    throw new Refusal(405, `Method ${method} is not allowed here. Use ${methods.join(' or ')}.`, { Allow: allow })
  }
  const others = METHODS.filter((method) => !methods.some((known) => known === method))
  http.route({
    method: [...others],
    url: path,
    exposeHeadRoute: false,
    onRequest: refuse,
    handler: refuse,
    errorHandler,
  })
}
