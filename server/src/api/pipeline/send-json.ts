// Sends a JSON reply: compressed if it is long and the caller accepts it, and not at all if the caller has it already.
import type { FastifyReply } from 'fastify'
import { compress, ENCODINGS, encodingFor } from '../../text/content-encoding.ts'
import { isKnownTag } from '../../text/entity-tag.ts'
import { RenderedJson } from '../rendered-json.ts'

/** Below, the reply fits into one packet anyway. */
const WORTH_COMPRESSING_BYTES = 1_024

/** Waits only to compress what was not compressed before. */
export function sendJson(reply: FastifyReply, body: unknown): FastifyReply | Promise<FastifyReply> {
  reply.header('Content-Type', 'application/json; charset=utf-8')
  return sendText(reply, body instanceof RenderedJson ? body : JSON.stringify(body))
}

/** The same, for a text whose type is set already. */
export function sendText(reply: FastifyReply, body: string | RenderedJson): FastifyReply | Promise<FastifyReply> {
  const plain = typeof body === 'string' ? body : body.bytes
  if (Buffer.byteLength(plain) <= WORTH_COMPRESSING_BYTES) return reply.send(plain)
  addVary(reply, 'Accept-Encoding')
  const encoding = encodingFor(reply.request.headers['accept-encoding'], ENCODINGS)
  if (encoding === undefined) return reply.send(plain)
  const bytes = typeof body === 'string' ? compress(Buffer.from(body), encoding) : body.compressed(encoding)
  const send = (compressed: Buffer) => reply.header('Content-Encoding', encoding).send(compressed)
  return bytes instanceof Promise ? bytes.then(send) : send(bytes)
}

/** The same, with an ETag; a caller who has the reply already gets a 304 instead. */
export function sendTagged(reply: FastifyReply, body: RenderedJson): FastifyReply | Promise<FastifyReply> {
  reply.header('ETag', body.tag)
  if (!isKnownTag(reply.request.headers['if-none-match'], body.tag)) return sendJson(reply, body)
  addVary(reply, 'Accept-Encoding')
  return reply.code(304).send()
}

export function addVary(reply: FastifyReply, name: string): void {
  const known = reply.getHeader('Vary')
  reply.header('Vary', known === undefined ? name : `${String(known)}, ${name}`)
}
