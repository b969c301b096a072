// Reads the reply to a page request within limits: of size, both compressed and decompressed, and of speed. Without the
// speed limit, a server that sends a byte now and then would hold a slot until the timeout.
import type { Readable } from 'node:stream'
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import type { Dispatcher } from 'undici'
import { BodyBuffer } from './body-buffer.ts'
import { isTooLarge, unpackReplyBody } from './decode-reply-body.ts'
import { discard, headerOf } from './untrusted-host-pools.ts'

export interface PageReply {
  contentType: string
  bytes: Buffer
}

type RefusalReason = 'too_large' | 'not_text' | 'blocked' | 'robots' | 'status' | 'redirects' | 'too_slow'

/** The page can't be fetched because of the page itself, so retrying soon would be pointless. */
export class PageRefusal extends Error {
  readonly reason: RefusalReason
  /** The page's HTTP status, if the reason is `status`. */
  readonly status: number | undefined

  constructor(reason: RefusalReason, status?: number) {
    super(`the page was not fetched: ${reason}`)
    this.reason = reason
    this.status = status
  }
}

const MOST_BYTES = 2_000_000
const MOST_PDF_BYTES = 10_000_000
/** At least this many bytes must arrive in every interval. */
const SLOWEST = { bytes: 2_048, everyMs: 3_000 }
/** Never text, so not worth downloading. */
const NEVER_TEXT = /^(?:image|audio|video|font)\/|^application\/(?:zip|gzip|x-tar|wasm|java-archive|x-msdownload)/i

/** Rejects with PageRefusal, or with the connection's error. */
export async function readPageReply(reply: Dispatcher.ResponseData, limit?: number): Promise<PageReply> {
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

function refusalOf({ statusCode, contentType, length, maxBytes }: ReplyFacts): PageRefusal | undefined {
  if (statusCode !== 200) return new PageRefusal('status', statusCode)
  if (NEVER_TEXT.test(contentType)) return new PageRefusal('not_text')
  return length > maxBytes ? new PageRefusal('too_large') : undefined
}

async function gather(body: Readable, maxBytes: number): Promise<Buffer> {
  const gathered = new BodyBuffer()
  let seen = 0
  const watch = setInterval(() => {
    if (gathered.length - seen < SLOWEST.bytes) body.destroy(new PageRefusal('too_slow'))
    seen = gathered.length
  }, SLOWEST.everyMs)
  try {
    for await (const piece of body) {
      // No encoding is set on the stream, so its chunks are buffers.
      gathered.add(piece as Buffer)
      // Leaving the loop ends the connection.
      if (gathered.length > maxBytes) throw new PageRefusal('too_large')
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
    if (error instanceof UpstreamError && isTooLarge(error.cause)) throw new PageRefusal('too_large')
    throw new PageRefusal('not_text')
  }
}
