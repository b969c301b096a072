// Logs each request and records its metrics, by route: never the URL or its query.
import type { FastifyInstance } from 'fastify'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { findRoute } from '../text/refuse-other-methods.ts'
import { endRequestSpan, isTracing, type Span, startRequestSpan } from '../trace.ts'

/** Health checks and metrics. They are never shed, and are logged but not counted as requests. */
export const OPERATIONS = new Set<string | undefined>(['/livez', '/readyz', '/metrics'])

declare module 'fastify' {
  interface FastifyRequest {
    /** Set if tracing is on. */
    span: Span | undefined
    /** Whether it was shed under load. There may be thousands of these a second, so they're counted but not logged. */
    isShed: boolean
  }
}

interface RecordParts {
  log: Log
  metrics: Metrics
}

export function recordRequests(http: FastifyInstance, { log, metrics }: RecordParts): void {
  http.decorateRequest('isShed', false)
  http.decorateRequest('span', undefined)
  http.addHook('onRequest', (request, _reply, done) => {
    const route = findRoute(request) ?? 'unmatched'
    if (!isTracing || OPERATIONS.has(route)) done()
    else request.span = startRequestSpan({ method: request.method, route, headers: request.headers }, done)
  })
  http.addHook('onResponse', (request, reply, done) => {
    const ms = Math.round(reply.elapsedTime * 10) / 10
    const status = reply.statusCode
    const route = findRoute(request) ?? 'unmatched'
    if (request.span) endRequestSpan(request.span, status)
    const { id, method, keyId } = request
    if (!OPERATIONS.has(route)) metrics.request(route, status, ms)
    if (!request.isShed) log.info({ request: id, method, route, status, ms, key: keyId })
    done()
  })
}
