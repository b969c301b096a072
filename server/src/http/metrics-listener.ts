// Guards the metrics with a token, and serves them on their own port (METRICS_PORT).
import { timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Metrics } from '../metrics/metrics.ts'
import { createServer } from '../text/node-http.ts'

export const TOKEN_HINT = 'Send the metrics token in this header: Authorization: Bearer <METRICS_TOKEN>.'
const JSON_TYPE = 'application/json'

interface MetricsAddress {
  host: string
  port: number
  /** undefined: anyone who can reach the address may read. */
  token: string | undefined
}

/** Starts the separate listener: on this machine only, unless METRICS_HOST is set. */
export async function serveMetrics(
  metrics: Pick<Metrics, 'text' | 'contentType'>,
  { host, port, token }: MetricsAddress,
) {
  const isAllowed = createMetricsGuard(token)
  const answer = async ({ url, headers }: IncomingMessage): Promise<[number, string, string]> => {
    if (url !== '/metrics') return [404, JSON_TYPE, '{"detail":"Not found. Check the URL."}']
    if (!isAllowed(headers.authorization)) return [401, JSON_TYPE, JSON.stringify({ detail: TOKEN_HINT })]
    return [200, metrics.contentType, await metrics.text()]
  }
  const server = createServer((request, response) => {
    void answer(request)
      .catch((): [number, string, string] => [500, JSON_TYPE, '{"detail":"Internal server error."}'])
      .then(([status, type, text]) => {
        const headers = { 'Content-Type': type, 'X-Content-Type-Options': 'nosniff' }
        response.writeHead(status, status === 401 ? { ...headers, 'WWW-Authenticate': 'Bearer' } : headers).end(text)
      })
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

/** Without a token, everyone is allowed. */
export function createMetricsGuard(token: string | undefined): (authorization: string | undefined) => boolean {
  if (token === undefined) return () => true
  const expected = Buffer.from(`Bearer ${token}`)
  return (authorization = '') => {
    const received = Buffer.from(authorization)
    return received.length === expected.length && timingSafeEqual(received, expected)
  }
}
