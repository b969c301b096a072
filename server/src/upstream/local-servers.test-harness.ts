// Servers on loopback for one test: each is closed after it, with all its connections.
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { afterEach } from 'vitest'

export function setUpLocalServers() {
  const cleanups: (() => unknown)[] = []
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
  })

  /** Resolves to the URL. */
  async function listen(server: Server): Promise<string> {
    const sockets = new Set<Socket>()
    server.on('connection', (socket) => sockets.add(socket.on('error', () => socket.destroy())))
    cleanups.push(() => {
      for (const socket of sockets) socket.destroy()
      return new Promise((closed) => server.close(closed))
    })
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    // A server that listens on a TCP port has an AddressInfo.
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  return {
    /** Closed before the servers that were started earlier. */
    closeLater: (part: { close: () => unknown }) => void cleanups.push(() => part.close()),
    listen,
    serveHttp: (answer: (...exchange: Parameters<RequestListener>) => unknown) =>
      listen(createHttpServer((request, response) => void answer(request, response))),
    serveTcp: (onConnection: (socket: Socket) => unknown) => listen(createTcpServer(onConnection)),
  }
}
