// Builds every service of an instance once, by hand, in dependency order. Closes them in reverse when the instance
// stops, or when one of them can't be built.
import { randomBytes } from 'node:crypto'
import { createDeadline } from '@bowerbird/engines/deadline.ts'
import type { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import { createExtractor } from '@bowerbird/reader/extractor.ts'
import { type Accounts, createAccounts, createNetworkPseudonyms } from '../accounts/accounts.ts'
import type { ApiServices } from '../api/api-services.ts'
import { createPageReading } from '../api/page-reading.ts'
import { createAdmission } from '../api/pipeline/admission.ts'
import { readEvents } from '../audit/audit-log.ts'
import { createCostLedger } from '../budget/cost-ledger.ts'
import { createProviderBudgets } from '../budget/provider-budget.ts'
import { createRedisStore } from '../cache/redis-store.ts'
import { createResponseCache } from '../cache/response-cache.ts'
import { createResponseEncryption } from '../cache/response-encryption.ts'
import { VERSION } from '../config/version.ts'
import { createHealthStore } from '../health/health-store.ts'
import { withUniqueSlugs } from '../health/monitored-providers.ts'
import { startProber } from '../health/prober.ts'
import { createProviderStatus } from '../health/provider-status.ts'
import { createTransitionHistory } from '../health/transition-history.ts'
import type { AdminContext } from '../keys/admin-context.ts'
import { createLastRequests } from '../keys/last-requests.ts'
import { SeenNetworks } from '../keys/seen-networks.ts'
import { createKeyVerifier } from '../keys/verify-key.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { Database } from '../postgres/database.ts'
import { readInstanceSecret } from '../postgres/instance-secret.ts'
import { LoadShedder } from '../rate-limit/load-shedder.ts'
import { createNetworkThrottle } from '../rate-limit/network-throttle.ts'
import type { Limits, Rate } from '../rate-limit/rate-limiter.ts'
import { createRateLimiter } from '../rate-limit/rate-limiter-with-fallback.ts'
import { createReadableUrls } from '../reader/readable-urls.ts'
import { createReader, type Reader } from '../reader/reader.ts'
import { createRobots, ROBOT_NAME } from '../reader/robots.ts'
import { createNodeLease } from '../redis/node-lease.ts'
import type { RedisStates } from '../redis/redis-availability.ts'
import { repeat } from '../repeat.ts'
import { createContributionLedger } from '../search/contributions/contribution-ledger.ts'
import { createKeylessSetting, readKeylessChoice } from '../search/keyless-setting.ts'
import { createSearch } from '../search/search.ts'
import { createSuggest } from '../search/suggest.ts'
import type { Configuration } from '../settings/configuration.ts'
import { keylessNames } from '../settings/slot-configuration.ts'
import { createPictures } from '../site/pictures.ts'
import type { SiteServices } from '../site/site-services.ts'
import { createDailyHash, createKeyedHash } from '../text/cryptography.ts'
import { createPageFetch } from '../upstream/page-fetch.ts'
import { createPictureFetch } from '../upstream/picture-fetch.ts'
import { createUpstreamRateLimits } from '../upstream/upstream-rate-limit.ts'
import { createInstanceUsage } from '../usage/instance-usage.ts'
import { Usage } from '../usage/usage.ts'
import { composeDataServices } from './compose-data.ts'
import { composeEngines, composeSources, monitoredSources } from './providers.ts'
import { startRetention } from './retention.ts'
import { openStores } from './stores.ts'

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

/** By then, the user has typed the word anyway. */
const SUGGEST_TIMEOUT_MS = 1_500

export async function composeServices(environment: Configuration, log: Log): Promise<Services> {
  await using opening = new AsyncDisposableStack()

  const { close, access, database, redis, cacheRedis, redisStates, missing, metrics } = await openStores(
    environment,
    log,
  )
  opening.defer(close)
  const { db } = database
  const clock = Date.now
  const configuration = await applyStoredKeylessChoice(environment, database)
  const { limits, userLimits, operation, publicUrl, searchTimeoutMs } = configuration
  const instanceSecret = await readInstanceSecret({ db, configured: configuration.instanceSecret, randomBytes })

  const networkPseudonyms = createNetworkPseudonyms(instanceSecret)
  const keys = createKeyVerifier({
    database,
    clock,
    changes: access.changes,
    random: Math.random,
    seenNetworks: new SeenNetworks({ audit: access, networkPseudonym: (address) => networkPseudonyms(address)[0] }),
    log,
    cacheBytes: operation.keyCacheBytes,
  })
  const usage = new Usage({ db, clock, log })
  const rateLimiter = createRateLimiter({ redis, clock, loadMonthUsage: usage.loadMonth })

  // Engines, and the health of all providers.
  const ledger = createCostLedger({ db, clock, log })
  const providerLimits = {
    ledger,
    budgetOf: createProviderBudgets({ database, clock, visitorShare: configuration.site.visitorShare, log }),
    rateLimitOf: createUpstreamRateLimits({ redis }),
  }
  const engines = composeEngines(configuration, providerLimits)
  const history = createTransitionHistory({ db, log })
  const status = createProviderStatus({
    providers: withUniqueSlugs([...engines.monitored, ...monitoredSources(configuration)]),
    store: createHealthStore(redis),
    history,
    clock,
  })
  opening.defer(() => status.close())
  opening.defer(engines.closeClients)
  const observe = (slug: string, group: string, { ms, error }: { ms: number; error: UpstreamError | undefined }) => {
    metrics.upstream(slug, error?.kind ?? 'ok', ms)
    status.record({ provider: slug, group }, error)
  }

  const cache = createResponseCache({
    shared: cacheRedis && createRedisStore(cacheRedis, createResponseEncryption(instanceSecret)),
    clock,
    maxAgeSeconds: configuration.cacheSeconds,
    log,
  })

  // Search. The ledger records what each engine contributes to it.
  const slugOf = new Map([...configuration.engines.values()].map(({ engine }) => [engine.name, engine.slug]))
  const contributions = createContributionLedger({ db, clock, slugOf, log })
  const search = createSearch({
    slots: engines.slots,
    cache,
    startDeadline: () => createDeadline(searchTimeoutMs),
    clock,
    observe({ slug, tab, ms, error }) {
      observe(slug, tab, { ms, error })
      contributions.countCall({ slug, ms, error })
    },
    countSearch: contributions.countSearch,
    log,
  })
  const suggest = createSuggest({
    engines: engines.suggesters,
    cache,
    startDeadline: () => createDeadline(Math.min(searchTimeoutMs, SUGGEST_TIMEOUT_MS)),
    observe: ({ slug, ms, error }) => observe(slug, 'suggest', { ms, error }),
    log,
  })
  contributions.start()
  opening.defer(contributions.stop)

  // Data sources, and the health checks of some, which one node runs for all.
  const sources = composeSources(configuration, {
    ...providerLimits,
    cache,
    observe: ({ slug, group }, outcome) => observe(slug, group, outcome),
    clock,
    log,
  })
  opening.defer(sources.closeClients)
  const stopProber = startProber({
    probes: sources.probes,
    lease: createNodeLease(redis, 'probes'),
    record: status.record,
    everyMs: configuration.probeSeconds * 1_000,
    clock,
    log,
  })
  opening.defer(stopProber)

  opening.defer(() => ledger.stop())
  opening.defer(() => usage.stop())
  opening.defer(() => keys.stop())
  keys.start()
  usage.start()
  ledger.start()

  // The page reader. Its extractor isn't loaded until a key with the read scope asks for a page.
  let reader: ApiServices['reader']
  let readPage: Reader['read'] | undefined
  const admit = createAdmission({ ...configuration, rateLimiter, usage, countRefusal: metrics.refusal, clock })
  if (configuration.isReaderOn) {
    const pages = createPageFetch({
      viaProxy: configuration.readerProxyUrl,
      userAgent: readerUserAgent(configuration),
      ownHost: publicUrl === '' ? '' : new URL(publicUrl).hostname,
    })
    const extractor = createExtractor({
      onStartFailure: (err) => log.error({ err }, 'the process that reads pages could not be started'),
    })
    const opened = createReader({ pages, robots: createRobots(pages), extractor, cache, clock })
    opening.defer(() => opened.close())
    const found = createReadableUrls({ redis, hash: createKeyedHash(instanceSecret, 'found addresses'), clock })
    readPage = opened.read
    reader = createPageReading({ read: opened.read, found, admit })
  }

  const shared = {
    load: new LoadShedder({ ...operation, log, clock: () => performance.now() }),
    search,
    suggest,
    ...composeDataServices(configuration, sources.find, log),
    status,
    clock,
    publicUrl,
    log,
  }
  const api: ApiServices = {
    ...shared,
    keys,
    rateLimiter,
    limits,
    admit,
    reader,
    readUsage: usage.read,
    corsOrigins: configuration.corsOrigins,
  }

  // Accounts, and the website.
  const { policy, auditRetentionDays } = configuration.accounts
  const accounts = createAccounts({ access, database, instanceSecret, networkPseudonyms, policy })
  opening.defer(repeat({ everyMs: 60_000, work: accounts.recordLeftOut }))
  const pictures = createPictureFetch({ viaProxy: configuration.imageProxyUrl })
  opening.defer(() => pictures.close())
  const stopRetention = startRetention({
    retention: operation.retention,
    auditDays: auditRetentionDays,
    database,
    redis,
    sessions: accounts.sessions,
    clock,
    log,
  })
  opening.defer(stopRetention)
  const instanceUsage = createInstanceUsage({ db, clock })
  const budgets = new Map(
    [...configuration.engines, ...configuration.sources].map(([slug, { budget }]) => [slug, budget]),
  )
  const site: Services['site'] = {
    ...shared,
    transitions: (sinceMs) => history.read(sinceMs),
    sessions: accounts.sessions,
    accounts,
    audit: { read: (filter) => readEvents(db, filter), retentionDays: auditRetentionDays },
    recordDenied: accounts.recordDenied,
    lastRequests: createLastRequests(redis, clock),
    usage: {
      ofKeys: usage.readOfKeys,
      ofInstance: (sinceDay) => instanceUsage.read(sinceDay),
      limits,
      peek: ({ id: subject, userId }, limits) =>
        rateLimiter.peek({ subject, limits, user: userLimits && { id: userId, limits: userLimits } }),
    },
    costs: { ofMonth: (month) => ledger.readCosts(month), budgets },
    engines: {
      catalogue: engines.catalogue,
      contributions: contributions.readSince,
      tryEngine: engines.tryEngine,
      spentQuotas: engines.spentQuotas,
    },
    keyless: createKeylessSetting(db, { ...configuration.keyless, names: keylessNames() }),
    consume: createSearcherLimits(api),
    networkPseudonym: createDailyHash({ instanceSecret, purpose: 'networks of limits', clock }),
    signSuggestionToken: createKeyedHash(instanceSecret, 'suggestions'),
    pictures: createPictures({
      instanceSecret,
      clock,
      fetch: (address, maxBytes) => pictures.fetch(address, maxBytes),
    }),
    isPublic: configuration.siteAccess === 'public',
    suggestionsFor: configuration.site.suggestionsFor,
    areUrlKeysOn: configuration.site.areUrlKeysOn,
    reading: readPage && { read: readPage, sign: createKeyedHash(instanceSecret, 'links to read') },
    showsIcons: configuration.site.showsIcons,
    instanceSecret,
    randomBytes,
  }

  const providers = [...engines.watched, ...sources.watched]
  metrics.watch({ load: shared.load, keys, cache, rateLimiter, usage, database, ledger, budgets, providers })
  const opened = opening.move()
  return { access, accounts, metrics, missing, redisStates, api, site, close: () => opened.disposeAsync() }
}

/** Applies the KEYLESS_ENGINES choice that an administrator stored on the website, unless the environment sets it. */
async function applyStoredKeylessChoice(configuration: Configuration, { db }: Database): Promise<Configuration> {
  const { keyless } = configuration
  const chosen = keyless.isFixed ? undefined : await readKeylessChoice(db)
  if (chosen === undefined || chosen === keyless.current) return configuration
  const changed = keyless.withChoice(chosen)
  return { ...changed, keyless: { ...changed.keyless, isFixed: false } }
}

/** Names the public URL, or else the operator's contact, so that site owners can find out who is fetching. */
function readerUserAgent({ publicUrl, operatorContact }: Configuration): string {
  const contact = publicUrl === '' ? operatorContact : `+${publicUrl}`
  return `${ROBOT_NAME}/${VERSION}${contact && ` (${contact})`}`
}

/**
 * Multiples of one network's limits that apply, on each node, to its /56, its /48 and all visitors together. The 0 is
 * the network itself, which all nodes limit together.
 */
const WIDER_FACTORS = { networks: [0, 4, 16], everyone: 1_000 }

/** Gives each website searcher the limits of a key, and multiples of them for requests that one search triggers. */
function createSearcherLimits({ rateLimiter, limits: { burst, sustained } }: ApiServices): SiteServices['consume'] {
  const times = ({ count, windowMs }: Rate, factor: number): Rate => ({ count: count * factor, windowMs })
  const ratesFor = (factor: number) => (factor === 0 ? [] : [times(burst, factor), times(sustained, factor)])
  const quotaOf = (multiple: number) => {
    const limits: Limits = {
      burst: times(burst, multiple),
      sustained: times(sustained, multiple),
      monthlyCap: undefined,
    }
    const networks = WIDER_FACTORS.networks.map((factor) => ratesFor(multiple * factor))
    const throttle = createNetworkThrottle({ networks, everyone: ratesFor(multiple * WIDER_FACTORS.everyone) }, () =>
      performance.now(),
    )
    return { limits, throttle }
  }
  // Typing requests suggestions, and a results page loads many pictures.
  const quotas = { search: quotaOf(1), suggestion: quotaOf(10), picture: quotaOf(100), status: quotaOf(1) }
  return async (searcher, quota, address) => {
    const { limits, throttle } = quotas[quota]
    const wait = address === undefined ? 0 : throttle.waitOf(address)
    if (wait > 0) return wait
    const subject = `site ${quota} ${searcher}`
    const { refusedBy, retryAfterSeconds } = await rateLimiter.consume({ subject, limits, counts: false })
    if (refusedBy) return retryAfterSeconds
    if (address !== undefined) throttle.record(address)
    return 0
  }
}
