// The HTTP server, and what applies to every request, API or website. Every response has a request id, every error is
// JSON with a `detail`, and no error reveals more than its reader may know.
import { randomUUID } from 'node:crypto'
import { isIP, type Socket } from 'node:net'
import { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify'
import { type ApiMount, mountApi } from '../api/api-router.ts'
import { createKeyCheck } from '../api/pipeline/authenticate.ts'
import { type CompatMount, mountCompatApis } from '../compat/compat-router.ts'
import { createUrlRewriter } from '../compat/key-location.ts'
import { ERROR_CODES, type ErrorCode, frameworkCode, Refusal } from '../errors.ts'
import type { KeyVerifier } from '../keys/verify-key.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { Oauth } from '../oauth/oauth.ts'
import type { LoadShedder } from '../rate-limit/load-shedder.ts'
import { TOO_MANY_UNFINISHED, UnfinishedRequests } from '../rate-limit/unfinished-requests.ts'
import type { RedisStates } from '../redis/redis-availability.ts'
import type { Page } from '../site/http/page.ts'
import { mountSite, type Website } from '../site/site-router.ts'
import { STATUS_CODES } from '../text/node-http.ts'
import { hasTooManyParams, MAX_PARAMS, parseQueryParams } from '../text/query-params.ts'
import { answerOtherMethods } from '../text/refuse-other-methods.ts'
import { OPEN, requireSurfaces } from '../text/surface.ts'
import { OPERATIONS, recordRequests } from './access-log.ts'
import { DATA_POLICY, setCommonHeaders } from './common-headers.ts'
import { readinessOf } from './health-listener.ts'
import { createMetricsGuard, TOKEN_HINT } from './metrics-listener.ts'
import { mountSecurityTxt } from './security-txt.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The id of the request's key, once known; for the log. */
    keyId: string | undefined
    /**
     * Counts the request as in flight, once however often it is called, or returns the 503. Whatever reads a body calls
     * it when the body has arrived.
     */
    startWork: () => Refusal | undefined
  }
}

export interface HttpParts extends ApiMount, CompatMount {
  keys: KeyVerifier
  load: LoadShedder
  /** undefined: serve only the API. */
  website?: Website | undefined
  /** Pages beside those of the product. */
  extraPages?: readonly Page[] | undefined
  /** undefined: nobody can connect a program by OAuth. */
  oauth?: Oauth | undefined
  metrics: Metrics
  metricsToken: string | undefined
  /** OPERATOR_CONTACT, for `/.well-known/security.txt`. */
  operatorContact?: () => string
  trustedProxies: string[]
  /** undefined: accept any host name. */
  isAllowedHost?: ((host: string) => boolean) | undefined
  /** Whether keys that allow it may be sent in the URL path. */
  areUrlKeysOn?: boolean | undefined
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
const REQUEST_TIMEOUT_MS = 15_000
/** How often Node checks these timeouts. */
const CHECK_EVERY_MS = 2_000
/** For a client to read why its connection is closed. */
const LINGER_MS = 1_000
/** The default of `silenceMs`, which closes the connection of a client that doesn't read its response. */
const SILENCE_MS = 30_000

const noSchema = () => {
  throw new Error('A route has a schema for Fastify. Endpoints check their own parameters.')
}
/** No route has a schema, and Fastify's two schema compilers take megabytes. */
const WITHOUT_SCHEMAS = { compilersFactory: { buildValidator: noSchema, buildSerializer: noSchema } }

export function createHttp(parts: HttpParts): FastifyInstance {
  const { metrics, load, keys } = parts
  const { log, publicUrl } = parts.pipeline
  const unfinished = new UnfinishedRequests()
  const setReplyHeaders = (request: FastifyRequest, reply: FastifyReply): void => {
    reply.header('X-Request-Id', request.id)
    setCommonHeaders(request, reply, publicUrl)
  }
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
    rewriteUrl: createUrlRewriter(parts.areUrlKeysOn ?? false),
    routerOptions: { ignoreTrailingSlash: true, querystringParser: parseQueryParams },
    // For a URL that cannot be decoded, Fastify runs no hooks.
    frameworkErrors: (error, request, reply) => {
      setReplyHeaders(request, reply)
      sendError(error, { request, reply, log })
    },
    clientErrorHandler: answerMalformed,
    http: {
      requireHostHeader: false,
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: CHECK_EVERY_MS,
    },
  })
  requireSurfaces(http, BODY_LIMIT_BYTES)
  http.decorateRequest('keyId', undefined)
  http.decorateRequest('startWork', () => undefined)
  http.addHook('onRequest', (request, reply, done) => {
    setReplyHeaders(request, reply)
    // The client then opens its next connection elsewhere instead of reusing one that is about to be closed.
    if (!parts.isReady()) reply.header('Connection', 'close')
    const overload = findOverload(request, load)
    if (overload) {
      done(overload)
      return
    }
    request.startWork = createWorkStart(request, reply, load)
    if (!isBodyExpected(request)) request.startWork()
    else if (!unfinished.add(request.raw, reply.raw, request.ip)) {
      request.isShed = true
      done(TOO_MANY_UNFINISHED)
      return
    }
    // `requireHostHeader` is off because Node's refusal has no body. Of several Host headers, Node would use the first.
    const hosts = countHostHeaders(request.raw.rawHeaders)
    if (hosts > 1) done(new Refusal('request_malformed', 'Send only one Host header.'))
    else if (hosts === 0 && request.raw.httpVersion === '1.1')
      done(new Refusal('request_malformed', 'Send a Host header.'))
    else if (hosts === 1 && parts.isAllowedHost?.(request.host) === false)
      done(new Refusal('host_not_allowed', 'This instance is not known by this name. See ALLOWED_HOSTS.'))
    else if (hasTooManyParams(request.url))
      done(new Refusal('request_malformed', `Send at most ${MAX_PARAMS} parameters in the URL.`))
    else done()
  })
  // Fastify has read the body now, if there is one.
  http.addHook('preHandler', (request, _reply, done) => done(request.startWork()))
  http.setErrorHandler((error: FastifyError, request, reply) => sendError(error, { request, reply, log }))
  answerWhatNodeWouldNot(http)
  recordRequests(http, { log, metrics })
  const checkKey = createKeyCheck(keys)
  const openapi = mountApi(http, parts, checkKey)
  mountCompatApis(http, parts, { checkKey, oauth: parts.oauth })
  const { website, extraPages = [] } = parts
  const answerNotFound = website && mountSite(http, { ...website, openapi, extraPages })
  answerOtherMethods(http)
  http.setNotFoundHandler((request, reply) =>
    answerNotFound && isForAPerson(request)
      ? answerNotFound(request, reply)
      : sendRefusal(reply, new Refusal('not_found', 'Not found. Check the URL.')),
  )
  mountOperations(http, parts)
  return http
}

/** Whether the route waits for a body. None reads the body of a GET or HEAD, so that those are served at once. */
const isBodyExpected = ({ method, headers }: FastifyRequest): boolean =>
  method !== 'GET' &&
  method !== 'HEAD' &&
  (Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] !== undefined)

function findOverload(request: FastifyRequest, load: LoadShedder): Refusal | undefined {
  if (load.isFull && !OPERATIONS.has(request.routeOptions.url)) {
    request.isShed = true
    return load.refuse()
  }
  return undefined
}

/** The request is in flight until its reply is sent or its client disconnects. */
function createWorkStart(request: FastifyRequest, reply: FastifyReply, load: LoadShedder): () => Refusal | undefined {
  let hasStarted = false
  return () => {
    // The client may have left while its body was parsed.
    if (hasStarted || reply.raw.closed) return undefined
    const overload = findOverload(request, load)
    if (overload) return overload
    hasStarted = true
    load.enter()
    reply.raw.once('close', load.leave)
    return undefined
  }
}

/** Counts the Host headers in Node's flat list of names and values. */
function countHostHeaders(rawHeaders: readonly string[]): number {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1
  }
  return count
}

/** Browsers get error pages; programs get JSON, on every path. */
const isForAPerson = ({ url, headers }: FastifyRequest): boolean =>
  !/^\/(?:api|mcp|oauth\/(?:token|register|revoke)|\.well-known)(?:[/?]|$)/.test(url) &&
  (headers.accept ?? '').includes('text/html')

function mountOperations(http: FastifyInstance, parts: HttpParts): void {
  const { metrics, metricsToken, isReady, missing = () => [], clock } = parts
  const { publicUrl } = parts.pipeline
  mountSecurityTxt(http, { contact: parts.operatorContact ?? (() => ''), publicUrl, clock })
  http.get('/livez', { config: { surface: OPEN } }, () => ({ status: 'ok' }))
  http.get('/readyz', { config: { surface: { access: 'anyone', fields: ['verbose'] } } }, (request, reply) => {
    const state = { isReady: isReady(), missing: missing(), redis: parts.redisStates?.() }
    const [status, body] = readinessOf(state, request.url)
    return reply.code(status).send(body)
  })
  if (metricsToken === undefined) return
  const isAllowed = createMetricsGuard(metricsToken)
  http.get('/metrics', { config: { surface: { access: 'metrics-token' } } }, async (request, reply) => {
    if (!isAllowed(request.headers.authorization))
      throw new Refusal('metrics_token_wrong', TOKEN_HINT, { 'WWW-Authenticate': 'Bearer' })
    return reply.type(metrics.contentType).send(await metrics.text())
  })
}

interface ErrorContext {
  request: FastifyRequest
  reply: FastifyReply
  log: Log
}

function sendError(error: Error, { request, reply, log }: ErrorContext): FastifyReply {
  if (error instanceof Refusal) return sendRefusal(reply, error)
  const status = 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : 500
  if (status < 500) {
    const detail = CLIENT_ERRORS[status] ?? 'The request could not be read.'
    return reply.code(status).header('Error-Code', frameworkCode(status)).send({ detail })
  }
  log.error({ request: request.id, route: request.routeOptions.url, err: error })
  const detail = `Internal server error, logged under request ID ${request.id}.`
  return sendRefusal(reply, new Refusal('internal_error', detail))
}

const sendRefusal = (reply: FastifyReply, { status, headers, body }: Refusal): FastifyReply =>
  reply.code(status).headers(headers).send(body)

const ADDRESS_TOO_LONG = 'The address is too long. Shorten the query, or send a long text with POST.'

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
    refuseConnection(socket, 'method_not_allowed', 'Method CONNECT is not allowed here.'),
  )
}

/** Node's parser error: a code such as `HPE_INVALID_URL`, and the bytes received. */
interface ParserError {
  code: string
  /** A Buffer; Fastify types it as its JSON. */
  rawPacket: unknown
}

/** Node's own limit. */
const MAX_HEADER_BYTES = 16_384
const NOT_HTTP =
  'The request is not well-formed HTTP. Percent-encode the URL: write q=Z%C3%BCrich for q=Zürich, and %20 for a space.'

/**
 * Answers requests that Node's HTTP parser rejects. The parser has given up, so the request isn't parsed again; instead,
 * the reply names the likeliest mistake, a URL that isn't percent-encoded.
 */
function answerMalformed({ code, rawPacket }: ParserError, socket: Socket): void {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    refuseConnection(socket, 'request_timeout', 'The request did not arrive in time.')
  else if (code !== 'HPE_HEADER_OVERFLOW') refuseConnection(socket, 'request_malformed', NOT_HTTP)
  else if (isAddressTooLong(rawPacket)) refuseConnection(socket, 'url_too_long', ADDRESS_TOO_LONG)
  else refuseConnection(socket, 'headers_too_long', 'The headers of the request are too long.')
}

/** True if the request line has no end yet, or fills half of the space that Node allows for headers. */
function isAddressTooLong(packet: unknown): boolean {
  const end = Buffer.isBuffer(packet) ? packet.indexOf('\r\n') : -1
  return end === -1 || end > MAX_HEADER_BYTES / 2
}

function refuseConnection(socket: Socket, code: ErrorCode, detail: string): void {
  if (!socket.writable) return
  const { status } = ERROR_CODES[code]
  const body = JSON.stringify({ detail })
  const headers = [
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${randomUUID()}`,
    `Error-Code: ${code}`,
    'X-Content-Type-Options: nosniff',
    `Content-Security-Policy: ${DATA_POLICY}`,
    'Connection: close',
  ]
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...headers, '', body].join('\r\n'))
  // A client that doesn't close its side would keep the connection. At once would be too soon: closing a connection
  // with unread bytes resets it, and the client might not get the reply.
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}

/**
 * Checks the Host header against DNS rebinding: a foreign web page can point its own name at this machine and then
 * read, in a visitor's browser, what a public site here answers. Browsers always send the name they used, so unknown
 * names are refused. IP addresses and `localhost` can't be rebound, and health checks use them. Returns undefined if
 * every name is accepted.
 */
export function createHostCheck(
  allowedHosts: readonly string[] | undefined,
  publicUrl: string,
): ((host: string) => boolean) | undefined {
  if (allowedHosts === undefined) return undefined
  const names = new Set(allowedHosts)
  if (publicUrl !== '') names.add(new URL(publicUrl).hostname)
  return (host) => {
    const name = hostName(host)
    return name === 'localhost' || isIP(name) !== 0 || names.has(name)
  }
}

/** Strips the port, the brackets of IPv6 and the trailing dot. */
const hostName = (host: string): string =>
  host
    .toLowerCase()
    .replace(/:\d*$/, '')
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')

const FINISH_MS = 5_000
const SWEEP_MS = 100

/**
 * Prepares a graceful shutdown; call it before the server listens. The returned function accepts no new connections,
 * answers the requests in flight, and closes what is left after a few seconds.
 */
export function createHttpStop(http: FastifyInstance): () => Promise<void> {
  const { server } = http
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  // A connection whose response is sent would wait for another request, which must not come. Node also counts
  // connections as busy that have never sent anything, such as those that browsers open ahead of time.
  const endIdle = () => {
    server.closeIdleConnections()
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
  }
  return async () => {
    const forcedClose = setTimeout(() => server.closeAllConnections(), FINISH_MS)
    const sweep = setInterval(endIdle, SWEEP_MS)
    await http.close()
    clearTimeout(forcedClose)
    clearInterval(sweep)
  }
}
