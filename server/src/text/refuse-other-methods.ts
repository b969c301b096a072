// Answers 405 to a method that a path doesn't serve, in the API, the compatible APIs and the site alike. It is sent
// before the key or the body is read, so that a bad body doesn't hide it. The paths are in a router of their own, once
// each: as routes for every other method they were three quarters of all handlers, 3 MB and 60 ms of each start.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import createRouter from 'find-my-way'
import { Refusal } from '../errors.ts'

/** Of any other method, Fastify knows nothing: it gets a 404. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'])

interface ServedPath {
  path: string
  methods: readonly ('GET' | 'POST')[]
}

/** Sends the refusal in the form that the path's clients read. */
type ErrorHandler = (error: unknown, request: FastifyRequest, reply: FastifyReply) => unknown

interface ListedPath extends ServedPath {
  errorHandler: ErrorHandler
}

/** Finds paths as Fastify does, which has the same router. */
type Router = ReturnType<typeof createRouter>

/** The listed paths of each server, which its plugins share. */
const ROUTERS = new WeakMap<FastifyInstance['server'], Router>()

function getOrCreateRouter({ server }: FastifyInstance): Router {
  const router = ROUTERS.get(server) ?? createRouter({ ignoreTrailingSlash: true })
  ROUTERS.set(server, router)
  return router
}

/** Lists a path for `answerOtherMethods`. */
export function refuseOtherMethods(
  http: FastifyInstance,
  { path, methods }: ServedPath,
  { errorHandler = http.errorHandler }: { errorHandler?: ErrorHandler } = {},
): void {
  const listed: ListedPath = { path, methods, errorHandler }
  getOrCreateRouter(http).on('GET', path, () => undefined, listed)
}

/** Answers for the listed paths. Call it after every other `onRequest` hook is added, because those go first. */
export function answerOtherMethods(http: FastifyInstance): void {
  http.addHook('onRequest', (request, reply, done) => {
    const path = findRefusedPath(request, request.routeOptions.url)
    if (path) void refuse(path, request, reply)
    else done()
  })
}

/** The route of a request, also of one that is refused for its method. */
export function findRoute(request: FastifyRequest): string | undefined {
  // Fastify makes these options anew whenever they are read.
  const route = request.routeOptions.url
  return findRefusedPath(request, route)?.path ?? route
}

function findRefusedPath({ method, url, server }: FastifyRequest, route: string | undefined): ListedPath | undefined {
  // Only a path that no route has, or one with a parameter in this place, can be another path's other method.
  if (route !== undefined && !/[:*]/.test(route)) return undefined
  if (!METHODS.has(method)) return undefined
  // What `refuseOtherMethods` put there.
  const listed: ListedPath | undefined = getOrCreateRouter(server).find('GET', url)?.store
  return listed?.path === route ? undefined : listed
}

async function refuse(
  { methods, errorHandler }: ListedPath,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const allow = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ')
  const detail = `Method ${request.method} is not allowed here. Use ${methods.join(' or ')}.`
  try {
    await errorHandler(new Refusal('method_not_allowed', detail, { Allow: allow }), request, reply)
  } catch (error) {
    // Our own bug, for the handler of the server.
    reply.send(error)
  }
}
