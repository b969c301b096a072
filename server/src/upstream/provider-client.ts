// A provider's connection pool, and the only way to call it. Each provider has its own client until its settings change
// (`compose/provider-pool.ts`), so a slow provider only fills its own pool.
//
// Connecting may take a second; apart from that, only the deadline limits how long a call takes. undici's other timeouts are
// off: they are too coarse for a search, and the shared deadline exists to avoid a timer per call.
import type { LookupFunction } from 'node:net'
import type { Deadline } from '@bowerbird/engines/deadline.ts'
import type { ProviderReply, ProviderRequest } from '@bowerbird/engines/engine.ts'
import { Pool } from 'undici'
import { isTracing, traceHeaders } from '../trace.ts'
import { guardedConnector } from './address-guard.ts'
import { ACCEPTED_ENCODINGS } from './decode-reply-body.ts'
import { type BeforeRetry, sendRequest } from './http-request.ts'
import type { OutgoingProxy } from './outgoing-proxy.ts'

export interface ProviderClientOptions {
  /** Scheme, host, port and an optional path, e.g. `http://127.0.0.1:9/brave`. */
  baseUrl: string
  /** True only for an address that the operator configured; see `address-guard.ts`. */
  isTrustedAddress: boolean
  /** The proxy that all calls go through; undefined: none. */
  proxy: OutgoingProxy | undefined
  /** The User-Agent header, e.g. `Bowerbird/0.1.0 (+https://…)`. */
  userAgent: string
  /** The maximum number of sockets. A call that finds none free waits for one, at most until its deadline. */
  connections?: number
  /** The limit for a reply's body, both compressed and decompressed. */
  maxReplyBytes?: number
  /** Sends the provider the trace headers of the call, if it is traced. */
  sendsTrace?: boolean
  /** Resolves names; the system's resolver by default. */
  lookup?: LookupFunction
}

export interface ProviderClient {
  /**
   * Resolves for any status except a redirect. Before it sends a request again, it waits for `beforeRetry`, and doesn't
   * retry if that rejects.
   *
   * Rejects with a plain Error if the request isn't valid HTTP, which is a bug of ours, and otherwise with
   * UpstreamError, whose cause is the original error:
   *
   * timeout      the deadline passed
   * busy         the deadline was called off
   * unreachable  no connection, or it broke; `isProxyFault` if the proxy didn't connect
   * guarded      the address guard refused the address
   * malformed    the reply is too large, a redirect, not HTTP, or can't be decompressed
   */
  send(request: ProviderRequest, deadline: Deadline, beforeRetry: BeforeRetry): Promise<ProviderReply>
  /** Closes all connections immediately; calls in flight reject as `unreachable`. */
  close(): Promise<void>
}

/** By default, `resilience.ts` lets 200 calls through at once. With more sockets than that, no call waits for a socket. */
const DEFAULT_CONNECTIONS = 256
const DEFAULT_MAX_REPLY_BYTES = 2_000_000
const CONNECT_TIMEOUT_MS = 1_000
const KEEP_ALIVE_MS = 30_000

export const openProviderClient = (options: ProviderClientOptions): ProviderClient => {
  const { isTrustedAddress, proxy, userAgent, lookup, sendsTrace = false } = options
  const { connections = DEFAULT_CONNECTIONS, maxReplyBytes = DEFAULT_MAX_REPLY_BYTES } = options
  const { origin, pathname } = new URL(options.baseUrl)
  const prefix = pathname.replace(/\/+$/, '')
  const defaultHeaders = { 'user-agent': userAgent, 'accept-encoding': ACCEPTED_ENCODINGS }

  const pool = new Pool(origin, {
    connect: guardedConnector({
      isTrustedAddress,
      proxy,
      timeoutMs: CONNECT_TIMEOUT_MS,
      ...(lookup && { lookup }),
    }),
    connections,
    pipelining: 1,
    allowH2: false,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    headersTimeout: 0,
    bodyTimeout: 0,
  })

  const buildHeaders = (requestHeaders: Record<string, string>): Record<string, string> => {
    const headers: Record<string, string> = { ...defaultHeaders }
    for (const [name, value] of Object.entries(requestHeaders)) headers[name.toLowerCase()] = value
    if (sendsTrace && isTracing) Object.assign(headers, traceHeaders())
    return headers
  }

  return {
    send({ method = 'GET', path, headers = {}, body = '' }, deadline, beforeRetry) {
      const request = {
        method,
        path: prefix + path,
        headers: buildHeaders(headers),
        body: body === '' ? null : body,
      }
      return sendRequest({ pool, request, deadline, maxReplyBytes, beforeRetry })
    },
    close: () => pool.destroy(),
  }
}
