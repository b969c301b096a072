// The contract between an engine adapter and its host, and the vocabulary of searching that everything else uses.
//
// An adapter is pure: it declares what its provider is and can do, turns a query into a request, and turns a reply into
// results. It never does I/O, keeps no state, reads no clock. The host (`search/`, `upstream/`) does everything that
// must be right once for all: connections, deadline, size cap, address guard, health, merging, ageing.
//
// How an adapter says that something went wrong: `parse` throws an UpstreamError. It never returns an empty page
// instead, because an outage must not look like "no results".
import type { Setting, SettingValues } from '../config/setting.ts'

export const TABS = ['web', 'images', 'news', 'videos'] as const
export type Tab = (typeof TABS)[number]

/** A day, a week, a month, a year back from now. */
export type DateRange = 'd' | 'w' | 'm' | 'y'

/** What a caller can ask to be filtered by. A provider that cannot honour what was asked is not asked. */
export type Filter = 'safe' | 'date' | 'lang'

/** Results asked of each engine for a page; page p starts after (p - 1) × this many. */
export const PAGE_SIZE = 10

export interface EngineQuery {
  /** Trimmed, never empty, at most 500 characters. */
  text: string
  /** 1 to 50, never beyond the tab's `lastPage`. */
  page: number
  safe: boolean
  /** `undefined` when no time filter was asked for. */
  date: DateRange | undefined
  /** A BCP 47 tag as the caller wrote it, or '' for automatic. */
  lang: string
  /** Milliseconds since 1970; adapters have no clock of their own. */
  now: number
}

export interface EngineRequest {
  method?: 'GET' | 'POST'
  /** Begins with a slash and follows the provider's base URL; carries the query string. */
  path: string
  headers?: Record<string, string>
  body?: string
}

export interface EngineReply {
  status: number
  /** Lower-case names. */
  headers: Record<string, string | string[] | undefined>
  /** Decompressed, decoded as UTF-8, within the size cap. */
  body: string
}

export interface Sitelink {
  title: string
  url: string
}

/** One web result of one engine. Plain text, absolute http(s) addresses; what the provider omits is empty. */
export interface WebHit {
  title: string
  url: string
  description: string
  /** The provider's icon for the site, or ''. */
  faviconUrl: string
  /** When the page was published or last changed, in milliseconds since 1970. */
  publishedAt: number | undefined
  sitelinks: Sitelink[]
}

export interface ImageHit {
  title: string
  /** The page that shows the picture. */
  url: string
  /** A small version of the picture, or the picture itself. Never empty: a picture that cannot be shown is dropped. */
  thumbnailUrl: string
}

export interface NewsHit {
  title: string
  url: string
  description: string
  publishedAt: number | undefined
  /** Name of the publisher, or ''. */
  publisher: string
  thumbnailUrl: string
}

export interface VideoHit {
  title: string
  url: string
  publishedAt: number | undefined
  /** Who published it: the channel or the platform, or ''. */
  publisher: string
  durationSeconds: number | undefined
  thumbnailUrl: string
}

/** The result type of each tab. */
export interface HitOf {
  web: WebHit
  images: ImageHit
  news: NewsHit
  videos: VideoHit
}

export interface EnginePage<Hit> {
  /** In the provider's order, best first. */
  hits: Hit[]
  /** What the provider thinks was meant, or ''. */
  correction: string
}

export interface EngineTab<Hit, Values> {
  /** A page past it is answered as empty without asking. */
  lastPage: number
  /** Filters the provider applies itself. `safe` also covers an index that is clean by nature. */
  honours: readonly Filter[]
  /** With `lang` honoured: the only base languages it has ('en'). Left out: any language. */
  languages?: readonly string[]
  /** Every hit carries `publishedAt`, so that the host can filter by date where the provider cannot. */
  knowsDates?: boolean
  request(query: EngineQuery, settings: Values): EngineRequest
  /** Throws UpstreamError for anything that is not a page of results. */
  parse(reply: EngineReply, query: EngineQuery): EnginePage<Hit>
}

export interface SuggestQuery {
  text: string
  lang: string
}

/** Search-bar completion. */
export interface EngineSuggest<Values> {
  languages?: readonly string[]
  request(query: SuggestQuery, settings: Values): EngineRequest
  /** Best first. The host drops blanks, repetitions and the query itself. */
  parse(reply: EngineReply): string[]
}

/** What the provider's terms of use ask of us. */
export interface EngineTerms {
  /** How long a reply may be kept at all; 0 forbids keeping it. */
  cacheSeconds: number
  /**
   * `memory`: only transient storage is allowed, so a reply is kept in the process alone. It passes through Redis for ten
   * seconds at most, for the nodes that want it at the same time.
   */
  cacheIn: 'memory' | 'shared'
  /** Millionths of a US dollar. */
  pricePerCallMicros: number
  /** What must be shown beside the results, or ''. */
  attribution: string
  /** The provider's own rate, which the host never exceeds; left out: no limit worth pacing for. */
  pace?: { calls: number; perSeconds: number }
}

export interface EngineSettings extends Record<string, Setting> {
  baseUrl: Setting
}

export interface Engine<Settings extends EngineSettings = EngineSettings> {
  /** Lower-case, as the operator writes it in ENGINE_A. */
  slug: string
  /** As people know it. */
  name: string
  homepage: string
  settings: Settings
  terms: EngineTerms
  /** The provider refuses longer queries, so it is not asked them. */
  longestQuery?: { characters: number; words: number }
  tabs: { [Name in Tab]?: EngineTab<HitOf[Name], SettingValues<Settings>> }
  suggest?: EngineSuggest<SettingValues<Settings>>
}

export const defineEngine = <Settings extends EngineSettings>(engine: Engine<Settings>): Engine<Settings> => engine
