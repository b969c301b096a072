// Clients that do not read what they asked for. What is to be sent to them waits in our memory, so they get as long for
// it as for sending a request, counted from when nothing more could be sent; then the connection is closed.
//
// Connections are looked at now and then, so that no response pays for it. What the system's own buffers hold is sent, as
// far as we can see: small responses never wait.
import type { Server } from 'node:http'
import type { Socket } from 'node:net'

interface SlowReaderLimits {
  patienceMs: number
  lookEveryMs: number
}

/** What a socket has sent, and since when it has not sent more. */
interface Standstill {
  sentBytes: number
  since: number
}

/** The returned function stops looking. */
export function closeSlowReaders(server: Server, { patienceMs, lookEveryMs }: SlowReaderLimits): () => void {
  const sockets = new Map<Socket, Standstill | undefined>()
  server.on('connection', (socket) => {
    sockets.set(socket, undefined)
    socket.once('close', () => sockets.delete(socket))
  })
  const timer = setInterval(() => {
    const now = performance.now()
    for (const [socket, before] of sockets) {
      const standstill = standstillOf(socket, before, now)
      if (standstill && now - standstill.since >= patienceMs) socket.destroy()
      else if (standstill !== before) sockets.set(socket, standstill)
    }
  }, lookEveryMs).unref()
  return () => clearInterval(timer)
}

function standstillOf(socket: Socket, before: Standstill | undefined, now: number): Standstill | undefined {
  if (socket.writableLength === 0) return undefined
  const sentBytes = socket.bytesWritten - socket.writableLength
  return before?.sentBytes === sentBytes ? before : { sentBytes, since: now }
}
