// Starts an instance and drains it. A signal stops the listener first, lets requests in flight finish within a few
// seconds, then writes what is still in memory (usage, last use of keys) and closes.
import type { AddressInfo, Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { listenForAdministration } from './cli/administration-socket.ts'
import type { Configuration } from './configuration.ts'
import { createHttp } from './http.ts'
import type { Log } from './log.ts'
import { serveMetrics } from './metrics.ts'
import { openServices, type Services } from './services.ts'

export interface Instance {
  url: string
  services: Services
  close: () => Promise<void>
}

const DRAIN_MS = 5_000
const SWEEP_MS = 100

export async function startInstance(configuration: Configuration, log: Log): Promise<Instance> {
  const opened: { close: () => Promise<unknown> }[] = []
  const closeAll = async () => {
    for (const part of opened.toReversed()) await part.close()
  }
  try {
    const services = await openServices(configuration, log)
    opened.push(services)
    let isDraining = false
    const http = createHttp({
      api: services.api,
      site: services.site,
      metrics: services.metrics,
      metricsToken: configuration.metricsToken,
      trustedProxies: configuration.trustedProxies,
      isReady: () => !isDraining,
    })
    const { host, port, metricsPort, databaseUrl, dataFolder } = configuration
    if (metricsPort !== undefined) opened.push(await serveMetrics(services.metrics, { host, port: metricsPort }))
    if (databaseUrl === undefined) opened.push(await listenForAdministration(dataFolder, services.access, log))
    const drain = createDrain(http)
    await http.listen({ host, port })
    opened.push({ close: drain })
    const url = addressOf(http)
    log.info({ url }, 'listening')
    return {
      url,
      services,
      async close() {
        isDraining = true
        await closeAll()
        log.info('stopped')
      },
    }
  } catch (error) {
    await closeAll()
    throw error
  }
}

/** Stops listening at once, and ends when the requests in flight are answered or have had their time. */
function createDrain(http: FastifyInstance): () => Promise<void> {
  const { server } = http
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  // Once its answer is sent, a connection would wait for a next request that must not come. One that never sent
  // anything, as browsers open them ahead, is busy in Node's eyes.
  const endIdle = () => {
    server.closeIdleConnections()
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
  }
  return async () => {
    const cut = setTimeout(() => server.closeAllConnections(), DRAIN_MS)
    const sweep = setInterval(endIdle, SWEEP_MS)
    await http.close()
    clearTimeout(cut)
    clearInterval(sweep)
  }
}

function addressOf(http: FastifyInstance): string {
  // A listening TCP server has an address with a port.
  const { address, family, port } = http.server.address() as AddressInfo
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}

/** Ctrl-C under npm arrives twice: from the terminal, and passed on by npm. */
const ONE_REQUEST_MS = 1_000

/** Resolves when the process is asked to end. Asked again, it ends at once. */
export const untilSignal = (): Promise<void> =>
  new Promise((resolve) => {
    let askedAt: number | undefined
    const onSignal = () => {
      askedAt ??= performance.now()
      if (performance.now() - askedAt > ONE_REQUEST_MS) process.exit(130)
      resolve()
    }
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, onSignal)
  })
