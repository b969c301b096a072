// Sends requests to the routes of a running instance, for the tests that walk all of them: any method and header, and
// bodies that are too long. The parameters are the least that a route needs, chosen by their names.
import { request } from 'node:http'
import type { MountedSurface } from '../../src/text/surface.ts'

export interface SurfaceRequest {
  method: string
  /** Path and query. */
  path: string
  headers?: Record<string, string>
  body?: string
  /** Declares a body of this length and sends none of it. */
  declaredBytes?: number
  /** Sends so much without declaring a length. */
  undeclaredBytes?: number
}

export interface SurfaceReply {
  status: number
  headers: Record<string, string | string[] | undefined>
  /** Where a redirect leads; '' if it isn't one. */
  location: string
  body: string
  code: string
}

/** Doesn't follow redirects. Rejects if no reply comes. */
export const send = (url: string, { method, path, headers = {}, body, ...length }: SurfaceRequest) =>
  new Promise<SurfaceReply>((resolve, reject) => {
    const { declaredBytes, undeclaredBytes } = length
    const bytes = declaredBytes ?? (body === undefined ? undefined : Buffer.byteLength(body))
    const sent = request(url, {
      method,
      path,
      agent: false,
      headers: { ...(bytes !== undefined && { 'content-length': String(bytes) }), ...headers },
    })
    sent.on('error', reject)
    sent.on('response', (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        text += chunk
      })
      response.on('end', () => {
        const code = String(response.headers['error-code'] ?? '')
        const { statusCode: status = 0, headers: received } = response
        resolve({ status, headers: received, location: received.location ?? '', body: text, code })
        sent.destroy()
      })
      response.on('error', reject)
    })
    if (undeclaredBytes !== undefined) sent.setHeader('transfer-encoding', 'chunked').write('x'.repeat(undeclaredBytes))
    else if (declaredBytes !== undefined) sent.flushHeaders()
    else sent.end(body)
  })

/** A page that the sandbox's proxy serves. */
const PAGE = 'https://harbour-gazette.example/stories/tides'

/** What a parameter is set to if a route has one of this name and can't do without. */
const SAMPLES: Record<string, unknown> = {
  q: 'climate',
  query: 'climate',
  text: 'good morning',
  target: 'fr',
  url: PAGE,
  urls: [PAGE],
  requests: [{ id: '1', endpoint: 'web', params: { q: 'climate' } }],
  // Of a new key.
  scopes: 'search',
}

/** `text` is another name for `q`, and a URL that was signed on another page isn't known here. */
const isNeeded = (name: string, fields: readonly string[]) =>
  Object.hasOwn(SAMPLES, name) && !(name === 'text' && fields.includes('q'))

export const sampleParams = (fields: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(fields.filter((name) => isNeeded(name, fields)).map((name) => [name, SAMPLES[name]]))

export const MCP_HEADERS = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }

export const mcpMessage = (method: string, params: object = {}) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })

/** A request that the route answers with 200, given a key: in the URL of a GET, as the JSON body of a POST. */
export function sampleRequest({ method, url, fields = [] }: MountedSurface, params = sampleParams(fields)) {
  if (url === '/mcp') return { method, path: url, headers: MCP_HEADERS, body: mcpMessage('tools/list') }
  if (method === 'POST')
    return { method, path: url, headers: { 'content-type': 'application/json' }, body: JSON.stringify(params) }
  const query = new URLSearchParams(
    Object.entries(params).map(([name, value]): [string, string] => [name, String(value)]),
  )
  return { method, path: query.size === 0 ? url : `${url}?${query.toString()}`, headers: {} }
}
