// Everything between a search and the providers: what calls cost, who is up, what is cached, what engines contribute, and
// the engines and data sources themselves, which are swapped when settings change (`live-providers.ts`).
import { createCostLedger } from '../budget/cost-ledger.ts'
import { createProviderBudgets } from '../budget/provider-budget.ts'
import { createRedisStore } from '../cache/redis-store.ts'
import { createResponseCache } from '../cache/response-cache.ts'
import { createResponseEncryption } from '../cache/response-encryption.ts'
import { createHealthStore } from '../health/health-store.ts'
import { startProber } from '../health/prober.ts'
import { createProviderStatus } from '../health/provider-status.ts'
import { createTransitionHistory } from '../health/transition-history.ts'
import type { Log } from '../log.ts'
import type { RateLimiter } from '../rate-limit/rate-limiter.ts'
import { createNodeLease } from '../redis/node-lease.ts'
import { createContributionLedger } from '../search/contributions/contribution-ledger.ts'
import type { Configuration } from '../settings/configuration.ts'
import { createUpstreamRateLimits } from '../upstream/upstream-rate-limit.ts'
import { composeLiveProviders } from './live-providers.ts'
import type { Stores } from './stores.ts'

interface ProviderParts {
  stores: Stores
  /** What is in force first, with the stored settings. */
  configuration: Configuration
  rateLimiter: RateLimiter
  instanceSecret: string
  clock: () => number
  log: Log
}

/** Whatever it opens, it closes with `opening`. */
export function composeProviders(opening: AsyncDisposableStack, environment: Configuration, parts: ProviderParts) {
  const { stores, configuration, rateLimiter, instanceSecret, clock, log } = parts
  const { database, redis, cacheRedis, metrics } = stores
  const { db } = database
  const ledger = createCostLedger({ db, clock, log })
  const history = createTransitionHistory({ db, log })
  const createStatus = () => createProviderStatus({ providers: [], store: createHealthStore(redis), history, clock })
  const status = createStatus()
  opening.defer(() => status.close())
  const mineStatus = createStatus()
  opening.defer(() => mineStatus.close())
  const cache = createResponseCache({
    shared: cacheRedis && createRedisStore(cacheRedis, createResponseEncryption(instanceSecret)),
    clock,
    maxAgeSeconds: environment.cacheSeconds,
    log,
  })
  const contributions = createContributionLedger({
    db,
    clock,
    slugOf: (name) => live.current().engines.slugOf.get(name),
    log,
  })
  const live = composeLiveProviders(configuration, {
    limits: {
      ledger,
      budgetOf: createProviderBudgets({ database, clock, visitorShare: environment.site.visitorShare, log }),
      rateLimitOf: createUpstreamRateLimits({ rateLimiter }),
    },
    cache,
    contributions,
    countCall: (slug, { ms, error }) => metrics.upstream(slug, error?.kind ?? 'ok', ms),
    status,
    mineStatus,
    clock,
    log,
  })
  opening.defer(() => live.close())
  contributions.start()
  opening.defer(contributions.stop)
  ledger.start()
  opening.defer(() => ledger.stop())

  // The health checks of some data sources, which one node runs for all.
  const stopProber = startProber({
    probes: () => live.current().sources.probes,
    lease: createNodeLease(redis, 'probes'),
    record: status.record,
    everyMs: environment.probeSeconds * 1_000,
    clock,
    log,
  })
  opening.defer(stopProber)
  return { ledger, history, status, mineStatus, cache, contributions, live }
}

export type Providers = ReturnType<typeof composeProviders>
