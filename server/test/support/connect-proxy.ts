// An HTTP proxy that opens tunnels (CONNECT) and nothing else. It connects from an address of its own, so a target on
// loopback can tell what came through the proxy from what went around it.
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, connect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/** Linux has all of 127.0.0.0/8 on loopback. */
export const PROXY_ADDRESS = '127.0.0.2'

export interface ConnectProxyOptions {
  /** `user:password` that clients must send. */
  credentials?: string
  /** The port on 127.0.0.1 that a host leads to, instead of itself. */
  leadsTo?: (host: string) => number | undefined
  /** The status instead of a tunnel; 0 for no answer, and undefined for the tunnel. */
  refusal?: number
  /** For TLS to the proxy. */
  tls?: { key: Buffer; cert: Buffer }
}

export interface ConnectProxy {
  /** Without credentials. */
  url: string
  port: number
  /** The hosts that were asked for, each with its port, in order. */
  asked: string[]
  /** The options for the next tunnels. */
  options: ConnectProxyOptions
  breakTunnels: () => void
  close: () => Promise<void>
}

export async function startConnectProxy(options: ConnectProxyOptions = {}): Promise<ConnectProxy> {
  const server = options.tls ? createTlsServer(options.tls) : createServer()
  const sockets = new Set<Duplex>()
  const keep = <Connection extends Duplex>(socket: Connection): Connection => {
    sockets.add(socket.on('error', () => socket.destroy()).once('close', () => sockets.delete(socket)))
    return socket
  }
  const breakTunnels = () => {
    for (const socket of sockets) socket.destroy()
  }
  server.on('connection', (socket: Socket) => keep(socket))
  server.on('connect', ({ url = '', headers }: IncomingMessage, client: Duplex) => {
    proxy.asked.push(url)
    const { credentials, refusal } = proxy.options
    const refuse = (status: number) => keep(client).end(`HTTP/1.1 ${status} No\r\ncontent-length: 2\r\n\r\nno`)
    const expected = credentials && `Basic ${Buffer.from(credentials).toString('base64')}`
    if (expected && headers['proxy-authorization'] !== expected) refuse(407)
    else if (refusal === undefined) openTunnel(url, client)
    else if (refusal !== 0) refuse(refusal)
  })
  const openTunnel = (url: string, client: Duplex) => {
    const { hostname, port } = new URL(`http://${url}`)
    const own = proxy.options.leadsTo?.(hostname)
    const to = own === undefined ? { host: hostname, port: Number(port || 80) } : { host: '127.0.0.1', port: own }
    const target = keep(connect({ ...to, localAddress: PROXY_ADDRESS }))
    target.once('connect', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      keep(client).pipe(target).pipe(client)
    })
    client.once('close', () => target.destroy())
    target.once('close', () => client.destroy())
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A TCP server's address is never a string.
  const { port } = server.address() as AddressInfo
  const proxy: ConnectProxy = {
    url: `${options.tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    port,
    asked: [],
    options,
    breakTunnels,
    async close() {
      breakTunnels()
      await new Promise((closed) => server.close(closed))
    },
  }
  return proxy
}
