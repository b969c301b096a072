// From the bytes of a reply to its text: decompressed, within the size cap, decoded as UTF-8.
//
// The cap is on the output and stops the work as soon as it is passed, so a small archive that unpacks to gigabytes costs
// no more than the cap. A usual reply is unpacked in place: it takes some 50 µs, less than handing it to the thread
// pool and back costs in all. Above `LARGEST_IN_PLACE` compressed bytes the thread pool takes it, and the event loop goes on.
import {
  brotliDecompress,
  brotliDecompressSync,
  type CompressCallback,
  gunzip,
  gunzipSync,
  inflate,
  inflateRaw,
  inflateRawSync,
  inflateSync,
  type ZlibOptions,
} from 'node:zlib'
import { UpstreamError } from '../errors.ts'

const LARGEST_IN_PLACE = 65_536

interface Unpacker {
  now(bytes: Buffer, options: ZlibOptions): Buffer
  later(bytes: Buffer, options: ZlibOptions, callback: CompressCallback): void
}

const GZIP: Unpacker = { now: gunzipSync, later: gunzip }
const ZLIB: Unpacker = { now: inflateSync, later: inflate }
const RAW_DEFLATE: Unpacker = { now: inflateRawSync, later: inflateRaw }
const BROTLI: Unpacker = { now: brotliDecompressSync, later: brotliDecompress }

/** What is asked of providers: everything `unpackerFor` knows. */
export const ACCEPTED_ENCODINGS = 'gzip, br, deflate'

// `deflate` means zlib, but some servers send it without the zlib header, which is recognised by its check bits.
const hasZlibHeader = (bytes: Buffer): boolean =>
  bytes.length >= 2 && ((bytes[0] ?? 0) & 0x0f) === 8 && bytes.readUInt16BE(0) % 31 === 0

const unpackerFor = (encoding: string, bytes: Buffer): Unpacker => {
  switch (encoding.trim().toLowerCase()) {
    case 'gzip':
    case 'x-gzip':
      return GZIP
    case 'br':
      return BROTLI
    case 'deflate':
      return hasZlibHeader(bytes) ? ZLIB : RAW_DEFLATE
    default:
      throw new UpstreamError('malformed', 'the reply has an encoding that was not asked for')
  }
}

const isTooLarge = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'

const unpackingFailure = (cause: unknown): UpstreamError =>
  new UpstreamError('malformed', isTooLarge(cause) ? 'the reply is too large' : 'the reply cannot be decompressed', {
    cause,
  })

/** Bytes that are not UTF-8 become U+FFFD; a byte order mark, at which `JSON.parse` would stop, is dropped. */
const toText = (bytes: Buffer): string => {
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  return bytes.toString('utf8', hasMark ? 3 : 0)
}

/** Throws, or rejects with, UpstreamError `malformed`. Plain and small replies are answered without a promise. */
export const decodeReplyBody = (
  bytes: Buffer,
  encoding: string | string[] | undefined,
  maxBytes: number,
): string | Promise<string> => {
  if (encoding === undefined || encoding === '' || encoding === 'identity' || bytes.length === 0) return toText(bytes)

  const unpacker = unpackerFor(String(encoding), bytes)
  const options = { maxOutputLength: maxBytes }
  if (bytes.length > LARGEST_IN_PLACE) {
    return new Promise((resolve, reject) => {
      unpacker.later(bytes, options, (error, unpacked) =>
        error ? reject(unpackingFailure(error)) : resolve(toText(unpacked)),
      )
    })
  }
  try {
    return toText(unpacker.now(bytes, options))
  } catch (error) {
    throw unpackingFailure(error)
  }
}
