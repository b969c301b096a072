// What the site needs from the rest of the instance. `compose/compose.ts` builds it; tests build their own. An area with
// its own needs (accounts, maps, …) adds one member here, whose type is that of a service, never of a compatible API. A change of
// settings makes all of it anew, so a request keeps what it began with, and nothing else keeps any of it.

import type { Exchange } from '@bowerbird/answers/live/exchange.ts'
import type { Accounts } from '../accounts/accounts.ts'
import type { AuditFilter, AuditRecord } from '../audit/audit-log.ts'
import type { CostReader } from '../budget/cost-ledger.ts'
import type { Cards } from '../cards/cards.ts'
import type { InstantAnswers } from '../cards/instant-answers.ts'
import type { ProviderStatusBoard } from '../health/provider-status.ts'
import type { ProviderTransition } from '../health/transition-history.ts'
import type { Log } from '../log.ts'
import type { MapTiles } from '../maps/map-tiles.ts'
import type { Maps } from '../maps/maps.ts'
import type { Oauth } from '../oauth/oauth.ts'
import type { Oidc } from '../oidc/oidc.ts'
import type { LoadShedder } from '../rate-limit/load-shedder.ts'
import type { LimitStates, Limits } from '../rate-limit/rate-limiter.ts'
import type { ReplyMemory } from '../rate-limit/reply-memory.ts'
import type { ConsumeQuota } from '../rate-limit/searcher-limits.ts'
import type { Reader } from '../reader/reader.ts'
import type { RuleBook } from '../rules/site-rules.ts'
import type { Calibrations } from '../search/calibration/calibrations.ts'
import type { EngineContribution } from '../search/contributions/contribution-ledger.ts'
import type { CatalogueEntry } from '../search/engine-catalogue.ts'
import type { GuardMode } from '../search/query-guard.ts'
import type { Search } from '../search/search.ts'
import type { Suggest } from '../search/suggest.ts'
import type { TrialReport } from '../search/try-engine.ts'
import type { Appearance } from '../settings/appearance.ts'
import type { KeylessSetting } from '../settings/keyless-setting.ts'
import type { ServiceEngines } from '../settings/service-engines.ts'
import type { SettingsDesk } from '../settings/settings-desk.ts'
import type { KeyedHash } from '../text/cryptography.ts'
import type { Translate } from '../translate/translate.ts'
import type { Picture } from '../upstream/picture-fetch.ts'
import type { DayCount, UsageOfKeys } from '../usage/usage.ts'
import type { TrustedHeader } from './http/trusted-header.ts'

/** The signed-in user. */
export interface Viewer {
  userId: string
  username: string
  isAdmin: boolean
  sessionId: string
  /** When they last proved who they are, by signing in or when asked again, in milliseconds since 1970. */
  confirmedAt?: number | undefined
  /** The user must set up a second factor before anything else. */
  mustEnrol?: boolean
  /** `oidc:<provider>` or `header`; null: they signed in with what the account has here. */
  signedInBy?: string | null
  /** As `preferences.ts` writes them; null as long as they have chosen none. */
  preferences?: string | null
}

/** The display size of a picture, which determines how many bytes the proxy allows. */
export type PictureKind = 'icon' | 'thumbnail' | 'picture'

/** Who gets suggestions while typing; `users`: signed-in users only. */
export type SuggestionsFor = 'users' | 'all' | 'off'

/** The signed picture proxy. */
export interface Pictures {
  /**
   * The path on this site for a third-party picture, or '' for an address that is never fetched. `instead` is another
   * address of it, for when there is none at the first, or one that is too large.
   */
  signedPath: (address: string, kind: PictureKind, instead?: string) => string
  /**
   * `undefined`: the signature is not ours. Rejects with UpstreamError if the picture can't be fetched. `client` is the
   * IP address that a fetch is for.
   */
  find: (
    request: { kind: string; address: string; instead: string; signature: string },
    client: string,
  ) => Promise<Picture> | undefined
}

/** The requests made with API keys, and the limits that apply to them. */
export interface UsageReader {
  /** Since a day (UTC, inclusive). */
  ofKeys: (keyIds: readonly string[], sinceDay: string) => Promise<UsageOfKeys>
  /** For all keys together. Rejects if PostgreSQL is unavailable. */
  ofInstance: (sinceDay: string) => Promise<DayCount[]>
  /** The instance's limits; a key may have its own. */
  limits: Limits
  peek: (key: { id: string; userId: string }, limits: Limits) => Promise<LimitStates>
}

export interface SpentQuota {
  slug: string
  calls: number
  waitMs: number
}

/** The search engines, for administrators choosing among them. */
export interface EngineAdmin {
  catalogue: readonly CatalogueEntry[]
  /** Each engine's contributions since a day (UTC, inclusive). Rejects if PostgreSQL is unavailable. */
  contributions: (sinceDay: string) => Promise<EngineContribution[]>
  /** Makes one call, within the provider's limits and budget; undefined if the engine is off or doesn't serve the tab. */
  tryEngine: (trial: { slug: string; tab: string; text: string }) => Promise<TrialReport | undefined>
  /** The providers whose daily calls are used up, with the size of the quota and the wait until the next call. */
  spentQuotas: () => Promise<SpentQuota[]>
}

/** The Read view. */
interface PageReading {
  read: Reader['read']
  /** Signs the links to the Read view. */
  sign: KeyedHash
}

export interface SiteServices {
  load: LoadShedder
  replyMemory: ReplyMemory
  search: Search
  /** The private engines, for signed-in people: see `mine.ts`. Without any, it has no slots. */
  mine: Search
  /** The health of the private engines, for administrators only. */
  mineStatus: ProviderStatusBoard
  /** What the instance, people and keys want of some sites. */
  rules: RuleBook
  suggest: Suggest
  maps: Maps
  /** undefined: there is no map of our own, only links to maps. */
  mapTiles?: MapTiles | undefined
  translate: Translate
  /** Instant answers and cards, shown next to the results. */
  answers: InstantAnswers
  /** For the currency converter. */
  exchange: Exchange
  cards: Cards
  status: ProviderStatusBoard
  /** The providers' health changes, oldest first. Rejects if PostgreSQL is unavailable. */
  transitions: (sinceMs: number) => Promise<ProviderTransition[]>
  sessions: {
    /** Looks up the session by the token in the browser's cookie; undefined if it isn't active. */
    find: (token: string) => Promise<Viewer | undefined>
  }
  /** Signing in, accounts, users and keys. */
  accounts: Accounts
  /** Security events, newest first, and how many days they are kept. */
  audit: { read: (filter: AuditFilter) => Promise<AuditRecord[]>; retentionDays: number }
  /** Records that a user requested a page they may not see. `route` is the pattern of its path. */
  recordDenied: (denial: { userId: string; address: string; route: string }) => Promise<void>
  usage: UsageReader
  costs: CostReader
  engines: EngineAdmin
  /** Searches that administrators grade, to weigh engines. */
  calibrations: Calibrations
  /** Which engines may be used without an API key. */
  keyless: KeylessSetting
  /** The settings that administrators change on the website. */
  settings: SettingsDesk
  /** The operator's own services as engines, as administrators see and change them. */
  serviceEngines: ServiceEngines
  consume: ConsumeQuota
  /** Identifies a network in counter names: a keyed hash that changes every day. */
  networkPseudonym: KeyedHash
  /** Signs tokens that grant access to suggestions and nothing else. */
  signSuggestionToken: KeyedHash
  /** undefined: pictures are never shown. */
  pictures: Pictures | undefined
  /** INSTANCE_NAME: what the website calls itself. */
  instanceName: string
  /** INSTANCE_LOGO and so on: what else makes the website the operator's own. */
  appearance: Appearance
  /** SITE_ACCESS=public: visitors who aren't signed in may search. */
  isPublic: boolean
  /** SITE_SUGGESTIONS. Readers who are offered suggestions can turn them off. */
  suggestionsFor: SuggestionsFor
  /** QUERY_GUARD, for the website. */
  queryGuard: GuardMode
  /** Whether keys with the scope for it are accepted in URLs. */
  areUrlKeysOn: boolean
  /** undefined: nobody can connect a program by OAuth. */
  oauth?: Oauth | undefined
  /** undefined: nobody signs in with an identity provider. */
  oidc?: Oidc | undefined
  /** undefined: no header says who someone is. */
  trustedHeader?: TrustedHeader | undefined
  /** undefined: this instance reads no pages, for readers or for keys. */
  reading: PageReading | undefined
  /** RESULT_ICONS: results show the icon of their site, through the picture proxy; otherwise a letter. */
  showsIcons: boolean
  /** Known only to the nodes of this instance; the keys that sign forms and pictures are derived from it. */
  instanceSecret: string
  /** '': use the address the client used. */
  publicUrl: string
  clock: () => number
  randomBytes: (size: number) => Buffer
  log: Log
}
