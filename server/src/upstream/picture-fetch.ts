// Fetches a picture from another site, so that the site sees this server and never the user. The URL comes from a
// search engine's reply, so effectively from anyone: `untrusted-fetch.ts` has the guards. A reply is accepted only if
// its first bytes are those of a picture, whatever its headers say: trusting the sender's content type would let a page
// or a script through. SVG is a document that can contain both, so it is not accepted.
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import type { Dispatcher } from 'undici'
import { BodyBuffer } from './decode-reply-body.ts'
import { createUntrustedFetch, discard, FetchRefusal, type UntrustedFetchOptions } from './untrusted-fetch.ts'

export interface Picture {
  type: string
  bytes: Buffer
}

export interface PictureFetch {
  /**
   * Rejects with UpstreamError for anything but a picture within the limits. `grow` is called with the bytes that have
   * arrived, and ends the fetch if it throws.
   */
  fetch: (address: string, limits: { maxBytes: number; grow: (bytes: number) => void }) => Promise<Picture>
  close: () => Promise<void>
}

export function createPictureFetch(options: UntrustedFetchOptions): PictureFetch {
  const { fetch, close } = createUntrustedFetch({
    noun: 'picture',
    headers: {
      accept: 'image/avif,image/webp,image/png,image/jpeg,image/gif,image/x-icon',
      'accept-encoding': 'identity',
      // Some hosts refuse clients without a User-Agent; our usual one would tell them which instance this is.
      'user-agent': 'Mozilla/5.0 (compatible; picture proxy)',
    },
    timeoutMs: 5_000,
    connectTimeoutMs: 2_000,
    maxConcurrent: 64,
    // Well below `maxConcurrent`, so that it takes many slow hosts to block all pictures.
    maxPerHost: 6,
    maxWaitingPerHost: 100,
    maxPooledHosts: 32,
    ownHost: '',
    ...options,
  })
  return {
    async fetch(address, limits) {
      try {
        return (await fetch(address, { read: (reply) => readPicture(reply, limits) })).result
      } catch (error) {
        if (!(error instanceof FetchRefusal)) throw error
        throw error.reason === 'blocked'
          ? new UpstreamError('guarded', 'pictures are never fetched from this address')
          : new UpstreamError('malformed', 'too many redirects for the picture')
      }
    },
    close,
  }
}

async function readPicture(
  reply: Dispatcher.ResponseData,
  { maxBytes, grow }: Parameters<PictureFetch['fetch']>[1],
): Promise<Picture> {
  const { statusCode, headers, body } = reply
  const isTooLarge = Number(headers['content-length']) > maxBytes
  if (statusCode !== 200 || isTooLarge) {
    discard(reply)
    throw new UpstreamError('malformed', isTooLarge ? 'the picture is too large' : 'there is no picture')
  }
  const gathered = new BodyBuffer()
  for await (const chunk of body) {
    // No encoding is set on the stream, so its chunks are buffers.
    const piece = chunk as Buffer
    // Leaving the loop ends the connection.
    grow(piece.length)
    gathered.add(piece)
    if (gathered.length > maxBytes) throw new UpstreamError('malformed', 'the picture is too large')
  }
  const bytes = Buffer.from(gathered.bytes)
  gathered.drop()
  const type = pictureType(bytes)
  if (type === undefined) throw new UpstreamError('malformed', 'the reply is not a picture')
  return { type, bytes }
}

const ascii = (bytes: Buffer, start: number, end: number): string => bytes.toString('latin1', start, end)

const SIGNATURES: readonly [type: string, matches: (bytes: Buffer) => boolean][] = [
  ['image/png', (bytes) => ascii(bytes, 0, 8) === '\x89PNG\r\n\x1a\n'],
  ['image/jpeg', (bytes) => ascii(bytes, 0, 3) === '\xff\xd8\xff'],
  ['image/gif', (bytes) => /^GIF8[79]a$/.test(ascii(bytes, 0, 6))],
  ['image/webp', (bytes) => ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 12) === 'WEBP'],
  ['image/avif', (bytes) => /^ftypavi[fs]$/.test(ascii(bytes, 4, 12))],
  ['image/x-icon', (bytes) => ascii(bytes, 0, 4) === '\0\0\x01\0'],
]

/** Undefined if it isn't a supported picture. */
const pictureType = (bytes: Buffer): string | undefined => SIGNATURES.find(([, matches]) => matches(bytes))?.[0]
