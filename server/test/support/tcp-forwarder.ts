// An address that forwards to a server that can be changed: each connection goes to the port set when it is made, as
// when a load balancer or a virtual address follows a failover.
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'

export interface TcpForwarder {
  port: number
  /** Sends new connections there and breaks the existing ones. */
  leadTo: (port: number) => void
  close: () => void
}

export async function startTcpForwarder(firstPort: number): Promise<TcpForwarder> {
  const sockets = new Set<Socket>()
  let target = firstPort
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1')
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket)
      socket.pipe(other)
      socket.on('error', () => other.destroy())
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const breakAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    // A TCP server's address is never a string.
    port: (server.address() as AddressInfo).port,
    leadTo(port) {
      target = port
      breakAll()
    },
    close() {
      server.close()
      breakAll()
    },
  }
}
