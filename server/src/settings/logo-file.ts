// The operator's logo: a PNG, WebP or SVG, told by its bytes, never by a name or a type that somebody claims. It is a setting,
// so it is text: the file in base64 in a `data:` address, or an SVG as it is.
//
// Pages show it in an <img>, where an SVG runs nothing and loads nothing, and opened by itself it is sandboxed. What could
// do more there is refused all the same. So is anything after the end of a picture, where another file could hide.
import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'

export interface Logo {
  contentType: 'image/png' | 'image/webp' | 'image/svg+xml'
  bytes: Buffer
  /** In pixels; undefined for an SVG, which has any size. */
  size?: { width: number; height: number }
  /** Changes with the bytes. */
  version: string
}

/**
 * tooLarge    more than 64 kB
 * notAPicture neither PNG, WebP nor SVG, cut off, or with something behind its end
 * wrongSize   fewer than 16 or more than 2048 pixels
 * active      an SVG with a script, an animation, an entity or something from elsewhere
 */
export type LogoFault = 'tooLarge' | 'notAPicture' | 'wrongSize' | 'active'

export type LogoVerdict = { ok: true; logo: Logo } | { ok: false; fault: LogoFault }

export const MAX_LOGO_BYTES = 65_536
/** Of the setting: base64 takes four characters for three bytes. */
export const MAX_LOGO_CHARACTERS = Math.ceil(MAX_LOGO_BYTES / 3) * 4 + 40
const MIN_PIXELS = 16
const MAX_PIXELS = 2_048

const DATA_ADDRESS = /^data:[\w/+.-]{0,40};base64,/

export function readLogo(text: string): LogoVerdict {
  const [address] = DATA_ADDRESS.exec(text) ?? []
  const bytes = address === undefined ? Buffer.from(text) : Buffer.from(text.slice(address.length), 'base64')
  if (bytes.length > MAX_LOGO_BYTES) return { ok: false, fault: 'tooLarge' }
  const version = createHash('sha256').update(bytes).digest('hex').slice(0, 12)
  const markup = svgIn(bytes)
  if (markup !== undefined) {
    if (ACTIVE.some((pattern) => pattern.test(markup))) return { ok: false, fault: 'active' }
    return { ok: true, logo: { contentType: 'image/svg+xml', bytes, version } }
  }
  const [contentType, size] =
    bytes[0] === PNG_SIGNATURE[0]
      ? (['image/png', pngSize(bytes)] as const)
      : (['image/webp', webpSize(bytes)] as const)
  if (!size) return { ok: false, fault: 'notAPicture' }
  const isShowable = Object.values(size).every((pixels) => pixels >= MIN_PIXELS && pixels <= MAX_PIXELS)
  return isShowable ? { ok: true, logo: { contentType, bytes, size, version } } : { ok: false, fault: 'wrongSize' }
}

type Size = NonNullable<Logo['size']>

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
/** Length, type and checksum. */
const CHUNK_FRAME_BYTES = 12
const IHDR_BYTES = 13

/** Follows the chunks: the first is the header, and the last ends the file. */
function pngSize(bytes: Buffer): Size | undefined {
  const first = PNG_SIGNATURE.length
  if (!bytes.subarray(0, first).equals(PNG_SIGNATURE)) return undefined
  let type = ''
  for (let at = first; at < bytes.length; ) {
    if (type === 'IEND' || at + CHUNK_FRAME_BYTES > bytes.length) return undefined
    type = bytes.toString('latin1', at + 4, at + 8)
    const length = bytes.readUInt32BE(at)
    if (at === first && (type !== 'IHDR' || length !== IHDR_BYTES)) return undefined
    at += CHUNK_FRAME_BYTES + length
    if (at > bytes.length) return undefined
  }
  return type === 'IEND' ? { width: bytes.readUInt32BE(first + 8), height: bytes.readUInt32BE(first + 12) } : undefined
}

const WEBP_HEAD_BYTES = 30
const RIFF_FRAME_BYTES = 8
const FOURTEEN_BITS = 0x3fff
const VP8L_SIGNATURE = 0x2f

/** A RIFF file says how long it is; its first chunk says how large the picture is, in one of three ways. */
function webpSize(bytes: Buffer): Size | undefined {
  const word = (at: number) => bytes.toString('latin1', at, at + 4)
  if (bytes.length < WEBP_HEAD_BYTES || word(0) !== 'RIFF' || word(8) !== 'WEBP') return undefined
  if (bytes.readUInt32LE(4) !== bytes.length - RIFF_FRAME_BYTES) return undefined
  switch (word(12)) {
    case 'VP8X':
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
    case 'VP8 ':
      return { width: bytes.readUInt16LE(26) & FOURTEEN_BITS, height: bytes.readUInt16LE(28) & FOURTEEN_BITS }
    case 'VP8L': {
      if (bytes[20] !== VP8L_SIGNATURE) return undefined
      const bits = bytes.readUInt32LE(21)
      return { width: (bits & FOURTEEN_BITS) + 1, height: ((bits >>> 14) & FOURTEEN_BITS) + 1 }
    }
    default:
      return undefined
  }
}

const SVG_START = /^\uFEFF?\s*(?:<\?xml[^<>]*\?>\s*)?(?:<!--[^<>]*-->\s*)*<(?:!DOCTYPE|svg[\s>])/
const SVG_END = /<\/svg>\s*$/
const NAMESPACE = /xmlns\s*=\s*["']http:\/\/www\.w3\.org\/2000\/svg["']/

function svgIn(bytes: Buffer): string | undefined {
  if (!isUtf8(bytes)) return undefined
  const text = bytes.toString()
  return SVG_START.test(text) && SVG_END.test(text) && NAMESPACE.test(text) ? text : undefined
}

/** Elements under any prefix; attributes that are events, or lead anywhere but into the file; and what a style can load. */
const ACTIVE = [
  /<!(?!--|\[CDATA\[)/,
  /<\?(?!xml\s)/,
  /[<:](?:script|handler|listener|foreignobject|iframe|embed|object|audio|video|a|set|discard)[\s/>]/i,
  /[<:]animate/i,
  /\son\w+\s*=/i,
  /(?:href|src)\s*=\s*["'](?!#|data:image\/(?:png|jpeg|webp);)/i,
  /url\(\s*["']?(?!\s*["']?#)/i,
  /@import|javascript:|expression\(|-moz-binding/i,
]
