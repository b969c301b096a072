// Fetches a page to be read; the counterpart of `picture-fetch.ts`. Here the caller chooses the URL, which makes the
// same guards matter more: the address guard checks every connection after DNS resolution, every redirect is checked
// like the first URL, and size, speed and time are limited while the reply arrives.
//
// If the operator runs a proxy for pages (`viaProxy`), only the proxy is contacted. The proxy follows redirects itself,
// and a redirect that it passes on is refused, because the proxy's own address need not be public.
import { isIP, type LookupFunction } from 'node:net'
import { hostOf, httpAddress } from '@bowerbird/engines/parsing/http-address.ts'
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import { isForeignAddress } from './address-guard.ts'
import { createBulkhead } from './bulkhead.ts'
import { ACCEPTED_ENCODINGS } from './decode-reply-body.ts'
import { createHostQueue } from './host-queue.ts'
import { PageRefusal, type PageReply, readPageReply } from './page-reply.ts'
import { discard, isLate, openHostPools, PUBLIC_PORTS, redirectOf, redirectTarget } from './untrusted-host-pools.ts'

export interface PageFetch {
  /** Rejects with PageRefusal, or with UpstreamError if too many fetches are running or the server didn't answer. */
  fetch: (address: string, terms?: PageTerms) => Promise<FetchedReply>
  close: () => Promise<void>
}

export interface PageTerms {
  /** Called before every request, including redirects; rejects with PageRefusal. */
  mayFetch?: (url: URL) => Promise<void>
  maxBytes?: number
}

export interface FetchedReply extends PageReply {
  /** The final URL, after redirects. */
  address: string
}

export interface PageFetchOptions {
  /** A proxy that takes the page's URL as the parameter `url`. The operator configured it, so it is trusted. */
  viaProxy: string | undefined
  userAgent: string
  /** This instance's public host; the instance isn't fetched through itself. */
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
const ACCEPT =
  'text/html,application/xhtml+xml,application/pdf;q=0.9,text/markdown;q=0.9,text/plain;q=0.8,application/json;q=0.8'

export function createPageFetch(options: PageFetchOptions): PageFetch {
  const { viaProxy, timeoutMs = TIMEOUT_MS, isTrustedAddress = false, lookup } = options
  const bulkhead = createBulkhead(MOST_AT_ONCE)
  const hosts = createHostQueue({ most: MOST_A_HOST, mostWaiting: MOST_WAITING_A_HOST })
  const pools = openHostPools({
    isTrustedAddress: isTrustedAddress || viaProxy !== undefined,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    connections: viaProxy === undefined ? MOST_A_HOST : MOST_AT_ONCE,
    hostsRemembered: HOSTS_REMEMBERED,
    lookup,
  })
  const headers = { accept: ACCEPT, 'accept-encoding': ACCEPTED_ENCODINGS, 'user-agent': options.userAgent }

  /** Sends one request; resolves to the reply, or to the `location` of a redirect. */
  async function request(url: URL, signal: AbortSignal, maxBytes: number | undefined) {
    const wanted = viaProxy === undefined ? url : new URL(`${viaProxy}?url=${encodeURIComponent(url.href)}`)
    const reply = await pools.request(wanted.origin, {
      method: 'GET',
      path: wanted.pathname + wanted.search,
      headers,
      signal,
    })
    const location = redirectOf(reply)
    if (location === undefined) return { reply: await readPageReply(reply, maxBytes) }
    discard(reply)
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
      url = judged(redirectTarget(location, href), options)
    }
    throw new PageRefusal('redirects')
  }

  return {
    async fetch(address, terms = {}) {
      // A robots.txt fetch runs inside a page fetch that already holds a slot.
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

/** Refuses URLs that can be ruled out without connecting. */
function judged(address: string, { ownHost, isTrustedAddress = false }: PageFetchOptions): URL {
  const url = httpAddress(address) === '' ? undefined : new URL(address)
  if (!url) throw new PageRefusal('blocked')
  const literal = url.hostname.replace(/^\[|\]$/g, '')
  const isOddPort = !isTrustedAddress && !PUBLIC_PORTS.has(url.port)
  // A proxy would connect to this address itself; without one, the address guard checks again.
  const isPrivate = !isTrustedAddress && isIP(literal) !== 0 && !isForeignAddress(literal)
  if (isOddPort || isPrivate || (ownHost !== '' && url.host === ownHost)) throw new PageRefusal('blocked')
  return url
}

function explained(error: unknown): unknown {
  if (error instanceof PageRefusal) return error
  if (error instanceof UpstreamError) return error.kind === 'blocked' ? new PageRefusal('blocked') : error
  return isLate(error)
    ? new UpstreamError('timeout', 'the page did not arrive in time', { cause: error })
    : new UpstreamError('unreachable', 'the connection for the page failed', { cause: error })
}
