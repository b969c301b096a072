// Builds every service of an instance once, by hand, in the order they need each other; closes them in reverse.
import { randomBytes } from 'node:crypto'
import type { AccessContext } from './access/access-context.ts'
import type { Accounts } from './access/accounts.ts'
import { createLocalChanges, type KeyChanges } from './keys/key-changes.ts'
import { createKeyVerifier } from './keys/verify-key.ts'
import type { ApiServices } from './api/api-services.ts'
import type { Configuration } from './configuration.ts'
import { openDataServices } from './app/compose-data.ts'
import { openEngineRoom } from './engine-room.ts'
import type { Log } from './log.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { createPageCache, type PageCache } from './search/page-cache.ts'
import type { BoundEngine, Slot } from './search/plan.ts'
import { createSearch } from './search/search.ts'
import { createSuggest } from './search/suggest.ts'
import type { SiteServices } from './site/site-services.ts'
import { openSite } from './site-room.ts'
import { monitoredSources, openSourceRoom } from './app/compose-sources.ts'
import { createCostLedger } from './limits/cost-ledger.ts'
import { type Database, openPglite, openPostgres } from './state/database.ts'
import { createHealthStore } from './health/health-store.ts'
import { createMeter } from './state/meter-with-twin.ts'
import { migrate } from './storage/migrations.ts'
import { createNodeLease } from './state/node-lease.ts'
import { createProviderBudgets } from './limits/provider-budget.ts'
import { createProviderPaces } from './limits/upstream-rate-limit.ts'
import { openRedis, type RedisLink } from './state/redis-link.ts'
import { createSharedPages } from './state/shared-pages.ts'
import { createTransitionHistory } from './health/transition-history.ts'
import { createUsageRollup } from './state/usage-rollup.ts'
import { startProber } from './health/prober.ts'
import { createStatusBoard, type StatusBoard } from './health/provider-status.ts'
import { createDeadline } from './upstream/deadline.ts'

export interface Services {
  access: AccessContext
  accounts: Accounts
  api: ApiServices
  site: Omit<SiteServices, 'openapi'>
  metrics: Metrics
  close: () => Promise<void>
}

/** A suggestion that comes later finds the word already typed. */
const SUGGEST_TIMEOUT_MS = 1_500
const CHANGES_CHANNEL = 'bb:key-changes'

/** What administration needs and nothing more: the database, migrated, and the way to tell the nodes of a change. */
export async function openAccess(configuration: Configuration, log: Log) {
  const database = await openDatabase(configuration, log)
  try {
    await migrate(database.db)
    const redis = configuration.redisUrl === undefined ? undefined : await openRedis(configuration.redisUrl, log)
    const changes = redis ? redisChanges(redis) : createLocalChanges()
    const access: AccessContext = { db: database.db, clock: Date.now, randomBytes, changes }
    const close = async () => {
      await redis?.close()
      await database.close()
    }
    return { access, database, redis, close }
  } catch (error) {
    await database.close()
    throw error
  }
}

export async function openServices(configuration: Configuration, log: Log): Promise<Services> {
  const { access, database, redis, close } = await openAccess(configuration, log)
  const keys = createKeyVerifier({ database, clock: Date.now, changes: access.changes, random: Math.random, log })
  const meter = createMeter({ redis, db: database.db, clock: Date.now, log })
  const rollup = createUsageRollup({ db: database.db, meter, clock: Date.now, log })
  const ledger = createCostLedger({ db: database.db, clock: Date.now, log })
  const metrics = createMetrics()
  const limiters = {
    ledger,
    budgetOf: createProviderBudgets({ redis, ledger, clock: Date.now, log }),
    paceOf: createProviderPaces({ redis }),
  }
  const { slots, suggesters, providers, closeClients } = openEngineRoom(configuration, limiters)
  const history = createTransitionHistory({ db: database.db, log })
  const status = createStatusBoard({
    providers: [...providers, ...monitoredSources(configuration)],
    store: createHealthStore(redis),
    history,
    clock: Date.now,
  })
  const cache = openCache(configuration, redis, log)
  const searching = openSearch(configuration, { slots, suggesters, cache, metrics, status, log })
  const sources = openSources(configuration, { limiters, cache, redis, metrics, status, log })
  keys.start()
  await rollup.start()
  await ledger.start()
  const api: ApiServices = {
    keys,
    meter,
    limits: configuration.limits,
    ...searching,
    ...openDataServices(configuration, sources.find, log),
    status,
    readUsage: rollup.readUsage,
    clock: Date.now,
    publicUrl: configuration.publicUrl,
    log,
  }
  const siteParts = { api, access, database, history, rollup, ledger }
  const { site, accounts, closeSite } = await openSite(configuration, siteParts)
  return {
    access,
    accounts,
    metrics,
    api,
    site,
    async close() {
      await closeSite()
      await keys.stop()
      await rollup.stop()
      await ledger.stop()
      await Promise.all([closeClients(), sources.close()])
      await status.close()
      await close()
    },
  }
}

const openCache = ({ cacheSeconds }: Configuration, redis: RedisLink | undefined, log: Log): PageCache =>
  createPageCache({
    shared: redis && createSharedPages(redis),
    clock: Date.now,
    maxAgeSeconds: cacheSeconds,
    random: Math.random,
    log,
  })

interface SourceSurroundings {
  limiters: Parameters<typeof openEngineRoom>[1]
  cache: PageCache
  redis: RedisLink | undefined
  metrics: Metrics
  status: StatusBoard
  log: Log
}

/** The data sources, and the checks that one node does for all. */
function openSources(configuration: Configuration, surroundings: SourceSurroundings) {
  const { limiters, cache, redis, metrics, status, log } = surroundings
  const { find, probes, closeClients } = openSourceRoom(configuration, {
    ...limiters,
    cache,
    observe({ slug, group, ms }, error) {
      metrics.upstream(slug, error?.kind ?? 'ok', ms)
      status.record({ provider: slug, group }, error)
    },
    clock: Date.now,
    log,
  })
  const stopProber = startProber({
    probes,
    lease: createNodeLease(redis, 'probes'),
    record: status.record,
    everyMs: configuration.probeSeconds * 1_000,
    clock: Date.now,
    log,
  })
  return {
    find,
    async close() {
      await stopProber()
      await closeClients()
    },
  }
}

interface SearchSurroundings {
  slots: Slot[]
  suggesters: BoundEngine[]
  cache: PageCache
  metrics: Metrics
  status: StatusBoard
  log: Log
}

function openSearch(
  configuration: Configuration,
  surroundings: SearchSurroundings,
): Pick<ApiServices, 'search' | 'suggest'> {
  const { slots, suggesters, cache, metrics, status, log } = surroundings
  const { searchTimeoutMs } = configuration
  const search = createSearch({
    slots,
    cache,
    startDeadline: () => createDeadline(searchTimeoutMs),
    clock: Date.now,
    observe({ slug, tab, ms, error }) {
      metrics.upstream(slug, error?.kind ?? 'ok', ms)
      status.record({ provider: slug, group: tab }, error)
    },
    log,
  })
  const suggest = createSuggest({
    engines: suggesters,
    cache,
    startDeadline: () => createDeadline(Math.min(searchTimeoutMs, SUGGEST_TIMEOUT_MS)),
    observe({ slug, ms, error }) {
      metrics.upstream(slug, error?.kind ?? 'ok', ms)
      status.record({ provider: slug, group: 'suggest' }, error)
    },
    log,
  })
  return { search, suggest }
}

export const openDatabase = async ({ databaseUrl, dataFolder }: Configuration, log: Log): Promise<Database> =>
  databaseUrl === undefined ? await openPglite(dataFolder) : openPostgres(databaseUrl, log)

/** This node hears of its own changes without Redis, so that they hold here at once while it is away. */
function redisChanges(redis: RedisLink): KeyChanges {
  const local = createLocalChanges()
  return {
    publish(message) {
      local.publish(message)
      void redis.attempt((client) => client.publish(CHANGES_CHANNEL, message))
    },
    subscribe(onMessage) {
      local.subscribe(onMessage)
      void redis.subscribe(CHANGES_CHANNEL, onMessage)
    },
  }
}
