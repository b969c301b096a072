// An HTTP server that replies as a row of clients/behaviours.json says, one reply for each request, and records the
// requests.
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export interface ScriptedReply {
  status?: number
  headers?: Record<string, string>
  json?: unknown
  text?: string
  /** Server-sent events. */
  events?: { event: string; data: unknown }[]
  newline?: string
  /** Sends the body in chunks of this many bytes. */
  chunk_bytes?: number
  /** Breaks the connection, after the body if there is one. */
  hang_up?: boolean
  silent?: boolean
  stays_open?: boolean
}

/** The errors, events, pages, … that a row expects; tests read rows of every shape. */
// biome-ignore lint/suspicious/noExplicitAny: as said above
export type Expected = Record<string, any>

export interface Behaviour {
  name: string
  client?: { url?: string; key?: string; timeout?: number; max_retries?: number }
  call: Expected
  replies: ScriptedReply[]
  expect: Expected
}

const readTable = () => JSON.parse(readFileSync(new URL('../../behaviours.json', import.meta.url), 'utf8'))

/** URLs to which a key may go unencrypted, and others. */
export const readPlainHttp = (): { private: string[]; public: string[] } => readTable().plain_http

export function readBehaviours(): Behaviour[] {
  const table = readTable()
  const resolve = (value: unknown): unknown => {
    if (typeof value === 'string' && value.startsWith('$')) return resolve(table.values[value.slice(1)])
    if (Array.isArray(value)) return value.map(resolve)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, resolve(member)]))
  }
  return resolve(table.cases) as Behaviour[]
}

export interface Received {
  line: string
  headers: IncomingMessage['headers']
  body: string
}

export async function startScriptedInstance(replies: readonly ScriptedReply[]) {
  const received: Received[] = []
  const rest = [...replies]
  let open = 0
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    received.push({ line: `${request.method} ${request.url}`, headers: request.headers, body: await text(request) })
    await send(rest.shift() ?? { status: 599, headers: {}, text: 'There is no further reply.' }, response)
  }
  const server = createServer((request, response) => {
    open += 1
    response.once('close', () => {
      open -= 1
    })
    void answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${port}`, received, openReplies: () => open, close }
}

async function send(reply: ScriptedReply, response: ServerResponse): Promise<void> {
  const { status, headers = {}, hang_up: hangsUp, chunk_bytes: size } = reply
  if (reply.silent === true) return
  if (status !== undefined) {
    const isJson = 'json' in reply
    response.writeHead(status, { ...(isJson && { 'content-type': 'application/json; charset=utf-8' }), ...headers })
    const body = Buffer.from(bodyOf(reply))
    for (let at = 0; at < body.length; at += size ?? body.length) {
      response.write(body.subarray(at, at + (size ?? body.length)))
      await new Promise(setImmediate)
    }
  }
  if (hangsUp === true) {
    // The data written must arrive first.
    if (status !== undefined) await new Promise((resolve) => setTimeout(resolve, 50))
    response.destroy()
  } else if (reply.stays_open !== true) response.end()
}

function bodyOf(reply: ScriptedReply): string {
  if ('json' in reply) return JSON.stringify(reply.json)
  const { events, text = '', newline = '\n' } = reply
  if (events === undefined) return text
  return events
    .map(({ event, data }) => `event: ${event}${newline}data: ${JSON.stringify(data)}${newline}${newline}`)
    .join('')
}
