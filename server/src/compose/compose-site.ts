// Builds what the website needs beyond the services it shares with the API: user accounts, and the proxy that fetches
// pictures from other sites.
import { randomBytes } from 'node:crypto'
import { type Accounts, createAccounts } from '../accounts/accounts.ts'
import type { ApiServices } from '../api/api-services.ts'
import { readEvents } from '../audit/audit-log.ts'
import type { CostLedger } from '../budget/cost-ledger.ts'
import type { TransitionHistory } from '../health/transition-history.ts'
import type { AdminContext } from '../keys/admin-context.ts'
import { createLastRequests } from '../keys/last-requests.ts'
import type { Database } from '../postgres/database.ts'
import { createNetworkThrottle, type NetworkThrottle } from '../rate-limit/network-throttle.ts'
import type { Limits, Rate } from '../rate-limit/rate-limiter.ts'
import type { RedisClient } from '../redis/redis-client.ts'
import { createKeylessChoice } from '../search/keyless-setting.ts'
import type { Configuration } from '../settings/configuration.ts'
import { keylessNames } from '../settings/slot-configuration.ts'
import { createPictures } from '../site/pictures/signed-pictures.ts'
import type { EngineDesk, SiteServices } from '../site/site-services.ts'
import { createDailyHash, createKeyedHash } from '../text/cryptography.ts'
import { createPictureFetch } from '../upstream/picture-fetch.ts'
import { createInstanceUsage } from '../usage/instance-usage.ts'
import type { Usage } from '../usage/usage.ts'
import { startRetention } from './retention.ts'

interface SiteParts {
  api: ApiServices
  instanceSecret: string
  access: AdminContext
  database: Database
  redis: RedisClient | undefined
  history: TransitionHistory
  usage: Usage
  ledger: CostLedger
  engineDesk: EngineDesk
}

interface ComposedSite {
  site: Omit<SiteServices, 'openapi'>
  accounts: Accounts
  closeSite: () => Promise<void>
}

export function composeSite(configuration: Configuration, parts: SiteParts): ComposedSite {
  const { api, instanceSecret, access, database, history } = parts
  const { log, clock, publicUrl } = api
  const { policy, auditRetentionDays } = configuration.accounts
  const accounts = createAccounts({ access, database, instanceSecret, policy })
  const stopRetention = startRetention({
    retention: configuration.operation.retention,
    auditDays: auditRetentionDays,
    database,
    redis: parts.redis,
    sessions: accounts.sessions,
    clock,
    log,
  })
  const pictures = createPictureFetch({ viaProxy: configuration.pictureProxyUrl })
  return {
    accounts,
    site: {
      load: api.load,
      search: api.search,
      suggest: api.suggest,
      maps: api.maps,
      translate: api.translate,
      answers: api.answers,
      cards: api.cards,
      status: api.status,
      transitions: (sinceMs) => history.read(sinceMs),
      sessions: accounts.sessions,
      accounts,
      audit: { read: (filter) => readEvents(database.db, filter), retentionDays: auditRetentionDays },
      tellDenied: accounts.recordDenied,
      lastRequests: createLastRequests(parts.redis, clock),
      ...openUsageAndCosts(configuration, parts),
      engines: parts.engineDesk,
      keyless: createKeylessChoice(database.db, { ...configuration.keyless, names: keylessNames() }),
      consume: createSearcherLimits(api),
      networkMark: createDailyHash({ instanceSecret, purpose: 'networks of limits', clock }),
      suggestionMark: createKeyedHash(instanceSecret, 'suggestions'),
      pictures: createPictures({
        instanceSecret,
        clock,
        fetch: (address, maxBytes) => pictures.fetch(address, maxBytes),
      }),
      isPublic: configuration.siteAccess === 'public',
      suggestionsFor: configuration.site.suggestionsFor,
      arePathKeysOn: configuration.site.arePathKeysOn,
      reading: api.reader && { read: api.reader.read, mark: createKeyedHash(instanceSecret, 'links to read') },
      showsIcons: configuration.site.showsIcons,
      instanceSecret,
      publicUrl,
      clock,
      randomBytes,
      log,
    },
    async closeSite() {
      await stopRetention()
      await pictures.close()
    },
  }
}

/**
 * Multiples of one network's limits that apply, on each node, to its /56, its /48 and all visitors together. The 0 is
 * the network itself, which all nodes limit together.
 */
const WIDER = { networks: [0, 4, 16], everyone: 1_000 }

function createVisitorThrottle({ burst, sustained }: Limits): NetworkThrottle {
  const times = (factor: number) =>
    factor === 0 ? [] : [burst, sustained].map(({ count, windowMs }) => ({ count: count * factor, windowMs }))
  const limits = { networks: WIDER.networks.map(times), everyone: times(WIDER.everyone) }
  return createNetworkThrottle(limits, () => performance.now())
}

/** Gives each website searcher the limits of a key, and multiples of them for requests that one search triggers. */
function createSearcherLimits({ rateLimiter, limits: { burst, sustained } }: ApiServices): SiteServices['consume'] {
  const times = ({ count, windowMs }: Rate, many: number): Rate => ({ count: count * many, windowMs })
  const quotaOf = (many: number) => {
    const limits: Limits = { burst: times(burst, many), sustained: times(sustained, many), monthlyCap: undefined }
    return { limits, throttle: createVisitorThrottle(limits) }
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

/** The data behind the usage and cost pages. */
function openUsageAndCosts(
  { engines, sources, userLimits }: Configuration,
  { api, database, usage, ledger }: SiteParts,
): Pick<SiteServices, 'usage' | 'costs'> {
  const instanceUsage = createInstanceUsage({ db: database.db, clock: api.clock })
  return {
    usage: {
      ofKeys: usage.readOfKeys,
      ofInstance: (sinceDay) => instanceUsage.read(sinceDay),
      limits: api.limits,
      peek: ({ id: subject, userId }, limits) =>
        api.rateLimiter.peek({ subject, limits, user: userLimits && { id: userId, limits: userLimits } }),
    },
    costs: {
      ofMonth: ledger.readCosts,
      budgets: new Map([...engines, ...sources].map(([slug, { budget }]) => [slug, budget])),
    },
  }
}
