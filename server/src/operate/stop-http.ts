// Graceful shutdown of the HTTP server: it accepts no new connections, answers the requests in flight, and closes what
// is left after a few seconds.
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

const FINISH_MS = 5_000
const SWEEP_MS = 100

/** Call this before the server listens. The returned function resolves when the server has stopped. */
export function createHttpStop(http: FastifyInstance): () => Promise<void> {
  const { server } = http
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  // A connection whose response is sent would wait for another request, which must not come. Node also counts
  // connections as busy that have never sent anything, such as those that browsers open ahead of time.
  const endIdle = () => {
    server.closeIdleConnections()
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
  }
  return async () => {
    const cut = setTimeout(() => server.closeAllConnections(), FINISH_MS)
    const sweep = setInterval(endIdle, SWEEP_MS)
    await http.close()
    clearTimeout(cut)
    clearInterval(sweep)
  }
}
