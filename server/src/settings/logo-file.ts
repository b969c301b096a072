// The operator's logo: a PNG, WebP or SVG, told by its first bytes, never by a name or a type that a client claims. It is a
// setting, so it is text: the file in base64 in a `data:` address, or an SVG as it is.
//
// Nothing else of it is checked. Pages show it in an <img>, where an SVG runs nothing and loads nothing, and opened by itself
// it is sandboxed (`site/appearance/appearance-routes.ts`).
import { createHash } from 'node:crypto'

export interface Logo {
  contentType: 'image/png' | 'image/webp' | 'image/svg+xml'
  bytes: Buffer
  /** Of a PNG, in pixels. */
  size?: { width: number; height: number }
  /** Changes with the bytes. */
  version: string
}

export type LogoFault = 'tooLarge' | 'notAPicture'

export type LogoVerdict = { ok: true; logo: Logo } | { ok: false; fault: LogoFault }

export const MAX_LOGO_BYTES = 65_536
/** Of the setting: base64 takes four characters for three bytes. */
export const MAX_LOGO_CHARACTERS = Math.ceil(MAX_LOGO_BYTES / 3) * 4 + 40

const DATA_ADDRESS = /^data:[\w/+.-]{0,40};base64,/
/** The signature, and the beginning of the header, which says the size next. */
const PNG_START = /^\x89PNG\r\n.{6}IHDR.{8}/s
const WEBP_START = /^RIFF.{4}WEBP/s
const SVG_START = /^(?:\xef\xbb\xbf)?\s*<(?:svg[\s>]|\?xml\s|!--|!DOCTYPE svg\s)/
const START_BYTES = 100

export function readLogo(text: string): LogoVerdict {
  const [address] = DATA_ADDRESS.exec(text) ?? []
  const bytes = address === undefined ? Buffer.from(text) : Buffer.from(text.slice(address.length), 'base64')
  if (bytes.length > MAX_LOGO_BYTES) return { ok: false, fault: 'tooLarge' }
  const version = createHash('sha256').update(bytes).digest('hex').slice(0, 12)
  const start = bytes.toString('latin1', 0, START_BYTES)
  if (SVG_START.test(start)) return { ok: true, logo: { contentType: 'image/svg+xml', bytes, version } }
  if (WEBP_START.test(start)) return { ok: true, logo: { contentType: 'image/webp', bytes, version } }
  if (!PNG_START.test(start)) return { ok: false, fault: 'notAPicture' }
  const size = { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
  return { ok: true, logo: { contentType: 'image/png', bytes, size, version } }
}
