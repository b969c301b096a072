// Agrees with a client on what to send (RFC 9110, section 12): the media type it prefers, an encoding it accepts, and
// whether its copy is still current.
import { createHash } from 'node:crypto'
import type { Transform } from 'node:stream'
import { promisify } from 'node:util'
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip, zstdCompress } from 'node:zlib'

/** A named type beats a wildcard of the same weight; among equals, the first in the header wins. */
interface Preference {
  type: string
  weight: number
  isNamed: boolean
}

/** Of a header's list, and of the parameters of one member. No real client sends more. */
const MAX_MEMBERS = 20

/**
 * Reads an Accept header: the type in `offered` that the client names and prefers to `usual`; `undefined`: send
 * `usual`. A wildcard never selects anything else.
 */
export function preferredType<Type extends string>(
  accept: string,
  usual: string,
  offered: readonly Type[],
): Type | undefined {
  const ranges = accept.toLowerCase().split(',', MAX_MEMBERS).map(parseRange)
  let best = preferenceFor(usual, ranges)
  let chosen: Type | undefined
  for (const { type, weight } of ranges) {
    const match = offered.find((one) => one === type)
    if (!match || weight === 0 || weight < best.weight || (weight === best.weight && best.isNamed)) continue
    best = { type, weight, isNamed: true }
    chosen = match
  }
  return chosen
}

function parseRange(text: string): { type: string; weight: number } {
  const [type = '', ...parameters] = text.split(';', MAX_MEMBERS)
  const quality = parameters.map((parameter) => /^\s*q=([\d.]{1,5})\s*$/.exec(parameter)?.[1]).find(Boolean)
  return { type: type.trim(), weight: quality === undefined ? 1 : Math.min(1, Number(quality) || 0) }
}

/** The most specific matching range decides. */
function preferenceFor(type: string, ranges: readonly { type: string; weight: number }[]): Preference {
  const family = `${type.split('/', 1)[0]}/*`
  for (const name of [type, family, '*/*']) {
    const range = ranges.find((one) => one.type === name)
    if (range) return { type, weight: range.weight, isNamed: name === type }
  }
  return { type, weight: 0, isNamed: false }
}

export type Encoding = 'zstd' | 'br' | 'gzip'

/** In order of preference. */
export const ENCODINGS: readonly Encoding[] = ['zstd', 'br', 'gzip']

const compressZstd = promisify(zstdCompress)
const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)

/**
 * Each at the level beyond which more work saves hardly anything: they compress a 26 KB results page to 6.8, 6.5 and
 * 6.7 KB, in 0.1, 0.23 and 0.2 ms. Brotli's window needn't be larger than a page.
 */
const COMPRESSORS: Record<Encoding, (bytes: Buffer) => Promise<Buffer>> = {
  zstd: (bytes) => compressZstd(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 1 } }),
  br: (bytes) =>
    compressBrotli(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 2,
        [constants.BROTLI_PARAM_LGWIN]: 16,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  gzip: (bytes) => compressGzip(bytes, { level: 1 }),
}

export const compress = (bytes: Buffer, encoding: Encoding): Promise<Buffer> => COMPRESSORS[encoding](bytes)

/** For streamed replies: flushes after every write, so the client can read each part immediately. */
export const compressorOf: Record<'br' | 'gzip', () => Transform> = {
  br: () =>
    createBrotliCompress({
      flush: constants.BROTLI_OPERATION_FLUSH,
      params: { [constants.BROTLI_PARAM_QUALITY]: 2, [constants.BROTLI_PARAM_LGWIN]: 16 },
    }),
  gzip: () => createGzip({ flush: constants.Z_SYNC_FLUSH, level: 1 }),
}

/** The first encoding that the client accepts; `q=0` means no. */
export function encodingFor<Offered extends Encoding>(
  acceptEncoding: string | undefined,
  offered: readonly Offered[],
): Offered | undefined {
  if (acceptEncoding === undefined) return undefined
  const accepted = new Set<string>()
  for (const part of acceptEncoding.toLowerCase().split(',', MAX_MEMBERS)) {
    const [name = '', weight = ''] = part.split(';', 2)
    if (!/^\s*q=0(?:\.0{0,3})?\s*$/.test(weight)) accepted.add(name.trim())
  }
  return offered.find((encoding) => accepted.has(encoding))
}

/** The ETag of a document. It is weak, because one document is sent in several encodings. */
export const entityTag = (content: string | Buffer): string =>
  `W/"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`

/** Evaluates If-None-Match (RFC 9110, 13.1.2): a weak comparison with each tag in the list; `*` matches any. */
export function isKnownTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch.trim() === '*') return true
  return ifNoneMatch.split(',', MAX_MEMBERS).some((known) => opaque(known.trim()) === opaque(tag))
}

const opaque = (tag: string): string => tag.replace(/^W\//, '')
