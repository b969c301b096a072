// Prometheus metrics. Labels come from closed lists (routes, statuses, engines, outcomes): never from what a caller sent.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'

export interface Metrics {
  request: (route: string, status: number, ms: number) => void
  upstream: (engine: string, outcome: string, ms: number) => void
  text: () => Promise<string>
  contentType: string
}

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

export function createMetrics(): Metrics {
  const register = new Registry()
  collectDefaultMetrics({ register, prefix: 'bowerbird_' })
  const requests = new Histogram({
    name: 'bowerbird_http_request_seconds',
    help: 'Requests by route and status',
    labelNames: ['route', 'status'],
    buckets: SECONDS,
    registers: [register],
  })
  const upstream = new Histogram({
    name: 'bowerbird_upstream_seconds',
    help: 'Calls to providers by engine',
    labelNames: ['engine'],
    buckets: SECONDS,
    registers: [register],
  })
  const outcomes = new Counter({
    name: 'bowerbird_upstream_total',
    help: 'Calls to providers by engine and outcome',
    labelNames: ['engine', 'outcome'],
    registers: [register],
  })
  // Finding a labelled series costs more than counting in it, and the same few are asked for again and again.
  const requestSeries = remembered((route: string, status: string) => requests.labels(route, status))
  const upstreamSeries = remembered((engine: string) => upstream.labels(engine))
  const outcomeSeries = remembered((engine: string, outcome: string) => outcomes.labels(engine, outcome))
  return {
    request: (route, status, ms) => requestSeries(route, String(status)).observe(ms / 1000),
    upstream(engine, outcome, ms) {
      upstreamSeries(engine).observe(ms / 1000)
      outcomeSeries(engine, outcome).inc()
    },
    text: () => register.metrics(),
    contentType: register.contentType,
  }
}

function remembered<Series>(find: (...labels: string[]) => Series): (...labels: string[]) => Series {
  const known = new Map<string, Series>()
  return (...labels) => {
    const name = labels.join(' ')
    const series = known.get(name) ?? find(...labels)
    known.set(name, series)
    return series
  }
}

/** The separate listener: no token, so it belongs on an address that only the collector reaches. */
export async function serveMetrics(metrics: Metrics, { host, port }: { host: string; port: number }) {
  const server = createServer((request, response) => {
    if (request.url !== '/metrics') {
      response
        .writeHead(404, { 'Content-Type': 'application/json' })
        .end('{"detail":"There is nothing at this address."}')
      return
    }
    void metrics.text().then((text) => response.writeHead(200, { 'Content-Type': metrics.contentType }).end(text))
  })
  server.listen(port, host)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port, // a listening TCP server has an address with a port
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
