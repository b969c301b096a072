// Builds what the website needs beside the services that it shares with the API: accounts for people, and the proxy
// that fetches other sites' pictures.
import { randomBytes } from 'node:crypto'
import type { AccessContext } from './access/access-context.ts'
import { type Accounts, createAccounts } from './access/accounts.ts'
import type { ApiServices } from './api/api-services.ts'
import type { Configuration } from './configuration.ts'
import { createPictures } from './site/pictures/signed-pictures.ts'
import type { SiteServices } from './site/site-services.ts'
import type { CostLedger } from './limits/cost-ledger.ts'
import type { Database } from './state/database.ts'
import { readInstanceSecret } from './storage/instance-secret.ts'
import { createInstanceUsage } from './state/instance-usage.ts'
import type { Rate } from './state/meter.ts'
import type { TransitionHistory } from './health/transition-history.ts'
import type { UsageRollup } from './state/usage-rollup.ts'
import { createPictureFetch } from './upstream/picture-fetch.ts'

interface SiteParts {
  api: ApiServices
  access: AccessContext
  database: Database
  history: TransitionHistory
  rollup: UsageRollup
  ledger: CostLedger
}

interface SiteRoom {
  site: Omit<SiteServices, 'openapi'>
  accounts: Accounts
  closeSite: () => Promise<void>
}

export async function openSite(configuration: Configuration, parts: SiteParts): Promise<SiteRoom> {
  const { api, access, database, history } = parts
  const { log, clock, publicUrl } = api
  const given = configuration.instanceSecret
  const instanceSecret = await readInstanceSecret({ db: database.db, given, randomBytes })
  const accounts = createAccounts({ access, database, instanceSecret, random: Math.random, log })
  const pictures = createPictureFetch({ viaProxy: configuration.pictureProxyUrl })
  accounts.sessions.start()
  return {
    accounts,
    site: {
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
      ...openBooks(configuration, parts),
      spend: createSearcherLimits(api),
      pictures: createPictures({ instanceSecret, fetch: (address, maxBytes) => pictures.fetch(address, maxBytes) }),
      isPublic: configuration.siteAccess === 'public',
      instanceSecret,
      publicUrl,
      clock,
      randomBytes,
      log,
    },
    async closeSite() {
      await accounts.sessions.stop()
      await pictures.close()
    },
  }
}

/** Somebody who types asks for completions with every letter. */
const SUGGESTIONS_A_SEARCH = 10

/** The instance's limits hold on the website as they do for a key, for each who searches. */
function createSearcherLimits({ meter, limits }: ApiServices): SiteServices['spend'] {
  const forSearches = { ...limits, monthlyCap: undefined }
  const widened = ({ count, windowMs }: Rate): Rate => ({ count: count * SUGGESTIONS_A_SEARCH, windowMs })
  const forSuggestions = {
    burst: widened(limits.burst),
    sustained: widened(limits.sustained),
    monthlyCap: undefined,
  }
  return async (searcher, errand) => {
    const isSearch = errand === 'search'
    const { refusedBy, retryAfterSeconds } = await meter.spend({
      caller: `site ${errand} ${searcher}`,
      limits: isSearch ? forSearches : forSuggestions,
      endpoint: undefined,
    })
    return refusedBy ? retryAfterSeconds : 0
  }
}

/** What the pages about usage and costs read. */
function openBooks(
  { engines, sources }: Configuration,
  { api, database, rollup, ledger }: SiteParts,
): Pick<SiteServices, 'usage' | 'costs'> {
  const instanceUsage = createInstanceUsage({ db: database.db, clock: api.clock })
  return {
    usage: {
      ofKeys: rollup.readUsageOfKeys,
      ofInstance: (sinceDay) => instanceUsage.read(sinceDay),
      limits: api.limits,
      weigh: (keyId, limits) => api.meter.weigh(keyId, limits),
    },
    costs: {
      ofMonth: ledger.readCosts,
      budgets: new Map([...engines, ...sources].map(([slug, { budget }]) => [slug, budget])),
    },
  }
}
