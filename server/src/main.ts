// Starts an instance and drains it. A signal stops the listener first, lets requests in flight finish within a few
// seconds, then writes what is still in memory (usage, last use of keys) and closes.
import type { AddressInfo } from 'node:net'
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
      metrics: services.metrics,
      metricsToken: configuration.metricsToken,
      trustedProxies: configuration.trustedProxies,
      isReady: () => !isDraining,
    })
    const { host, port, metricsPort, databaseUrl, dataFolder } = configuration
    if (metricsPort !== undefined) opened.push(await serveMetrics(services.metrics, { host, port: metricsPort }))
    if (databaseUrl === undefined) opened.push(await listenForAdministration(dataFolder, services.access, log))
    await http.listen({ host, port })
    opened.push({ close: () => drain(http) })
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

async function drain(http: FastifyInstance): Promise<void> {
  const cut = setTimeout(() => http.server.closeAllConnections(), DRAIN_MS)
  http.server.closeIdleConnections()
  await http.close()
  clearTimeout(cut)
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
