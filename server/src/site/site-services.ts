// What the site needs from the rest of the instance. `services.ts` builds it; tests may build another. An area with needs
// of its own (accounts, maps, …) adds one member here, typed by a service, never by another door.
import type { Accounts } from '../access/accounts.ts'
import type { Answers } from '../answers/answers.ts'
import type { Cards } from '../cards/cards.ts'
import type { Log } from '../log.ts'
import type { Maps } from '../maps/maps.ts'
import type { Search } from '../search/search.ts'
import type { Suggest } from '../search/suggest.ts'
import type { BudgetSettings } from '../limits/budget-store.ts'
import type { ProviderCost } from '../limits/cost-ledger.ts'
import type { LimitStates, Limits } from '../state/meter.ts'
import type { ProviderTransition } from '../health/transition-history.ts'
import type { DayCount, UsageOfKeys } from '../limits/usage-reading.ts'
import type { StatusBoard } from '../health/provider-status.ts'
import type { Translate } from '../translate/translate.ts'
import type { Picture } from '../upstream/picture-fetch.ts'

/** Who is signed in. */
export interface Viewer {
  userId: string
  username: string
  isAdmin: boolean
  sessionId: string
}

/** How large a picture is shown: it decides how many bytes of it the proxy lets through. */
export type PictureKind = 'icon' | 'thumbnail' | 'picture'

/** The signed picture proxy. */
export interface Pictures {
  /** The path on this site under which a third party's picture is shown, or '' for an address that is never fetched. */
  signedPath: (address: string, kind: PictureKind) => string
  /** `undefined`: the signature is not ours. Rejects with UpstreamError when there is no such picture. */
  find: (asked: { kind: string; address: string; signature: string }) => Promise<Picture> | undefined
}

/** What programs have asked of this instance with their keys, and how much more they may. */
export interface UsageBook {
  /** Since a day (UTC, inclusive). */
  ofKeys: (keyIds: readonly string[], sinceDay: string) => Promise<UsageOfKeys>
  /** Of all keys together. Rejects when PostgreSQL is away. */
  ofInstance: (sinceDay: string) => Promise<DayCount[]>
  /** The instance's limits; a key may have its own. */
  limits: Limits
  weigh: (keyId: string, limits: Limits) => Promise<LimitStates>
}

/** What this instance has asked of its providers. */
export interface CostBook {
  /** Of a month ('2026-11'). Rejects when PostgreSQL is away. */
  ofMonth: (month: string) => Promise<ProviderCost[]>
  /** Price and caps by the provider's slug. */
  budgets: ReadonlyMap<string, BudgetSettings>
}

export interface SiteServices {
  search: Search
  suggest: Suggest
  maps: Maps
  translate: Translate
  /** Instant answers, and cards: what stands beside the results. */
  answers: Answers
  cards: Cards
  status: StatusBoard
  /** How the health of the providers changed, oldest first. Rejects when PostgreSQL is away. */
  transitions: (sinceMs: number) => Promise<ProviderTransition[]>
  sessions: {
    /** Whose session this is, from the text in the browser's cookie; undefined: unknown, ended, expired or disabled. */
    find: (token: string) => Promise<Viewer | undefined>
  }
  /** Signing in, accounts, users and keys. */
  accounts: Accounts
  usage: UsageBook
  costs: CostBook
  /** Checks and spends a searcher's limits; gives the seconds to wait, 0 for none. */
  spend: (searcher: string, errand: 'search' | 'suggestion') => Promise<number>
  /** undefined: no picture is shown anywhere. */
  pictures: Pictures | undefined
  /** The OpenAPI document of the API beside this site. */
  openapi: unknown
  /** SITE_ACCESS=public: who is not signed in may search. */
  isPublic: boolean
  /** Known to all nodes of the instance and to nobody else; the keys that sign forms are derived from it. */
  instanceSecret: string
  /** '' : take the address the client used. */
  publicUrl: string
  clock: () => number
  randomBytes: (size: number) => Buffer
  log: Log
}
