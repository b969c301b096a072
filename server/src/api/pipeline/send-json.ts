// Sends a JSON reply, compressed if it is long and the client accepts that; `sendTagged` sends a 304 instead if the
// client already has the reply.
import type { FastifyReply } from 'fastify'
import { compress, ENCODINGS, encodingFor, entityTag, isKnownTag } from '../../text/content-negotiation.ts'
import { CacheableAnswer } from './answer-cache.ts'

/**
 * Response headers that tell a client about its request, besides the few that every web page may read. CORS exposes
 * them, and replies inside a stream carry them.
 */
export const CLIENT_HEADERS = [
  'Allow',
  'Cache-Status',
  'Card-Status',
  'Deprecation',
  'Engine-Status',
  'Error-Code',
  'ETag',
  'Ignored-Parameters',
  'Query-Guard',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Rules-Status',
  'Search-Status',
  'Server-Timing',
  'Sunset',
  'WWW-Authenticate',
  'X-Request-Id',
] as const

/** A reply of up to this size fits into one packet anyway. */
const MAX_UNCOMPRESSED_BYTES = 1_024

export async function sendJson(reply: FastifyReply, body: unknown): Promise<FastifyReply> {
  reply.header('Content-Type', 'application/json; charset=utf-8')
  return await sendText(reply, body instanceof CacheableAnswer ? body : JSON.stringify(body))
}

/** Sends a text whose Content-Type is set already. */
export async function sendText(reply: FastifyReply, body: string | CacheableAnswer): Promise<FastifyReply> {
  const plain = typeof body === 'string' ? Buffer.from(body) : body.bytes
  if (plain.length <= MAX_UNCOMPRESSED_BYTES) return reply.send(plain)
  addVary(reply, 'Accept-Encoding')
  const encoding = encodingFor(reply.request.headers['accept-encoding'], ENCODINGS)
  if (encoding === undefined) return reply.send(plain)
  const compressed = await (typeof body === 'string' ? compress(plain, encoding) : body.compressed(encoding))
  return reply.header('Content-Encoding', encoding).send(compressed)
}

/** Like `sendJson`, with an ETag; a client that has the reply already gets a 304 instead. */
export async function sendTagged(reply: FastifyReply, body: unknown): Promise<FastifyReply> {
  const text = JSON.stringify(body)
  const tag = entityTag(text)
  reply.header('ETag', tag)
  if (isKnownTag(reply.request.headers['if-none-match'], tag)) {
    addVary(reply, 'Accept-Encoding')
    return reply.code(304).send()
  }
  reply.header('Content-Type', 'application/json; charset=utf-8')
  return await sendText(reply, text)
}

export function addVary(reply: FastifyReply, name: string): void {
  const known = reply.getHeader('Vary')
  reply.header('Vary', known === undefined ? name : `${String(known)}, ${name}`)
}
