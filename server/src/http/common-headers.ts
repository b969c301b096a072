// Headers that every reply gets. Pages replace the content security policy with their own.
import type { FastifyReply, FastifyRequest } from 'fastify'

/** For replies that aren't pages: opened in a browser, they may load, run and be framed by nothing. */
export const DATA_POLICY = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'"

const HTTPS_ONLY = `max-age=${365 * 24 * 3600}; includeSubDomains`

export function setCommonHeaders(request: FastifyRequest, reply: FastifyReply, publicUrl: string): void {
  reply.header('X-Content-Type-Options', 'nosniff')
  reply.header('Content-Security-Policy', DATA_POLICY)
  const isHttps = publicUrl === '' ? request.protocol === 'https' : publicUrl.startsWith('https://')
  if (isHttps) reply.header('Strict-Transport-Security', HTTPS_ONLY)
}
