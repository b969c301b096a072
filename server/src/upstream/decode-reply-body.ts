// Collects the bytes of a reply, and turns them into text: decompressed, within the size cap, decoded as UTF-8.
//
// The cap applies to the output and stops the work as soon as it is exceeded, so a small archive that unpacks to
// gigabytes costs no more than the cap. A typical reply is unpacked synchronously: that takes about 50 µs, less than a
// round trip through the thread pool. Above `MAX_SYNC_BYTES` compressed bytes, the thread pool does it and the event
// loop stays free.
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
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'

const MAX_SYNC_BYTES = 65_536

interface Unpacker {
  unpackSync(bytes: Buffer, options: ZlibOptions): Buffer
  unpack(bytes: Buffer, options: ZlibOptions, callback: CompressCallback): void
}

const GZIP: Unpacker = { unpackSync: gunzipSync, unpack: gunzip }
const ZLIB: Unpacker = { unpackSync: inflateSync, unpack: inflate }
const RAW_DEFLATE: Unpacker = { unpackSync: inflateRawSync, unpack: inflateRaw }
const BROTLI: Unpacker = { unpackSync: brotliDecompressSync, unpack: brotliDecompress }

/** Sent to providers: everything that `unpackerFor` supports. */
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
      throw new UpstreamError('malformed', 'the reply has an encoding that was not requested')
  }
}

/** True if decompression failed because the output exceeded the cap. */
export const isTooLarge = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'

const unpackingFailure = (cause: unknown): UpstreamError =>
  new UpstreamError('malformed', isTooLarge(cause) ? 'the reply is too large' : 'the reply cannot be decompressed', {
    cause,
  })

/** Invalid UTF-8 becomes U+FFFD; a byte order mark, which `JSON.parse` would reject, is dropped. */
const toText = (bytes: Buffer): string => {
  const hasByteOrderMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  return bytes.toString('utf8', hasByteOrderMark ? 3 : 0)
}

/** Throws, or rejects with, UpstreamError `malformed`. Plain and small replies are returned without a promise. */
export const decodeReplyBody = (
  bytes: Buffer,
  encoding: string | string[] | undefined,
  maxBytes: number,
): string | Promise<string> => {
  const unpacked = unpackReplyBody(bytes, encoding, maxBytes)
  return unpacked instanceof Promise ? unpacked.then(toText) : toText(unpacked)
}

/** The same without decoding to text. */
export const unpackReplyBody = (
  bytes: Buffer,
  encoding: string | string[] | undefined,
  maxBytes: number,
): Buffer | Promise<Buffer> => {
  if (encoding === undefined || encoding === '' || encoding === 'identity' || bytes.length === 0) return bytes

  const unpacker = unpackerFor(String(encoding), bytes)
  const options = { maxOutputLength: maxBytes }
  if (bytes.length > MAX_SYNC_BYTES) {
    return new Promise((resolve, reject) => {
      unpacker.unpack(bytes, options, (error, unpacked) =>
        error ? reject(unpackingFailure(error)) : resolve(unpacked),
      )
    })
  }
  try {
    return unpacker.unpackSync(bytes, options)
  } catch (error) {
    throw unpackingFailure(error)
  }
}

const EMPTY = Buffer.alloc(0)
const MIN_COPY_BYTES = 16_384

/**
 * Collects the bytes of a reply as they arrive. The first chunk is kept as is, and for most replies it is the only one.
 * From the second chunk on, everything is copied into one growing buffer: with a list of chunks, a provider that sends
 * one byte at a time could make us hold a hundred times what it sent.
 *
 * The buffer grows by `transfer`, which frees its previous memory immediately. Left to the garbage collector, a few
 * oversized replies would grow the process by many times their size.
 */
export class BodyBuffer {
  length = 0
  /** The first chunk, or all of `#ownMemory`. */
  #buffer: Buffer = EMPTY
  #ownMemory: ArrayBuffer | undefined

  add(piece: Buffer): void {
    if (this.length === 0) {
      this.#buffer = piece
    } else {
      this.#makeRoomFor(piece.length)
      this.#buffer.set(piece, this.length)
    }
    this.length += piece.length
  }

  /** Everything so far, without copying. Don't modify it; it is invalid after the next `add` or `drop`. */
  get bytes(): Buffer {
    return this.#buffer.length === this.length ? this.#buffer : this.#buffer.subarray(0, this.length)
  }

  /** Discards everything and frees the memory. `bytes` must no longer be in use. */
  drop(): void {
    this.#ownMemory?.transfer(0)
    this.#ownMemory = undefined
    this.#buffer = EMPTY
    this.length = 0
  }

  // The first chunk isn't ours, but it is always exactly full, so we never write to it.
  #makeRoomFor(more: number): void {
    const needed = this.length + more
    if (needed <= this.#buffer.length) return
    const size = Math.max(MIN_COPY_BYTES, needed * 2)
    if (this.#ownMemory) {
      this.#ownMemory = this.#ownMemory.transfer(size)
      this.#buffer = Buffer.from(this.#ownMemory)
      return
    }
    const first = this.bytes
    this.#ownMemory = new ArrayBuffer(size)
    this.#buffer = Buffer.from(this.#ownMemory)
    this.#buffer.set(first)
  }
}
