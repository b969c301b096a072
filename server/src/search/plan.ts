// Decides which engines to query, and why the others are skipped. An engine that cannot honour a filter is not queried:
// results that ignore `safe` or `date` are worse than one engine fewer. Engine-Status lists what was skipped.

import type { Engine, EngineSettings, EngineTab, Hit, ResultBounds, Tab } from '@bowerbird/engines/engine.ts'
import { languageTag } from '@bowerbird/engines/parsing/language-tag.ts'
import type { SettingValues } from '@bowerbird/engines/setting.ts'
import { isDetectable } from '../text/detect-language.ts'
import { calibratedWeight, type WeightOrigin } from './calibration/calibrated-weights.ts'
import type { Caller } from './caller.ts'
import { canFilterImages } from './filter-images.ts'
import { ignoresRegion } from './regions.ts'
import type { SearchRequest } from './search-request.ts'
import type { BoundEngine, Slot } from './slots.ts'
import { withOperators } from './text-operators.ts'

/** Who searches for what, in which tab. */
export interface Ask {
  caller: Caller
  tab: Tab
  request: SearchRequest
}

/** What an engine cannot do. */
export type Inability = 'safe' | 'date' | 'lang' | 'page' | 'length' | 'image'

/** `enough`: the first wave found enough, so this engine wasn't queried (`thin.ts`). */
export type SkipReason = Inability | 'loop' | 'enough'

type TabOfEngine = EngineTab<Hit, SettingValues<EngineSettings>>

export interface PlannedEngine {
  slot: Slot
  bound: BoundEngine
  tab: TabOfEngine
  /** How much its ranking counts in the merge. */
  weight: number
  weightFrom: WeightOrigin
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
      const reason = wouldLoop(bound.engine, caller) ? 'loop' : findSkipReason(bound.engine, tab, request)
      if (reason) {
        skips.push({ slot: slot.name, name: bound.engine.name, reason })
        continue
      }
      const isRegionIgnored = request.region !== undefined && ignoresRegion(tab, request)
      engines.push({
        slot,
        bound,
        tab,
        ...chooseWeight(bound, slot, { tab: tabName, lang: request.lang }),
        ...(isRegionIgnored && { ignoresRegion: true }),
      })
    }
  }
  // If every engine would wait for the others, none does.
  const secondWave = engines.filter(({ slot }) => slot.when && !request.engines.includes(slot.name))
  return { engines, skips, secondWave: secondWave.length < engines.length ? secondWave : [] }
}

function chooseWeight(
  { engine }: BoundEngine,
  { weight, weightFrom = 'default', calibrated }: Slot,
  scope: { tab: Tab; lang: string },
): Pick<PlannedEngine, 'weight' | 'weightFrom'> {
  const own = calibrated && calibratedWeight(calibrated, scope, engine.slug)
  return own === undefined ? { weight, weightFrom } : { weight: own, weightFrom: 'calibration' }
}

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

export function findSkipReason(
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
  // Operators count towards the length: the engine is trusted to apply them, so they must fit.
  if (maxQueryLength && exceedsLength(writeText(request, tab), maxQueryLength)) return 'length'
  return undefined
}

/** `result-bounds.ts` checks the dates of hits; one without a date is kept only with `takesDateRange`. */
const canKeepDates = ({ takesDateRange, knowsDates, honours }: Abilities): boolean =>
  takesDateRange === true || knowsDates === true || honours.includes('date')

const hasDateRange = ({ dateFrom, dateTo }: ResultBounds): boolean => dateFrom !== undefined || dateTo !== undefined

function supportsLanguage({ honours, languages, hasTextInAnyLanguage }: Abilities, lang: string): boolean {
  const { base } = languageTag(lang)
  if (!honours.includes('lang')) return hasTextInAnyLanguage === true && isDetectable(base)
  return !languages || languages.includes(base)
}

/** The text to send to this engine, with the operators that it understands. */
export const writeText = (query: ResultBounds & { text: string }, tab: Pick<TabOfEngine, 'operators'>): string =>
  query.fileTypes || query.titleWords ? withOperators(query, tab) : query.text

export const exceedsLength = (text: string, most: { characters: number; words: number }): boolean =>
  text.length > most.characters || text.split(/\s+/).length > most.words
