// Traces as an operator turns them on: OpenTelemetry's SDK loaded before the program, and a collector that speaks OTLP
// over HTTP. A search is one trace, from the client's span down to the providers, and contains nothing private.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Cluster, startCluster, UNLIMITED } from '../support/cluster.ts'
import { type ServerProcess, startServerProcess } from '../support/server-process.ts'

const SDK = resolve(import.meta.dirname, '../../../deploy/opentelemetry/tracing.mjs')
const TRACE = '0af7651916cd43dd8448eb211c80319c'
const CLIENT_SPAN = 'b7ad6b7169203331'

/** As in OTLP's JSON encoding. */
interface ReceivedSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  attributes: { key: string; value: Record<string, unknown> }[]
}

let collector: Server
let provider: Server
let cluster: Cluster
let node: ServerProcess
let received = ''
const spans: ReceivedSpan[] = []
const traceparents: (string | undefined)[] = []

const urlOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

async function listen(server: Server): Promise<Server> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return server
}

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = ''
  for await (const chunk of request) body += String(chunk)
  received += body
  const { resourceSpans = [] } = JSON.parse(body)
  for (const { scopeSpans } of resourceSpans) for (const scope of scopeSpans) spans.push(...scope.spans)
  response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
}

beforeAll(async () => {
  collector = await listen(createServer((request, response) => void receive(request, response)))
  provider = await listen(
    createServer((request, response) => {
      traceparents.push(request.headers['traceparent'] as string | undefined)
      response.writeHead(500).end()
    }),
  )
  cluster = await startCluster({ nodes: 0 })
  node = await startServerProcess({
    ...cluster.settings,
    NODE_OPTIONS: `--import ${SDK}`,
    OTEL_EXPORTER_OTLP_ENDPOINT: urlOf(collector),
    OTEL_BSP_SCHEDULE_DELAY: '100',
    TRACE_PROVIDERS: 'on',
    // A provider that records the traceparent and fails.
    MARGINALIA_URL: urlOf(provider),
  })
})
afterAll(async () => {
  await node?.stop('SIGKILL')
  await cluster?.close()
  for (const server of [collector, provider]) server?.closeAllConnections()
  for (const server of [collector, provider]) server?.close()
})

const ofTrace = () => spans.filter(({ traceId }) => traceId === TRACE)
const named = (name: string) => ofTrace().filter((span) => span.name === name)

describe('a traced search', () => {
  it('is one trace: the request, the plan, each provider, the merge, Redis and PostgreSQL', async () => {
    const key = await cluster.createKey(UNLIMITED)
    const reply = await fetch(`${node.url}/api/v1/web/?q=very-private-words`, {
      headers: { authorization: `Api-Key ${key}`, traceparent: `00-${TRACE}-${CLIENT_SPAN}-01` },
    })
    expect(reply.status).toBe(200)
    const route = 'GET /api/v1/web/'
    await expect.poll(() => named(route), { timeout: 10_000 }).toHaveLength(1)
    const [request] = named(route)
    expect(request?.parentSpanId).toBe(CLIENT_SPAN)
    for (const name of ['plan', 'merge', 'provider brave', 'provider mojeek', 'provider marginalia']) {
      expect(named(name).map(({ parentSpanId }) => parentSpanId !== undefined)).toEqual([true])
    }
    expect(named('redis').length).toBeGreaterThan(0)
    expect(ofTrace().some(({ name }) => name.startsWith('postgres '))).toBe(true)
    const attributes = Object.fromEntries(
      request?.attributes.map(({ key, value }) => [key, Object.values(value)[0]]) ?? [],
    )
    expect(attributes).toEqual({
      'http.request.method': 'GET',
      'http.route': '/api/v1/web/',
      'http.response.status_code': 200,
    })
    const [failed] = named('provider marginalia')
    expect(failed?.attributes).toContainEqual({ key: 'error.type', value: { stringValue: 'unreachable' } })
    // The provider gets its span id, because the operator turned that on.
    expect(traceparents).toEqual([`00-${TRACE}-${failed?.spanId}-01`])
    expect(received).not.toContain('private')
    expect(received).not.toContain(key.slice(-20))
  })

  it('health checks are not traced', async () => {
    await fetch(`${node.url}/readyz`)
    await fetch(`${node.url}/robots.txt`)
    await expect.poll(() => spans.some(({ name }) => name === 'GET /robots.txt'), { timeout: 10_000 }).toBe(true)
    expect(spans.filter(({ name }) => name.includes('readyz'))).toEqual([])
  })
})
