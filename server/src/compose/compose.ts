// Builds the services of an instance by hand, in dependency order; those that depend on stored settings again at each change
// of one. Closes them in reverse when the instance stops, or when one of them can't be built.
import { randomBytes } from 'node:crypto'
import type { Accounts } from '../accounts/accounts.ts'
import { type Api, createApi } from '../api/api.ts'
import type { ApiMount } from '../api/api-router.ts'
import type { KeyUsage } from '../api/endpoints/key-endpoint.ts'
import { createAdmission } from '../api/pipeline/admission.ts'
import { createKeyVerifier, type KeyVerifier } from '../keys/verify-key.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { Oauth } from '../oauth/oauth.ts'
import { LoadShedder } from '../rate-limit/load-shedder.ts'
import { createRateLimiter } from '../rate-limit/rate-limiter-with-fallback.ts'
import { createUserAgent } from '../reader/robots.ts'
import { createNodeLease } from '../redis/node-lease.ts'
import type { RedisStates } from '../redis/redis-availability.ts'
import { startListRefresh } from '../rules/refresh-lists.ts'
import { openRuleBook } from '../rules/rule-book.ts'
import type { ContributionLedger } from '../search/contributions/contribution-ledger.ts'
import type { Configuration } from '../settings/configuration.ts'
import type { SettingsDesk } from '../settings/settings-desk.ts'
import type { SettingsContext } from '../settings/stored-settings.ts'
import type { Pictures } from '../site/pictures.ts'
import type { Website } from '../site/site-router.ts'
import { readInstanceSecret } from '../store/instance-secret.ts'
import { createPageFetch } from '../upstream/page-fetch.ts'
import { Usage } from '../usage/usage.ts'
import { composeProviders } from './compose-providers.ts'
import { composeReader } from './compose-reader.ts'
import { composeSettings } from './compose-settings.ts'
import { composeSignIn } from './compose-sign-in.ts'
import { composeWebsite } from './compose-website.ts'
import type { InForce } from './live-providers.ts'
import { startRetention } from './retention.ts'
import { openStores } from './stores.ts'

export interface Services extends ApiMount, KeyUsage {
  access: SettingsContext
  accounts: Accounts
  keys: KeyVerifier
  load: LoadShedder
  /** What was built from the settings in force, as were `api` and `website`: a request keeps what it begins with. */
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

/** A list may have 10 MB. */
const LIST_TIMEOUT_MS = 60_000

export async function composeServices(environment: Configuration, log: Log): Promise<Services> {
  await using opening = new AsyncDisposableStack()
  const clock = Date.now
  const { limits, operation, publicUrl } = environment

  const stores = await openStores(environment, log)
  opening.defer(stores.close)
  const { access, database, redis, metrics } = stores
  const { db } = database
  const instanceSecret = await readInstanceSecret({ db, configured: environment.instanceSecret, randomBytes })
  const settings = await composeSettings(environment, access, log)

  // API keys, their limits and their usage.
  const keys = createKeyVerifier({
    database,
    clock,
    changes: access.changes,
    random: Math.random,
    log,
    cacheBytes: operation.keyCacheBytes,
  })
  keys.start()
  opening.defer(() => keys.stop())
  const usage = new Usage({ db, clock, log })
  usage.start()
  opening.defer(() => usage.stop())
  const rateLimiter = createRateLimiter({ redis, clock, loadMonthUsage: usage.loadMonth })
  const admit = createAdmission({ ...environment, rateLimiter, usage, countRefusal: metrics.refusal, clock })
  const load = new LoadShedder({ ...operation, log, clock: () => performance.now() })

  const configuration = settings.configuration()
  const providers = composeProviders(opening, environment, {
    stores,
    configuration,
    rateLimiter,
    instanceSecret,
    clock,
    log,
  })
  const { live, cache, status } = providers

  // Pages that are read, for keys and for people.
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
  opening.defer(() => lists.close())
  opening.defer(startListRefresh({ context: access, lease: createNodeLease(redis, 'rules'), pages: lists }))

  const signIn = await composeSignIn(opening, environment, {
    access,
    database,
    instanceSecret,
    fetchOptions,
    clock,
    log,
  })
  const { accounts } = signIn
  const stopRetention = startRetention({
    retention: operation.retention,
    auditDays: environment.accounts.auditRetentionDays,
    database,
    redis,
    sessions: accounts.sessions,
    clock,
    log,
  })
  opening.defer(stopRetention)

  // The API and the website, which are made anew when settings change.
  const pipeline = { admit, rules, reader: reader?.forKeys, queryGuard: environment.queryGuard.keys, publicUrl, log }
  const keyUsage = { limits, readUsage: usage.read, clock }
  const composeApi = (current: InForce): Api => createApi({ ...current, ...pipeline, ...keyUsage, status })
  const { frame, pictures, composeSite } = await composeWebsite(opening, environment, {
    stores,
    settings,
    providers,
    signIn,
    reader,
    rules,
    usage,
    rateLimiter,
    load,
    instanceSecret,
    clock,
    log,
  })
  let api = composeApi(live.current())
  let site = composeSite(live.current())
  const stopFollowing = settings.follow((newer) => {
    const next = live.compose(newer)
    const [nextApi, nextSite] = [composeApi(next), composeSite(next)]
    // Nothing below can throw, so that a request never meets half of a change.
    live.swap(next)
    api = nextApi
    site = nextSite
  })
  opening.defer(stopFollowing)

  metrics.watch({
    load,
    keys,
    cache,
    rateLimiter,
    usage,
    database,
    ledger: providers.ledger,
    budgets: () => live.current().budgets,
    providers: live.watchedProviders,
  })
  const opened = opening.move()
  return {
    access,
    accounts,
    operatorContact: () => live.current().configuration.operatorContact,
    metrics,
    missing: stores.missing,
    redisStates: stores.redisStates,
    keys,
    load,
    pipeline,
    ...keyUsage,
    corsOrigins: environment.corsOrigins,
    current: live.current,
    api: () => api,
    website: { site: () => site, frame },
    oauth: signIn.oauth,
    settingsDesk: settings.desk,
    pictures,
    contributions: providers.contributions,
    close: () => opened.disposeAsync(),
  }
}
