// The site's stylesheet, scripts and icons. Each is read and hashed when the process starts, and compressed afterwards or
// when it is first asked for. Its URL contains the hash, so browsers cache it forever and never revalidate; only favicon.ico has a fixed path.
//
// The stylesheet is split into several files, one per area, and served as one. A new area adds its file to STYLES. What only
// few pages need, or those who chose the contrast theme or the compact density, is loaded in addition.
// Comments and indentation stay here: they are a sixth of what a first visit would load.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
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
  const encoded = new Map<string, Buffer | Promise<Buffer>>([['plain', plain]])
  return {
    path,
    contentType,
    bytesIn(encoding) {
      const bytes = encoded.get(encoding) ?? COMPRESS[encoding === 'br' ? 'br' : 'gzip'](plain)
      encoded.set(encoding, bytes)
      return bytes
    },
  }
}

const [brotli, gzipped] = [promisify(brotliCompress), promisify(gzip)]

const COMPRESS = {
  br: (plain: Buffer) => brotli(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
  gzip: (plain: Buffer) => gzipped(plain, { level: 9 }),
}

export function hashedPath(name: string, bytes: Buffer): string {
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 12)
  const dot = name.lastIndexOf('.')
  return `/assets/${name.slice(0, dot)}.${hash}${name.slice(dot)}`
}

const styleOf = (name: string, files: readonly string[] = [name]): Asset =>
  assetOf(name, 'text/css; charset=utf-8', lean(files.map(textOf).join('\n')))
const scriptOf = (file: string): Asset => assetOf(file, 'text/javascript; charset=utf-8', lean(textOf(file)))

const stylesheet = styleOf('site.css', STYLES)
const script = scriptOf('site.js')

/** What some pages load in addition, or some readers: see `View.scripts`, `View.styles` and the themes. */
const EXTRA_SCRIPTS = {
  passkeys: scriptOf('passkeys.js'),
  results: scriptOf('results.js'),
  streaming: scriptOf('streaming.js'),
  suggestions: scriptOf('suggestions.js'),
  viewer: scriptOf('viewer.js'),
  timer: scriptOf('tools/timer.js'),
  converter: scriptOf('tools/converter.js'),
}
const EXTRA_STYLES = {
  contrast: styleOf('contrast.css'),
  compact: styleOf('compact.css'),
  images: styleOf('images.css'),
  tools: styleOf('tools.css'),
}
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
export type ExtraScript = keyof typeof EXTRA_SCRIPTS
export const extraScriptPath = (name: ExtraScript): string => EXTRA_SCRIPTS[name].path
export type ExtraStyle = keyof typeof EXTRA_STYLES
export const extraStylePath = (name: ExtraStyle): string => EXTRA_STYLES[name].path
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
  script,
  ...Object.values(EXTRA_SCRIPTS),
  ...Object.values(EXTRA_STYLES),
  logo,
  logoPng,
  appIcon,
  largeAppIcon,
  maskableIcon,
  touchIcon,
]

export function mountAssets(http: FastifyInstance): void {
  for (const asset of ASSETS) mountAsset(http, asset)
  // So that the first page doesn't wait until its stylesheet is compressed.
  http.addHook('onListen', () => {
    for (const asset of [stylesheet, script, EXTRA_SCRIPTS.results]) void asset.bytesIn('br')
  })
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
