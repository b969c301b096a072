// The one HTTP server: what is true of every request whatever its door. Every answer has a request id, every error is
// JSON with a `detail`, and none of them says more than its reader may know.
import { randomUUID, timingSafeEqual } from 'node:crypto'
import type { Socket } from 'node:net'
import { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify'
import { mountApi } from './api/api-router.ts'
import type { ApiServices } from './api/api-services.ts'
import { Refusal } from './errors.ts'
import type { Metrics } from './metrics.ts'
import { recordRequests } from './request-log.ts'
import { mountSite } from './site/site-router.ts'
import type { SiteServices } from './site/site-services.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Whose request it is, once that is known; for the log. */
    keyId: string | undefined
  }
}

export interface HttpParts {
  api: ApiServices
  /** undefined: the API alone. */
  site?: Omit<SiteServices, 'openapi'> | undefined
  metrics: Metrics
  metricsToken: string | undefined
  trustedProxies: string[]
  /** Whether the instance takes new work: false while it drains. */
  isReady: () => boolean
}

const BODY_LIMIT_BYTES = 256 * 1024
const HEADERS_TIMEOUT_MS = 10_000

export function createHttp(parts: HttpParts): FastifyInstance {
  const { api, metrics } = parts
  const http = fastify({
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: HEADERS_TIMEOUT_MS,
    trustProxy: parts.trustedProxies.length > 0 ? parts.trustedProxies : false,
    // An id of the client's own could carry anything into the log.
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    logger: false,
    routerOptions: { ignoreTrailingSlash: true },
    frameworkErrors: (error, request, reply) => void sendError(error, { request, reply, log: api.log }),
    clientErrorHandler: (_error, socket) =>
      refuseConnection(socket, '400 Bad Request', 'The request is not well-formed HTTP.'),
    http: { requireHostHeader: false },
  })
  http.decorateRequest('keyId', undefined)
  http.addHook('onRequest', (request, reply, done) => {
    reply.header('X-Request-Id', request.id)
    // Node's own refusal has no body, so it is switched off above.
    if (request.headers.host === undefined && request.raw.httpVersion === '1.1')
      done(new Refusal(400, 'Send a Host header.'))
    else done()
  })
  http.setErrorHandler((error: FastifyError, request, reply) => sendError(error, { request, reply, log: api.log }))
  answerWhatNodeWouldNot(http)
  recordRequests(http, api.log, metrics)
  const openapi = mountApi(http, api)
  const site = parts.site && mountSite(http, { ...parts.site, openapi })
  http.setNotFoundHandler((request, reply) =>
    site && isForAPerson(request)
      ? site.notFound(request, reply)
      : reply.code(404).send({ detail: 'There is nothing at this address.' }),
  )
  mountOperations(http, parts)
  return http
}

/** Programs are answered in JSON wherever they go astray; browsers ask for pages. */
const isForAPerson = ({ url, headers }: FastifyRequest): boolean =>
  !/^\/api(?:[/?]|$)/.test(url) && (headers.accept ?? '').includes('text/html')

function mountOperations(http: FastifyInstance, { metrics, metricsToken, isReady }: HttpParts): void {
  http.get('/livez', () => ({ status: 'ok' }))
  http.get('/readyz', (_request, reply) =>
    reply.code(isReady() ? 200 : 503).send({ status: isReady() ? 'ok' : 'draining' }),
  )
  if (metricsToken === undefined) return
  const expected = Buffer.from(`Bearer ${metricsToken}`)
  http.get('/metrics', async (request, reply) => {
    const given = Buffer.from(request.headers.authorization ?? '')
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
      throw new Refusal(401, 'Send the metrics token: Authorization: Bearer <METRICS_TOKEN>.', {
        'WWW-Authenticate': 'Bearer',
      })
    }
    return reply.type(metrics.contentType).send(await metrics.text())
  })
}

interface ErrorContext {
  request: FastifyRequest
  reply: FastifyReply
  log: ApiServices['log']
}

function sendError(error: Error, { request, reply, log }: ErrorContext): FastifyReply {
  if (error instanceof Refusal) return reply.code(error.status).headers(error.headers).send(error.body)
  const status = 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : 500
  if (status < 500)
    return reply.code(status).send({ detail: CLIENT_ERRORS[status] ?? 'The request could not be read.' })
  log.error({ request: request.id, route: request.routeOptions.url, err: error })
  return reply.code(500).send({ detail: `Something went wrong here. It is logged as request ${request.id}.` })
}

const CLIENT_ERRORS: Record<number, string> = {
  413: 'The request body is too large.',
  414: 'The address is too long.',
  415: 'This content type is not understood here.',
}

/** What Node would answer without a body, or not at all. */
function answerWhatNodeWouldNot(http: FastifyInstance): void {
  // An expectation that nobody knows may be ignored.
  http.server.on('checkExpectation', (request, response) => http.routing(request, response))
  http.server.on('connect', (_request, socket: Socket) =>
    refuseConnection(socket, '405 Method Not Allowed', 'Method CONNECT is not allowed here.'),
  )
}

function refuseConnection(socket: Socket, status: string, detail: string): void {
  if (!socket.writable) return
  const body = JSON.stringify({ detail })
  const headers = [
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${body.length}`,
    'Connection: close',
  ]
  socket.end([`HTTP/1.1 ${status}`, ...headers, '', body].join('\r\n'))
}
