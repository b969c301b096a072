// Fetches from hosts that anyone may have chosen: pages to read (`page-fetch.ts`) and pictures (`picture-fetch.ts`).
// The address guard checks every connection after DNS resolution, every redirect is checked like the first URL, and
// time is limited. What is read of a reply, and how much, is up to `read`.
//
// If the operator runs a proxy (`viaProxy`), only the proxy is contacted. The proxy follows redirects itself, and a
// redirect that it passes on is refused, because the proxy's own address need not be public. Without one, connections
// go through the outgoing proxy, if there is one.
import type { LookupFunction } from 'node:net'
import { hostOf, httpAddress } from '@bowerbird/engines/parsing/http-address.ts'
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import { LRUCache } from 'lru-cache'
import { type Dispatcher, Pool } from 'undici'
import { Refusal } from '../errors.ts'
import { guardedConnector, isOwnNetwork } from './address-guard.ts'
import { createBulkhead, createFairQueue } from './bulkhead.ts'
import type { OutgoingProxy } from './outgoing-proxy.ts'

type RefusalReason = 'too_large' | 'not_text' | 'blocked' | 'robots' | 'status' | 'redirects' | 'too_slow'

/** Thrown if something can't be fetched because of what or where it is, so that retrying soon would be pointless. */
export class FetchRefusal extends Error {
  readonly reason: RefusalReason
  /** The HTTP status, if the reason is `status`. */
  readonly status: number | undefined

  constructor(reason: RefusalReason, status?: number) {
    super(`not fetched: ${reason}`)
    this.reason = reason
    this.status = status
  }
}

/** What the operator and tests may set. */
export interface UntrustedFetchOptions {
  /** A proxy that takes the URL as the parameter `url`. The operator configured it, so it is trusted. */
  viaProxy: string | undefined
  /** The proxy for all outgoing connections, except those to `viaProxy`; undefined: none. */
  outgoingProxy: OutgoingProxy | undefined
  timeoutMs?: number
  lookup?: LookupFunction
  /** Allows private addresses; for tests that run their own server. */
  isTrustedAddress?: boolean
}

interface UntrustedFetchTerms extends UntrustedFetchOptions {
  /** For error messages: `page`, `picture`. */
  noun: string
  headers: Record<string, string>
  timeoutMs: number
  connectTimeoutMs: number
  maxConcurrent: number
  maxPerHost: number
  maxWaitingPerHost: number
  maxPooledHosts: number
  /** This instance's public host name, or ''; the instance isn't fetched through itself. */
  ownHost: string
}

interface FetchHandlers<Result> {
  read: (reply: Dispatcher.ResponseData) => Promise<Result>
  /** Called before every request, including redirects; rejects with FetchRefusal. Its time counts, too. */
  beforeRequest?: ((url: URL) => Promise<void>) | undefined
  /** Sent besides those of every fetch. */
  headers?: Record<string, string> | undefined
}

export interface UntrustedFetch {
  /**
   * Resolves to what `read` returns and the final URL, after redirects. Rejects with FetchRefusal, or with UpstreamError
   * if too many fetches are running or the server didn't answer.
   */
  fetch: <Result>(address: string, handlers: FetchHandlers<Result>) => Promise<{ result: Result; address: string }>
  close: () => Promise<void>
}

const MAX_REDIRECTS = 3
/** On other ports, a page or a picture would be unusual and an internal service likely. */
const PUBLIC_PORTS: ReadonlySet<string> = new Set(['', '80', '443', '8080', '8443'])

export function createUntrustedFetch(terms: UntrustedFetchTerms): UntrustedFetch {
  const { noun, viaProxy, maxConcurrent, maxPerHost, maxWaitingPerHost } = terms
  const bulkhead = createBulkhead(maxConcurrent)
  const hosts = createFairQueue({ maxActive: maxPerHost, maxWaiting: maxWaitingPerHost })
  const pools = openHostPools(terms)

  /** Sends one request; resolves to what was read, or to the `location` of a redirect. */
  async function request<Result>(url: URL, signal: AbortSignal, { read, headers: extra }: FetchHandlers<Result>) {
    const { origin, pathname, search } =
      viaProxy === undefined ? url : new URL(`${viaProxy}?url=${encodeURIComponent(url.href)}`)
    if (!bulkhead.enter()) throw new UpstreamError('busy', `too many ${noun}s are being fetched`)
    try {
      const headers = extra ? { ...terms.headers, ...extra } : terms.headers
      const reply = await pools.request(origin, { method: 'GET', path: pathname + search, headers, signal })
      const location = redirectOf(reply)
      if (location === undefined) return { result: await read(reply) }
      discard(reply)
      if (viaProxy !== undefined) throw new UpstreamError('malformed', `the ${noun} proxy answered with a redirect`)
      return { location }
    } finally {
      bulkhead.leave()
    }
  }

  async function follow<Result>(address: string, handlers: FetchHandlers<Result>, signal: AbortSignal) {
    const { beforeRequest } = handlers
    let url = requireFetchable(address, terms)
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      if (beforeRequest) await unlessAborted(beforeRequest(url), signal)
      const { href } = url
      const reply = await hosts.run(hostOf(href), signal, () => request(new URL(href), signal, handlers))
      if (reply.location === undefined) return { result: reply.result, address: href }
      url = requireFetchable(URL.parse(reply.location, href)?.href ?? '', terms)
    }
    throw new FetchRefusal('redirects')
  }

  return {
    async fetch(address, handlers) {
      try {
        return await follow(address, handlers, AbortSignal.timeout(terms.timeoutMs))
      } catch (error) {
        throw toFetchError(error, noun)
      }
    },
    close: () => pools.close(),
  }
}

/** Refuses URLs that can be ruled out without connecting. */
function requireFetchable(address: string, { ownHost, isTrustedAddress = false }: UntrustedFetchTerms): URL {
  const url = httpAddress(address) === '' ? undefined : new URL(address)
  if (!url) throw new FetchRefusal('blocked')
  const literal = url.hostname.replace(/^\[|\]$/g, '')
  const isOddPort = !isTrustedAddress && !PUBLIC_PORTS.has(url.port)
  // A proxy would connect to this address itself; without one, the address guard checks again.
  const isPrivate = !isTrustedAddress && isOwnNetwork(literal)
  const isOurselves = ownHost !== '' && withoutFinalDot(url.hostname) === withoutFinalDot(ownHost)
  if (isOddPort || isPrivate || isOurselves) throw new FetchRefusal('blocked')
  return url
}

const withoutFinalDot = (host: string): string => host.replace(/\.$/, '')

/** Rejects with the signal's reason if it aborts before the work is done. */
async function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const giveUp = () => reject(signal.reason)
  signal.addEventListener('abort', giveUp)
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', giveUp)
  }
}

/** A name that leads to a private address is as unreachable as one that doesn't exist, or we would tell which is which. */
function toFetchError(error: unknown, noun: string): unknown {
  if (error instanceof FetchRefusal || (error instanceof UpstreamError && error.kind !== 'guarded')) return error
  // `read` has none of its own, but what it calls may have no room for more.
  if (error instanceof Refusal) return error
  const isTimeout = error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError')
  return isTimeout
    ? new UpstreamError('timeout', `the ${noun} did not arrive in time`, { cause: error })
    : new UpstreamError('unreachable', `the connection for the ${noun} failed`, { cause: error })
}

/** Connection pools by host. Every connection passes the address guard; those to a few recent hosts are kept open. */
function openHostPools(terms: UntrustedFetchTerms) {
  const { viaProxy, outgoingProxy, isTrustedAddress = false, connectTimeoutMs: timeoutMs, lookup } = terms
  const guard = {
    isTrustedAddress: isTrustedAddress || viaProxy !== undefined,
    proxy: viaProxy === undefined ? outgoingProxy : undefined,
    timeoutMs,
    ...(lookup && { lookup }),
  }
  const connections = viaProxy === undefined ? terms.maxPerHost : terms.maxConcurrent
  const pools = new LRUCache<string, Pool>({
    max: terms.maxPooledHosts,
    // `close` lets requests in progress finish.
    dispose: (pool) => void pool.close(),
  })
  return {
    request(origin: string, options: Dispatcher.RequestOptions): Promise<Dispatcher.ResponseData> {
      const pool =
        pools.get(origin) ?? new Pool(origin, { connect: guardedConnector(guard), connections, allowH2: false })
      pools.set(origin, pool)
      return pool.request(options)
    },
    async close() {
      await Promise.all([...pools.values()].map((pool) => pool.destroy()))
    },
  }
}

/** The header's value; the first one if there are several. */
export const headerOf = (headers: Dispatcher.ResponseData['headers'], name: string): string => {
  const value = headers[name]
  return (Array.isArray(value) ? value[0] : value) ?? ''
}

/** A redirect's Location, '' if it is missing; undefined if the reply isn't a redirect. */
function redirectOf({ statusCode, headers }: Dispatcher.ResponseData): string | undefined {
  if (statusCode < 300 || statusCode > 399 || statusCode === 304) return undefined
  return headerOf(headers, 'location')
}

/** Destroys an unread body and ignores the error that this causes. */
export const discard = ({ body }: Dispatcher.ResponseData): void => void body.on('error', () => undefined).destroy()
