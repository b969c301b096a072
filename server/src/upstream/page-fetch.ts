// Fetches a page to be read. The client of the API chooses the URL, so `untrusted-fetch.ts` has its guards. The reply is
// limited in size, both compressed and decompressed, and in speed: a server that sends a byte now and then would
// otherwise hold a slot until the timeout.
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
  /** Called before every request, including redirects; rejects with FetchRefusal. */
  mayFetch?: (url: URL) => Promise<void>
  maxBytes?: number
}

export interface FetchedPage extends PageReply {
  /** The final URL, after redirects. */
  address: string
}

interface PageReply {
  contentType: string
  bytes: Buffer
}

export interface PageFetchOptions extends UntrustedFetchOptions {
  userAgent: string
  /** This instance's public host; the instance isn't fetched through itself. */
  ownHost: string
}

const ACCEPT =
  'text/html,application/xhtml+xml,application/pdf;q=0.9,text/markdown;q=0.9,text/plain;q=0.8,application/json;q=0.8'

export function createPageFetch({ userAgent, ...options }: PageFetchOptions): PageFetch {
  const { fetch, close } = createUntrustedFetch({
    noun: 'page',
    headers: { accept: ACCEPT, 'accept-encoding': ACCEPTED_ENCODINGS, 'user-agent': userAgent },
    timeoutMs: 8_000,
    connectTimeoutMs: 3_000,
    mostAtOnce: 16,
    mostAHost: 2,
    mostWaitingAHost: 10,
    hostsRemembered: 16,
    ...options,
  })
  return {
    async fetch(address, { mayFetch, maxBytes } = {}) {
      const fetched = await fetch(address, { mayFetch, read: (reply) => readPageReply(reply, maxBytes) })
      return { ...fetched.result, address: fetched.address }
    },
    close,
  }
}

const MOST_BYTES = 2_000_000
const MOST_PDF_BYTES = 10_000_000
/** At least this many bytes must arrive in every interval. */
const SLOWEST = { bytes: 2_048, everyMs: 3_000 }
/** Never text, so not worth downloading. */
const NEVER_TEXT = /^(?:image|audio|video|font)\/|^application\/(?:zip|gzip|x-tar|wasm|java-archive|x-msdownload)/i

/** Rejects with FetchRefusal, or with the connection's error. */
async function readPageReply(reply: Dispatcher.ResponseData, limit?: number): Promise<PageReply> {
  const { statusCode, headers, body } = reply
  const contentType = headerOf(headers, 'content-type')
  const maxBytes = limit ?? (/^application\/(?:x-)?pdf\b/i.test(contentType) ? MOST_PDF_BYTES : MOST_BYTES)
  const refusal = refusalOf({ statusCode, contentType, length: Number(headers['content-length']), maxBytes })
  if (refusal) {
    discard(reply)
    throw refusal
  }
  const bytes = await gather(body, maxBytes)
  return { contentType, bytes: await unpacked(bytes, headerOf(headers, 'content-encoding'), maxBytes) }
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
  let seen = 0
  const watch = setInterval(() => {
    if (gathered.length - seen < SLOWEST.bytes) body.destroy(new FetchRefusal('too_slow'))
    seen = gathered.length
  }, SLOWEST.everyMs)
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

async function unpacked(bytes: Buffer, encoding: string, maxBytes: number): Promise<Buffer> {
  try {
    return await unpackReplyBody(bytes, encoding, maxBytes)
  } catch (error) {
    if (error instanceof UpstreamError && isTooLarge(error.cause)) throw new FetchRefusal('too_large')
    throw new FetchRefusal('not_text')
  }
}
