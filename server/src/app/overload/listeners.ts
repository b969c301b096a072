// The listeners of the main port. libuv takes one new connection from each listener in each turn of the event loop. A
// turn of a busy node takes tens of milliseconds, so behind a single listener new connections would wait for each other
// for seconds, and health checks among them. Several listeners on the same port (SO_REUSEPORT) each have a queue of their
// own, over which the kernel spreads the connections.
//
// Listeners that may share a port would also share it with another instance that was started by mistake. So a listener
// that shares with nobody tries the port first.
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

interface Listening {
  host: string
  port: number
  maxConnections: number
  /** Its parent listens, and hands it connections. */
  isWorker?: boolean
  /** For tests. */
  listeners?: number
}

export interface Listeners {
  url: string
  /** How many connections are open. */
  connections: () => number
  /** Stops listening, and resolves when every connection is closed. */
  close: () => Promise<void>
}

const LISTENERS = 32

export async function openListeners(
  http: FastifyInstance,
  { host, port, maxConnections, isWorker = false, listeners = LISTENERS }: Listening,
): Promise<Listeners> {
  const connections = boundConnections(http.server, maxConnections)
  // Or else workers that are all full would pass a connection to each other for ever. Its types lack the property.
  Object.assign(http.server, { dropMaxConnection: true })
  if (port !== 0 && !isWorker) await tryPort({ host, port })
  const isShared = await listenFirst(http, { host, port }, !isWorker)
  // A listening TCP server has an address with a port.
  const { address, family, port: opened } = http.server.address() as AddressInfo
  const others: Server[] = []
  const more = isShared ? listeners - 1 : 0
  const close = async () => {
    const closed = others.map((other) => new Promise((done) => other.close(done)))
    await http.close()
    await Promise.all(closed)
  }
  try {
    while (others.length < more) {
      const other = connections.addListener()
      await listen(other, { host: address, port: opened, reusePort: true })
      others.push(other)
    }
  } catch (error) {
    await close()
    throw error
  }
  const url = `http://${family === 'IPv6' ? `[${address}]` : address}:${opened}`
  return { url, connections: connections.count, close }
}

async function listen(server: Server, at: { host: string; port: number; reusePort?: boolean }): Promise<void> {
  server.listen(at)
  await once(server, 'listening')
}

/** Rejects if somebody else has it. */
async function tryPort(at: { host: string; port: number }): Promise<void> {
  const trial = createServer()
  await listen(trial, at)
  trial.close()
  await once(trial, 'close')
}

/** Systems on which a port cannot be shared in this way have one listener. */
async function listenFirst(
  http: FastifyInstance,
  at: { host: string; port: number },
  reusePort: boolean,
): Promise<boolean> {
  // Fastify passes on what its types lack.
  const shared = { ...at, reusePort }
  try {
    await http.listen(shared)
    return reusePort
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOTSUP')) throw error
    await http.listen(at)
    return false
  }
}

/** Node bounds the connections of each listener; this bounds those of all of them together. */
function boundConnections(http: Server, most: number) {
  const counts = new Map<Server, number>([[http, 0]])
  let all = 0
  let source = http
  const change = (listener: Server, by: 0 | 1 | -1) => {
    all += by
    counts.set(listener, (counts.get(listener) ?? 0) + by)
    for (const [each, own] of counts) each.maxConnections = most - (all - own)
  }
  http.on('connection', (socket: Socket) => {
    const listener = source
    change(listener, 1)
    socket.once('close', () => change(listener, -1))
  })
  change(http, 0)
  return {
    count: () => all,
    /** Another listener, whose connections the HTTP server gets: Node's documentation shows this way to do it. */
    addListener(): Server {
      const listener = createServer((socket) => {
        source = listener
        http.emit('connection', socket)
        source = http
      })
      change(listener, 0)
      return listener
    },
  }
}
