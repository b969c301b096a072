// One request to a provider and its reply, built on undici's dispatch. This is the hot path of an uncached search:
// undici's own `request` creates a stream for every reply, which costs more than everything done here.
//
// The promise always settles by the deadline, and the socket of an unfinished reply is destroyed with it, so a provider
// that hangs, drips or never stops sending holds neither memory nor a slot in the pool.
//
// A redirect is `malformed` and not followed: no provider documents one, and upstream would choose its target. A
// redirect to a CAPTCHA therefore counts against the provider like any other wrong reply.

import type { Deadline } from '@bowerbird/engines/deadline.ts'
import type { ProviderReply } from '@bowerbird/engines/engine.ts'
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import { type Dispatcher, errors, type Pool } from 'undici'
import { BodyBuffer, decodeReplyBody } from './decode-reply-body.ts'

/** Called before a request that was already sent is sent again: the provider may have counted the first one. */
export type BeforeRetry = () => Promise<void>

interface RequestTerms {
  pool: Pool
  request: Dispatcher.DispatchOptions
  deadline: Deadline
  /** The limit for the body, both as sent and decompressed. */
  maxReplyBytes: number
  beforeRetry: BeforeRetry
}

/** undici's and Node's codes for a connection closed by the other side; a refused connection isn't one. */
const CLOSED_BY_PEER = new Set<unknown>(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'])
const BAD_REQUEST = new Set<unknown>(['UND_ERR_INVALID_ARG', 'UND_ERR_NOT_SUPPORTED'])

const TOO_LARGE = 'the reply is too large'

const codeOf = (error: Error): unknown => ('code' in error ? error.code : undefined)

// undici's parser errors have no code.
const isUnreadable = (error: Error): boolean =>
  error instanceof errors.HTTPParserError || error instanceof errors.HeadersOverflowError

/** A request that undici refuses to send is our bug and says nothing about the provider, so it stays a plain Error. */
const toError = (cause: Error): Error => {
  if (cause instanceof UpstreamError) return cause
  if (BAD_REQUEST.has(codeOf(cause))) return new Error('the request to the provider is not valid HTTP', { cause })
  if (isUnreadable(cause)) return new UpstreamError('malformed', 'the reply is not valid HTTP', { cause })
  return new UpstreamError('unreachable', 'the connection to the provider failed', { cause })
}

class PendingRequest implements Dispatcher.DispatchHandler {
  readonly #terms: RequestTerms
  readonly #resolve: (reply: ProviderReply) => void
  readonly #reject: (error: Error) => void
  readonly #stopWatchingDeadline: () => void
  #controller: Dispatcher.DispatchController | undefined
  #status = 0
  #headers: ProviderReply['headers'] = {}
  readonly #body = new BodyBuffer()
  #hasReplyBegun = false
  #hasRetried = false
  #isSettled = false

  constructor(terms: RequestTerms, resolve: (reply: ProviderReply) => void, reject: (error: Error) => void) {
    this.#terms = terms
    this.#resolve = resolve
    this.#reject = reject
    this.#stopWatchingDeadline = terms.deadline.onExpire(() => this.#expire())
  }

  dispatch(): void {
    if (!this.#isSettled) this.#terms.pool.dispatch(this.#terms.request, this)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // The request waited for a socket past its deadline. Throwing here returns the socket unused; aborting would
    // destroy it.
    if (this.#isSettled) throw new Error('the deadline passed before the request was sent')
    this.#controller = controller
  }

  onResponseStarted(): void {
    this.#hasReplyBegun = true
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: ProviderReply['headers']): void {
    // Informational (1xx), not the final reply.
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
  }

  // An error thrown here is passed to onResponseError.
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
      this.#fail(toError(error))
      return
    }
    this.#hasRetried = true
    const wasSent = this.#controller !== undefined
    this.#controller = undefined
    // After the next poll of the event loop, we know which other idle sockets the provider closed at the same time.
    setImmediate(() => {
      if (!wasSent) this.dispatch()
      else
        this.#terms.beforeRetry().then(
          () => this.dispatch(),
          () => this.#fail(toError(error)),
        )
    })
  }

  // The provider may close an idle socket just as we reuse it. If no part of a reply has arrived, a GET can be sent
  // again; any other request only if it was never sent.
  #isWorthRetrying(error: Error): boolean {
    if (this.#hasRetried || this.#hasReplyBegun || !CLOSED_BY_PEER.has(codeOf(error))) return false
    return this.#terms.request.method === 'GET' || this.#controller === undefined
  }

  #expire(): void {
    if (this.#terms.deadline.isCalledOff) this.#stop('busy', 'nobody waits for the reply any more')
    else this.#stop('timeout', 'no complete reply by the deadline')
  }

  #stop(kind: 'timeout' | 'malformed' | 'busy', message: string): void {
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

  /** False if it was already settled. */
  #settle(): boolean {
    if (this.#isSettled) return false
    this.#isSettled = true
    this.#stopWatchingDeadline()
    return true
  }
}

/** Rejects with UpstreamError `timeout`, `unreachable`, `guarded` or `malformed`; `busy` if it was called off. */
export const sendRequest = (terms: RequestTerms): Promise<ProviderReply> =>
  new Promise((resolve, reject) => {
    if (terms.deadline.signalled) {
      reject(new UpstreamError('timeout', 'the deadline passed before the provider was called'))
      return
    }
    new PendingRequest(terms, resolve, reject).dispatch()
  })
