// Slow, many or confusing clients on real sockets: every timeout holds, and connections are limited.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { rawRequest } from '../support/raw-request.ts'
import { startTestInstance, type TestInstance } from '../support/test-instance.ts'

const MAX_CONNECTIONS = 20
let instance: TestInstance
const sockets: Socket[] = []

beforeAll(async () => {
  instance = await startTestInstance({
    MAX_CONNECTIONS: String(MAX_CONNECTIONS),
    SEARCH_TIMEOUT_MS: '2000',
    TRANSLATE_TIMEOUT_MS: '2000',
  })
})
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})
afterAll(() => instance?.close())

function open({ allowHalfOpen = false } = {}): Socket {
  const { hostname, port } = new URL(instance.url)
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen })
  socket.on('error', () => 'we are hung up on')
  sockets.push(socket)
  return socket
}

/** Sends the beginning, then one piece a second; returns the reply and how long until the connection was closed. */
async function drip(beginning: string, piece: string): Promise<{ seconds: number; reply: string }> {
  // A client that goes on sending after the reply has to be cut off.
  const socket = open({ allowHalfOpen: piece !== '' })
  const startedAt = performance.now()
  let reply = ''
  socket.on('data', (chunk) => {
    reply += chunk.toString()
  })
  if (beginning !== '') socket.write(beginning)
  const timer = setInterval(() => piece !== '' && socket.writable && socket.write(piece), 1_000)
  await new Promise((resolve) => socket.once('close', resolve))
  clearInterval(timer)
  return { seconds: (performance.now() - startedAt) / 1_000, reply }
}

/** Requests more than the socket buffers hold and reads nothing; returns how long until the connection was closed. */
async function neverRead(): Promise<number> {
  const socket = open().pause()
  const startedAt = performance.now()
  socket.write('GET /api/v1/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(400))
  // A client that doesn't read notices the close only when it writes.
  const closed = new Promise((resolve) => socket.once('close', resolve))
  const timer = setInterval(() => socket.writable && socket.write('GET / HTTP/1.1\r\n'), 1_000)
  await closed
  clearInterval(timer)
  return (performance.now() - startedAt) / 1_000
}

const HEAD = 'POST /api/v1/translate/ HTTP/1.1\r\nHost: localhost\r\n'

describe('a slow client', () => {
  it('has ten seconds for its headers, fifteen for the whole request, and as long to read as the slowest answer takes', async () => {
    const [silent, slowHeaders, slowBody, unread] = await Promise.all([
      drip('', ''),
      drip(HEAD, 'X-More: 1\r\n'),
      drip(
        `${HEAD}Authorization: Api-Key ${instance.key}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`,
        ' ',
      ),
      neverRead(),
    ])
    for (const { seconds } of [silent, slowHeaders]) {
      expect(seconds).toBeGreaterThan(9.5)
      expect(seconds).toBeLessThan(15)
    }
    expect(slowBody.seconds).toBeGreaterThan(14)
    expect(slowBody.seconds).toBeLessThan(22)
    // The slowest answer plus thirty seconds; up to twice that, because Node checks for progress since.
    expect(unread).toBeGreaterThan(31)
    expect(unread).toBeLessThan(72)
    for (const { reply } of [slowHeaders, slowBody]) {
      expect(reply).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/)
      expect(reply).toContain('{"detail":"The request did not arrive in time."}')
    }
  }, 90_000)
})

describe('two Host headers', () => {
  it.each([
    ['the same', 'Host: localhost\r\nHost: localhost\r\n'],
    ['different', 'Host: localhost\r\nhOST: evil.example\r\n'],
  ])('400: %s', async (_, lines) => {
    const reply = await rawRequest(instance.url, `GET /livez HTTP/1.1\r\n${lines}\r\n`)
    expect(reply).toMatchObject({ status: 400, body: '{"detail":"Send only one Host header."}' })
  })
})

describe('many connections', () => {
  it('beyond MAX_CONNECTIONS are closed immediately, and the others are not affected', async () => {
    const surplus = 5
    const all = Array.from({ length: MAX_CONNECTIONS + surplus }, () => open())
    const isOpen = ({ closed }: Socket) => !closed
    // Connections that earlier tests left open count as well.
    await expect.poll(() => all.filter(isOpen).length).toBeLessThanOrEqual(MAX_CONNECTIONS)
    const held = all.filter(isOpen)
    expect(held.length).toBeGreaterThan(MAX_CONNECTIONS / 2)
    for (const socket of held) {
      socket.write('GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n')
      expect(String(await once(socket, 'data'))).toMatch(/^HTTP\/1\.1 200 OK/)
    }
  })
})
