// One request to a provider and its reply, as undici's dispatch reports them. It is the hot path of an uncached search:
// undici's own `request` builds a stream for every reply, which costs more than everything done here.
//
// Whatever happens, the promise settles by the deadline and the socket of an unfinished reply is destroyed with it, so
// that a provider which hangs, drips or never stops sending holds neither memory nor a place in the pool.
//
// A redirect is `malformed`, not followed: no provider's contract has one, and its target is an address of upstream's
// choosing. A redirect to a page that asks for a human therefore counts against the provider like any wrong reply.
import { type Dispatcher, errors, type Pool } from 'undici'
import { UpstreamError } from '../errors.ts'
import type { Deadline } from './deadline.ts'
import { decodeReplyBody } from './decode-reply-body.ts'
import { freeReadBuffers } from './free-read-buffers.ts'
import { GatheredBytes } from './body-buffer.ts'

export interface ProviderReply {
  status: number
  /** Lower-case names. */
  headers: Record<string, string | string[] | undefined>
  /** Decompressed, decoded as UTF-8, within the size cap. */
  body: string
}

interface ExchangeTerms {
  pool: Pool
  request: Dispatcher.DispatchOptions
  deadline: Deadline
  /** Of the body, both as sent and decompressed. */
  maxReplyBytes: number
}

/** How undici and Node name a connection that the other side ended; a refused one is not among them. */
const CLOSED_BY_PEER = new Set<unknown>(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'])
const BAD_REQUEST = new Set<unknown>(['UND_ERR_INVALID_ARG', 'UND_ERR_NOT_SUPPORTED'])

const TOO_LARGE = 'the reply is too large'

const codeOf = (error: Error): unknown => ('code' in error ? error.code : undefined)

// undici gives a parser error no code.
const isUnreadable = (error: Error): boolean =>
  error instanceof errors.HTTPParserError || error instanceof errors.HeadersOverflowError

/** A request that undici will not send is a bug of ours and no news about the provider, so it stays a plain Error. */
const explain = (cause: Error): Error => {
  if (cause instanceof UpstreamError) return cause
  if (BAD_REQUEST.has(codeOf(cause))) return new Error('the request to the provider is not valid HTTP', { cause })
  if (isUnreadable(cause)) return new UpstreamError('malformed', 'the reply is not valid HTTP', { cause })
  return new UpstreamError('unreachable', 'the connection to the provider failed', { cause })
}

class Exchange implements Dispatcher.DispatchHandler {
  readonly #terms: ExchangeTerms
  readonly #resolve: (reply: ProviderReply) => void
  readonly #reject: (error: Error) => void
  readonly #leaveDeadline: () => void
  #controller: Dispatcher.DispatchController | undefined
  #status = 0
  #headers: ProviderReply['headers'] = {}
  readonly #body = new GatheredBytes()
  #hasReplyBegun = false
  #hasRetried = false
  #isSettled = false

  constructor(terms: ExchangeTerms, resolve: (reply: ProviderReply) => void, reject: (error: Error) => void) {
    this.#terms = terms
    this.#resolve = resolve
    this.#reject = reject
    this.#leaveDeadline = terms.deadline.onExpire(() => this.#stop('timeout', 'no complete reply by the deadline'))
  }

  dispatch(): void {
    if (!this.#isSettled) this.#terms.pool.dispatch(this.#terms.request, this)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // It waited for a socket beyond its deadline. Throwing here gives the socket back unused; aborting would destroy it.
    if (this.#isSettled) throw new Error('the deadline passed before the request was sent')
    this.#controller = controller
  }

  onResponseStarted(): void {
    this.#hasReplyBegun = true
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: ProviderReply['headers']): void {
    // Below 200 it is not the reply yet.
    if (status < 200) return
    this.#status = status
    this.#headers = headers
    if (status >= 300 && status < 400) this.#stop('malformed', 'the provider answered with a redirect')
    else if (Number(headers['content-length']) > this.#terms.maxReplyBytes) this.#stop('malformed', TOO_LARGE)
  }

  onResponseData(_: Dispatcher.DispatchController, piece: Buffer): void {
    if (this.#body.length + piece.length <= this.#terms.maxReplyBytes) {
      this.#body.add(piece)
      return
    }
    this.#body.drop()
    this.#stop('malformed', TOO_LARGE)
    freeReadBuffers()
  }

  // What it throws comes back through onResponseError.
  onResponseEnd(): void {
    const body = decodeReplyBody(this.#body.bytes, this.#headers['content-encoding'], this.#terms.maxReplyBytes)
    if (typeof body === 'string') this.#succeed(body)
    else
      body.then(
        (text) => this.#succeed(text),
        (error: Error) => this.#fail(error),
      )
  }

  onResponseError(_: Dispatcher.DispatchController | null, error: Error): void {
    if (this.#isSettled) return
    if (!this.#isWorthRetrying(error)) {
      this.#fail(explain(error))
      return
    }
    this.#hasRetried = true
    this.#controller = undefined
    // After the next poll, so that other idle sockets which the provider closed at the same time are known to be closed.
    setImmediate(() => this.dispatch())
  }

  // An idle socket may be closed by the provider in the very moment we reuse it. Nothing of a reply has come, so a GET
  // may be sent again; anything else only if it was never sent.
  #isWorthRetrying(error: Error): boolean {
    if (this.#hasRetried || this.#hasReplyBegun || !CLOSED_BY_PEER.has(codeOf(error))) return false
    return this.#terms.request.method === 'GET' || this.#controller === undefined
  }

  #stop(kind: 'timeout' | 'malformed', message: string): void {
    const error = new UpstreamError(kind, message)
    this.#fail(error)
    this.#controller?.abort(error)
  }

  #succeed(body: string): void {
    if (!this.#settle()) return
    this.#resolve({ status: this.#status, headers: this.#headers, body })
  }

  #fail(error: Error): void {
    if (this.#settle()) this.#reject(error)
  }

  /** False when it already was. */
  #settle(): boolean {
    if (this.#isSettled) return false
    this.#isSettled = true
    this.#leaveDeadline()
    return true
  }
}

/** Rejects with UpstreamError: `timeout`, `unreachable`, `blocked` or `malformed`. */
export const exchange = (terms: ExchangeTerms): Promise<ProviderReply> =>
  new Promise((resolve, reject) => {
    if (terms.deadline.signalled) {
      reject(new UpstreamError('timeout', 'the deadline passed before the provider was asked'))
      return
    }
    new Exchange(terms, resolve, reject).dispatch()
  })
