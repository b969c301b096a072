// The site's stylesheet, scripts and icons. Each is read, hashed and compressed once when the process starts, and its
// URL contains the hash, so browsers cache it forever and never revalidate; only favicon.ico has a fixed path.
//
// The stylesheet is split into several files, one per area, and served as one. A new area adds its file to STYLES. What only
// few pages need, or those who chose the contrast theme or the compact density, is loaded in addition.
// Comments and indentation stay here: they are a sixth of what a first visit would load.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { encodingFor } from '../text/content-negotiation.ts'
import { OPEN } from '../text/surface.ts'

const STYLES = [
  'tokens.css',
  'base.css',
  'parts.css',
  'search.css',
  'reading.css',
  'data.css',
  'accounts.css',
  'security.css',
  'settings.css',
  'status.css',
  'docs.css',
  'media.css',
  'ranking.css',
] as const

const ENCODINGS = ['br', 'gzip'] as const

export interface Asset {
  path: string
  contentType: string
  /** None for pictures, which are compressed already. */
  encodings?: readonly (typeof ENCODINGS)[number][]
  bytesIn: (encoding: 'br' | 'gzip' | 'plain') => Buffer | Promise<Buffer>
}

/** Drops block comments, lines that are comments, and indentation. A `//` within a line stays: it may be in a string. */
export const lean = (source: string): string => source.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*|^\s+/gm, '')

const bytesOf = (file: string): Buffer => readFileSync(new URL(`./assets/${file}`, import.meta.url))
const textOf = (file: string): string => bytesOf(file).toString()

export function assetOf(name: string, contentType: string, content: string | Buffer): Asset {
  const plain = Buffer.from(content)
  const path = hashedPath(name, plain)
  if (contentType === 'image/png') return { path, contentType, encodings: [], bytesIn: () => plain }
  const encoded = {
    plain,
    br: brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
    gzip: gzipSync(plain, { level: 9 }),
  }
  return { path, contentType, bytesIn: (encoding) => encoded[encoding] }
}

export function hashedPath(name: string, bytes: Buffer): string {
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 12)
  const dot = name.lastIndexOf('.')
  return `/assets/${name.slice(0, dot)}.${hash}${name.slice(dot)}`
}

const stylesheet = assetOf('site.css', 'text/css; charset=utf-8', lean(STYLES.map(textOf).join('\n')))
const contrast = assetOf('contrast.css', 'text/css; charset=utf-8', lean(textOf('contrast.css')))
const compact = assetOf('compact.css', 'text/css; charset=utf-8', lean(textOf('compact.css')))
const script = assetOf('site.js', 'text/javascript; charset=utf-8', lean(textOf('site.js')))
/** Only for the pages that use passkeys. */
const passkeys = assetOf('passkeys.js', 'text/javascript; charset=utf-8', lean(textOf('passkeys.js')))
/** Only for streamed results. */
const streaming = assetOf('streaming.js', 'text/javascript; charset=utf-8', lean(textOf('streaming.js')))
/** Only for the pages with pictures to look through. */
const viewer = assetOf('viewer.js', 'text/javascript; charset=utf-8', lean(textOf('viewer.js')))
const images = assetOf('images.css', 'text/css; charset=utf-8', lean(textOf('images.css')))
const logo = assetOf('mark.svg', 'image/svg+xml; charset=utf-8', textOf('mark.svg'))

/** For browsers that don't support SVG icons, and for apps; generated from mark.svg by `tools/make-icons.ts`. */
const pngOf = (name: string): Asset => assetOf(name, 'image/png', bytesOf(name))
const logoPng = pngOf('mark.png')
const [appIcon, largeAppIcon, maskableIcon, touchIcon] = [
  pngOf('app-192.png'),
  pngOf('app-512.png'),
  pngOf('app-maskable.png'),
  pngOf('touch.png'),
]
const icon = bytesOf('favicon.ico')

export const STYLESHEET_PATH = stylesheet.path
export const SCRIPT_PATH = script.path
export const EXTRA_SCRIPT_PATHS = { passkeys: passkeys.path, streaming: streaming.path, viewer: viewer.path } as const
export const EXTRA_STYLE_PATHS = { contrast: contrast.path, compact: compact.path, images: images.path } as const
export const LOGO_PATH = logo.path
export const LOGO_PNG_PATH = logoPng.path
export const ICON_PATH = '/favicon.ico'
export const TOUCH_ICON_PATH = touchIcon.path
/** For the manifest of the app. A maskable one may be cut to any shape. */
export const APP_ICONS = [
  { src: appIcon.path, sizes: '192x192', type: 'image/png' },
  { src: largeAppIcon.path, sizes: '512x512', type: 'image/png' },
  { src: maskableIcon.path, sizes: '512x512', type: 'image/png', purpose: 'maskable' },
] as const

const ASSETS = [
  stylesheet,
  contrast,
  compact,
  images,
  script,
  passkeys,
  streaming,
  viewer,
  logo,
  logoPng,
  appIcon,
  largeAppIcon,
  maskableIcon,
  touchIcon,
]

export function mountAssets(http: FastifyInstance): void {
  for (const asset of ASSETS) mountAsset(http, asset)
  // Browsers request it under this fixed path.
  http.get(ICON_PATH, { config: { surface: OPEN } }, (_request, reply) =>
    reply.header('Cache-Control', 'public, max-age=86400').type('image/x-icon').send(icon),
  )
}

export function mountAsset(http: FastifyInstance, { path, contentType, encodings = ENCODINGS, bytesIn }: Asset): void {
  http.get(path, { config: { surface: OPEN } }, async (request, reply) => {
    const encoding = encodingFor(request.headers['accept-encoding'], encodings)
    reply.headers({
      'Cache-Control': 'public, max-age=31536000, immutable',
      // An SVG opened by itself is a document; it must not run or load anything.
      'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
      Vary: 'Accept-Encoding',
    })
    if (encoding) reply.header('Content-Encoding', encoding)
    return reply.type(contentType).send(await bytesIn(encoding ?? 'plain'))
  })
}
