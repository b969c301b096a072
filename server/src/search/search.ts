// Runs a search: plans it, gets the response of every planned engine from the cache or the engine, and shapes what they
// found into one list. One deadline covers the engines; one that has not answered by then is left out and reported.
// If some engines fail, the answer is partial. If all fail, the search is refused: it never returns an empty page instead.
// If every engine is skipped, the page is empty, and its status says why.
//
// If every response and the caller's rules are in memory, a search for page 1 waits for nothing.
import type { Tab } from '@bowerbird/engines/engine.ts'
import { traced } from '../trace.ts'
import { type AskParts, askEngines, findInMemory, type PlannedSearch } from './ask-engines.ts'
import type { CountedSearch } from './contributions/contribution-counts.ts'
import { createReports, type EngineReport, type SearchStatus, searchStatus } from './engine-report.ts'
import type { MergedHit } from './merge.ts'
import { hasResponse, type Outcome } from './outcome.ts'
import { type Ask, type PlannedEngine, planSearch } from './plan.ts'
import { previewSearch, type SearchPreview } from './preview.ts'
import { findPreviousUrls } from './previous-pages.ts'
import { guardText } from './query-guard.ts'
import { responseKey } from './response-key.ts'
import { allFailed, noProvider } from './search-refusal.ts'
import { type SearchRequest, toEngineQuery } from './search-request.ts'
import { SearchProgress, type SearchWatcher } from './search-watcher.ts'
import { shapeResults } from './shape-results.ts'
import { createSlotNames, type SlotNames } from './slot-names.ts'
import type { Slot } from './slots.ts'
import { uncheckedSlots } from './text-operators.ts'
import { isThin } from './thin.ts'

export interface SearchParts extends AskParts {
  slots: readonly Slot[]
  clock: () => number
  /** The engines are the operator's own: queries aren't guarded, and keys can't read what is found. */
  isPrivate?: boolean
  /** Whether the settings have changed since: an answer must then not be sent again. */
  isReplaced?: () => boolean
  /** Called for each search that called a provider, with its results. */
  countSearch?: (search: CountedSearch) => void
}

/** The result of a search, before any API or page formats it. */
export interface SearchAnswer {
  tab: Tab
  request: SearchRequest
  /** The time that ages are relative to. */
  now: number
  correction: string
  /** A later page omits what the engines' earlier pages had. */
  results: readonly MergedHit[]
  /** How many hits were left out because of the domains or dates of the request. */
  filtered: number
  /** The slots whose hits may lack the words in quotation marks: they don't promise them, and we can't tell. */
  unchecked: readonly string[]
  /** How many results were left out because rules block their sites. */
  blocked: number
  /** How many results of this page its `limit` left out. */
  cut: number
  /**
   * Set if memory had every response that was needed: returns whether memory still has the same responses and no others, so that the same
   * search would give the same answer. Undefined otherwise, and for a later page, which also depends on the earlier pages.
   */
  isCurrent: (() => boolean) | undefined
  /** The slots whose results are included, in slot order. */
  engines: string[]
  status: SearchStatus
  reports: EngineReport[]
  upstreamMs: number
}

export interface Search extends SlotNames {
  search: (ask: Ask, watcher?: SearchWatcher) => Promise<SearchAnswer>
  /** What `search` would do. */
  preview: (ask: Ask) => Promise<SearchPreview>
}

export const createSearch = (parts: SearchParts): Search => ({
  ...createSlotNames(parts.slots),
  search: (ask, watcher) => search(ask, parts, watcher),
  async preview(unguarded) {
    const ask = guardAsk(unguarded, parts)
    const preview = await previewSearch(ask, { slots: parts.slots, cache: parts.cache, now: parts.clock() })
    if (preview.engines.length === 0 && preview.skips.length === 0) throw noProvider(ask.request)
    return preview
  },
})

const NO_URLS: ReadonlySet<string> = new Set()

async function search(unguarded: Ask, parts: SearchParts, watcher: SearchWatcher | undefined): Promise<SearchAnswer> {
  const startedAt = performance.now()
  const now = parts.clock()
  const ask = guardAsk(unguarded, parts)
  const { caller, tab, request } = ask
  const rules = await caller.findRules()
  const plan = traced('plan', {}, () => planSearch(ask, parts.slots))
  if (plan.engines.length === 0 && plan.skips.length === 0) throw noProvider(request)

  const previousUrls = request.page > 1 ? await findPreviousUrls(ask, { ...parts, now }) : NO_URLS
  const shape = (outcomes: readonly Outcome[]) => shapeResults(outcomes, { request, rules, previousUrls })
  const query = toEngineQuery(request, now)
  const isNeeded = ({ slot }: PlannedEngine, outcomes: readonly Outcome[]): boolean =>
    slot.when !== undefined && isThin(slot.when, { results: shape(outcomes).allowed, limit: request.limit })
  const planned: PlannedSearch = { caller, tab, plan, query, cacheKey: responseKey({ tab, ...query }), isNeeded }
  const progress = watcher && new SearchProgress({ plan, watcher, shape, now })
  const inMemory = findInMemory(planned, parts.cache)
  const outcomes = inMemory?.outcomes ?? (await askEngines(planned, parts, progress))
  progress?.finish(outcomes)
  for (const { result } of outcomes) parts.cache.countServed(result)

  const reports = createReports(plan, outcomes)
  const answered = outcomes.filter(hasResponse)
  if (plan.engines.length > 0 && answered.length === 0) throw allFailed(outcomes, reports, now)
  const { found, results, blocked, cut, correction } = shape(outcomes)
  const canRepeat = inMemory !== undefined && outcomes.length > 0 && request.page === 1

  if (outcomes.some(({ calledProvider }) => calledProvider))
    parts.countSearch?.({ engines: answered.map(({ planned }) => planned.bound.engine.slug), results: found })
  if (!parts.isPrivate) caller.onFound?.(listPageUrls(results))
  return {
    tab,
    request,
    now,
    correction,
    results,
    filtered: outcomes.reduce((sum, { filtered = 0 }) => sum + filtered, 0),
    unchecked: request.phrases ? uncheckedSlots(tab, request, plan.engines) : [],
    blocked,
    cut,
    isCurrent: canRepeat ? () => !parts.isReplaced?.() && inMemory.isCurrent() : undefined,
    engines: [...new Set(answered.map(({ planned }) => planned.slot.name))],
    status: searchStatus(reports),
    reports,
    upstreamMs: Math.round(performance.now() - startedAt),
  }
}

/** Applies the caller's query guard, which may redact the text or refuse the search. */
function guardAsk(ask: Ask, { isPrivate }: SearchParts): Ask {
  const { caller, request } = ask
  if (isPrivate || caller.queryGuard === 'off') return ask
  const text = guardText(caller, request.text)
  return text === request.text ? ask : { ...ask, request: { ...request, text } }
}

/** The URLs that results show, and those that other engines gave for the same pages. */
export const listPageUrls = (results: readonly MergedHit[]): string[] =>
  results.flatMap(({ hit, contributions }) => [
    hit.url,
    ...contributions.map(({ url }) => url),
    ...('sitelinks' in hit ? hit.sitelinks.map(({ url }) => url) : []),
  ])
