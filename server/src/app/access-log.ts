// What is remembered of a request: one log line and the metrics. Both know the route, never the URL with its query.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { carrierOf } from '../doors/carriers/presented-key.ts'
import type { LastRequests } from '../keys/last-requests.ts'
import type { Log } from '../log.ts'
import { endRequestSpan, isTracing, type Span, startRequestSpan } from '../trace.ts'
import type { Metrics } from './metrics/metrics.ts'

/** Health checks and metrics: answered however much there is to do, logged, and not counted among the requests. */
export const OPERATIONS = new Set<string | undefined>(['/livez', '/readyz', '/metrics'])

declare module 'fastify' {
  interface FastifyRequest {
    /** If somebody traces. */
    span: Span | undefined
    /** Whether it was refused because there were too many. There may be thousands of them a second, so they are counted, not logged. */
    isShed: boolean
    /** Why it was refused, as its sender is told. */
    refusal: string
  }
}

interface RecordParts {
  log: Log
  metrics: Metrics
  lastRequests?: Pick<LastRequests, 'note'> | undefined
}

export function recordRequests(http: FastifyInstance, { log, metrics, lastRequests }: RecordParts): void {
  http.decorateRequest('isShed', false)
  http.decorateRequest('span', undefined)
  http.decorateRequest('refusal', '')
  http.addHook('onRequest', (request, _reply, done) => {
    const route = request.routeOptions.url ?? 'unmatched'
    if (!isTracing || OPERATIONS.has(route)) done()
    else request.span = startRequestSpan({ method: request.method, route, headers: request.headers }, done)
  })
  http.addHook('onResponse', (request, reply, done) => {
    const ms = Math.round(reply.elapsedTime * 10) / 10
    const status = reply.statusCode
    const route = request.routeOptions.url ?? 'unmatched'
    if (request.span) endRequestSpan(request.span, status)
    if (request.keyId !== undefined) lastRequests?.note(request.keyId, describe(request, reply, { route, ms }))
    const { id, method, keyId } = request
    if (!OPERATIONS.has(route)) metrics.request(route, status, ms)
    if (!request.isShed) log.info({ request: id, method, route, status, ms, key: keyId })
    done()
  })
}

const describe = (request: FastifyRequest, reply: FastifyReply, { route, ms }: { route: string; ms: number }) => ({
  at: Date.now(),
  method: request.method,
  route,
  carrier: carrierOf(request),
  status: reply.statusCode,
  ms,
  search: String(reply.getHeader('Search-Status') ?? ''),
  engines: String(reply.getHeader('Engine-Status') ?? ''),
  refusal: request.refusal,
})
