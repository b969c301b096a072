// Decides which engines to query, and why the others are skipped. An engine that cannot honour a filter is not queried:
// results that ignore `safe` or `date` are worse than one engine fewer. Engine-Status lists what was skipped.

import type { Deadline } from '@bowerbird/engines/deadline.ts'
import type {
  DateRange,
  Engine,
  EngineQuery,
  EngineRequest,
  EngineSettings,
  EngineTab,
  Hit,
  ProviderReply,
  ResultBounds,
  Tab,
} from '@bowerbird/engines/engine.ts'
import { languageTag } from '@bowerbird/engines/parsing/language-tag.ts'
import type { SettingValues } from '@bowerbird/engines/setting.ts'
import { isDetectable } from '../text/detect-language.ts'
import { type CalibratedWeights, calibratedWeight, type WeightOrigin } from './calibration/calibrated-weights.ts'
import type { Caller } from './caller.ts'
import { canFilterImages } from './filter-images.ts'
import { ignoresRegion } from './regions.ts'
import { withOperators } from './text-operators.ts'

export interface SearchRequest extends ResultBounds {
  text: string
  /** Slot names, or empty for all. */
  engines: readonly string[]
  safe: boolean
  lang: string
  /** The country whose results are wanted first: `DE`. */
  region?: string | undefined
  page: number
  date: DateRange | undefined
  /** At most so many results, after merging. Left out: all of the page. */
  limit?: number | undefined
  /** Pages of these domains rank higher. */
  preferDomains?: readonly string[] | undefined
}

/** What adapters get of a request. */
export function toEngineQuery(request: SearchRequest, now: number): EngineQuery {
  const { text, page, safe, date, lang, region } = request
  const { includeDomains, excludeDomains, dateFrom, dateTo, fileTypes, titleWords, phrases, image } = request
  const bounds = { includeDomains, excludeDomains, dateFrom, dateTo, fileTypes, titleWords, phrases, image }
  return { text, page, safe, date, lang, region, ...bounds, now }
}

/** Whether a search is limited by anything but its filters. Most aren't, and their hits needn't be looked at. */
export const hasBounds = (query: ResultBounds): boolean =>
  Boolean(query.includeDomains?.length) ||
  Boolean(query.excludeDomains?.length) ||
  query.dateFrom !== undefined ||
  query.dateTo !== undefined ||
  query.image !== undefined ||
  Boolean(query.fileTypes?.length) ||
  Boolean(query.titleWords?.length) ||
  Boolean(query.phrases?.length)

/** The text of a query as this engine is sent it. */
export const writeText = (query: ResultBounds & { text: string }, tab: Pick<TabOfEngine, 'operators'>): string =>
  query.fileTypes || query.titleWords ? withOperators(query, tab) : query.text

/** Whether the query has a region that this engine can't favour. */
export const isRegionIgnored = (
  tab: Pick<TabOfEngine, 'takesRegion'>,
  query: { region?: string | undefined; lang: string },
): boolean => query.region !== undefined && ignoresRegion(tab, query)

/** Who searches for what, in which tab. */
export interface Ask {
  caller: Caller
  tab: Tab
  request: SearchRequest
}

/** An engine that is ready to be queried. */
export interface BoundEngine {
  engine: Engine
  settings: SettingValues<EngineSettings>
  /** Sends the request and returns what `read` makes of the reply, which decides whether the call succeeded. */
  ask: <T>(request: EngineRequest, deadline: Deadline, read: (reply: ProviderReply) => T) => Promise<T>
}

/** When the results of the other engines are too thin (`thin.ts`). */
export interface ThinRule {
  /** Fewer results than this. */
  results: number
  /** A smaller share of the first ten than this was found by two independent indexes; 0: agreement doesn't matter. */
  agreement: number
}

export interface Slot {
  /** The name that clients use: `engine_a`. */
  name: string
  /** How much its ranking counts in the merge. */
  weight: number
  /** Left out: it is the default. */
  weightFrom?: WeightOrigin
  /** Weights of its engines that replace its own. Left out: there are none. */
  calibrated?: CalibratedWeights | undefined
  /** When it is asked at all; left out: always. */
  when?: ThinRule | undefined
  engines: Partial<Record<Tab, BoundEngine[]>>
}

/** What an engine cannot do. */
export type Inability = 'safe' | 'date' | 'lang' | 'page' | 'length' | 'image'

/** `enough`: the others had found enough by then (`thin.ts`). */
export type SkipReason = Inability | 'loop' | 'enough'

type TabOfEngine = EngineTab<Hit, SettingValues<EngineSettings>>

export interface PlannedEngine {
  slot: Slot
  bound: BoundEngine
  tab: TabOfEngine
  /** From a calibration. Left out: the weight of the slot counts. */
  weight?: number | undefined
  /** The search has a region, which this engine can't favour. */
  ignoresRegion?: true
}

export interface Plan {
  /** In slot order. */
  engines: PlannedEngine[]
  /** Those of them that are only asked if the others find too little (`thin.ts`). */
  secondWave: readonly PlannedEngine[]
  /** `name` is the engine's. */
  skips: { slot: string; name: string; reason: SkipReason }[]
}

export function planSearch({ caller, tab: tabName, request }: Ask, slots: readonly Slot[]): Plan {
  const engines: PlannedEngine[] = []
  const skips: Plan['skips'] = []
  for (const slot of slots) {
    if (request.engines.length > 0 && !request.engines.includes(slot.name)) continue
    for (const bound of slot.engines[tabName] ?? []) {
      const tab: TabOfEngine | undefined = bound.engine.tabs[tabName]
      if (!tab) continue
      const reason = wouldLoop(bound.engine, caller) ? 'loop' : reasonToSkip(bound.engine, tab, request)
      if (reason) skips.push({ slot: slot.name, name: bound.engine.name, reason })
      else {
        const weight = weightOf(bound, slot, { tab: tabName, lang: request.lang })
        engines.push({ slot, bound, tab, weight, ...(isRegionIgnored(tab, request) && { ignoresRegion: true }) })
      }
    }
  }
  // If every engine would wait for the others, none does.
  const waiting = engines.filter(({ slot }) => slot.when && !request.engines.includes(slot.name))
  return { engines, skips, secondWave: waiting.length < engines.length ? waiting : [] }
}

const weightOf = ({ engine }: BoundEngine, { calibrated }: Slot, scope: { tab: Tab; lang: string }) =>
  calibrated && calibratedWeight(calibrated, scope, engine.slug)

/**
 * Whether an engine that is itself a Bowerbird would be asked on behalf of another. Two instances may well ask each other,
 * so the second doesn't ask a third: otherwise each would wait for the other until both give up.
 */
const wouldLoop = ({ isBowerbird }: Engine, { isRelayed }: Caller): boolean => isRelayed && isBowerbird === true

type Abilities = Pick<
  TabOfEngine,
  | 'honours'
  | 'languages'
  | 'lastPage'
  | 'knowsDates'
  | 'takesDateRange'
  | 'hasTextInAnyLanguage'
  | 'operators'
  | 'knowsSizes'
  | 'knowsLicences'
  | 'imageFilters'
>

export function reasonToSkip(
  engine: Pick<Engine, 'maxQueryLength'>,
  tab: Abilities,
  request: Omit<SearchRequest, 'engines'>,
): Inability | undefined {
  if (request.safe && !tab.honours.includes('safe')) return 'safe'
  if (request.date && !tab.honours.includes('date') && !tab.knowsDates) return 'date'
  if (hasDateRange(request) && !canKeepDates(tab)) return 'date'
  if (request.lang && !supportsLanguage(tab, request.lang)) return 'lang'
  if (request.image && !canFilterImages(tab, request.image)) return 'image'
  if (request.page > tab.lastPage) return 'page'
  const { maxQueryLength } = engine
  // If the operators don't fit into its query, it isn't told of them, yet we'd believe that it keeps to them.
  if (maxQueryLength && isLonger(writeText(request, tab), maxQueryLength)) return 'length'
  return undefined
}

/** One that filters by a time range dates most of its hits; those without a date are left out. */
const canKeepDates = ({ takesDateRange, knowsDates, honours }: Abilities): boolean =>
  takesDateRange === true || knowsDates === true || honours.includes('date')

const hasDateRange = ({ dateFrom, dateTo }: ResultBounds): boolean => dateFrom !== undefined || dateTo !== undefined

function supportsLanguage({ honours, languages, hasTextInAnyLanguage }: Abilities, lang: string): boolean {
  const { base } = languageTag(lang)
  if (!honours.includes('lang')) return hasTextInAnyLanguage === true && isDetectable(base)
  return !languages || languages.includes(base)
}

export const isLonger = (text: string, longest: { characters: number; words: number }): boolean =>
  text.length > longest.characters || text.split(/\s+/).length > longest.words
