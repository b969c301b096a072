// The HTTP server, and what applies to every request, API or website. Every response has a request id, every error is
// JSON with a `detail`, and no error reveals more than its reader may know.
import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify'
import { mountApi } from '../api/api-router.ts'
import type { ApiServices } from '../api/api-services.ts'
import { createKeyCheck } from '../api/pipeline/authenticate.ts'
import { mountCompatApis } from '../compat/compat-router.ts'
import { createUrlRewriter } from '../compat/key-location.ts'
import { sentenceOf } from '../compat/mount-compat-route.ts'
import { Refusal } from '../errors.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { RedisStates } from '../redis/redis-availability.ts'
import { mountSite } from '../site/site-router.ts'
import type { SiteServices } from '../site/site-services.ts'
import { hasTooManyParams, MOST_PARAMS, parseQueryParams } from '../text/query-params.ts'
import { OPERATIONS, recordRequests } from './access-log.ts'
import { setCommonHeaders } from './common-headers.ts'
import { ADDRESS_TOO_LONG, answerUnreadable, refuseConnection } from './malformed-requests.ts'
import { createMetricsGuard, TOKEN_HINT } from './metrics-listener.ts'
import { readinessOf } from './readiness.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller's key, once known; for the log. */
    keyId: string | undefined
  }
}

export interface HttpParts {
  api: ApiServices
  /** undefined: serve only the API. */
  site?: Omit<SiteServices, 'openapi'> | undefined
  metrics: Metrics
  metricsToken: string | undefined
  trustedProxies: string[]
  /** undefined: accept any host name. */
  isAllowedHost?: ((host: string) => boolean) | undefined
  /** Whether keys that allow it may be sent in the URL path. */
  arePathKeysOn?: boolean | undefined
  /** False while the instance drains. */
  isReady: () => boolean
  /** How long a connection with a request in flight may be silent. */
  silenceMs?: number
  /** Dependencies that are currently unavailable; the node still serves. */
  missing?: () => string[]
  /** For `/readyz?verbose`. */
  redisStates?: () => RedisStates
}

const BODY_LIMIT_BYTES = 256 * 1024
/** For a request's headers to arrive. */
const HEADERS_TIMEOUT_MS = 10_000
/** For the whole request to arrive, including its body. */
const REQUEST_TIMEOUT_MS = 30_000
/** How often Node checks these timeouts. */
const CHECK_EVERY_MS = 2_000
/** The default: closes a connection whose client doesn't read its response. */
const SILENCE_MS = 30_000

const noSchema = () => {
  throw new Error('A route has a schema for Fastify. Endpoints check their own parameters.')
}
/** No route has a schema, and Fastify's two schema compilers take megabytes. */
const WITHOUT_SCHEMAS = { compilersFactory: { buildValidator: noSchema, buildSerializer: noSchema } }

export function createHttp(parts: HttpParts): FastifyInstance {
  const { api, metrics } = parts
  const { load } = api
  const http = fastify({
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: parts.silenceMs ?? SILENCE_MS,
    trustProxy: parts.trustedProxies.length > 0 ? parts.trustedProxies : false,
    // An id chosen by the client could put anything into the log.
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    // While closing, keep answering on connections that are still open.
    return503OnClosing: false,
    logger: false,
    schemaController: WITHOUT_SCHEMAS,
    rewriteUrl: createUrlRewriter(parts.arePathKeysOn ?? false),
    routerOptions: { ignoreTrailingSlash: true, querystringParser: parseQueryParams },
    frameworkErrors: (error, request, reply) => void sendError(error, { request, reply, log: api.log }),
    clientErrorHandler: answerUnreadable,
    http: {
      requireHostHeader: false,
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: CHECK_EVERY_MS,
    },
  })
  http.decorateRequest('keyId', undefined)
  http.addHook('onRequest', (request, reply, done) => {
    reply.header('X-Request-Id', request.id)
    setCommonHeaders(request, reply, api.publicUrl)
    // The client then opens its next connection elsewhere instead of reusing one that is about to be closed.
    if (!parts.isReady()) reply.header('Connection', 'close')
    if (load.isFull && !OPERATIONS.has(request.routeOptions.url)) {
      request.isShed = true
      done(load.refuse())
      return
    }
    load.enter()
    reply.raw.once('close', load.leave)
    // `requireHostHeader` is off because Node's refusal has no body. Of several Host headers, it would take the first.
    const hosts = countHosts(request.raw.rawHeaders)
    if (hosts > 1) done(new Refusal(400, 'Send only one Host header.'))
    else if (hosts === 0 && request.raw.httpVersion === '1.1') done(new Refusal(400, 'Send a Host header.'))
    else if (hosts === 1 && parts.isAllowedHost?.(request.host) === false)
      done(new Refusal(421, 'This instance is not known by this name. See ALLOWED_HOSTS.'))
    else if (hasTooManyParams(request.url)) done(new Refusal(400, `Send at most ${MOST_PARAMS} parameters in the URL.`))
    else done()
  })
  http.setErrorHandler((error: FastifyError, request, reply) => sendError(error, { request, reply, log: api.log }))
  answerWhatNodeWouldNot(http)
  recordRequests(http, { log: api.log, metrics, lastRequests: parts.site?.lastRequests })
  const checkKey = createKeyCheck(api.keys)
  const openapi = mountApi(http, api, checkKey)
  mountCompatApis(http, api, checkKey)
  const site = parts.site && mountSite(http, { ...parts.site, openapi })
  http.setNotFoundHandler((request, reply) =>
    site && isForAPerson(request)
      ? site.notFound(request, reply)
      : reply.code(404).send({ detail: 'Not found. Check the URL.' }),
  )
  mountOperations(http, parts)
  return http
}

/** Counts the Host headers in Node's flat list of names and values. */
function countHosts(rawHeaders: readonly string[]): number {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1
  }
  return count
}

/** Browsers get error pages; programs get JSON, whatever the path. */
const isForAPerson = ({ url, headers }: FastifyRequest): boolean =>
  !/^\/(?:api|mcp|\.well-known)(?:[/?]|$)/.test(url) && (headers.accept ?? '').includes('text/html')

function mountOperations(http: FastifyInstance, parts: HttpParts): void {
  const { metrics, metricsToken, isReady, missing = () => [] } = parts
  http.get('/livez', () => ({ status: 'ok' }))
  http.get('/readyz', (request, reply) => {
    const state = { isReady: isReady(), missing: missing(), redis: parts.redisStates?.() }
    const [status, body] = readinessOf(state, request.url)
    return reply.code(status).send(body)
  })
  if (metricsToken === undefined) return
  const isAllowed = createMetricsGuard(metricsToken)
  http.get('/metrics', async (request, reply) => {
    if (!isAllowed(request.headers.authorization)) throw new Refusal(401, TOKEN_HINT, { 'WWW-Authenticate': 'Bearer' })
    return reply.type(metrics.contentType).send(await metrics.text())
  })
}

interface ErrorContext {
  request: FastifyRequest
  reply: FastifyReply
  log: ApiServices['log']
}

function sendError(error: Error, { request, reply, log }: ErrorContext): FastifyReply {
  if (error instanceof Refusal) {
    request.refusal = sentenceOf(error.body)
    return reply.code(error.status).headers(error.headers).send(error.body)
  }
  const status = 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : 500
  if (status < 500)
    return reply.code(status).send({ detail: CLIENT_ERRORS[status] ?? 'The request could not be read.' })
  log.error({ request: request.id, route: request.routeOptions.url, err: error })
  return reply.code(500).send({ detail: `Internal server error, logged under request ID ${request.id}.` })
}

const CLIENT_ERRORS: Record<number, string> = {
  413: 'The request body is too large.',
  414: ADDRESS_TOO_LONG,
  415: 'This content type is not supported.',
}

/** Answers requests that Node would answer without a body, or not at all. */
function answerWhatNodeWouldNot(http: FastifyInstance): void {
  // HTTP allows ignoring an unknown expectation.
  http.server.on('checkExpectation', (request, response) => http.routing(request, response))
  http.server.on('connect', (_request, socket: Socket) =>
    refuseConnection(socket, '405 Method Not Allowed', 'Method CONNECT is not allowed here.'),
  )
}
