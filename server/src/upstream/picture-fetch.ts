// Fetches somebody else's picture, so that they see this server and never the searcher. The address comes from a reply of
// a search engine, which is to say from anybody: every connection is judged by the address guard after its name has been
// resolved, every redirect is judged like a first address, and size and time are bounded while the reply arrives. What is
// not a picture by its own bytes is refused, whatever its header says.
//
// With a proxy of the operator's own (`viaProxy`) the proxy is asked for the picture and nobody else is: it is where
// redirects are followed then, and one that it hands on is refused, because its own address needs not be a public one.
import type { LookupFunction } from 'node:net'
import { LRUCache } from 'lru-cache'
import { type Dispatcher, Pool } from 'undici'
import { UpstreamError } from '../errors.ts'
import { httpAddress } from '../text/http-address.ts'
import { guardedConnector } from './address-guard.ts'
import { createBulkhead } from './bulkhead.ts'
import { GatheredBytes } from './body-buffer.ts'
import { pictureType } from './picture-type.ts'

export interface Picture {
  type: string
  bytes: Buffer
}

export interface PictureFetch {
  /** Rejects with UpstreamError for anything that is not a picture within the limits. */
  fetch: (address: string, maxBytes: number) => Promise<Picture>
  close: () => Promise<void>
}

export interface PictureFetchOptions {
  /** An image proxy that takes the picture's address as the parameter `url`; the operator named it, so it is trusted. */
  viaProxy: string | undefined
  timeoutMs?: number
  lookup?: LookupFunction
  /** For an address without a public one behind it; a test's own server is one. */
  isTrustedAddress?: boolean
}

const TIMEOUT_MS = 5_000
const CONNECT_TIMEOUT_MS = 2_000
const MOST_REDIRECTS = 3
const MOST_AT_ONCE = 64
const SOCKETS_A_HOST = 6
const HOSTS_REMEMBERED = 32
/** Elsewhere a picture would be an odd thing to keep, and a service that is not for the public a likely one. */
const PORTS = new Set(['', '80', '443', '8080', '8443'])

const HEADERS = {
  accept: 'image/avif,image/webp,image/png,image/jpeg,image/gif,image/x-icon',
  'accept-encoding': 'identity',
  // Some hosts turn away clients without a name; ours would tell them who searches here.
  'user-agent': 'Mozilla/5.0 (compatible; picture proxy)',
}

export function createPictureFetch(options: PictureFetchOptions): PictureFetch {
  const { viaProxy, timeoutMs = TIMEOUT_MS, lookup, isTrustedAddress = false } = options
  const bulkhead = createBulkhead(MOST_AT_ONCE)
  const isTrusted = isTrustedAddress || viaProxy !== undefined
  const pools = new LRUCache<string, Pool>({
    max: HOSTS_REMEMBERED,
    // Those that are busy end by themselves.
    dispose: (pool) => void pool.close(),
  })

  function poolOf(origin: string): Pool {
    const known = pools.get(origin)
    if (known) return known
    const guard = { isTrustedAddress: isTrusted, timeoutMs: CONNECT_TIMEOUT_MS, ...(lookup ? { lookup } : {}) }
    const pool = new Pool(origin, { connect: guardedConnector(guard), connections: SOCKETS_A_HOST, allowH2: false })
    pools.set(origin, pool)
    return pool
  }

  async function follow(address: string, maxBytes: number, signal: AbortSignal): Promise<Picture> {
    let url = toUrl(address, isTrusted)
    for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
      const reply = await poolOf(url.origin).request({
        method: 'GET',
        path: url.pathname + url.search,
        headers: HEADERS,
        signal,
      })
      const target = redirectOf(reply)
      if (target === undefined) return await read(reply, maxBytes)
      discard(reply)
      if (viaProxy !== undefined) throw new UpstreamError('malformed', 'the image proxy gave an address and no picture')
      url = toUrl(URL.canParse(target, url.href) ? new URL(target, url).href : '', isTrusted)
    }
    throw new UpstreamError('malformed', 'the picture leads from one address to the next')
  }

  return {
    async fetch(address, maxBytes) {
      if (!bulkhead.enter()) throw new UpstreamError('busy', 'too many pictures are being fetched')
      try {
        const wanted = viaProxy === undefined ? address : `${viaProxy}?url=${encodeURIComponent(address)}`
        return await follow(wanted, maxBytes, AbortSignal.timeout(timeoutMs))
      } catch (error) {
        throw error instanceof UpstreamError ? error : explain(error)
      } finally {
        bulkhead.leave()
      }
    },
    async close() {
      await Promise.all([...pools.values()].map((pool) => pool.destroy()))
    },
  }
}

function toUrl(address: string, isTrusted: boolean): URL {
  const url = httpAddress(address) === '' ? undefined : new URL(address)
  if (!url || (!isTrusted && !PORTS.has(url.port))) {
    throw new UpstreamError('blocked', 'the picture is at an address that is never fetched')
  }
  return url
}

function redirectOf({ statusCode, headers }: Dispatcher.ResponseData): string | undefined {
  if (statusCode < 300 || statusCode > 399) return undefined
  const location = headers['location']
  return (Array.isArray(location) ? location[0] : location) ?? ''
}

/** A body that nobody reads says that it was aborted, to nobody. */
const discard = ({ body }: Dispatcher.ResponseData) => body.on('error', () => undefined).destroy()

async function read(reply: Dispatcher.ResponseData, maxBytes: number): Promise<Picture> {
  const { statusCode, headers, body } = reply
  const isTooLarge = Number(headers['content-length']) > maxBytes
  if (statusCode !== 200 || isTooLarge) {
    discard(reply)
    throw new UpstreamError('malformed', isTooLarge ? 'the picture is too large' : 'there is no picture')
  }
  const gathered = new GatheredBytes()
  for await (const piece of body) {
    // No encoding is set on the stream, so its pieces are buffers.
    gathered.add(piece as Buffer)
    // Leaving the loop ends the connection.
    if (gathered.length > maxBytes) throw new UpstreamError('malformed', 'the picture is too large')
  }
  const bytes = Buffer.from(gathered.bytes)
  const type = pictureType(bytes)
  if (type === undefined) throw new UpstreamError('malformed', 'what came is not a picture')
  return { type, bytes }
}

function explain(cause: unknown): UpstreamError {
  const isLate = cause instanceof Error && (cause.name === 'TimeoutError' || cause.name === 'AbortError')
  return isLate
    ? new UpstreamError('timeout', 'the picture did not arrive in time', { cause })
    : new UpstreamError('unreachable', 'the connection for the picture failed', { cause })
}
