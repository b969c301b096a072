// Fetches a page to be read. The client of the API chooses the URL; `untrusted-fetch.ts` has the guards against that.
// The reply must not be too large, compressed or decompressed, nor too slow: a server that sends a byte now and then
// would otherwise hold a slot until the timeout.
import type { Readable } from 'node:stream'
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import type { Dispatcher } from 'undici'
import { ACCEPTED_ENCODINGS, BodyBuffer, isTooLarge, unpackReplyBody } from './decode-reply-body.ts'
import { createUntrustedFetch, discard, FetchRefusal, headerOf, type UntrustedFetchOptions } from './untrusted-fetch.ts'

export interface PageFetch {
  /** Rejects with FetchRefusal, or with UpstreamError if too many fetches are running or the server didn't answer. */
  fetch: (address: string, terms?: PageTerms) => Promise<FetchedPage>
  close: () => Promise<void>
}

export interface PageTerms {
  /** Called before every request, including redirects; rejects with FetchRefusal. Its time counts, too. */
  beforeRequest?: (url: URL) => Promise<void>
  maxBytes?: number
  /** The version that is known already. If it is still the current one, rejects with FetchRefusal and status 304. */
  known?: PageVersion
}

/** What the server says to tell versions of a page apart; '' if it doesn't. */
export interface PageVersion {
  etag: string
  lastModified: string
}

export interface FetchedPage extends PageReply {
  /** The final URL, after redirects. */
  address: string
}

interface PageReply extends PageVersion {
  contentType: string
  bytes: Buffer
}

export interface PageFetchOptions extends UntrustedFetchOptions {
  /** Read for every request, because the operator's contact can change. */
  userAgent: () => string
  /** This instance's public host name; the instance isn't fetched through itself. */
  ownHost: string
}

const ACCEPT =
  'text/html,application/xhtml+xml,application/pdf;q=0.9,text/markdown;q=0.9,text/plain;q=0.8,application/json;q=0.8'

export function createPageFetch({ userAgent, ...options }: PageFetchOptions): PageFetch {
  const { fetch, close } = createUntrustedFetch({
    noun: 'page',
    headers: {
      accept: ACCEPT,
      'accept-encoding': ACCEPTED_ENCODINGS,
      get 'user-agent'() {
        return userAgent()
      },
    },
    timeoutMs: 8_000,
    connectTimeoutMs: 3_000,
    maxConcurrent: 16,
    maxPerHost: 2,
    maxWaitingPerHost: 10,
    maxPooledHosts: 16,
    ...options,
  })
  return {
    async fetch(address, { beforeRequest, maxBytes, known } = {}) {
      const read = (reply: Dispatcher.ResponseData) => readPageReply(reply, maxBytes)
      const fetched = await fetch(address, { beforeRequest, read, headers: known && conditionsOf(known) })
      return { ...fetched.result, address: fetched.address }
    },
    close,
  }
}

const conditionsOf = ({ etag, lastModified }: PageVersion): Record<string, string> => ({
  ...(etag !== '' && { 'if-none-match': etag }),
  ...(lastModified !== '' && { 'if-modified-since': lastModified }),
})

const MAX_BYTES = 2_000_000
const MAX_PDF_BYTES = 10_000_000
/** At least this many bytes must arrive in every interval. */
const MIN_SPEED = { bytes: 2_048, everyMs: 3_000 }
/** Never text, so not worth downloading. */
const NEVER_TEXT = /^(?:image|audio|video|font)\/|^application\/(?:zip|gzip|x-tar|wasm|java-archive|x-msdownload)/i

/** Rejects with FetchRefusal, or with the connection's error. */
async function readPageReply(reply: Dispatcher.ResponseData, limit?: number): Promise<PageReply> {
  const { statusCode, headers, body } = reply
  const contentType = headerOf(headers, 'content-type')
  const maxBytes = limit ?? (/^application\/(?:x-)?pdf\b/i.test(contentType) ? MAX_PDF_BYTES : MAX_BYTES)
  const refusal = refusalOf({ statusCode, contentType, length: Number(headers['content-length']), maxBytes })
  if (refusal) {
    discard(reply)
    throw refusal
  }
  const bytes = await gather(body, maxBytes)
  return {
    contentType,
    bytes: await unpack(bytes, headerOf(headers, 'content-encoding'), maxBytes),
    etag: headerOf(headers, 'etag'),
    lastModified: headerOf(headers, 'last-modified'),
  }
}

interface ReplyFacts {
  statusCode: number
  contentType: string
  length: number
  maxBytes: number
}

function refusalOf({ statusCode, contentType, length, maxBytes }: ReplyFacts): FetchRefusal | undefined {
  if (statusCode !== 200) return new FetchRefusal('status', statusCode)
  if (NEVER_TEXT.test(contentType)) return new FetchRefusal('not_text')
  return length > maxBytes ? new FetchRefusal('too_large') : undefined
}

async function gather(body: Readable, maxBytes: number): Promise<Buffer> {
  const gathered = new BodyBuffer()
  let lastLength = 0
  const watch = setInterval(() => {
    if (gathered.length - lastLength < MIN_SPEED.bytes) body.destroy(new FetchRefusal('too_slow'))
    lastLength = gathered.length
  }, MIN_SPEED.everyMs)
  try {
    for await (const piece of body) {
      // No encoding is set on the stream, so its chunks are buffers.
      gathered.add(piece as Buffer)
      // Leaving the loop ends the connection.
      if (gathered.length > maxBytes) throw new FetchRefusal('too_large')
    }
  } finally {
    clearInterval(watch)
  }
  return gathered.bytes
}

async function unpack(bytes: Buffer, encoding: string, maxBytes: number): Promise<Buffer> {
  try {
    return await unpackReplyBody(bytes, encoding, maxBytes)
  } catch (error) {
    if (error instanceof UpstreamError && isTooLarge(error.cause)) throw new FetchRefusal('too_large')
    throw new FetchRefusal('not_text')
  }
}
