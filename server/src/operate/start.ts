// Starts and drains an instance. If a step of the start fails, everything opened before it is closed.
//
// A stopping node reports 503 at `/readyz` and keeps serving for a while, so that a load balancer can notice and send
// requests elsewhere. Then it stops listening, gives requests in flight a few seconds to finish, writes what's still in
// memory (usage, last use of keys), and closes everything.
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { listenForAdministration } from '../cli/administration-socket.ts'
import { composeServices, type Services } from '../compose/compose.ts'
import type { HealthState } from '../http/health-listener.ts'
import { createHostCheck, createHttp, createHttpStop } from '../http/http-server.ts'
import type { Log } from '../log.ts'
import type { Configuration } from '../settings/configuration.ts'
import type { Page } from '../site/http/page.ts'
import type { MountedSurface } from '../text/surface.ts'
import { explainListenFailure, openSideListeners } from './side-listeners.ts'
import { explainStorageFailure } from './start-failure.ts'

export interface Instance {
  url: string
  services: Services
  /** Every route it serves, and what guards it. */
  surfaces: readonly MountedSurface[]
  /** Reports draining, keeps serving for `drainMs`, and closes everything. */
  close: (drainMs?: number) => Promise<void>
}

/** After a failed start: long enough to write pending data, short enough not to delay a supervisor's restart. */
const GIVE_UP_MS = 3_000
/** For pages that are read after a search, or a few at a time from a list. */
const READING_MS = 30_000

/** Pages beside those of the product. */
type ExtraPages = (services: Services) => readonly Page[]

export async function startInstance(
  configuration: Configuration,
  log: Log,
  extraPages: ExtraPages = () => [],
): Promise<Instance> {
  const opened = new AsyncDisposableStack()
  const { databaseUrl, dataFolder, operation } = configuration
  const explain = (error: unknown): never => {
    throw explainStorageFailure(error, configuration)
  }
  /** True from when it listens until it drains. */
  let isReady = false
  try {
    const services = await composeServices(configuration, log).catch(explain)
    opened.defer(services.close)
    const health = (): HealthState => ({ isReady, missing: services.missing(), redis: services.redisStates() })
    const healthListener = await openSideListeners(operation, { metrics: services.metrics, health, opened })
    if (healthListener) log.info({ port: healthListener.port }, 'answering health checks')
    if (databaseUrl === undefined) {
      const administration = await listenForAdministration(dataFolder, services.access, log).catch(explain)
      opened.defer(administration.close)
    }
    const { url, surfaces } = await openHttp(configuration, services, { isReady: () => isReady, extraPages, opened })
    isReady = true
    healthListener?.sendState()
    log.info({ url }, 'listening')
    if (services.website.site().isPublic && !configuration.site.allowedHosts) {
      log.warn('the site is public and answers to any name; set ALLOWED_HOSTS to the names you use')
    }
    return {
      url,
      services,
      surfaces,
      async close(drainMs = 0) {
        isReady = false
        healthListener?.sendState()
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
    throw error
  }
}

/** Where a browser on this machine finds an instance that listens at `url`: none can open a wildcard address. */
export const localUrl = (url: string, { host }: Pick<Configuration, 'host'>): string =>
  ['0.0.0.0', '::'].includes(host) ? `http://127.0.0.1:${new URL(url).port}` : url

/** Returns the address it listens on, and the routes. */
async function openHttp(
  configuration: Configuration,
  services: Services,
  { isReady, extraPages, opened }: { isReady: () => boolean; extraPages: ExtraPages; opened: AsyncDisposableStack },
): Promise<Pick<Instance, 'url' | 'surfaces'>> {
  const { host, port, publicUrl, trustedProxies, operation } = configuration
  const http = createHttp({
    ...services,
    metricsToken: operation.metricsToken,
    trustedProxies,
    isAllowedHost: createHostCheck(configuration.site.allowedHosts, publicUrl),
    areUrlKeysOn: configuration.site.areUrlKeysOn,
    silenceMs: maxSilenceMs(configuration),
    isReady,
    extraPages: extraPages(services),
  })
  const { server } = http
  server.maxConnections = operation.maxConnections
  services.metrics.watchConnections(promisify(server.getConnections.bind(server)))
  opened.defer(createHttpStop(http))
  const url = await http.listen({ host, port }).catch((error: unknown) => {
    throw explainListenFailure(error, '', port)
  })
  return { url, surfaces: http.surfaces }
}

const maxSilenceMs = ({ searchTimeoutMs, translateTimeoutMs }: Configuration): number =>
  Math.max(searchTimeoutMs, translateTimeoutMs) + READING_MS

async function closeInTime(opened: AsyncDisposableStack, log: Log): Promise<void> {
  const { promise: tooLate, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, GIVE_UP_MS)
  const closed = opened
    .disposeAsync()
    .catch((error: unknown) => log.warn({ err: new Error('could not close everything', { cause: error }) }))
  await Promise.race([closed, tooLate])
  clearTimeout(timer)
}
