// Starts an instance and drains it. If any step of the start fails, whatever was opened before is closed again.
//
// A node that is told to stop says so at `/readyz` and goes on serving for a while, so that a load balancer can notice
// and send its requests elsewhere. Only then does it stop listening. Requests in flight get a few seconds to finish,
// whatever is still in memory (usage, last use of keys) is written, and everything is closed.
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { listenForAdministration } from '../cli/administration-socket.ts'
import { type LoadShedder, TICK_MS } from '../limits/load-shedder.ts'
import type { Log } from '../log.ts'
import { createHostCheck } from './allowed-hosts.ts'
import { composeServices, type Services } from './compose.ts'
import type { Configuration } from './configuration.ts'
import { type HealthListener, serveHealth } from './health-listener.ts'
import { createHttp } from './http-server.ts'
import { serveMetrics } from './metrics-listener.ts'
import { openListeners } from './overload/listeners.ts'
import { explainStartFailure, type StartStep } from './start-failure.ts'

export interface Instance {
  url: string
  services: Services
  /** Says that it is draining, serves for that much longer, and closes everything. */
  close: (drainMs?: number) => Promise<void>
}

const FINISH_MS = 5_000
const SWEEP_MS = 100
/** After a failed start: long enough to write what there is, short enough for whoever waits to restart it. */
const GIVE_UP_MS = 3_000

export async function startInstance(configuration: Configuration, log: Log): Promise<Instance> {
  const opened = new AsyncDisposableStack()
  const start: Start = { configuration, log, opened, step: 'storage', isReady: false }
  try {
    const services = await composeServices(configuration, log)
    opened.defer(services.close)
    const tellHealth = await openSideListeners(start, services)
    const url = await openHttp(start, services)
    start.isReady = true
    tellHealth()
    log.info({ url }, 'listening')
    if (configuration.siteAccess === 'public' && !configuration.site.allowedHosts) {
      log.warn('the site is public and answers to any name; set ALLOWED_HOSTS to the names you use')
    }
    return {
      url,
      services,
      async close(drainMs = 0) {
        start.isReady = false
        tellHealth()
        if (drainMs > 0) {
          log.info({ ms: drainMs }, 'draining')
          await sleep(drainMs)
        }
        await opened.disposeAsync()
        log.info('stopped')
      },
    }
  } catch (error) {
    await closeInTime(opened, log)
    throw explainStartFailure(error, start.step, configuration)
  }
}

/** A start in progress, and the instance after it. */
interface Start {
  configuration: Configuration
  log: Log
  opened: AsyncDisposableStack
  step: StartStep
  /** From when it listens until it drains. */
  isReady: boolean
}

/** Everything but HTTP itself. Gives what tells health checks that something has changed. */
async function openSideListeners(start: Start, services: Services): Promise<() => void> {
  const { opened, log } = start
  const { databaseUrl, dataFolder, operation } = start.configuration
  const { adminHost, adminPort, metricsHost, metricsPort, metricsToken } = operation
  if (metricsPort !== undefined) {
    start.step = 'metrics'
    const at = { host: metricsHost, port: metricsPort, token: metricsToken }
    const listener = await serveMetrics(services.metrics, at)
    opened.defer(() => listener.close())
  }
  let health: HealthListener | undefined
  if (adminPort !== undefined) {
    start.step = 'admin'
    const state = () => ({ isReady: start.isReady, missing: services.missing(), redis: services.redisStates() })
    health = await serveHealth({ host: adminHost, port: adminPort }, state)
    opened.defer(async () => health?.close())
    log.info({ port: health.port }, 'answering health checks')
  }
  if (databaseUrl === undefined) {
    start.step = 'administration'
    opened.defer((await listenForAdministration(dataFolder, services.access, log)).close)
  }
  return () => health?.tell()
}

/** The address it listens on. */
async function openHttp(start: Start, { api, site, metrics, missing, redisStates }: Services): Promise<string> {
  const { configuration, opened } = start
  const { host, port, publicUrl, trustedProxies, operation } = configuration
  start.step = 'http'
  opened.defer(startTicking(api.load))
  const http = createHttp({
    api,
    site,
    metrics,
    metricsToken: operation.metricsToken,
    trustedProxies,
    isAllowedHost: createHostCheck(configuration.site.allowedHosts, publicUrl),
    arePathKeysOn: configuration.site.arePathKeysOn,
    isReady: () => start.isReady,
    missing,
    redisStates,
  })
  // Also when it cannot listen.
  opened.defer(() => http.close())
  const endConnections = watchConnections(http)
  const listeners = await openListeners(http, { host, port, maxConnections: operation.maxConnections })
  opened.defer(() => endConnections(listeners.close()))
  metrics.watchConnections(listeners.connections)
  return listeners.url
}

function startTicking(load: LoadShedder): () => void {
  const timer = setInterval(() => load.tick(), TICK_MS).unref()
  return () => clearInterval(timer)
}

async function closeInTime(opened: AsyncDisposableStack, log: Log): Promise<void> {
  const { promise: tooLate, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, GIVE_UP_MS)
  const closed = opened
    .disposeAsync()
    .catch((error: unknown) => log.warn({ err: new Error('could not close everything', { cause: error }) }))
  await Promise.race([closed, tooLate])
  clearTimeout(timer)
}

/** What ends the connections while the server closes: the idle ones, and after a while those in use. */
function watchConnections({ server }: FastifyInstance): (closing: Promise<void>) => Promise<void> {
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
  return async (closing) => {
    const cut = setTimeout(() => server.closeAllConnections(), FINISH_MS)
    const sweep = setInterval(endIdle, SWEEP_MS)
    await closing
    clearTimeout(cut)
    clearInterval(sweep)
  }
}

/** Under npm, Ctrl-C arrives twice: from the terminal and from npm. */
const ONE_REQUEST_MS = 1_000

/** Resolves when the process is told to stop. A second signal ends it at once. */
export const untilSignal = (): Promise<'SIGINT' | 'SIGTERM'> =>
  new Promise((resolve) => {
    let askedAt: number | undefined
    const onSignal = (signal: 'SIGINT' | 'SIGTERM') => {
      askedAt ??= performance.now()
      if (performance.now() - askedAt > ONE_REQUEST_MS) process.exit(130)
      resolve(signal)
    }
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => onSignal(signal))
  })
