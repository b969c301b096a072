// Sends a page: the security headers that pages need besides those of every reply (`http/common-headers.ts`), and the
// compression.
//
// The content security policy lets a page load and run only what this site itself serves, so external text that slipped
// past every other check would still be inert. There are no inline scripts or styles anywhere.
import { pipeline, Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import {
  compress,
  compressorOf,
  ENCODINGS,
  encodingFor,
  entityTag,
  isKnownTag,
} from '../../text/content-negotiation.ts'
import type { Html } from './html.ts'

const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')

/** What Helmet would send, spelled out because it is constant. */
const SECURITY_HEADERS: Record<string, string> = {
  'Content-Security-Policy': POLICY,
  'Referrer-Policy': 'same-origin',
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Origin-Agent-Cluster': '?1',
  'X-DNS-Prefetch-Control': 'off',
  'X-Permitted-Cross-Domain-Policies': 'none',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
}

/** For a page that shows third-party content and has no script. */
export const NO_SCRIPT_HEADERS: Record<string, string> = {
  'Content-Security-Policy': POLICY.replace("script-src 'self'; ", '').replace("connect-src 'self'; ", ''),
}

/**
 * For a page with a form whose answer redirects to another site: Chromium applies `form-action` to redirects, too.
 * `address` is that of a client that may be sent codes, so its host has no character that ends a directive.
 */
export function formLeadsTo(address: string): Record<string, string> {
  const { origin, protocol } = new URL(address)
  // A program's own scheme has no origin.
  const target = origin === 'null' ? protocol : origin
  return { 'Content-Security-Policy': POLICY.replace("form-action 'self'", `form-action 'self' ${target}`) }
}

/** OpenStreetMap serves its tiles only to pages that send a referrer. */
const MAP_HEADERS: Record<string, string> = {
  ...SECURITY_HEADERS,
  'Content-Security-Policy': `${POLICY}; frame-src https://www.openstreetmap.org`,
  'Referrer-Policy': 'strict-origin-when-cross-origin',
}

/** For the page with our own map, whose library starts a worker. The other map is still there for who has no script. */
export const OWN_MAP_HEADERS: Record<string, string> = {
  'Content-Security-Policy': `${MAP_HEADERS['Content-Security-Policy']}; worker-src 'self'`,
}

/** `framesMap`: allows the page to embed a map. */
export function setSecurityHeaders(reply: FastifyReply, { framesMap = false }: { framesMap?: boolean } = {}): void {
  reply.headers(framesMap ? MAP_HEADERS : SECURITY_HEADERS)
}

const encoder = new TextEncoder()

/** A page is built from many short strings; encoding it at once is several times faster than letting the socket do it. */
function encodeText(text: string): Buffer {
  const { buffer, byteOffset, byteLength } = encoder.encode(text)
  return Buffer.from(buffer, byteOffset, byteLength)
}

/**
 * Text is compressed; bytes, such as pictures, are sent as they are, and with a 304 nothing is. Compressing pages with
 * secrets invites BREACH: `csrf.ts` explains why the one secret on our pages differs every time.
 */
export async function sendContent(reply: FastifyReply, content: string | Buffer): Promise<FastifyReply> {
  if (reply.statusCode === 304) return vary(reply).send()
  if (typeof content !== 'string') return vary(reply).send(content)
  const encoding = encodingFor(reply.request.headers['accept-encoding'], ENCODINGS)
  if (encoding === undefined) return vary(reply).send(encodeText(content))
  const compressed = await compress(encodeText(content), encoding)
  return vary(reply).header('Content-Encoding', encoding).send(compressed)
}

/** Like `sendContent`, with an ETag; a browser that already has the content gets a 304. */
export async function sendTagged(reply: FastifyReply, content: string): Promise<FastifyReply> {
  const tag = entityTag(content)
  reply.header('ETag', tag)
  if (isKnownTag(reply.request.headers['if-none-match'], tag)) reply.code(304)
  return await sendContent(reply, content)
}

interface StreamedPage {
  before: string
  parts: AsyncIterable<Html>
  after: string
}

/** Sends a page in parts, each as soon as it is ready. */
export function sendParts(reply: FastifyReply, page: StreamedPage): FastifyReply {
  const chunks = Readable.from(encodedChunks(page))
  const encoding = encodingFor(reply.request.headers['accept-encoding'], ['br', 'gzip'])
  // Stops proxies from collecting the reply before passing it on.
  vary(reply).header('X-Accel-Buffering', 'no')
  if (!encoding) return reply.send(chunks)
  // A client that disconnects ends both streams; there is no one left to report an error to.
  const compressed = pipeline(chunks, compressorOf[encoding](), () => undefined)
  return reply.header('Content-Encoding', encoding).send(compressed)
}

async function* encodedChunks({ before, parts, after }: StreamedPage): AsyncGenerator<Buffer> {
  let text = before
  for await (const part of parts) {
    yield encodeText(text + part.text)
    text = ''
  }
  yield encodeText(text + after)
}

const vary = (reply: FastifyReply) => reply.header('Vary', 'Accept-Encoding, Accept-Language, Cookie')
