// The website: what its frame needs for every request, and its pages, which are made anew when settings change.
import { randomBytes } from 'node:crypto'
import { readEvents } from '../audit/audit-log.ts'
import type { Log } from '../log.ts'
import { openMapTiles } from '../maps/map-tiles.ts'
import type { LoadShedder } from '../rate-limit/load-shedder.ts'
import type { RateLimiter } from '../rate-limit/rate-limiter.ts'
import { ReplyMemory } from '../rate-limit/reply-memory.ts'
import { createSearcherLimits } from '../rate-limit/searcher-limits.ts'
import type { RuleBook } from '../rules/site-rules.ts'
import { createCalibrationStore } from '../search/calibration/calibration-store.ts'
import { createCalibrations } from '../search/calibration/calibrations.ts'
import type { Configuration } from '../settings/configuration.ts'
import { keylessNames } from '../settings/slot-configuration.ts'
import { createPictures } from '../site/pictures.ts'
import { toSearchOffers } from '../site/search-offers.ts'
import type { UsageReader } from '../site/settings/usage-reader.ts'
import { type FrameParts, type Site, toPagesByRoute } from '../site/site.ts'
import { listPages } from '../site/site-pages.ts'
import { createDailyHash, createKeyedHash } from '../text/cryptography.ts'
import { createPictureFetch } from '../upstream/picture-fetch.ts'
import { createInstanceUsage } from '../usage/instance-usage.ts'
import type { Usage } from '../usage/usage.ts'
import type { Providers } from './compose-providers.ts'
import type { PageReader } from './compose-reader.ts'
import type { StoredSettingsParts } from './compose-settings.ts'
import type { SignIn } from './compose-sign-in.ts'
import type { InForce } from './live-providers.ts'
import type { Stores } from './stores.ts'

interface WebsiteParts {
  stores: Stores
  settings: StoredSettingsParts
  providers: Providers
  signIn: SignIn
  /** undefined: this instance reads no pages. */
  reader: PageReader | undefined
  rules: RuleBook
  usage: Usage
  rateLimiter: RateLimiter
  load: LoadShedder
  instanceSecret: string
  clock: () => number
  log: Log
}

/** Whatever it opens, it closes with `opening`. */
export async function composeWebsite(opening: AsyncDisposableStack, environment: Configuration, parts: WebsiteParts) {
  const { stores, settings, providers, signIn, reader, rules, usage, rateLimiter, load, instanceSecret } = parts
  const { clock, log } = parts
  const { limits, userLimits, publicUrl } = environment
  const { db } = stores.database
  const { accounts, oidc, oauth, trustedHeader } = signIn
  const { ledger, history, status, mineStatus, contributions, live } = providers

  const mapTiles = environment.mapTiles && (await openMapTiles(environment.mapTiles))
  opening.defer(async () => await mapTiles?.close())
  const pictureFetch = createPictureFetch({
    viaProxy: environment.imageProxyUrl,
    outgoingProxy: environment.outgoingProxy,
  })
  opening.defer(() => pictureFetch.close())
  const replyMemory = new ReplyMemory()
  const pictures = createPictures({
    instanceSecret,
    clock,
    fetch: (url, pictureLimits) => pictureFetch.fetch(url, pictureLimits),
    memory: replyMemory,
  })
  const consume = createSearcherLimits(rateLimiter, limits)
  const frame: FrameParts = {
    people: {
      findSession: accounts.sessions.find,
      savePreferences: (userId, written, options) => accounts.ownAccount.savePreferences(userId, written, options),
      recordDenied: accounts.recordDenied,
      trustedHeader,
    },
    limits: {
      consume,
      networkPseudonym: createDailyHash({ instanceSecret, purpose: 'networks of limits', clock }),
      load,
      replyMemory,
    },
    rules,
    status,
    mapTiles,
    instanceSecret,
    publicUrl,
    clock,
    randomBytes,
    log,
  }

  const instanceUsage = createInstanceUsage({ db, clock })
  const usageReader: UsageReader = {
    ofKeys: usage.readOfKeys,
    ofInstance: (sinceDay) => instanceUsage.read(sinceDay),
    limits,
    peek: ({ id: subject, userId }, keyLimits) =>
      rateLimiter.peek({ subject, limits: keyLimits, user: userLimits && { id: userId, limits: userLimits } }),
  }
  const calibrations = createCalibrations({
    store: createCalibrationStore(db),
    search: () => live.current().search,
    slugOf: (name) => live.current().engines.slugOf.get(name),
  })
  const signSuggestionToken = createKeyedHash(instanceSecret, 'suggestions')
  const { suggestionsFor, areUrlKeysOn, showsIcons } = environment.site
  const { auditRetentionDays } = environment.accounts

  function composeSite(current: InForce): Site {
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
      usage: usageReader,
      consume,
      settings: settings.desk,
      keyless: {
        current: configuration.keyless.current,
        isFixed: environment.keyless.isFixed,
        names: keylessNames(),
      },
      serviceEngines: settings.serviceEngines,
      pictures,
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
  return { frame, pictures, composeSite }
}
