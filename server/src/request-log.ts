// What is remembered of a request: one log line and the metrics. Both know the route, never the address with its query.
//
// The line is put together by hand and handed to the log's own stream: it is the one line that every request writes, and
// the logger would spend a third of a cached search on it. Nothing in it needs escaping: a method that Node's parser
// knows, a route of ours, numbers, and identifiers that we made.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { symbols } from 'pino'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'

const INFO = 30

export function recordRequests(http: FastifyInstance, log: Log, metrics: Metrics): void {
  // pino keeps its destination under this symbol and types it as unknown; whatever it writes to has `write`.
  const { [symbols.streamSym]: stream } = log as unknown as Record<symbol, { write: (line: string) => void }>
  const isLogged = log.isLevelEnabled('info')
  http.addHook('onResponse', (request, reply, done) => {
    const ms = Math.round(reply.elapsedTime * 10) / 10
    const route = request.routeOptions.url ?? 'unmatched'
    metrics.request(route, reply.statusCode, ms)
    if (isLogged) stream?.write(lineOf(request, reply, { route, ms }))
    done()
  })
}

function lineOf(request: FastifyRequest, reply: FastifyReply, { route, ms }: { route: string; ms: number }): string {
  const key = request.keyId === undefined ? '' : `,"key":"${request.keyId}"`
  return `{"level":${INFO},"time":"${now()}","request":"${request.id}","method":"${request.method}","route":"${route}","status":${reply.statusCode},"ms":${ms}${key}}\n`
}

let lastMs = 0
let lastText = ''

/** Many lines share a millisecond, and writing it out costs more than all the rest. */
function now(): string {
  const ms = Date.now()
  if (ms !== lastMs) {
    lastMs = ms
    lastText = new Date(ms).toISOString()
  }
  return lastText
}
