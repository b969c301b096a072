// The website as the settings in force make it: its pages, each made of the services that it uses, and what every page shows
// of the instance. Made anew at each change of settings, with pages on the same routes; a request keeps the one it began
// with. What no setting changes while the instance runs is handed over once, in `FrameParts`.
import type { Accounts } from '../accounts/accounts.ts'
import type { ProviderStatusBoard } from '../health/provider-status.ts'
import type { Log } from '../log.ts'
import type { MapTiles } from '../maps/map-tiles.ts'
import type { LoadShedder } from '../rate-limit/load-shedder.ts'
import type { ReplyMemory } from '../rate-limit/reply-memory.ts'
import type { ConsumeQuota } from '../rate-limit/searcher-limits.ts'
import type { RuleBook } from '../rules/site-rules.ts'
import type { Appearance } from '../settings/appearance.ts'
import type { KeyedHash } from '../text/cryptography.ts'
import type { Page, Viewer } from './http/page.ts'
import type { TrustedHeader } from './http/trusted-header.ts'
import type { SearchOffers } from './search-offers.ts'

export interface Site {
  /** By route. */
  pages: ReadonlyMap<string, Page>
  instanceName: string
  appearance: Appearance
  isPublic: boolean
  offers: SearchOffers
}

/** `GET /settings/keys`: there is one page of each. */
export const toRoute = ({ method, path }: Pick<Page, 'method' | 'path'>): string => `${method} ${path}`

export const toPagesByRoute = (pages: readonly Page[]): Site['pages'] =>
  new Map(pages.map((page) => [toRoute(page), page]))

/** What a request needs of the instance, whatever page it is for. */
export interface FrameParts {
  people: PeopleParts
  limits: LimitParts
  /** For the caller. */
  rules: RuleBook
  /** For the dot in the footer. */
  status: Pick<ProviderStatusBoard, 'list'>
  /** undefined: there is no map of our own, only links to maps. */
  mapTiles: MapTiles | undefined
  /** Known only to the nodes of this instance; the key that signs forms is derived from it. */
  instanceSecret: string
  /** '': use the address the client used. */
  publicUrl: string
  clock: () => number
  randomBytes: (size: number) => Buffer
  log: Log
}

/** Who is here. */
export interface PeopleParts {
  /** Looks up the session by the token in the browser's cookie; undefined if it isn't active. */
  findSession: (token: string) => Promise<Viewer | undefined>
  savePreferences: Accounts['ownAccount']['savePreferences']
  /** Records that a user requested a page they may not see. `route` is the pattern of its path. */
  recordDenied: Accounts['recordDenied']
  /** undefined: no header says who someone is. */
  trustedHeader: TrustedHeader | undefined
}

/** How much they may ask for. */
export interface LimitParts {
  consume: ConsumeQuota
  /** Identifies a network in counter names: a keyed hash that changes every day. */
  networkPseudonym: KeyedHash
  load: LoadShedder
  replyMemory: ReplyMemory
}
