// What Node's HTTP parser does not take, answered in JSON with a request id all the same. A request that is refused only
// because its address holds raw UTF-8 (`curl 'http://…/?q=Zürich'`) is served as if the address had been encoded; that
// holds for one request, after which the connection is closed.
import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { DATA_POLICY } from './common-headers.ts'

/** What Node says of it: `HPE_INVALID_URL`, and what has arrived. */
interface ParserError {
  code: string
  /** A Buffer; Fastify types it as its JSON. */
  rawPacket: unknown
}

interface RequestHead {
  method: 'GET' | 'HEAD'
  url: string
  headers: IncomingHttpHeaders
}

const END_OF_HEAD = '\r\n\r\n'
const REQUEST_LINE = /^(GET|HEAD) (\/[!-~\x80-\xff]*) HTTP\/1\.[01]$/
const HEADER_LINE = /^([!#$%&'*+.^`|~\w-]+):[\t ]*([\t -~\x80-\xff]*?)[\t ]*$/
/** Node's own limit. */
const MAX_HEADER_BYTES = 16_384
export const ADDRESS_TOO_LONG = 'The address is too long. Shorten the query, or send a long text with POST.'
const RAW_BYTE = /[\x80-\xff]/

export async function answerUnreadable(http: FastifyInstance, error: ParserError, socket: Socket): Promise<void> {
  const packet = Buffer.isBuffer(error.rawPacket) ? error.rawPacket.toString('latin1') : ''
  if (error.code === 'HPE_HEADER_OVERFLOW') {
    if (isAddressTooLong(packet)) refuseConnection(socket, '414 URI Too Long', ADDRESS_TOO_LONG)
    else refuseConnection(socket, '431 Request Header Fields Too Large', 'The headers of the request are too long.')
    return
  }
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    refuseConnection(socket, '408 Request Timeout', 'The request did not arrive in time.')
    return
  }
  const head = error.code === 'HPE_INVALID_URL' ? readHead(packet) : undefined
  if (!head) {
    refuseConnection(socket, '400 Bad Request', 'The request is not well-formed HTTP.')
    return
  }
  const reply = await http.inject({ ...head, remoteAddress: socket.remoteAddress ?? '' })
  const { connection: _, ...headers } = reply.headers
  const lines = Object.entries(headers).flatMap(([name, value]) => [value].flat().map((one) => `${name}: ${one}`))
  if (!socket.writable) return
  socket.write(
    [`HTTP/1.1 ${reply.statusCode} ${reply.statusMessage}`, ...lines, 'connection: close', '', ''].join('\r\n'),
  )
  socket.end(head.method === 'HEAD' ? '' : reply.rawPayload)
}

/** Its first line has no end yet, or fills half of what a request may have before its body. */
const isAddressTooLong = (packet: string): boolean => {
  const end = packet.indexOf('\r\n')
  return end === -1 || end > MAX_HEADER_BYTES / 2
}

/** A whole request without a body whose address holds raw bytes, and nothing else that is odd; in Latin-1. */
function readHead(packet: string): RequestHead | undefined {
  const end = packet.indexOf(END_OF_HEAD)
  if (end === -1) return undefined
  const [first = '', ...lines] = packet.slice(0, end).split('\r\n')
  const [, method, target = ''] = REQUEST_LINE.exec(first) ?? []
  if ((method !== 'GET' && method !== 'HEAD') || !RAW_BYTE.test(target)) return undefined
  const headers: IncomingHttpHeaders = {}
  for (const line of lines) {
    const [, name = '', value = ''] = HEADER_LINE.exec(line) ?? []
    const key = name.toLowerCase()
    if (key === '' || key in headers) return undefined
    headers[key] = value
  }
  if (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined) return undefined
  const url = target.replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`)
  return { method, url, headers }
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
