// A streamed reply, for a client that asks for one with Accept: `start`, `engine` for each engine that answers or
// fails, `results` with the results so far, and `done` with exactly the body and headers of the JSON reply. Sent as
// Server-Sent Events, or as one JSON object per line.
//
// Nothing is sent before `start`, so an earlier failure is an ordinary error with its status; a later one is an `error`
// event. Nothing is compressed: a compressor would hold events back. A slow client gets fewer `results`, never a queue
// of them.
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { Refusal } from '../../errors.ts'
import type { Log } from '../../log.ts'
import { preferredType } from '../../text/content-negotiation.ts'
import { addVary, CLIENT_HEADERS } from './send-json.ts'

const EVENT_STREAM = 'text/event-stream'
const JSON_LINES = 'application/x-ndjson'
export const STREAM_TYPES = [EVENT_STREAM, JSON_LINES] as const

type StreamType = (typeof STREAM_TYPES)[number]

/** The events that an endpoint sends while it works. */
export interface ReplyEvents {
  start: (engines: readonly string[]) => void
  engine: (outcome: { engine: string; status: string; n: number; ms: number }) => void
  /** `render` is called when it is time to send the results; if it returns undefined, it is called again later. */
  results: (render: () => readonly unknown[] | undefined) => void
  /** Aborted when the client disconnects. */
  signal: AbortSignal
}

const RESULTS_EVERY_MS = 150
/** Proxies close idle connections, often after 30 seconds. */
const HEARTBEAT_MS = 15_000
const HEARTBEAT = ':\n\n'

/** undefined: the client wants the whole answer at once, as JSON, which almost every client does. */
export const findStreamType = (method: string, accept: string): StreamType | undefined =>
  method === 'GET' ? preferredType(accept, 'application/json', STREAM_TYPES) : undefined

export class EventReply implements ReplyEvents {
  hasStarted = false
  readonly reply: FastifyReply
  readonly #type: StreamType
  readonly #onStart: () => void
  readonly #stream = new Readable({ read: () => undefined })
  readonly #headers = new Map<string, string>()
  readonly #disconnection = new AbortController()
  #render: (() => readonly unknown[] | undefined) | undefined
  #isOver = false
  #revision = 0
  #sentAt = Number.NEGATIVE_INFINITY
  #timer: NodeJS.Timeout | undefined
  #heartbeat: NodeJS.Timeout | undefined

  /** `onStart` is called when the head is sent. */
  constructor(reply: FastifyReply, type: StreamType, onStart: () => void) {
    this.reply = reply
    this.#type = type
    this.#onStart = onStart
    reply.raw.once('close', () => this.#onDisconnect())
  }

  get signal(): AbortSignal {
    return this.#disconnection.signal
  }

  setHeader = (name: string, value: string): void => {
    this.#headers.set(name, value)
  }

  start = (engines: readonly string[]): void => {
    this.hasStarted = true
    const { request } = this.reply
    addVary(this.reply, 'Accept')
    this.reply.headers({ 'Content-Type': `${this.#type}; charset=utf-8`, 'X-Accel-Buffering': 'no' })
    this.reply.send(this.#stream)
    this.#onStart()
    this.#write('start', JSON.stringify({ request_id: request.id, engines }))
    if (this.#type === EVENT_STREAM) this.#heartbeat = setInterval(() => this.#stream.push(HEARTBEAT), HEARTBEAT_MS)
  }

  engine = (outcome: { engine: string; status: string; n: number; ms: number }): void =>
    this.#write('engine', JSON.stringify(outcome))

  /** Deferred, so that engines that answer at the same moment share a revision. */
  results = (render: () => readonly unknown[] | undefined): void => {
    if (this.#isOver) return
    this.#render = render
    this.#timer ??= setTimeout(() => this.#sendResults(), this.#msUntilNextResults())
  }

  done(body: unknown): void {
    if (!this.hasStarted) this.start([])
    this.#end('done', JSON.stringify({ body, headers: this.#clientHeaders() }))
  }

  fail(error: unknown, log: Log): void {
    const { status, body, headers } = error instanceof Refusal ? error : this.#reportBug(error, log)
    for (const [name, value] of Object.entries(headers)) this.setHeader(name, value)
    this.#end('error', JSON.stringify({ status, body, headers: this.#clientHeaders() }))
  }

  #reportBug(error: unknown, log: Log): Refusal {
    const { id, routeOptions } = this.reply.request
    log.error({ request: id, route: routeOptions.url, err: error })
    return new Refusal('internal_error', `Internal server error, logged under request ID ${id}.`)
  }

  #clientHeaders(): Record<string, string> {
    const headers: Record<string, string> = {}
    for (const name of CLIENT_HEADERS) {
      const value = this.#headers.get(name) ?? this.reply.getHeader(name)
      if (value !== undefined) headers[name] = String(value)
    }
    return headers
  }

  #msUntilNextResults(): number {
    return Math.max(0, this.#sentAt + RESULTS_EVERY_MS - performance.now())
  }

  #sendResults(): void {
    this.#timer = undefined
    const render = this.#render
    if (!render) return
    const isBehind = this.#stream.readableLength > 0
    const results = isBehind ? undefined : render()
    this.#sentAt = performance.now()
    // Retry later; by then there may be more.
    if (results === undefined) this.results(render)
    else this.#write('results', `{"revision":${++this.#revision},"results":${JSON.stringify(results)}}`)
  }

  /** `json` is an object. */
  #write(event: string, json: string): void {
    if (this.#isOver) return
    this.#stream.push(
      this.#type === EVENT_STREAM ? `event: ${event}\ndata: ${json}\n\n` : `{"event":"${event}",${json.slice(1)}\n`,
    )
  }

  #end(event: 'done' | 'error', json: string): void {
    this.#write(event, json)
    if (!this.#isOver) this.#stream.push(null)
    this.#stop()
  }

  #onDisconnect(): void {
    this.#stop()
    this.#disconnection.abort()
  }

  #stop(): void {
    this.#isOver = true
    clearTimeout(this.#timer)
    clearInterval(this.#heartbeat)
    this.#render = undefined
  }
}
