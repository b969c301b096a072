// The contract between an engine adapter and its host, and the search vocabulary that everything else uses.
//
// An adapter is pure: it declares what its provider is and can do, turns a query into a request, and turns a reply into
// results. It never does I/O, keeps no state and reads no clock. The host (`search/`, `upstream/`) does everything that
// must be got right once for all engines: connections, deadline, size cap, address guard, health, merging, ages.
//
// If something goes wrong, `parse` throws an UpstreamError. It never returns an empty page instead, because an outage
// must not look like "no results".
import type { ImageFilter, ImageFilters } from './image-filters.ts'
import type { Setting, SettingValues } from './setting.ts'

export const TABS = ['web', 'images', 'news', 'videos', 'science', 'code'] as const
export type Tab = (typeof TABS)[number]

/** Tabs that not every instance has: an instance only offers those that it has an engine for. */
export const OPTIONAL_TABS: ReadonlySet<Tab> = new Set(['science', 'code'])

/** The last day, week, month or year. */
export type DateRange = 'd' | 'w' | 'm' | 'y'

/** What a caller can filter by. A provider that cannot honour a requested filter is not queried. */
export type Filter = 'safe' | 'date' | 'lang'

/** Results requested from each engine per page; page p starts after (p - 1) × this many. */
export const PAGE_SIZE = 10

/** Prices are whole numbers of millionths, so that sums of many are exact. */
export const MICROS_PER_DOLLAR = 1_000_000

export interface ProviderRequest {
  method?: 'GET' | 'POST'
  /** Starts with a slash and is appended to the provider's base URL; includes the query string. */
  path: string
  /** Override the client's default headers; names are case-insensitive. */
  headers?: Record<string, string>
  body?: string
  /** The cost of this call as a multiple of the provider's price per call; 1 by default. */
  priceFactor?: number
  /** Set by the host for a visitor of a public website, whose calls have a share of the provider's budget. */
  isForVisitor?: boolean
}

export interface ProviderReply {
  status: number
  /** Lower-case names. */
  headers: Record<string, string | string[] | undefined>
  /** Decompressed, decoded as UTF-8, within the size cap. */
  body: string
}

/** What a search is limited to beside its filters. The host checks every hit against it, whatever the provider does. */
export interface ResultBounds {
  /** Host names in lower case, without `www.`: only pages of these and their subdomains. Left out: of any. */
  includeDomains?: readonly string[] | undefined
  /** No pages of these. */
  excludeDomains?: readonly string[] | undefined
  /** Published at this time or later, in milliseconds since 1970. */
  dateFrom?: number | undefined
  /** Published at this time or earlier. */
  dateTo?: number | undefined
  /** Only files of these kinds, by the ending of their names: `pdf`. */
  fileTypes?: readonly string[] | undefined
  /** Words, or several words in a row, that the title has. */
  titleWords?: readonly string[] | undefined
  /** Words that are in the page in this order. They are in the query's text as well, in quotation marks. */
  phrases?: readonly string[] | undefined
  /** Only pictures like this. */
  image?: ImageFilters | undefined
}

/** What a query's text may say in a way that not every provider understands: `filetype:pdf`, `intitle:oak`, `"oak tree"`. */
export const TEXT_OPERATORS = ['filetype', 'intitle', 'quotes'] as const
export type TextOperator = (typeof TEXT_OPERATORS)[number]

export interface EngineQuery extends ResultBounds {
  /** Trimmed, never empty, at most 500 characters. */
  text: string
  /** 1 to 50, never beyond the tab's `lastPage`. */
  page: number
  safe: boolean
  /** `undefined` if no time filter was requested. */
  date: DateRange | undefined
  /** A BCP 47 tag as the caller wrote it, or '' for automatic. */
  lang: string
  /** The country whose results are wanted first: `DE`. Only if the tab takes it (`takesRegion`). */
  region?: string | undefined
  /** Milliseconds since 1970; adapters have no clock of their own. */
  now: number
}

export interface EngineRequest extends ProviderRequest {
  /** For a provider with one address per language (see `addressOf`); left out: the configured one. */
  edition?: string
}

export interface Sitelink {
  title: string
  url: string
}

/** One web result of one engine. Plain text, absolute http(s) URLs; anything the provider omits is empty. */
export interface WebHit {
  kind: 'web'
  title: string
  url: string
  description: string
  /** Only of papers. */
  paper?: Paper
  /** The provider's icon for the site, or ''. */
  faviconUrl: string
  /** When the page was published or last changed, in milliseconds since 1970. */
  publishedAt: number | undefined
  sitelinks: Sitelink[]
  software?: Software
}

/** What a search for code says of a project, a package or a question. Only what the provider says; the API doesn't show it. */
export interface Software {
  stars?: number
  /** Of all versions together. */
  downloads?: number
  /** The programming language. */
  language?: string
  /** As SPDX names it: `MIT`. */
  licence?: string
  /** The latest release. */
  version?: string
  /** For a question or an answer. */
  votes?: number
  /** Of a question. */
  isAnswered?: true
}

/** What a provider says of a paper, beside its title, its address and the links to its text; left out where it doesn't say. */
export interface Paper {
  /** The first of them, by name; with `authorCount` or not at all. */
  authors?: string[]
  authorCount?: number
  /** The journal, conference or book that it is in. */
  venue?: string
  /** Also of papers from before 1970, which have no `publishedAt`. */
  year?: number
  /** `10.5555/heat.1`, in lower case. */
  doi?: string
  /** The hit's description without authors and venue, which it begins with. */
  abstract?: string
  /** How many other papers cite it. */
  citedBy?: number
  /** Everyone may read it for nothing. */
  isOpenAccess?: true
}

export interface ImageHit {
  kind: 'image'
  title: string
  /** The page that shows the picture. */
  url: string
  /** A small version of the picture, or the picture itself. Never empty: a picture without one is dropped. */
  thumbnailUrl: string
  /** The picture itself, or the largest version that the provider names. */
  imageUrl?: string
  /** Of the picture itself, in pixels; with `height` or not at all. */
  width?: number
  height?: number
  /** Who made it. */
  creator?: string
  licence?: Licence
}

export interface Licence {
  name: string
  /** Where its text is, or ''. */
  url: string
}

export interface NewsHit {
  kind: 'news'
  title: string
  url: string
  description: string
  publishedAt: number | undefined
  /** Name of the publisher, or ''. */
  publisher: string
  thumbnailUrl: string
}

export interface VideoHit {
  kind: 'video'
  title: string
  url: string
  publishedAt: number | undefined
  /** The channel or platform that published it, or ''. */
  publisher: string
  durationSeconds: number | undefined
  thumbnailUrl: string
  /** How often it was watched. */
  views?: number
  /** The same picture, larger. */
  previewUrl?: string
}

/** One result of one engine. */
export type Hit = WebHit | ImageHit | NewsHit | VideoHit

/** The result type of each tab. */
export interface HitOf {
  web: WebHit
  images: ImageHit
  news: NewsHit
  videos: VideoHit
  /** Papers; `sitelinks` lead to their text. */
  science: WebHit
  /** Questions, packages and projects. */
  code: WebHit
}

export interface EngineResponse<OneHit = Hit> {
  /** In the provider's order, best first. */
  hits: OneHit[]
  /** The provider's spelling correction, or ''. */
  correction: string
}

export interface EngineTab<OneHit, Values> {
  /** The engine is not queried for pages beyond this. */
  lastPage: number
  /** Filters that the provider applies itself. `safe` also covers an index without adult content. */
  honours: readonly Filter[]
  /** Those of `honours` that are not requested: the index contains nothing else, or the adapter drops the rest. */
  byNature?: readonly Filter[]
  /** If `lang` is honoured: the only base languages it supports ('en'). Left out: any language. */
  languages?: readonly string[]
  /**
   * Whether `request` passes this region on, beside this language ('' for any), and the provider favours its results or
   * keeps to them. Left out: it never does. It is asked all the same, and whoever asked for a region is told.
   */
  takesRegion?: (region: string, lang: string) => boolean
  /** The provider cannot filter by language, but its hits have text, so the host drops those in another language. */
  hasTextInAnyLanguage?: boolean
  /** The price of a call as a multiple of `pricePerCallMicros`; left out: 1. */
  priceFactor?: number
  /** Every hit has `publishedAt`, so the host can filter by date if the provider cannot. */
  knowsDates?: boolean
  /** `request` passes `dateFrom` and `dateTo` on, and the provider keeps to them. */
  takesDateRange?: boolean
  /**
   * The provider understands `site:example.org` and `-site:example.org` in the query: `one` of them, or `several` joined
   * by `OR`. The host adds them. Left out: it doesn't, or `request` passes the domains on in another way.
   */
  siteOperators?: 'one' | 'several'
  /** Hits have `width` and `height`, so the host can filter by size and shape. */
  knowsSizes?: boolean
  /** Hits have `licence`, so the host can filter by it. */
  knowsLicences?: boolean
  /** The filters for pictures that `request` passes on, or that every picture of the provider keeps to, by their values. */
  imageFilters?: { readonly [Name in ImageFilter]?: readonly NonNullable<ImageFilters[Name]>[] }
  /** What else the provider understands in the query. The host adds it, and checks the hits of those that don't. */
  operators?: readonly TextOperator[]
  request(query: EngineQuery, settings: Values): EngineRequest
  /**
   * Throws UpstreamError for anything that is not a page of results. The host always passes the settings that it passed
   * with the request; hardly any provider needs them to be understood.
   */
  parse(reply: ProviderReply, query: EngineQuery, settings?: Values): EngineResponse<OneHit>
  /** For the writer of a document: which results of a reply become no hits, and why. Left out: not told. */
  explainDropped?(reply: ProviderReply, query: EngineQuery, settings: Values): string[]
}

export interface SuggestQuery {
  text: string
  lang: string
}

/** Search-bar autocomplete. */
export interface EngineSuggest<Values> {
  /** As in a tab. */
  languages?: readonly string[]
  /** As in a tab. */
  priceFactor?: number
  request(query: SuggestQuery, settings: Values): EngineRequest
  /** Best first. The host drops blanks, duplicates and the query itself. */
  parse(reply: ProviderReply): string[]
}

/** What the provider's terms of use require. */
export interface EngineTerms {
  /** How long a reply may be cached; 0 forbids it. */
  cacheSeconds: number
  /**
   * `memory`: only transient storage is allowed, so a reply is cached only in the process. It passes through Redis for
   * at most ten seconds, for nodes that want it at the same time.
   */
  cacheIn: 'memory' | 'shared'
  /** Millionths of a US dollar. */
  pricePerCallMicros: number
  /** The provider gives its keys away, within its limits. Left out: a price of 0 only means that there is none per call. */
  hasFreeKeys?: true
  /** It costs money, but we don't know how much: the price is 0, and a cap in money needs the operator's own. */
  isPriceUnknown?: true
  /** The attribution that must be shown with the results, or ''. */
  attribution: string
  /** The provider's own rate limit, which the host never exceeds; left out: none that matters. */
  rateLimit?: { calls: number; perSeconds: number }
  /** The most calls in any 24 hours, besides `rateLimit`. They aren't spread out: once used up, the engine rests. */
  dailyCalls?: number
  /** These limits are only for this key, which everyone shares: somebody else's own key has others, or none. */
  rateLimitedKey?: string
  /**
   * How long the engine rests after a 429 without a wait time, because that means that a quota is used up; 0: it need not
   * mean that. Left out: an hour with `dailyCalls`, otherwise as long as after any other failure.
   */
  restSeconds?: number
  /** The day on which prices, limits and terms were looked up: '2026-11-15'. */
  asOf: string
  /** For the documentation: what we neither tried with the real provider nor read on its pages. Left out: nothing. */
  unverified?: string
}

export interface EngineSettings extends Record<string, Setting> {
  baseUrl: Setting
}

export interface Engine<Settings extends EngineSettings = EngineSettings> {
  /** Lower-case, as the operator writes it in ENGINE_A. */
  slug: string
  /** The display name. */
  name: string
  homepage: string
  /** The provider's page that gives out keys, or says how to get one. Left out: we don't know its address. */
  keysUrl?: string
  /** A company that answers without a key, and so without a contract about what it does with the queries. */
  hasNoContract?: true
  /** Another instance of this program: it isn't asked on behalf of a third one. */
  isBowerbird?: true
  /** Finds people's own things: only MINE can name it, its results are for signed-in people, and never in a shared cache. */
  isPrivate?: true
  /**
   * Whose index its results come from, if it isn't its own: `google` for those who resell Google's results. `unknown`: it
   * doesn't say, or mixes several. Two engines that show the same index don't confirm each other.
   */
  index?: string
  /** The slug of the same vendor's other tier, with or without a key: only the terms differ, not the results. */
  tierOf?: string
  settings: Settings
  terms: EngineTerms
  /** The provider refuses longer queries, so it is not sent any. */
  maxQueryLength?: { characters: number; words: number }
  /** The address of an edition, derived from the configured one. An edition never comes from a caller unchecked. */
  addressOf?: (baseUrl: string, edition: string) => string
  tabs: { [Name in Tab]?: EngineTab<HitOf[Name], SettingValues<Settings>> }
  suggest?: EngineSuggest<SettingValues<Settings>>
}

export const defineEngine = <Settings extends EngineSettings>(engine: Engine<Settings>): Engine<Settings> => engine

/** Of an engine that may show anybody's index: it confirms nobody. */
export const UNKNOWN_INDEX = 'unknown'

/** Whose index an engine shows. */
export const indexOf = ({ slug, index, tierOf }: Pick<Engine, 'slug' | 'index' | 'tierOf'>): string =>
  index ?? tierOf ?? slug
