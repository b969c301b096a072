// Starts an instance and drains it. If any step of the start fails, whatever was opened before is closed again.
//
// A node that is told to stop says so at `/readyz` and goes on serving for a while, so that a load balancer can notice
// and send its requests elsewhere. Only then does it stop listening. Requests in flight get a few seconds to finish,
// whatever is still in memory (usage, last use of keys) is written, and everything is closed.
import { setTimeout as sleep } from 'node:timers/promises'
import { listenForAdministration } from '../cli/administration-socket.ts'
import { type LoadShedder, TICK_MS } from '../limits/load-shedder.ts'
import type { Log } from '../log.ts'
import { createHostCheck } from './allowed-hosts.ts'
import { composeServices, type Services } from './compose.ts'
import type { Configuration } from './configuration.ts'
import { type HealthListener, serveHealth } from './health/health-listener.ts'
import type { HealthState } from './health/readiness.ts'
import { createHttp } from './http-server.ts'
import { serveMetrics } from './metrics/metrics-listener.ts'
import { openListeners } from './overload/listeners.ts'
import { explainStartFailure, type StartStep } from './start-failure.ts'
import { createHttpStop, type HttpStop } from './stop-http.ts'

export interface Instance {
  url: string
  services: Services
  health: () => HealthState
  /** Says that it is draining, serves for that much longer, and closes everything. */
  close: (drainMs?: number) => Promise<void>
  /**
   * Leaves new connections to another process on the same port, answers on those that there are until their clients
   * have left, for at most that long, and closes everything. It stays ready: nothing has to be sent elsewhere.
   */
  retire: (graceMs: number) => Promise<void>
}

/** What the metrics of this process are a part of. */
export interface WorkerSurroundings {
  totalMetrics: () => Promise<string>
}

/** After a failed start: long enough to write what there is, short enough for whoever waits to restart it. */
const GIVE_UP_MS = 3_000

export async function startInstance(
  configuration: Configuration,
  log: Log,
  surroundings?: WorkerSurroundings,
): Promise<Instance> {
  const opened = new AsyncDisposableStack()
  const start: Start = { configuration, log, opened, step: 'storage', isReady: false, isRetiring: false }
  try {
    const services = await composeServices(configuration, log)
    opened.defer(services.close)
    const health = () => ({ isReady: start.isReady, missing: services.missing(), redis: services.redisStates() })
    const tellHealth = await openSideListeners(start, services, health)
    const { url, stop } = await openHttp(start, services, surroundings)
    start.isReady = true
    tellHealth()
    log.info({ url }, 'listening')
    if (configuration.siteAccess === 'public' && !configuration.site.allowedHosts) {
      log.warn('the site is public and answers to any name; set ALLOWED_HOSTS to the names you use')
    }
    const close = async () => {
      await opened.disposeAsync()
      log.info('stopped')
    }
    return {
      url,
      services,
      health,
      async close(drainMs = 0) {
        start.isReady = false
        tellHealth()
        if (drainMs > 0) {
          log.info({ ms: drainMs }, 'draining')
          await sleep(drainMs)
        }
        await close()
      },
      async retire(graceMs) {
        start.isRetiring = true
        log.info({ ms: graceMs }, 'leaving new connections to another worker')
        await stop.retire(graceMs)
        await close()
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
  /** Another process has taken its place. */
  isRetiring: boolean
}

/** Everything but HTTP itself. Gives what tells health checks that something has changed. */
async function openSideListeners(start: Start, services: Services, state: () => HealthState): Promise<() => void> {
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

/** The address it listens on, and how it stops. */
async function openHttp(
  start: Start,
  { api, site, metrics, missing, redisStates }: Services,
  surroundings?: WorkerSurroundings,
): Promise<{ url: string; stop: HttpStop }> {
  const { configuration, opened } = start
  const { host, port, publicUrl, trustedProxies, operation } = configuration
  start.step = 'http'
  opened.defer(startTicking(api.load))
  const http = createHttp({
    api,
    site,
    metrics: surroundings ? { ...metrics, text: surroundings.totalMetrics } : metrics,
    metricsToken: operation.metricsToken,
    trustedProxies,
    isAllowedHost: createHostCheck(configuration.site.allowedHosts, publicUrl),
    arePathKeysOn: configuration.site.arePathKeysOn,
    isReady: () => start.isReady,
    isRetiring: () => start.isRetiring,
    missing,
    redisStates,
  })
  const stop = createHttpStop(http)
  let stopListening = (): Promise<void> => http.close()
  opened.defer(() => stop.close(stopListening))
  const isWorker = surroundings !== undefined
  const listeners = await openListeners(http, { host, port, maxConnections: operation.maxConnections, isWorker })
  stopListening = listeners.close
  metrics.watchConnections(listeners.connections)
  return { url: listeners.url, stop }
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
