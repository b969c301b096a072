// What the site needs from the rest of the instance. `app/compose.ts` builds it; tests may build another. An area with
// needs of its own (accounts, maps, …) adds one member here, typed by a service, never by another door.
import type { Accounts } from '../accounts/accounts.ts'
import type { Answers } from '../answers/answers.ts'
import type { AuditFilter, AuditRecord } from '../audit/read-events.ts'
import type { Cards } from '../cards/cards.ts'
import type { ProviderStatusBoard } from '../health/provider-status.ts'
import type { ProviderTransition } from '../health/transition-history.ts'
import type { LastRequests } from '../keys/last-requests.ts'
import type { ProviderCost } from '../limits/budgets/cost-ledger.ts'
import type { BudgetSettings } from '../limits/budgets/provider-budget.ts'
import type { LoadShedder } from '../limits/load-shedder.ts'
import type { LimitStates, Limits } from '../limits/rate-limiter.ts'
import type { DayCount, UsageOfKeys } from '../limits/usage-reading.ts'
import type { Log } from '../log.ts'
import type { Maps } from '../maps/maps.ts'
import type { Reader } from '../reader/reader.ts'
import type { EngineContribution } from '../search/contributions/contribution-ledger.ts'
import type { CatalogueEntry } from '../search/engine-catalogue.ts'
import type { KeylessChoice } from '../search/keyless-choice.ts'
import type { Search } from '../search/search.ts'
import type { Suggest } from '../search/suggest.ts'
import type { TrialReport } from '../search/try-engine.ts'
import type { KeyedHash } from '../text/keyed-hash.ts'
import type { Translate } from '../translate/translate.ts'
import type { Picture } from '../upstream/picture-fetch.ts'

/** Who is signed in. */
export interface Viewer {
  userId: string
  username: string
  isAdmin: boolean
  sessionId: string
  /** When they last confirmed their identity, in milliseconds since 1970. */
  confirmedAt?: number | undefined
  /** They must set up a second factor first. */
  mustEnrol?: boolean
}

/** How large a picture is shown: it decides how many bytes of it the proxy lets through. */
export type PictureKind = 'icon' | 'thumbnail' | 'picture'

/** Who gets suggestions while they type; `accounts`: whoever is signed in. */
export type SuggestionsFor = 'accounts' | 'all' | 'off'

/** The signed picture proxy. */
export interface Pictures {
  /** The path on this site under which a third party's picture is shown, or '' for an address that is never fetched. */
  signedPath: (address: string, kind: PictureKind) => string
  /** `undefined`: the signature is not ours. Rejects with UpstreamError when there is no such picture. */
  find: (searchQuery: { kind: string; address: string; signature: string }) => Promise<Picture> | undefined
}

/** What programs have asked of this instance with their keys, and how much more they may. */
export interface UsageBook {
  /** Since a day (UTC, inclusive). */
  ofKeys: (keyIds: readonly string[], sinceDay: string) => Promise<UsageOfKeys>
  /** Of all keys together. Rejects when PostgreSQL is away. */
  ofInstance: (sinceDay: string) => Promise<DayCount[]>
  /** The instance's limits; a key may have its own. */
  limits: Limits
  peek: (key: { id: string; userId: string }, limits: Limits) => Promise<LimitStates>
}

/** What this instance has asked of its providers. */
export interface CostBook {
  /** Of a month ('2026-11'). Rejects when PostgreSQL is away. */
  ofMonth: (month: string) => Promise<ProviderCost[]>
  /** Price and caps by the provider's slug. */
  budgets: ReadonlyMap<string, BudgetSettings>
}

export interface SpentQuota {
  slug: string
  calls: number
  waitMs: number
}

/** The search engines, for whoever chooses among them. */
export interface EngineDesk {
  catalogue: readonly CatalogueEntry[]
  /** What each contributed since a day (UTC, inclusive). Rejects when PostgreSQL is away. */
  contributions: (sinceDay: string) => Promise<EngineContribution[]>
  /** One call, within the provider's limits and budget; undefined: it is not on, or doesn't serve the tab. */
  tryEngine: (trial: { slug: string; tab: string; text: string }) => Promise<TrialReport | undefined>
  /** Whose calls of the day are used up, how many those are, and how long until there is another. */
  spentQuotas: () => Promise<SpentQuota[]>
}

/** Reading the pages that were found. */
interface PageReading {
  read: Reader['read']
  /** Signs the links that lead there. */
  mark: KeyedHash
}

export interface SiteServices {
  load: LoadShedder
  search: Search
  suggest: Suggest
  maps: Maps
  translate: Translate
  /** Instant answers, and cards: what stands beside the results. */
  answers: Answers
  cards: Cards
  status: ProviderStatusBoard
  /** How the health of the providers changed, oldest first. Rejects when PostgreSQL is away. */
  transitions: (sinceMs: number) => Promise<ProviderTransition[]>
  sessions: {
    /** Whose session this is, from the text in the browser's cookie; undefined: unknown, ended, expired or disabled. */
    find: (token: string) => Promise<Viewer | undefined>
  }
  /** Signing in, accounts, users and keys. */
  accounts: Accounts
  /** Security events, newest first, and how many days they are kept. */
  audit: { read: (filter: AuditFilter) => Promise<AuditRecord[]>; retentionDays: number }
  /** Records that a user requested a page they may not see. `route` is the pattern of its path. */
  tellDenied: (denial: { userId: string; address: string; route: string }) => Promise<void>
  /** What the last request with each key looked like, for its owner. */
  lastRequests: LastRequests
  usage: UsageBook
  costs: CostBook
  engines: EngineDesk
  /** Which engines are asked without a key. */
  keyless: KeylessChoice
  /** Checks and spends a searcher's limits; gives the seconds to wait, 0 for none. */
  consume: (
    searcher: string,
    quota: 'search' | 'suggestion' | 'picture' | 'status',
    address?: string,
  ) => Promise<number>
  /** Stands for a network in names of counters: a keyed hash that is another every day. */
  networkMark: KeyedHash
  /** Signs tokens that open suggestions and nothing else. */
  suggestionMark: KeyedHash
  /** undefined: no picture is shown anywhere. */
  pictures: Pictures | undefined
  /** The OpenAPI document of the API beside this site. */
  openapi: unknown
  /** SITE_ACCESS=public: who is not signed in may search. */
  isPublic: boolean
  /** SITE_SUGGESTIONS. Readers who get them can turn them off. */
  suggestionsFor: SuggestionsFor
  /** Whether a key that is marked for it may stand in a URL. */
  arePathKeysOn: boolean
  /** undefined: this instance reads no pages, neither for readers nor for keys. */
  reading: PageReading | undefined
  /** RESULT_ICONS: results show the icon of their site, through the picture proxy; otherwise a letter. */
  showsIcons: boolean
  /** Known to all nodes of the instance and to nobody else; the keys that sign forms are derived from it. */
  instanceSecret: string
  /** '' : take the address the client used. */
  publicUrl: string
  clock: () => number
  randomBytes: (size: number) => Buffer
  log: Log
}
