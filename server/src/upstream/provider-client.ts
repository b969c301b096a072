// A provider's own connection pool, and the only way to call it. There is one client per provider and process, for the
// life of the process, so a slow provider fills its own pool and nobody else's.
//
// Only the deadline limits how long a call takes. undici's timeouts are off: they are too coarse for a search, and a
// timer per call is exactly what the shared deadline saves.
import type { LookupFunction } from 'node:net'
import { Pool } from 'undici'
import { isTracing, traceHeaders } from '../trace.ts'
import { guardedConnector } from './address-guard.ts'
import type { Deadline } from './deadline.ts'
import { ACCEPTED_ENCODINGS } from './decode-reply-body.ts'
import { type BeforeRetry, sendRequest } from './http-request.ts'
import type { ProviderReply, ProviderRequest } from './provider-message.ts'

export interface ProviderClientOptions {
  /** Scheme, host, port and an optional path, e.g. `http://127.0.0.1:9/brave`. */
  baseUrl: string
  /** See `address-guard.ts`: true only for an address that the operator configured. */
  isTrustedAddress: boolean
  /** How we identify ourselves, e.g. `Bowerbird/0.1.0 (+https://…)`. */
  userAgent: string
  /** Most sockets. Sized by rate × latency: 64 at 100 ms carry at most 640 calls a second, and fewer in practice. */
  connections?: number
  /** Of a reply's body, both compressed and decompressed. */
  maxReplyBytes?: number
  /** Tells the provider the trace that the call belongs to, if there is one. */
  sendsTrace?: boolean
  /** Resolves names; the system's resolver by default. */
  lookup?: LookupFunction
}

export interface ProviderClient {
  /**
   * Resolves whatever the status, except for a redirect.
   * Rejects with UpstreamError: `timeout` (the deadline), `unreachable` (no connection, or it broke), `blocked` (the
   * address guard), `malformed` (too large, a redirect, not HTTP, not decompressible). The original error is its cause.
   * Nothing is sent a second time before `beforeRetry` resolves, and nothing is if it rejects.
   */
  ask(request: ProviderRequest, deadline: Deadline, beforeRetry: BeforeRetry): Promise<ProviderReply>
  /** Ends every connection at once; calls in flight reject as `unreachable`. */
  close(): Promise<void>
}

const DEFAULT_CONNECTIONS = 256
const DEFAULT_MAX_REPLY_BYTES = 2_000_000
const CONNECT_TIMEOUT_MS = 1_000
const KEEP_ALIVE_MS = 30_000

const withDefaults = (defaults: Record<string, string>, headers: Record<string, string>): Record<string, string> => {
  const merged = { ...defaults }
  for (const [name, value] of Object.entries(headers)) merged[name.toLowerCase()] = value
  return merged
}

export const openProviderClient = (options: ProviderClientOptions): ProviderClient => {
  const { isTrustedAddress, userAgent, lookup, connections = DEFAULT_CONNECTIONS } = options
  const sendsTrace = isTracing && options.sendsTrace === true
  const maxReplyBytes = options.maxReplyBytes ?? DEFAULT_MAX_REPLY_BYTES
  const { origin, pathname } = new URL(options.baseUrl)
  const prefix = pathname.replace(/\/+$/, '')
  const defaultHeaders = { 'user-agent': userAgent, 'accept-encoding': ACCEPTED_ENCODINGS }

  const pool = new Pool(origin, {
    connect: guardedConnector({ isTrustedAddress, timeoutMs: CONNECT_TIMEOUT_MS, ...(lookup ? { lookup } : {}) }),
    connections,
    pipelining: 1,
    allowH2: false,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    headersTimeout: 0,
    bodyTimeout: 0,
  })

  const headersOf = (own: Record<string, string> | undefined): Record<string, string> => {
    const headers = own === undefined ? defaultHeaders : withDefaults(defaultHeaders, own)
    return sendsTrace ? { ...headers, ...traceHeaders() } : headers
  }

  return {
    ask({ method = 'GET', path, headers, body = '' }, deadline, beforeRetry) {
      const request = {
        method,
        path: prefix + path,
        headers: headersOf(headers),
        body: body === '' ? null : body,
      }
      return sendRequest({ pool, request, deadline, maxReplyBytes, beforeRetry })
    },
    close: () => pool.destroy(),
  }
}
