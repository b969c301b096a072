// Fetches a page to be read, the sibling of `picture-fetch.ts`. Here the URL is the caller's own, which makes the same
// guards matter more: the address guard checks every connection after its name has been resolved, every redirect is
// checked like the first URL, and size, speed and time are limited while the reply arrives.
//
// If the operator runs a proxy for pages (`viaProxy`), only the proxy is contacted. It then follows redirects, and a
// redirect that it passes on is refused, because the proxy's own address need not be public.
import { isIP, type LookupFunction } from 'node:net'
import { LRUCache } from 'lru-cache'
import { type Dispatcher, Pool } from 'undici'
import { UpstreamError } from '../errors.ts'
import { hostOf, httpAddress } from '../text/http-address.ts'
import { guardedConnector, isForeignAddress } from './address-guard.ts'
import { createBulkhead } from './bulkhead.ts'
import { ACCEPTED_ENCODINGS } from './decode-reply-body.ts'
import { createHostQueue } from './host-queue.ts'
import { headerOf, PageRefusal, type PageReply, readPageReply } from './page-reply.ts'

export interface PageFetch {
  /** Rejects with PageRefusal, or with UpstreamError if too much is being fetched or nobody answered. */
  fetch: (address: string, terms?: PageTerms) => Promise<FetchedReply>
  close: () => Promise<void>
}

export interface PageTerms {
  /** Asked before every request, for redirects too; rejects with PageRefusal. */
  mayFetch?: (url: URL) => Promise<void>
  maxBytes?: number
}

export interface FetchedReply extends PageReply {
  /** Where it was in the end. */
  address: string
}

export interface PageFetchOptions {
  /** A proxy that takes the page's URL as the parameter `url`. The operator configured it, so it is trusted. */
  viaProxy: string | undefined
  userAgent: string
  /** The host under which this instance is known; it isn't read through itself. */
  ownHost: string
  timeoutMs?: number
  lookup?: LookupFunction
  /** Allows private addresses; for tests that run their own server. */
  isTrustedAddress?: boolean
}

const TIMEOUT_MS = 8_000
const CONNECT_TIMEOUT_MS = 3_000
const MOST_REDIRECTS = 3
const MOST_AT_ONCE = 16
const MOST_A_HOST = 2
const MOST_WAITING_A_HOST = 10
const HOSTS_REMEMBERED = 16
/** On other ports, a page would be odd and a non-public service likely. */
const PORTS = new Set(['', '80', '443', '8080', '8443'])
const ACCEPT =
  'text/html,application/xhtml+xml,application/pdf;q=0.9,text/markdown;q=0.9,text/plain;q=0.8,application/json;q=0.8'

export function createPageFetch(options: PageFetchOptions): PageFetch {
  const { viaProxy, timeoutMs = TIMEOUT_MS } = options
  const bulkhead = createBulkhead(MOST_AT_ONCE)
  const hosts = createHostQueue({ most: MOST_A_HOST, mostWaiting: MOST_WAITING_A_HOST })
  const pools = openPools(options)
  const headers = { accept: ACCEPT, 'accept-encoding': ACCEPTED_ENCODINGS, 'user-agent': options.userAgent }

  /** One request; undefined if the reply is a redirect, whose target is then `location`. */
  async function request(url: URL, signal: AbortSignal, maxBytes: number | undefined) {
    const wanted = viaProxy === undefined ? url : new URL(`${viaProxy}?url=${encodeURIComponent(url.href)}`)
    const reply = await pools.poolOf(wanted.origin).request({
      method: 'GET',
      path: wanted.pathname + wanted.search,
      headers,
      signal,
    })
    const location = redirectOf(reply)
    if (location === undefined) return { reply: await readPageReply(reply, maxBytes) }
    reply.body.on('error', () => undefined).destroy()
    if (viaProxy !== undefined) throw new UpstreamError('malformed', 'the page proxy answered with a redirect')
    return { location }
  }

  async function follow(address: string, { mayFetch, maxBytes }: PageTerms, signal: AbortSignal) {
    let url = judged(address, options)
    for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
      await mayFetch?.(url)
      const { href } = url
      const { reply, location } = await hosts.run(hostOf(href), signal, () => request(new URL(href), signal, maxBytes))
      if (reply) return { ...reply, address: href }
      url = judged(URL.canParse(location, href) ? new URL(location, href).href : '', options)
    }
    throw new PageRefusal('redirects')
  }

  return {
    async fetch(address, terms = {}) {
      // Whoever asks for a robots.txt has a place already.
      const isPage = terms.mayFetch !== undefined
      if (isPage && !bulkhead.enter()) throw new UpstreamError('busy', 'too many pages are being fetched')
      try {
        return await follow(address, terms, AbortSignal.timeout(timeoutMs))
      } catch (error) {
        throw explained(error)
      } finally {
        if (isPage) bulkhead.leave()
      }
    },
    close: () => pools.close(),
  }
}

function openPools({ viaProxy, isTrustedAddress = false, lookup }: PageFetchOptions) {
  const guard = {
    isTrustedAddress: isTrustedAddress || viaProxy !== undefined,
    timeoutMs: CONNECT_TIMEOUT_MS,
    ...(lookup ? { lookup } : {}),
  }
  const pools = new LRUCache<string, Pool>({
    max: HOSTS_REMEMBERED,
    // Busy connections end by themselves.
    dispose: (pool) => void pool.close(),
  })
  return {
    poolOf(origin: string): Pool {
      const known = pools.get(origin)
      if (known) return known
      const connections = viaProxy === undefined ? MOST_A_HOST : MOST_AT_ONCE
      const pool = new Pool(origin, { connect: guardedConnector(guard), connections, allowH2: false })
      pools.set(origin, pool)
      return pool
    },
    async close() {
      await Promise.all([...pools.values()].map((pool) => pool.destroy()))
    },
  }
}

/** What no connection has to be tried for. */
function judged(address: string, { ownHost, isTrustedAddress = false }: PageFetchOptions): URL {
  const url = httpAddress(address) === '' ? undefined : new URL(address)
  if (!url) throw new PageRefusal('blocked')
  const literal = url.hostname.replace(/^\[|\]$/g, '')
  const isOddPort = !isTrustedAddress && !PORTS.has(url.port)
  // A proxy would connect to what we are asked for; behind no proxy, the address guard looks again.
  const isPrivate = !isTrustedAddress && isIP(literal) !== 0 && !isForeignAddress(literal)
  if (isOddPort || isPrivate || (ownHost !== '' && url.host === ownHost)) throw new PageRefusal('blocked')
  return url
}

function redirectOf({ statusCode, headers }: Dispatcher.ResponseData): string | undefined {
  if (statusCode < 300 || statusCode > 399 || statusCode === 304) return undefined
  return headerOf(headers, 'location')
}

function explained(error: unknown): unknown {
  if (error instanceof PageRefusal) return error
  if (error instanceof UpstreamError) return error.kind === 'blocked' ? new PageRefusal('blocked') : error
  const isLate = error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError')
  return isLate
    ? new UpstreamError('timeout', 'the page did not arrive in time', { cause: error })
    : new UpstreamError('unreachable', 'the connection for the page failed', { cause: error })
}
