// JSON replies, with a request id, for requests that Node's HTTP parser rejects. The parser has given up, so the
// request isn't parsed again; instead, the reply names the likeliest mistake, a URL that isn't percent-encoded.
import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { DATA_POLICY } from './common-headers.ts'

/** Node's parser error: a code such as `HPE_INVALID_URL`, and the bytes received. */
interface ParserError {
  code: string
  /** A Buffer; Fastify types it as its JSON. */
  rawPacket: unknown
}

/** Node's own limit. */
const MAX_HEADER_BYTES = 16_384
export const ADDRESS_TOO_LONG = 'The address is too long. Shorten the query, or send a long text with POST.'
const NOT_HTTP =
  'The request is not well-formed HTTP. Percent-encode the URL: write q=Z%C3%BCrich for q=Zürich, and %20 for a space.'

export function answerUnreadable({ code, rawPacket }: ParserError, socket: Socket): void {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    refuseConnection(socket, '408 Request Timeout', 'The request did not arrive in time.')
  else if (code !== 'HPE_HEADER_OVERFLOW') refuseConnection(socket, '400 Bad Request', NOT_HTTP)
  else if (isAddressTooLong(rawPacket)) refuseConnection(socket, '414 URI Too Long', ADDRESS_TOO_LONG)
  else refuseConnection(socket, '431 Request Header Fields Too Large', 'The headers of the request are too long.')
}

/** True if the request line has no end yet, or fills half of the space that Node allows for headers. */
function isAddressTooLong(packet: unknown): boolean {
  const end = Buffer.isBuffer(packet) ? packet.indexOf('\r\n') : -1
  return end === -1 || end > MAX_HEADER_BYTES / 2
}

export function refuseConnection(socket: Socket, status: string, detail: string): void {
  if (!socket.writable) return
  const body = JSON.stringify({ detail })
  const headers = [
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${randomUUID()}`,
    'X-Content-Type-Options: nosniff',
    `Content-Security-Policy: ${DATA_POLICY}`,
    'Connection: close',
  ]
  socket.end([`HTTP/1.1 ${status}`, ...headers, '', body].join('\r\n'))
}
