// What is remembered of a request: one log line and the metrics. Both know the route, never the address with its query.
import type { FastifyInstance } from 'fastify'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'

export function recordRequests(http: FastifyInstance, log: Log, metrics: Metrics): void {
  http.addHook('onResponse', (request, reply, done) => {
    const ms = Math.round(reply.elapsedTime * 10) / 10
    const route = request.routeOptions.url ?? 'unmatched'
    metrics.request(route, reply.statusCode, ms)
    log.info({ request: request.id, method: request.method, route, status: reply.statusCode, ms, key: request.keyId })
    done()
  })
}
