// Stands between a program and an instance, and notes what the program asks for: route and status, and the method of a
// JSON-RPC message. Never a key or a query.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface RecordingProxy {
  url: string
  /** What was asked for since the last time. */
  take: () => string[]
  close: () => void
}

export async function startRecordingProxy(target: string): Promise<RecordingProxy> {
  let asked: string[] = []
  const server = createServer((request, response) => {
    forward(target, request, response).then(
      (note) => asked.push(note),
      (error: unknown) => response.writeHead(502).end(String(error)),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server that listens on a port has such an address.
  const { port } = server.address() as AddressInfo
  const take = () => {
    const taken = asked
    asked = []
    return taken
  }
  return { url: `http://127.0.0.1:${port}`, take, close: () => server.close() }
}

const OF_ONE_CONNECTION = new Set([
  'connection',
  'content-length',
  'host',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
])

async function forward(target: string, request: IncomingMessage, response: ServerResponse): Promise<string> {
  const { method = 'GET', url = '/' } = request
  const body = Buffer.concat(await Array.fromAsync(request))
  const headers = Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' && !OF_ONE_CONNECTION.has(name) ? [[name, value]] : [],
  )
  const reply = await fetch(target + url, { method, headers, ...(body.length > 0 && { body }) })
  const type = reply.headers.get('content-type')
  response.writeHead(reply.status, type === null ? {} : { 'content-type': type })
  response.end(Buffer.from(await reply.arrayBuffer()))
  return `${rpcMethodOf(body) ?? `${method} ${url.replace(/\?.*$/, '')}`} ${reply.status}`
}

function rpcMethodOf(body: Buffer): string | undefined {
  try {
    const { method } = JSON.parse(body.toString())
    return typeof method === 'string' ? method : undefined
  } catch {
    return undefined
  }
}
