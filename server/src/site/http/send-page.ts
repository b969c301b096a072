// How a page goes out: the headers that make a browser careful, and compression.
//
// The policy lets nothing run or load but what this site itself serves, so that text of somebody else's which slipped
// through every other net would still be inert. No inline script and no inline style, anywhere.
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib'
import type { FastifyReply } from 'fastify'
import { createSentBefore } from '../sent-before.ts'

const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')

/** What Helmet would send, written out because it is constant. */
const CAREFUL: Record<string, string> = {
  'Content-Security-Policy': POLICY,
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Origin-Agent-Cluster': '?1',
  'X-DNS-Prefetch-Control': 'off',
  'X-Permitted-Cross-Domain-Policies': 'none',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
}

/** OpenStreetMap shows its tiles only to pages that say where they are. */
const WITH_MAP: Record<string, string> = {
  ...CAREFUL,
  'Content-Security-Policy': `${POLICY}; frame-src https://www.openstreetmap.org`,
  'Referrer-Policy': 'strict-origin-when-cross-origin',
}

const ONE_YEAR_SECONDS = 365 * 24 * 3600

/** `framesMap`: the page shows a map, and is allowed to. */
export function setCarefulHeaders(
  reply: FastifyReply,
  { baseUrl }: { baseUrl: string },
  { framesMap = false }: { framesMap?: boolean } = {},
): void {
  reply.headers(framesMap ? WITH_MAP : CAREFUL)
  if (baseUrl.startsWith('https://')) reply.header('Strict-Transport-Security', `max-age=${ONE_YEAR_SECONDS}`)
}

type Encoding = 'zstd' | 'br' | 'gzip'

const compressZstd = promisify(zstdCompress)
const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)

/**
 * Cheapest first, and each at the level where more work saves hardly more: of a results page of 26 KB they make 6.8, 6.5
 * and 6.7 KB, in 0.1, 0.23 and 0.2 ms. Brotli's window need not be larger than a page.
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

/** The first of those offered that the browser takes; a `q=0` is a no. */
export function encodingFor<Offered extends Encoding>(
  acceptEncoding: string | undefined,
  offered: readonly Offered[],
): Offered | undefined {
  const taken = new Set<string>()
  for (const part of (acceptEncoding ?? '').toLowerCase().split(',')) {
    const [name = '', weight = ''] = part.split(';')
    if (!/^\s*q=0(?:\.0{0,3})?\s*$/.test(weight)) taken.add(name.trim())
  }
  return offered.find((encoding) => taken.has(encoding))
}

const encoder = new TextEncoder()

/** A page is put together of many short texts: encoding it as a whole is several times faster than the socket's way. */
function encoded(text: string): Buffer {
  const { buffer, byteOffset, byteLength } = encoder.encode(text)
  return Buffer.from(buffer, byteOffset, byteLength)
}

/**
 * Text goes out compressed; bytes, such as pictures, go out as they are. Compression beside secrets is BREACH's ground:
 * `csrf.ts` says why the one secret on our pages is another each time.
 */
export async function sendContent(reply: FastifyReply, content: string | Buffer): Promise<FastifyReply> {
  if (typeof content !== 'string') return vary(reply).send(content)
  const encoding = encodingOf(reply)
  return sendEncoded(reply, encoding, await compressed(content, encoding))
}

export interface RememberedPage {
  /** The address, and everything about its reader that shows. */
  name: string
  madeOf: readonly unknown[]
  write: () => string
}

const sentBefore = createSentBefore()

/** The same, for a page that is sent again as it was while it is made of the same. */
export async function sendRemembered(
  reply: FastifyReply,
  { name, madeOf, write }: RememberedPage,
): Promise<FastifyReply> {
  const encoding = encodingOf(reply)
  const known = sentBefore.find(name, madeOf, encoding)
  if (known) return sendEncoded(reply, encoding, known)
  const bytes = await compressed(write(), encoding)
  sentBefore.keep(name, madeOf, { encoding, bytes })
  return sendEncoded(reply, encoding, bytes)
}

/** '' : as it is. */
const encodingOf = (reply: FastifyReply): Encoding | '' =>
  encodingFor(reply.request.headers['accept-encoding'], ['zstd', 'br', 'gzip']) ?? ''

const compressed = (content: string, encoding: Encoding | ''): Promise<Buffer> | Buffer =>
  encoding === '' ? encoded(content) : COMPRESSORS[encoding](encoded(content))

const vary = (reply: FastifyReply) => reply.header('Vary', 'Accept-Encoding, Accept-Language, Cookie')

const sendEncoded = (reply: FastifyReply, encoding: string, bytes: Buffer): FastifyReply =>
  (encoding === '' ? vary(reply) : vary(reply).header('Content-Encoding', encoding)).send(bytes)
