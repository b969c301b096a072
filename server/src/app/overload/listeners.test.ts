import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { type FastifyInstance, fastify } from 'fastify'
import { afterEach, describe, expect, it } from 'vitest'
import { type Listeners, openListeners } from './listeners.ts'

const sockets: Socket[] = []
/** What requests for `/held` wait for. */
let waiting = Promise.resolve()
const opened: { http: FastifyInstance; listeners?: Listeners }[] = []

async function open(options: { port?: number; maxConnections?: number; listeners?: number } = {}): Promise<Listeners> {
  const http = fastify()
  http.get('/', () => 'served')
  http.get('/held', () => waiting.then(() => 'served'))
  const entry: { http: FastifyInstance; listeners?: Listeners } = { http }
  opened.push(entry)
  entry.listeners = await openListeners(http, { host: '127.0.0.1', port: 0, maxConnections: 1_000, ...options })
  return entry.listeners
}

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  for (const { http, listeners } of opened.splice(0)) {
    http.server.closeAllConnections()
    await (listeners?.close() ?? http.close())
  }
})

async function connectTo({ url }: Listeners): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined)
  sockets.push(socket)
  await once(socket, 'connect')
  return socket
}

const connectMany = (listeners: Listeners, count: number): Promise<Socket[]> =>
  Promise.all(Array.from({ length: count }, () => connectTo(listeners)))

describe('several listeners on one port', () => {
  it('each take a connection in a turn of the event loop, so that many are not taken one by one', async () => {
    const turnsFor = async (listeners: number): Promise<number> => {
      const at = await open({ listeners })
      const taken: unknown[] = []
      opened.at(-1)?.http.server.on('connection', (socket) => taken.push(socket))
      // Connected by the kernel while this process is busy; then it has a queue to work off.
      const script = `const net = require('net')
        for (let i = 0; i < 64; i++) net.connect(${new URL(at.url).port}, '127.0.0.1')
        setTimeout(() => process.exit(), 300)`
      spawnSync(process.execPath, ['-e', script])
      let turns = 0
      while (taken.length < 64) {
        await new Promise(setImmediate)
        turns++
      }
      return turns
    }
    expect(await turnsFor(1)).toBeGreaterThanOrEqual(64)
    expect(await turnsFor(32)).toBeLessThan(32)
  })

  it('serve a request on whichever of them it arrives', async () => {
    const at = await open()
    for (let i = 0; i < 20; i++) {
      const reply = await fetch(at.url, { headers: { connection: 'close' } })
      expect([reply.status, await reply.text()]).toEqual([200, 'served'])
    }
  })

  it('refuse a port that another instance listens on', async () => {
    const { url } = await open()
    await expect(open({ port: Number(new URL(url).port) })).rejects.toMatchObject({ code: 'EADDRINUSE' })
  })

  it('can be opened again at once on the same port', async () => {
    const first = await open()
    await fetch(first.url)
    for (const { http } of opened) http.server.closeAllConnections()
    await first.close()
    const second = await open({ port: Number(new URL(first.url).port) })
    expect(second.url).toBe(first.url)
    expect((await fetch(second.url)).status).toBe(200)
  })

  it('have no more connections than allowed together', async () => {
    const at = await open({ maxConnections: 10 })
    const all = await connectMany(at, 40)
    const isOpen = (socket: Socket) => !socket.destroyed && socket.readyState === 'open'
    for (const socket of all) socket.resume()
    await expect.poll(() => all.filter(isOpen).length).toBeLessThanOrEqual(10)
    expect(at.connections()).toBe(10)
    for (const socket of all) socket.destroy()
    await expect.poll(() => at.connections()).toBe(0)
    expect((await fetch(at.url)).status).toBe(200)
  })

  it('close when the connections of all of them are closed', async () => {
    const at = await open()
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    waiting = held
    const replies = Promise.all(Array.from({ length: 20 }, () => fetch(`${at.url}/held`).then(({ status }) => status)))
    await expect.poll(() => at.connections()).toBe(20)
    let isClosed = false
    const closing = at.close().then(() => {
      isClosed = true
    })
    await expect(fetch(at.url)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } })
    expect(isClosed).toBe(false)
    release()
    expect(await replies).toEqual(Array.from({ length: 20 }, () => 200))
    for (const { http } of opened) http.server.closeIdleConnections()
    await closing
  })
})
