// A provider's own pool of connections, and the only way to ask it anything. One client for each provider and process,
// kept as long as the process: a slow provider fills its own pool and nobody else's.
//
// Nothing but the deadline limits how long a call takes. undici's timeouts are off: they are too coarse for a
// search, and a timer for each call is what the shared deadline is there to save.
import type { LookupFunction } from 'node:net'
import { Pool } from 'undici'
import { guardedConnector } from './address-guard.ts'
import type { Deadline } from './deadline.ts'
import { ACCEPTED_ENCODINGS } from './decode-reply-body.ts'
import { exchange, type ProviderReply } from './http-request.ts'

export interface ProviderRequest {
  method?: 'GET' | 'POST'
  /** Begins with a slash and follows the base URL's own path; carries the query string. */
  path: string
  /** Win over the client's own, whatever their case. */
  headers?: Record<string, string>
  body?: string
}

export interface ProviderClientOptions {
  /** Scheme, host, port and an optional path, e.g. `http://127.0.0.1:9/brave`. */
  baseUrl: string
  /** See `address-guard.ts`: true only for an address the operator named himself. */
  isTrustedAddress: boolean
  /** Who we say we are, e.g. `Bowerbird/0.1.0 (+https://…)`. */
  userAgent: string
  /** Sockets at most. Sized by rate × latency: 64 at 100 ms carry 640 calls a second at best, and collapse before. */
  connections?: number
  /** Of a reply's body, both as sent and decompressed. */
  maxReplyBytes?: number
  /** Who resolves names; the system unless given. */
  lookup?: LookupFunction
}

export interface ProviderClient {
  /**
   * Resolves with whatever status the provider gave, except a redirect.
   * Rejects with UpstreamError: `timeout` (the deadline), `unreachable` (no connection, or it broke), `blocked` (the
   * address guard), `malformed` (too large, a redirect, not HTTP, not decompressible). The original error is its cause.
   */
  ask(request: ProviderRequest, deadline: Deadline): Promise<ProviderReply>
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

  return {
    ask({ method = 'GET', path, headers, body = '' }, deadline) {
      const request = {
        method,
        path: prefix + path,
        headers: headers === undefined ? defaultHeaders : withDefaults(defaultHeaders, headers),
        body: body === '' ? null : body,
      }
      return exchange({ pool, request, deadline, maxReplyBytes })
    },
    close: () => pool.destroy(),
  }
}
