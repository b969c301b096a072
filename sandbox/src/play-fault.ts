// Answers one request with a fault. Anything ongoing (a wait, a drip, a stream) ends when the connection does.
import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip, gzipSync } from 'node:zlib'
import type { Fault, FaultKind } from './fault.ts'
import type { Provider, ProviderReply } from './providers/provider.ts'
import { type RawRequest, type Rendered, type Renderer, toBytes } from './renderer.ts'
import type { Shape } from './reshape.ts'

const HUGE_BYTES = 200 * 1024 * 1024
const CHUNK = Buffer.alloc(64 * 1024, 'x')
const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' }

const HTML_PAGE = `<!doctype html>
<html lang="en"><head><title>Checking your browser</title></head>
<body><h1>One moment, please</h1><p>We are checking that the request comes from a person.</p></body></html>
`

export interface Exchange {
  provider: Provider
  request: RawRequest
  response: ServerResponse
  renderer: Renderer
  now: number
  /** Whether the call exceeds the provider's rate. */
  isTooFast: boolean
}

export function send({ status, headers, body }: Rendered, response: ServerResponse): void {
  response.writeHead(status, headers)
  response.end(body)
}

/** Waits `ms` and then acts, unless the client has disconnected. */
export function after(ms: number, response: ServerResponse, act: () => void): void {
  const timer = setTimeout(act, ms)
  response.once('close', () => clearTimeout(timer))
}

/** The implementation of each kind; the compiler requires every one. */
export const FAULT_PLAYERS: {
  readonly [Kind in FaultKind]: (fault: Extract<Fault, { kind: Kind }>, exchange: Exchange) => void
} = {
  latency: (_, exchange) => send(page(exchange), exchange.response),
  status: ({ status }, { provider, now, response }) => send(bodyless(toBytes(provider.failure(now, status))), response),
  throttled: ({ retryAfterSeconds = 2 }, { provider, now, response }) =>
    send(toBytes(provider.throttled(now, retryAfterSeconds)), response),
  blocked: (_, { response }) => send(toBytes(html(403)), response),
  badKey: (_, { provider, now, response }) => send(toBytes(provider.badKey(now)), response),
  html: (_, { response }) => send(toBytes(html(200)), response),
  'empty-body': (_, { response }) =>
    send(toBytes({ status: 200, text: '', contentType: JSON_TYPE['content-type'] }), response),
  'cut-off': (_, exchange) => {
    const whole = page(exchange)
    send(withBody(whole, firstHalf(whole.body)), exchange.response)
  },
  reset: (_, exchange) => {
    const { status, headers, body } = page(exchange)
    exchange.response.writeHead(status, headers)
    exchange.response.write(firstHalf(body), () => exchange.response.destroy())
  },
  refuse: (_, { response }) => response.socket?.resetAndDestroy(),
  hang: () => undefined,
  drip: ({ intervalMs = 10 }, { response }) => drip(response, intervalMs),
  huge: ({ bytes = HUGE_BYTES }, { response }) => {
    response.writeHead(200, JSON_TYPE)
    untilClosed(pipeline(hugeJson(bytes), response))
  },
  gzip: (_, exchange) => {
    const whole = page(exchange)
    const packed = withBody(whole, gzipSync(whole.body))
    send({ ...packed, headers: { ...packed.headers, 'content-encoding': 'gzip' } }, exchange.response)
  },
  'gzip-bomb': ({ bytes = HUGE_BYTES }, { response }) => {
    response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' })
    untilClosed(pipeline(hugeJson(bytes), createGzip(), response))
  },
  'wrong-shape': ({ at }, exchange) =>
    send(page(exchange, at === 'leaves' ? 'wrong-leaves' : 'wrong-envelope'), exchange.response),
  'no-results': (_, exchange) => send(page(exchange, 'no-results'), exchange.response),
  'omit-optional': (_, exchange) => send(page(exchange, 'omit-optional'), exchange.response),
  nulls: (_, exchange) => send(page(exchange, 'nulls'), exchange.response),
  banAbove: ({ perMs }, exchange) => {
    const { provider, now, isTooFast, response } = exchange
    const refusal = () => toBytes(provider.throttled(now, Math.ceil(perMs / 1000)))
    send(isTooFast ? refusal() : page(exchange), response)
  },
}

export function playFault(fault: Fault, exchange: Exchange): void {
  // The compiler cannot see that the function found under a fault's kind takes that kind of fault.
  const play = FAULT_PLAYERS[fault.kind] as (fault: Fault, exchange: Exchange) => void
  play(fault, exchange)
}

const page = ({ renderer, provider, request }: Exchange, shape: Shape | 'no-results' = 'good'): Rendered =>
  renderer.render(provider, request, shape)

const html = (status: number): ProviderReply => ({ status, text: HTML_PAGE, contentType: 'text/html; charset=utf-8' })

const withBody = ({ status, headers }: Rendered, body: Buffer): Rendered => ({
  status,
  headers: { ...headers, 'content-length': body.length },
  body,
})

/** A 204 or 304 with a length would leave the client waiting for a body. */
function bodyless(reply: Rendered): Rendered {
  return reply.status === 204 || reply.status === 304 ? { ...reply, headers: {}, body: Buffer.alloc(0) } : reply
}

const firstHalf = (body: Buffer): Buffer => body.subarray(0, body.length >>> 1)

function drip(response: ServerResponse, intervalMs: number): void {
  response.writeHead(200, JSON_TYPE)
  const timer = setInterval(() => {
    if (!response.writableNeedDrain) response.write(' ')
  }, intervalMs)
  response.once('close', () => clearInterval(timer))
}

function hugeJson(bytes: number): Readable {
  function* chunks() {
    yield Buffer.from('{"padding":"')
    for (let left = bytes; left > 0; left -= CHUNK.length) yield CHUNK.subarray(0, Math.min(left, CHUNK.length))
    yield Buffer.from('"}')
  }
  return Readable.from(chunks(), { objectMode: false, highWaterMark: CHUNK.length })
}

/** Ignores clients that disconnect, which these bodies are for; anything else is a bug. */
function untilClosed(sending: Promise<void>): void {
  sending.catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE' && error.code !== 'ECONNRESET' && error.code !== 'EPIPE')
      throw error
  })
}
