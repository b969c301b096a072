// Starts and drains an instance. If a step of the start fails, everything opened before it is closed.
//
// A stopping node reports 503 at `/readyz` and keeps serving for a while, so that a load balancer can notice and send
// requests elsewhere. Then it stops listening, gives requests in flight a few seconds to finish, writes what's still in
// memory (usage, last use of keys), and closes everything.
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { listenForAdministration } from '../cli/administration-socket.ts'
import { composeServices, type Services } from '../compose/compose.ts'
import { type HealthListener, serveHealth } from '../http/health-listener.ts'
import { createHttp } from '../http/http-server.ts'
import { serveMetrics } from '../http/metrics-listener.ts'
import type { HealthState } from '../http/readiness.ts'
import type { Log } from '../log.ts'
import type { Configuration } from '../settings/configuration.ts'
import { createHostCheck } from './allowed-hosts.ts'
import { explainStartFailure, type StartStep } from './start-failure.ts'
import { createHttpStop } from './stop-http.ts'

export interface Instance {
  url: string
  services: Services
  health: () => HealthState
  /** Reports draining, keeps serving for `drainMs`, and closes everything. */
  close: (drainMs?: number) => Promise<void>
}

/** After a failed start: long enough to write pending data, short enough not to delay a supervisor's restart. */
const GIVE_UP_MS = 3_000
const SLACK_MS = 10_000

export async function startInstance(configuration: Configuration, log: Log): Promise<Instance> {
  const opened = new AsyncDisposableStack()
  const start: Start = { configuration, log, opened, step: 'storage', isReady: false }
  try {
    const services = await composeServices(configuration, log)
    opened.defer(services.close)
    const health = () => ({ isReady: start.isReady, missing: services.missing(), redis: services.redisStates() })
    const tellHealth = await openSideListeners(start, services, health)
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
      health,
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
  /** True from when it listens until it drains. */
  isReady: boolean
}

/** Opens every listener but HTTP itself. Returns a function that sends the current state to the health listener. */
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

/** Returns the address it listens on. */
async function openHttp(start: Start, { api, site, metrics, missing, redisStates }: Services): Promise<string> {
  const { configuration, opened } = start
  const { host, port, publicUrl, trustedProxies, operation } = configuration
  start.step = 'http'
  const http = createHttp({
    api,
    site,
    metrics,
    metricsToken: operation.metricsToken,
    trustedProxies,
    isAllowedHost: createHostCheck(configuration.site.allowedHosts, publicUrl),
    arePathKeysOn: configuration.site.arePathKeysOn,
    silenceMs: longestSilenceMs(configuration),
    isReady: () => start.isReady,
    missing,
    redisStates,
  })
  const { server } = http
  // Without `dropMaxConnection`, full workers would pass a connection around for ever. Node's types lack it.
  Object.assign(server, { maxConnections: operation.maxConnections, dropMaxConnection: true })
  metrics.watchConnections(promisify(server.getConnections.bind(server)))
  opened.defer(createHttpStop(http))
  return await http.listen({ host, port })
}

/** A batch runs a few of its parts at a time, so it may wait for three of the slowest, one after another. */
const longestSilenceMs = ({ searchTimeoutMs, translateTimeoutMs }: Configuration): number =>
  3 * Math.max(searchTimeoutMs, translateTimeoutMs) + SLACK_MS

async function closeInTime(opened: AsyncDisposableStack, log: Log): Promise<void> {
  const { promise: tooLate, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, GIVE_UP_MS)
  const closed = opened
    .disposeAsync()
    .catch((error: unknown) => log.warn({ err: new Error('could not close everything', { cause: error }) }))
  await Promise.race([closed, tooLate])
  clearTimeout(timer)
}
