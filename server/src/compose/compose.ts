// Builds every service of an instance once, by hand, in dependency order. Closes them in reverse when the instance
// stops, or when one of them can't be built.
import { randomBytes } from 'node:crypto'
import { ALL_ENGINES } from '@bowerbird/engines/all.ts'
import { createExtractor } from '@bowerbird/reader/extractor.ts'
import { type Accounts, createAccounts } from '../accounts/accounts.ts'
import type { ApiServices } from '../api/api-services.ts'
import { createPageReading } from '../api/page-reading.ts'
import { createAdmission } from '../api/pipeline/admission.ts'
import { readEvents } from '../audit/audit-log.ts'
import { type CostReader, createCostLedger } from '../budget/cost-ledger.ts'
import { createProviderBudgets } from '../budget/provider-budget.ts'
import { createRedisStore } from '../cache/redis-store.ts'
import { createResponseCache } from '../cache/response-cache.ts'
import { createResponseEncryption } from '../cache/response-encryption.ts'
import { VERSION } from '../config/version.ts'
import { Refusal } from '../errors.ts'
import { createHealthStore } from '../health/health-store.ts'
import { startProber } from '../health/prober.ts'
import { createProviderStatus } from '../health/provider-status.ts'
import { createTransitionHistory } from '../health/transition-history.ts'
import { createKeyVerifier } from '../keys/verify-key.ts'
import type { Log } from '../log.ts'
import { openMapTiles } from '../maps/map-tiles.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { createOauth, oauthIssuer } from '../oauth/oauth.ts'
import { createOidc } from '../oidc/oidc.ts'
import { LoadShedder } from '../rate-limit/load-shedder.ts'
import { createNetworkThrottle } from '../rate-limit/network-throttle.ts'
import type { Limits, Rate } from '../rate-limit/rate-limiter.ts'
import { createRateLimiter } from '../rate-limit/rate-limiter-with-fallback.ts'
import { ReplyMemory } from '../rate-limit/reply-memory.ts'
import { createReadableUrls } from '../reader/readable-urls.ts'
import { createReader, type Reader } from '../reader/reader.ts'
import { createRobots, ROBOT_NAME } from '../reader/robots.ts'
import { createNodeLease } from '../redis/node-lease.ts'
import type { RedisStates } from '../redis/redis-availability.ts'
import { startListRefresh } from '../rules/refresh-lists.ts'
import { openRuleBook } from '../rules/rule-book.ts'
import { createCalibrationStore } from '../search/calibration/calibration-store.ts'
import { createCalibrations } from '../search/calibration/calibrations.ts'
import { createContributionLedger } from '../search/contributions/contribution-ledger.ts'
import { type Configuration, requireConfiguration } from '../settings/configuration.ts'
import { followSettings } from '../settings/follow-settings.ts'
import { editsForService, editsToRemove, listServiceEngines } from '../settings/service-engines.ts'
import { createSettingsDesk } from '../settings/settings-desk.ts'
import { keylessNames } from '../settings/slot-configuration.ts'
import type { SettingsContext, StoredSettings } from '../settings/stored-settings.ts'
import { createTrustedHeader } from '../site/http/trusted-header.ts'
import { createPictures } from '../site/pictures.ts'
import type { SiteServices } from '../site/site-services.ts'
import { readInstanceSecret } from '../store/instance-secret.ts'
import { createDailyHash, createKeyedHash } from '../text/cryptography.ts'
import { createPageFetch } from '../upstream/page-fetch.ts'
import { createPictureFetch } from '../upstream/picture-fetch.ts'
import { createUpstreamRateLimits } from '../upstream/upstream-rate-limit.ts'
import { createInstanceUsage } from '../usage/instance-usage.ts'
import { Usage } from '../usage/usage.ts'
import { composeLiveProviders } from './live-providers.ts'
import { startRetention } from './retention.ts'
import { openStores } from './stores.ts'

export interface Services {
  access: SettingsContext
  accounts: Accounts
  api: ApiServices
  site: Omit<SiteServices, 'openapi'>
  /** OPERATOR_CONTACT, as it is now. */
  operatorContact: () => string
  metrics: Metrics
  /** Dependencies that are currently unavailable, such as Redis. */
  missing: () => string[]
  redisStates: () => RedisStates
  close: () => Promise<void>
}

/** Of the engines that come with the program. */
const SLUGS: ReadonlySet<string> = new Set(ALL_ENGINES.map(({ slug }) => slug))

/** A list may have 10 MB. */
const LIST_TIMEOUT_MS = 60_000

const STORED_ADVICE =
  'Some of these settings are in the database: bowerbird config says which, and bowerbird config unset removes one.'

export async function composeServices(environment: Configuration, log: Log): Promise<Services> {
  await using opening = new AsyncDisposableStack()

  const { close, access, database, redis, cacheRedis, redisStates, missing, metrics } = await openStores(
    environment,
    log,
  )
  opening.defer(close)
  const { db } = database
  const clock = Date.now
  const { limits, userLimits, operation, publicUrl } = environment
  const instanceSecret = await readInstanceSecret({ db, configured: environment.instanceSecret, randomBytes })
  const { settings } = access
  const stored = await settings.read()
  let inForce = stored
  const configurationWith = ({ values, unreadable }: StoredSettings): Configuration => {
    if (unreadable.length > 0)
      log.warn({ settings: unreadable }, 'these keys were encrypted with another INSTANCE_SECRET; set them again')
    return requireConfiguration(environment.withStored(values), STORED_ADVICE)
  }

  const keys = createKeyVerifier({
    database,
    clock,
    changes: access.changes,
    random: Math.random,
    log,
    cacheBytes: operation.keyCacheBytes,
  })
  const usage = new Usage({ db, clock, log })
  const rateLimiter = createRateLimiter({ redis, clock, loadMonthUsage: usage.loadMonth })

  // Engines and data sources, their health, and what each engine contributes to searches.
  const ledger = createCostLedger({ db, clock, log })
  const history = createTransitionHistory({ db, log })
  const statusOf = () => createProviderStatus({ providers: [], store: createHealthStore(redis), history, clock })
  const status = statusOf()
  opening.defer(() => status.close())
  const mineStatus = statusOf()
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
  const live = composeLiveProviders(configurationWith(stored), {
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

  // Changes of settings, and the health checks of some data sources, which one node runs for all.
  const follower = followSettings({
    store: settings,
    changes: access.changes,
    version: stored.version,
    apply(newer) {
      live.swap(configurationWith(newer))
      inForce = newer
    },
    log,
  })
  opening.defer(follower.stop)
  const stopProber = startProber({
    probes: () => live.current().sources.probes,
    lease: createNodeLease(redis, 'probes'),
    record: status.record,
    everyMs: environment.probeSeconds * 1_000,
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
  const admit = createAdmission({ ...environment, rateLimiter, usage, countRefusal: metrics.refusal, clock })
  if (environment.isReaderOn) {
    const pages = createPageFetch({
      viaProxy: environment.readerProxyUrl,
      outgoingProxy: environment.outgoingProxy,
      userAgent: () => readerUserAgent(live.current().configuration),
      ownHost: publicUrl === '' ? '' : new URL(publicUrl).hostname,
    })
    const extractor = createExtractor({
      onStartFailure: (err) => log.error({ err }, 'the process that reads pages could not be started'),
    })
    const opened = createReader({ pages, robots: createRobots(pages), extractor, cache, clock })
    opening.defer(() => opened.close())
    const urls = { redis, hash: createKeyedHash(instanceSecret, 'found addresses'), clock }
    const found = createReadableUrls({ ...urls, list: 'found' })
    const linked = createReadableUrls({ ...urls, list: 'linked' })
    readPage = opened.read
    reader = createPageReading({ read: opened.read, found, linked, admit })
  }

  // Rules about sites, and the lists of them that people subscribe to, which one node fetches for all.
  const rules = await openRuleBook(access)
  opening.defer(rules.stop)
  const fetchOptions = { viaProxy: environment.readerProxyUrl, outgoingProxy: environment.outgoingProxy }
  const lists = createPageFetch({
    ...fetchOptions,
    timeoutMs: LIST_TIMEOUT_MS,
    userAgent: () => readerUserAgent(live.current().configuration),
    ownHost: publicUrl === '' ? '' : new URL(publicUrl).hostname,
  })
  opening.defer(startListRefresh({ context: access, lease: createNodeLease(redis, 'rules'), pages: lists }))
  opening.defer(() => lists.close())

  const costs: CostReader = {
    ofMonth: (month) => ledger.readCosts(month),
    get budgets() {
      return live.current().budgets
    },
  }
  const spentQuotas = () => live.current().engines.spentQuotas()
  const shared = {
    load: new LoadShedder({ ...operation, log, clock: () => performance.now() }),
    ...live.services,
    rules,
    status,
    costs,
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
    spentQuotas,
    readUsage: usage.read,
    queryGuard: environment.queryGuard.keys,
    corsOrigins: environment.corsOrigins,
  }

  // Accounts, and the website.
  const { policy, auditRetentionDays } = environment.accounts
  const accounts = createAccounts({ access, database, instanceSecret, policy })
  const { identityProviders, outgoingProxy } = environment
  await requireWayIn(environment, accounts)
  const oidc =
    identityProviders.length === 0
      ? undefined
      : createOidc({
          providers: identityProviders,
          publicUrl,
          outgoingProxy,
          instanceSecret,
          randomBytes,
          clock,
          log,
        })
  opening.defer(async () => await oidc?.close())
  const { trustedHeader } = environment.accounts
  const { oauthClients } = environment.site
  const issuer = oauthIssuer(publicUrl, oauthClients)
  const oauth =
    issuer === undefined || oauthClients === 'off'
      ? undefined
      : createOauth({ access, issuer, policy: oauthClients, fetchOptions, log })
  opening.defer(async () => await oauth?.close())
  const replyMemory = new ReplyMemory()
  const pictures = createPictureFetch({
    viaProxy: environment.imageProxyUrl,
    outgoingProxy: environment.outgoingProxy,
  })
  opening.defer(() => pictures.close())
  const mapTiles = environment.mapTiles && (await openMapTiles(environment.mapTiles))
  opening.defer(async () => await mapTiles?.close())
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
  const fromFolder = new Set(environment.allEngines.map(({ slug }) => slug)).difference(SLUGS)
  const knownNow = () => ({
    configuration: live.current().configuration,
    stored: inForce.values,
    secrets: inForce.secrets,
    isFromFolder: (slug: string) => fromFolder.has(slug),
  })
  const calibrations = createCalibrations({
    store: createCalibrationStore(db),
    search: shared.search,
    slugOf: (name) => live.current().engines.slugOf.get(name),
  })
  const site: Services['site'] = {
    ...shared,
    calibrations,
    mineStatus,
    transitions: (sinceMs) => history.read(sinceMs),
    sessions: accounts.sessions,
    accounts,
    audit: { read: (filter) => readEvents(db, filter), retentionDays: auditRetentionDays },
    recordDenied: accounts.recordDenied,
    usage: {
      ofKeys: usage.readOfKeys,
      ofInstance: (sinceDay) => instanceUsage.read(sinceDay),
      limits,
      peek: ({ id: subject, userId }, limits) =>
        rateLimiter.peek({ subject, limits, user: userLimits && { id: userId, limits: userLimits } }),
    },
    engines: {
      get catalogue() {
        return live.current().engines.catalogue
      },
      contributions: contributions.readSince,
      tryEngine: (trial) => live.current().engines.tryEngine(trial),
      spentQuotas,
    },
    keyless: {
      get current() {
        return live.current().configuration.keyless.current
      },
      isFixed: environment.keyless.isFixed,
      names: keylessNames(),
    },
    serviceEngines: {
      canStore: settings.takesSecrets,
      list: () => listServiceEngines(knownNow()),
      editsFor: (engine, values) => editsForService(engine, values, knownNow()),
      remove: (engine) => editsToRemove(engine, knownNow()),
      async save(edits, by) {
        await settings.change(by, edits)
        await follower.catchUp()
      },
    },
    settings: createSettingsDesk({
      store: settings,
      configuration: () => live.current().configuration,
      stored: () => inForce,
      catchUp: follower.catchUp,
    }),
    consume: createSearcherLimits(api),
    networkPseudonym: createDailyHash({ instanceSecret, purpose: 'networks of limits', clock }),
    signSuggestionToken: createKeyedHash(instanceSecret, 'suggestions'),
    pictures: createPictures({
      instanceSecret,
      clock,
      fetch: (address, limits) => pictures.fetch(address, limits),
      memory: replyMemory,
    }),
    replyMemory,
    get instanceName() {
      return live.current().configuration.instanceName
    },
    get appearance() {
      return live.current().configuration.appearance
    },
    get isPublic() {
      return live.current().configuration.siteAccess === 'public'
    },
    suggestionsFor: environment.site.suggestionsFor,
    queryGuard: environment.queryGuard.site,
    areUrlKeysOn: environment.site.areUrlKeysOn,
    oauth,
    oidc,
    trustedHeader: trustedHeader && createTrustedHeader(trustedHeader),
    reading: readPage && { read: readPage, sign: createKeyedHash(instanceSecret, 'links to read') },
    showsIcons: environment.site.showsIcons,
    mapTiles,
    instanceSecret,
    randomBytes,
  }

  metrics.watch({
    load: shared.load,
    keys,
    cache,
    rateLimiter,
    usage,
    database,
    ledger,
    budgets: () => live.current().budgets,
    providers: live.watchedProviders,
  })
  const opened = opening.move()
  return {
    access,
    accounts,
    operatorContact: () => live.current().configuration.operatorContact,
    metrics,
    missing,
    redisStates,
    api,
    site,
    close: () => opened.disposeAsync(),
  }
}

const LOCKED_OUT =
  'With PASSWORD_SIGN_IN=off, no administrator could sign in. Set it to on, sign in as one, connect the account to an identity provider on its account page, and turn it off again.'

/** Refuses to start an instance that its administrators couldn't sign in to. */
async function requireWayIn(
  { accounts: settings, identityProviders }: Configuration,
  accounts: Accounts,
): Promise<void> {
  const { policy, trustedHeader } = settings
  if (policy.isPasswordSignInOn || trustedHeader) return
  const createsAdmins = identityProviders.some(
    ({ createsUsers, adminValues }) => createsUsers && adminValues.length > 0,
  )
  const issuers = identityProviders.map(({ issuer }) => issuer)
  if (createsAdmins || (await accounts.identities.canAdministratorSignIn(issuers))) return
  throw new Refusal('parameter_invalid', LOCKED_OUT)
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
