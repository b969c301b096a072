// Builds the services of an instance by hand, in dependency order; those that depend on stored settings again at each change
// of one. Closes them in reverse when the instance stops, or when one of them can't be built.
import { randomBytes } from 'node:crypto'
import { ALL_ENGINES } from '@bowerbird/engines/all.ts'
import type { Accounts } from '../accounts/accounts.ts'
import { type Api, createApi } from '../api/api.ts'
import type { ApiMount } from '../api/api-router.ts'
import type { KeyUsage } from '../api/endpoints/key-endpoint.ts'
import { createAdmission } from '../api/pipeline/admission.ts'
import { readEvents } from '../audit/audit-log.ts'
import { createCostLedger } from '../budget/cost-ledger.ts'
import { createProviderBudgets } from '../budget/provider-budget.ts'
import { createRedisStore } from '../cache/redis-store.ts'
import { createResponseCache } from '../cache/response-cache.ts'
import { createResponseEncryption } from '../cache/response-encryption.ts'
import { createHealthStore } from '../health/health-store.ts'
import { startProber } from '../health/prober.ts'
import { createProviderStatus } from '../health/provider-status.ts'
import { createTransitionHistory } from '../health/transition-history.ts'
import { createKeyVerifier, type KeyVerifier } from '../keys/verify-key.ts'
import type { Log } from '../log.ts'
import { openMapTiles } from '../maps/map-tiles.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { Oauth } from '../oauth/oauth.ts'
import { LoadShedder } from '../rate-limit/load-shedder.ts'
import { createRateLimiter } from '../rate-limit/rate-limiter-with-fallback.ts'
import { ReplyMemory } from '../rate-limit/reply-memory.ts'
import { createSearcherLimits } from '../rate-limit/searcher-limits.ts'
import { createUserAgent } from '../reader/robots.ts'
import { createNodeLease } from '../redis/node-lease.ts'
import type { RedisStates } from '../redis/redis-availability.ts'
import { startListRefresh } from '../rules/refresh-lists.ts'
import { openRuleBook } from '../rules/rule-book.ts'
import { createCalibrationStore } from '../search/calibration/calibration-store.ts'
import { createCalibrations } from '../search/calibration/calibrations.ts'
import { type ContributionLedger, createContributionLedger } from '../search/contributions/contribution-ledger.ts'
import { type Configuration, requireConfiguration } from '../settings/configuration.ts'
import { followSettings } from '../settings/follow-settings.ts'
import { editsForService, editsToRemove, listServiceEngines, type ServiceEngines } from '../settings/service-engines.ts'
import { createSettingsDesk, type SettingsDesk } from '../settings/settings-desk.ts'
import { keylessNames } from '../settings/slot-configuration.ts'
import type { SettingsContext, StoredSettings } from '../settings/stored-settings.ts'
import { createPictures, type Pictures } from '../site/pictures.ts'
import { toSearchOffers } from '../site/search-offers.ts'
import type { UsageReader } from '../site/settings/usage-reader.ts'
import { type FrameParts, type Site, toPagesByRoute } from '../site/site.ts'
import { listPages } from '../site/site-pages.ts'
import type { Website } from '../site/site-router.ts'
import { readInstanceSecret } from '../store/instance-secret.ts'
import { createDailyHash, createKeyedHash } from '../text/cryptography.ts'
import { createPageFetch } from '../upstream/page-fetch.ts'
import { createPictureFetch } from '../upstream/picture-fetch.ts'
import { createUpstreamRateLimits } from '../upstream/upstream-rate-limit.ts'
import { createInstanceUsage } from '../usage/instance-usage.ts'
import { Usage } from '../usage/usage.ts'
import { composeReader } from './compose-reader.ts'
import { composeSignIn } from './compose-sign-in.ts'
import { composeLiveProviders, type InForce } from './live-providers.ts'
import { startRetention } from './retention.ts'
import { openStores } from './stores.ts'

export interface Services extends ApiMount, KeyUsage {
  access: SettingsContext
  accounts: Accounts
  keys: KeyVerifier
  load: LoadShedder
  /** With the settings that are in force, as `api` and `website`: whoever begins something takes them then, and keeps them. */
  current: () => InForce
  website: Website
  oauth: Oauth | undefined
  /** What pages use, for tests that look inside a running instance. */
  settingsDesk: SettingsDesk
  pictures: Pictures
  contributions: ContributionLedger
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
  let storedSettings = stored
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

  opening.defer(() => ledger.stop())
  opening.defer(() => usage.stop())
  opening.defer(() => keys.stop())
  keys.start()
  usage.start()
  ledger.start()

  const admit = createAdmission({ ...environment, rateLimiter, usage, countRefusal: metrics.refusal, clock })
  const fetchOptions = { viaProxy: environment.readerProxyUrl, outgoingProxy: environment.outgoingProxy }
  const robotOptions = {
    ...fetchOptions,
    userAgent: () => createUserAgent(live.current().configuration),
    ownHost: publicUrl === '' ? '' : new URL(publicUrl).hostname,
  }
  const reader = environment.isReaderOn
    ? composeReader({ robotOptions, redis, cache, admit, instanceSecret, clock, log })
    : undefined
  opening.defer(async () => await reader?.close())

  // Rules about sites, and the lists of them that people subscribe to, which one node fetches for all.
  const rules = await openRuleBook(access)
  opening.defer(rules.stop)
  const lists = createPageFetch({ ...robotOptions, timeoutMs: LIST_TIMEOUT_MS })
  opening.defer(startListRefresh({ context: access, lease: createNodeLease(redis, 'rules'), pages: lists }))
  opening.defer(() => lists.close())

  const load = new LoadShedder({ ...operation, log, clock: () => performance.now() })
  const pipeline = { admit, rules, reader: reader?.forKeys, queryGuard: environment.queryGuard.keys, publicUrl, log }
  const keyUsage = { limits, readUsage: usage.read, clock }
  const composeApi = (current: InForce): Api => createApi({ ...current, ...pipeline, ...keyUsage, status })

  // Accounts, and the website.
  const { accounts, oidc, oauth, trustedHeader } = await composeSignIn(environment, {
    access,
    database,
    instanceSecret,
    fetchOptions,
    clock,
    log,
  })
  opening.defer(async () => await oidc?.close())
  opening.defer(async () => await oauth?.close())
  const { auditRetentionDays } = environment.accounts
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
    stored: storedSettings.values,
    secrets: storedSettings.secrets,
    isFromFolder: (slug: string) => fromFolder.has(slug),
  })
  const settingsDesk = createSettingsDesk({
    store: settings,
    configuration: () => live.current().configuration,
    stored: () => storedSettings,
    catchUp: () => follower.catchUp(),
  })
  const calibrations = createCalibrations({
    store: createCalibrationStore(db),
    search: () => live.current().search,
    slugOf: (name) => live.current().engines.slugOf.get(name),
  })
  const consume = createSearcherLimits(rateLimiter, limits)
  const networkPseudonym = createDailyHash({ instanceSecret, purpose: 'networks of limits', clock })
  const signSuggestionToken = createKeyedHash(instanceSecret, 'suggestions')
  const signedPictures = createPictures({
    instanceSecret,
    clock,
    fetch: (address, limits) => pictures.fetch(address, limits),
    memory: replyMemory,
  })
  const frame: FrameParts = {
    people: {
      findSession: accounts.sessions.find,
      savePreferences: (userId, written, options) => accounts.ownAccount.savePreferences(userId, written, options),
      recordDenied: accounts.recordDenied,
      trustedHeader,
    },
    limits: { consume, networkPseudonym, load, replyMemory },
    rules,
    status,
    mapTiles,
    instanceSecret,
    publicUrl,
    clock,
    randomBytes,
    log,
  }
  const usageOfKeys: UsageReader = {
    ofKeys: usage.readOfKeys,
    ofInstance: (sinceDay) => instanceUsage.read(sinceDay),
    limits,
    peek: ({ id: subject, userId }, limits) =>
      rateLimiter.peek({ subject, limits, user: userLimits && { id: userId, limits: userLimits } }),
  }
  const serviceEngines: ServiceEngines = {
    canStore: settings.takesSecrets,
    list: () => listServiceEngines(knownNow()),
    editsFor: (engine, values) => editsForService(engine, values, knownNow()),
    remove: (engine) => editsToRemove(engine, knownNow()),
    async save(edits, by) {
      await settings.change(by, edits)
      await follower.catchUp()
    },
  }
  const { suggestionsFor, areUrlKeysOn, showsIcons } = environment.site
  const composeSite = (current: InForce): Site => {
    const { configuration, engines, search, mine, suggest } = current
    const pages = listPages({
      ...current,
      engines: {
        catalogue: engines.catalogue,
        contributions: contributions.readSince,
        tryEngine: engines.tryEngine,
        spentQuotas: engines.spentQuotas,
      },
      status,
      mineStatus,
      transitions: (sinceMs) => history.read(sinceMs),
      costs: { ofMonth: (month) => ledger.readCosts(month), budgets: current.budgets },
      calibrations,
      rules,
      accounts,
      oauth,
      oidc,
      trustedHeader,
      audit: { read: (filter) => readEvents(db, filter), retentionDays: auditRetentionDays },
      usage: usageOfKeys,
      consume,
      settings: settingsDesk,
      keyless: {
        current: configuration.keyless.current,
        isFixed: environment.keyless.isFixed,
        names: keylessNames(),
      },
      serviceEngines,
      pictures: signedPictures,
      showsIcons,
      mapTiles,
      reading: reader?.forPeople,
      signSuggestionToken,
      suggestionsFor,
      queryGuard: environment.queryGuard.site,
      areUrlKeysOn,
      publicUrl,
    })
    return {
      pages: toPagesByRoute(pages),
      instanceName: configuration.instanceName,
      appearance: configuration.appearance,
      isPublic: configuration.siteAccess === 'public',
      offers: toSearchOffers({ search, mine, suggest, suggestionsFor }),
    }
  }
  let api = composeApi(live.current())
  let site = composeSite(live.current())
  const follower = followSettings({
    store: settings,
    changes: access.changes,
    version: stored.version,
    apply(newer) {
      live.swap(configurationWith(newer))
      storedSettings = newer
      api = composeApi(live.current())
      site = composeSite(live.current())
    },
    log,
  })
  opening.defer(follower.stop)

  metrics.watch({
    load,
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
    keys,
    load,
    pipeline,
    ...keyUsage,
    corsOrigins: environment.corsOrigins,
    current: live.current,
    api: () => api,
    website: { site: () => site, frame },
    oauth,
    settingsDesk,
    pictures: signedPictures,
    contributions,
    close: () => opened.disposeAsync(),
  }
}
