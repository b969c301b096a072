// Fetches a picture from another site, so that the site sees this server and never the user. The URL comes from a
// search engine's reply, so effectively from anyone: the address guard checks every connection after DNS resolution,
// every redirect is checked like the first URL, and size and time are limited while the reply arrives. Whatever its
// headers say, the reply must be a picture by its bytes.
//
// If the operator runs an image proxy (`viaProxy`), only the proxy is contacted. The proxy follows redirects itself,
// and a redirect that it passes on is refused, because the proxy's own address need not be public.
import type { LookupFunction } from 'node:net'
import { hostOf, httpAddress } from '@bowerbird/engines/parsing/http-address.ts'
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import type { Dispatcher } from 'undici'
import { BodyBuffer } from './body-buffer.ts'
import { createBulkhead } from './bulkhead.ts'
import { createHostQueue } from './host-queue.ts'
import { pictureType } from './picture-type.ts'
import { discard, isLate, openHostPools, PUBLIC_PORTS, redirectOf, redirectTarget } from './untrusted-host-pools.ts'

export interface Picture {
  type: string
  bytes: Buffer
}

export interface PictureFetch {
  /** Rejects with UpstreamError for anything but a picture within the limits. */
  fetch: (address: string, maxBytes: number) => Promise<Picture>
  close: () => Promise<void>
}

export interface PictureFetchOptions {
  /**
   * An image proxy that takes the picture's URL as the parameter `url`. The operator configured it, so it is trusted.
   */
  viaProxy: string | undefined
  timeoutMs?: number
  lookup?: LookupFunction
  /** Allows private addresses; for tests that run their own server. */
  isTrustedAddress?: boolean
}

const TIMEOUT_MS = 5_000
const CONNECT_TIMEOUT_MS = 2_000
const MOST_REDIRECTS = 3
const MOST_AT_ONCE = 64
/** Well below `MOST_AT_ONCE`, so that it takes many slow hosts to block all pictures. */
const SOCKETS_A_HOST = 6
const MOST_WAITING_A_HOST = 100
const HOSTS_REMEMBERED = 32

const HEADERS = {
  accept: 'image/avif,image/webp,image/png,image/jpeg,image/gif,image/x-icon',
  'accept-encoding': 'identity',
  // Some hosts refuse clients without a User-Agent; our usual one would tell them which instance this is.
  'user-agent': 'Mozilla/5.0 (compatible; picture proxy)',
}

export function createPictureFetch(options: PictureFetchOptions): PictureFetch {
  const { viaProxy, timeoutMs = TIMEOUT_MS, lookup, isTrustedAddress = false } = options
  const bulkhead = createBulkhead(MOST_AT_ONCE)
  const hosts = createHostQueue({ most: SOCKETS_A_HOST, mostWaiting: MOST_WAITING_A_HOST })
  const isTrusted = isTrustedAddress || viaProxy !== undefined
  const { request, close } = openHostPools({
    isTrustedAddress: isTrusted,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    connections: SOCKETS_A_HOST,
    hostsRemembered: HOSTS_REMEMBERED,
    lookup,
  })

  async function follow(address: string, maxBytes: number, signal: AbortSignal): Promise<Picture> {
    let url = toUrl(address, isTrusted)
    for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
      const reply = await request(url.origin, {
        method: 'GET',
        path: url.pathname + url.search,
        headers: HEADERS,
        signal,
      })
      const target = redirectOf(reply)
      if (target === undefined) return await read(reply, maxBytes)
      discard(reply)
      if (viaProxy !== undefined) throw new UpstreamError('malformed', 'the image proxy answered with a redirect')
      url = toUrl(redirectTarget(target, url.href), isTrusted)
    }
    throw new UpstreamError('malformed', 'too many redirects for the picture')
  }

  async function fetchNow(address: string, maxBytes: number, signal: AbortSignal): Promise<Picture> {
    if (!bulkhead.enter()) throw new UpstreamError('busy', 'too many pictures are being fetched')
    try {
      const wanted = viaProxy === undefined ? address : `${viaProxy}?url=${encodeURIComponent(address)}`
      return await follow(wanted, maxBytes, signal)
    } catch (error) {
      throw error instanceof UpstreamError ? error : explain(error)
    } finally {
      bulkhead.leave()
    }
  }

  return {
    fetch(address, maxBytes) {
      const signal = AbortSignal.timeout(timeoutMs)
      return hosts.run(hostOf(address), signal, () => fetchNow(address, maxBytes, signal))
    },
    close,
  }
}

function toUrl(address: string, isTrusted: boolean): URL {
  const url = httpAddress(address) === '' ? undefined : new URL(address)
  if (!url || (!isTrusted && !PUBLIC_PORTS.has(url.port))) {
    throw new UpstreamError('blocked', 'pictures are never fetched from this address')
  }
  return url
}

async function read(reply: Dispatcher.ResponseData, maxBytes: number): Promise<Picture> {
  const { statusCode, headers, body } = reply
  const isTooLarge = Number(headers['content-length']) > maxBytes
  if (statusCode !== 200 || isTooLarge) {
    discard(reply)
    throw new UpstreamError('malformed', isTooLarge ? 'the picture is too large' : 'there is no picture')
  }
  const gathered = new BodyBuffer()
  for await (const piece of body) {
    // No encoding is set on the stream, so its chunks are buffers.
    gathered.add(piece as Buffer)
    // Leaving the loop ends the connection.
    if (gathered.length > maxBytes) throw new UpstreamError('malformed', 'the picture is too large')
  }
  const bytes = Buffer.from(gathered.bytes)
  const type = pictureType(bytes)
  if (type === undefined) throw new UpstreamError('malformed', 'the reply is not a picture')
  return { type, bytes }
}

function explain(cause: unknown): UpstreamError {
  return isLate(cause)
    ? new UpstreamError('timeout', 'the picture did not arrive in time', { cause })
    : new UpstreamError('unreachable', 'the connection for the picture failed', { cause })
}
