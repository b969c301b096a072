// Builds every service of an instance once, by hand, in dependency order. Closes them in reverse when the instance
// stops, or when one of them can't be built.
import { randomBytes } from 'node:crypto'
import type { Accounts } from '../accounts/accounts.ts'
import { RECOMMENDED_COST } from '../accounts/passwords.ts'
import type { ApiServices } from '../api/api-services.ts'
import { createAdmission } from '../api/pipeline/admission.ts'
import { type CostLedger, createCostLedger } from '../budget/cost-ledger.ts'
import { createProviderBudgets } from '../budget/provider-budget.ts'
import { createRedisStore } from '../cache/redis-store.ts'
import { createResponseCache, type ResponseCache } from '../cache/response-cache.ts'
import { createResponseSecrecy } from '../cache/response-encryption.ts'
import { createHealthStore } from '../health/health-store.ts'
import { withUniqueSlugs } from '../health/monitored-providers.ts'
import { startProber } from '../health/prober.ts'
import { createProviderStatus, type ProviderStatusBoard } from '../health/provider-status.ts'
import { createTransitionHistory } from '../health/transition-history.ts'
import type { AdminContext } from '../keys/admin-context.ts'
import { createLocalChanges } from '../keys/key-changes.ts'
import { createKeyVerifier, type KeyVerifier } from '../keys/verify-key.ts'
import type { Log } from '../log.ts'
import { createMetrics, type Metrics } from '../metrics/metrics.ts'
import { withTimedCommands } from '../metrics/timed-redis.ts'
import { type Database, openPglite, openPostgres } from '../postgres/database.ts'
import { readInstanceSecret } from '../postgres/instance-secret.ts'
import { migrate } from '../postgres/migrations.ts'
import { LoadShedder } from '../rate-limit/load-shedder.ts'
import { createRateLimiter } from '../rate-limit/rate-limiter-with-fallback.ts'
import { createNodeLease } from '../redis/node-lease.ts'
import type { RedisStates } from '../redis/redis-availability.ts'
import { openRedis, type RedisClient } from '../redis/redis-client.ts'
import { readKeyless } from '../search/keyless-setting.ts'
import type { Configuration } from '../settings/configuration.ts'
import type { SiteServices } from '../site/site-services.ts'
import { createUpstreamRateLimits } from '../upstream/upstream-rate-limit.ts'
import { Usage } from '../usage/usage.ts'
import { composeDataServices } from './compose-data.ts'
import { composeEngines } from './compose-engines.ts'
import { composeReader } from './compose-reader.ts'
import { composeSearch } from './compose-search.ts'
import { composeSite } from './compose-site.ts'
import { composeSources, monitoredSources } from './compose-sources.ts'
import { openCacheRedis } from './open-redis.ts'
import { redisChanges } from './redis-changes.ts'

export interface Services {
  access: AdminContext
  accounts: Accounts
  api: ApiServices
  site: Omit<SiteServices, 'openapi'>
  metrics: Metrics
  /** Dependencies that are currently unavailable, such as Redis. */
  missing: () => string[]
  redisStates: () => RedisStates
  close: () => Promise<void>
}

/** Opens only what administration needs: the migrated database, and a way to notify the nodes of a change. */
export async function openAccess(configuration: Configuration, log: Log) {
  await using opening = new AsyncDisposableStack()
  const database = await openDatabase(configuration, log)
  opening.defer(() => database.close())
  await database.withoutTimeout(migrate)
  const redis = configuration.redisUrl === undefined ? undefined : await openRedis(configuration.redisUrl, log)
  opening.defer(async () => redis?.close())
  const access: AdminContext = {
    db: database.db,
    clock: Date.now,
    randomBytes,
    changes: redis ? redisChanges(redis) : createLocalChanges(),
    log,
    passwordCost: RECOMMENDED_COST,
    maxKeysPerUser: configuration.accounts.maxKeysPerUser,
  }
  const opened = opening.move()
  return { access, database, redis, close: () => opened.disposeAsync() }
}

/** Like `openAccess`, plus the Redis for cached responses, with metrics for all of it. */
async function openMeasured(configuration: Configuration, log: Log) {
  await using opening = new AsyncDisposableStack()
  const { access, database, redis, close } = await openAccess(configuration, log)
  opening.defer(close)
  const { cacheRedis, redisStates, missing, closeCacheRedis } = await openCacheRedis(configuration, redis, log)
  opening.defer(closeCacheRedis)
  const metrics = createMetrics(redis && redisStates)
  const timed = (client: RedisClient | undefined) => client && withTimedCommands(client, metrics.redisCommand)
  const opened = opening.move()
  return {
    access: { ...access, countEvent: metrics.securityEvent },
    database,
    redis: timed(redis),
    cacheRedis: timed(cacheRedis),
    redisStates,
    missing,
    metrics,
    close: () => opened.disposeAsync(),
  }
}

export async function composeServices(given: Configuration, log: Log): Promise<Services> {
  await using opening = new AsyncDisposableStack()
  const { close, ...base } = await openMeasured(given, log)
  opening.defer(close)
  const configuration = await asChosen(given, base.database)
  const { access, database, redis, cacheRedis, redisStates, missing, metrics } = base
  const instanceSecret = await secretOf(configuration, database)
  const keys = openKeys(configuration, database, access)
  const usage = new Usage({ db: database.db, clock: Date.now, log })
  const rateLimiter = createRateLimiter({ redis, clock: Date.now, loadMonthUsage: usage.loadMonth })
  const ledger = createCostLedger({ db: database.db, clock: Date.now, log })
  const limiters = openLimiters(base, ledger, log)
  const { providers, watched, closeClients, ...engines } = composeEngines(configuration, limiters)
  const history = createTransitionHistory({ db: database.db, log })
  const status = createProviderStatus({
    providers: withUniqueSlugs([...providers, ...monitoredSources(configuration)]),
    store: createHealthStore(redis),
    history,
    clock: Date.now,
  })
  opening.defer(() => status.close())
  opening.defer(closeClients)
  const cache = openCache(configuration, { cacheRedis, instanceSecret, log })
  const searchParts = { ...base, ...engines, cache, status, log }
  const { searching, engineDesk, closeSearch } = composeSearch(configuration, searchParts)
  opening.defer(closeSearch)
  const sources = openSources(configuration, { limiters, cache, redis, metrics, status, log })
  opening.defer(() => sources.close())
  opening.defer(() => ledger.stop())
  opening.defer(() => usage.stop())
  opening.defer(() => keys.stop())
  keys.start()
  usage.start()
  ledger.start()
  const api: ApiServices = {
    keys,
    load: new LoadShedder({ ...configuration.operation, log, clock: () => performance.now() }),
    rateLimiter,
    limits: configuration.limits,
    admit: createAdmission({ ...configuration, rateLimiter, usage, countRefusal: metrics.refusal }),
    ...searching,
    ...composeDataServices(configuration, sources.find, log),
    reader: composeReader(configuration, { cache, redis, instanceSecret, opening }),
    status,
    readUsage: usage.read,
    clock: Date.now,
    publicUrl: configuration.publicUrl,
    corsOrigins: configuration.corsOrigins,
    log,
  }
  const siteParts = { api, instanceSecret, access, database, redis, history, usage, ledger, engineDesk }
  const { site, accounts, closeSite } = composeSite(configuration, siteParts)
  opening.defer(closeSite)
  const stores = { keys, cache, rateLimiter, usage, database, ledger, budgets: budgetsOf(configuration) }
  metrics.watch({ ...stores, load: api.load, providers: [...watched, ...sources.watched] })
  const opened = opening.move()
  return { access, accounts, metrics, missing, redisStates, api, site, close: () => opened.disposeAsync() }
}

/** Applies the KEYLESS choice that an administrator stored on the website, unless the environment sets it. */
async function asChosen(configuration: Configuration, { db }: Database): Promise<Configuration> {
  const { keyless } = configuration
  const chosen = keyless.isFixed ? undefined : await readKeyless(db)
  if (chosen === undefined || chosen === keyless.current) return configuration
  const instead = keyless.instead(chosen)
  return { ...instead, keyless: { ...instead.keyless, isFixed: false } }
}

interface LimiterSurroundings {
  redis: RedisClient | undefined
  database: Database
}

const openLimiters = ({ redis, database }: LimiterSurroundings, ledger: CostLedger, log: Log) => ({
  ledger,
  budgetOf: createProviderBudgets({ database, clock: Date.now, log }),
  rateLimitOf: createUpstreamRateLimits({ redis }),
})

const openKeys = ({ operation }: Configuration, database: Database, { changes, log }: AdminContext): KeyVerifier =>
  createKeyVerifier({
    database,
    clock: Date.now,
    changes,
    random: Math.random,
    log,
    cacheBytes: operation.keyCacheBytes,
  })

const secretOf = ({ instanceSecret: given }: Configuration, { db }: Database): Promise<string> =>
  readInstanceSecret({ db, given, randomBytes })

/** Every provider's budget, by slug. */
const budgetsOf = ({ engines, sources }: Configuration) =>
  new Map([...engines, ...sources].map(([slug, { budget }]) => [slug, budget]))

interface CacheSurroundings {
  cacheRedis: RedisClient | undefined
  instanceSecret: Parameters<typeof createResponseSecrecy>[0]
  log: Log
}

const openCache = ({ cacheSeconds }: Configuration, { cacheRedis, instanceSecret, log }: CacheSurroundings) =>
  createResponseCache({
    shared: cacheRedis && createRedisStore(cacheRedis, createResponseSecrecy(instanceSecret)),
    clock: Date.now,
    maxAgeSeconds: cacheSeconds,
    log,
  })

interface SourceSurroundings {
  limiters: Parameters<typeof composeEngines>[1]
  cache: ResponseCache
  redis: RedisClient | undefined
  metrics: Metrics
  status: ProviderStatusBoard
  log: Log
}

/** Builds the data sources and starts their health checks, which one node runs for all. */
function openSources(configuration: Configuration, surroundings: SourceSurroundings) {
  const { limiters, cache, redis, metrics, status, log } = surroundings
  const { find, probes, watched, closeClients } = composeSources(configuration, {
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
    watched,
    async close() {
      await stopProber()
      await closeClients()
    },
  }
}

export const openDatabase = async ({ databaseUrl, dataFolder }: Configuration, log: Log): Promise<Database> =>
  databaseUrl === undefined ? await openPglite(dataFolder) : openPostgres(databaseUrl, log)
