// Providers whose replies have as many results as one likes: asked for /<results>/<provider>/…, it asks the sandbox for
// /<provider>/… and makes its list of results that long. Started with the sandbox's address; prints its own port.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

const sandbox = process.argv[2] ?? ''
const ADDRESS = /^\/(\d+)\/(([a-z]+)\/.*)$/

type Json = null | boolean | number | string | Json[] | { [name: string]: Json }

/** By provider and length: what was searched for makes no difference to the cost. */
const replies = new Map<string, Promise<{ type: string; body: Buffer }>>()

async function replyTo({ method = 'GET', headers, url = '' }: IncomingMessage, sent: Buffer) {
  const [, results = '', path = '', slug = ''] = ADDRESS.exec(url) ?? []
  const name = `${slug} ${results}`
  const known = replies.get(name) ?? fetchSized(Number(results), `${sandbox}/${path}`, { method, headers, sent })
  replies.set(name, known)
  return await known
}

interface Asked {
  method: string
  headers: IncomingMessage['headers']
  sent: Buffer
}

async function fetchSized(results: number, url: string, { method, headers, sent }: Asked) {
  const { host: _, connection: __, 'content-length': ___, ...others } = headers
  const body = method === 'GET' ? null : new Uint8Array(sent)
  const reply = await fetch(url, { method, headers: others as Record<string, string>, body })
  if (!reply.ok) throw new Error(`${url}: ${reply.status}`)
  const json = (await reply.json()) as Json
  resize(longestList(json), results)
  return { type: reply.headers.get('content-type') ?? '', body: Buffer.from(JSON.stringify(json)) }
}

/** Of lists whose items have an address. */
function longestList(json: Json): Json[] {
  if (typeof json !== 'object' || json === null) return []
  const own = Array.isArray(json) && json.every(hasAddress) ? json : []
  return Object.values(json)
    .map(longestList)
    .reduce((longest, list) => (list.length > longest.length ? list : longest), own)
}

const hasAddress = (item: Json): boolean =>
  typeof item === 'object' && item !== null && /"https?:\/\//.test(JSON.stringify(item))

/** Copies have addresses of their own, so that none is merged with another. */
function resize(list: Json[], length: number): void {
  const originals = list.map((item) => JSON.stringify(item))
  for (let at = list.length; at < length; at++) {
    const copy = originals[at % originals.length]?.replaceAll(/"https?:\/\/[^"?#]+/g, (url) => `${url}/copy-${at}`)
    list.push(JSON.parse(copy ?? 'null'))
  }
  list.length = length
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const sent = Buffer.concat(await request.toArray())
    const { type, body } = await replyTo(request, sent)
    response.writeHead(200, { 'content-type': type, 'content-length': body.length }).end(body)
  } catch (error) {
    process.stderr.write(`${String(error)}\n`)
    response.writeHead(500).end()
  }
}

const server = createServer((request, response) => void answer(request, response))
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${JSON.stringify({ port: (server.address() as AddressInfo).port })}\n`) // TCP: has a port
})
process.on('SIGTERM', () => process.exit())
