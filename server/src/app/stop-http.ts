// How an HTTP server stops without cutting off an answer: at once, or after its clients have moved on to another process.
import { type Socket, Server as TcpServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

export interface HttpStop {
  /** Takes no more connections. Resolves when all that there are have ended, or when the time is up. */
  retire: (graceMs: number) => Promise<void>
  /** Resolves when the server has stopped and the requests in flight are answered, or their time is up. */
  close: (stopListening: () => Promise<void>) => Promise<void>
}

const FINISH_MS = 5_000
const SWEEP_MS = 100

/** Call it before the server listens. */
export function createHttpStop(http: FastifyInstance): HttpStop {
  const { server } = http
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  // Once its response is sent, a connection would wait for a next request, which must not come. Node also counts
  // connections as busy that have never sent anything, such as those that browsers open ahead of time.
  const endIdle = () => {
    server.closeIdleConnections()
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
  }
  let retired: Promise<void> | undefined
  return {
    async retire(graceMs) {
      // The HTTP server's own `close` would end idle connections at once, even if a request is on its way.
      retired = new Promise((resolve) => TcpServer.prototype.close.call(server, () => resolve()))
      await Promise.race([retired, sleep(graceMs, undefined, { ref: false })])
    },
    async close(stopListening) {
      const cut = setTimeout(() => server.closeAllConnections(), FINISH_MS)
      const sweep = setInterval(endIdle, SWEEP_MS)
      // Fastify does not wait for a server that has stopped listening before.
      await retired
      await stopListening()
      clearTimeout(cut)
      clearInterval(sweep)
    },
  }
}
