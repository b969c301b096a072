// Runs a search: plans it, looks up the response of every planned engine in the cache, asks the engines for the rest,
// stores what they return, and merges all responses. One deadline covers all of it; an engine that has not answered by
// then is left out and reported. If some engines fail, the answer is partial. If all fail, the search is refused: it
// never returns an empty page instead.
//
// If every response is in memory, a search for page 1 waits for nothing.
import type { Deadline } from '@bowerbird/engines/deadline.ts'
import { type EngineQuery, type HitOf, indexOf, type ResultBounds, type Tab } from '@bowerbird/engines/engine.ts'
import type { CachedResponse, Lookup, ResponseCache } from '../cache/response-cache.ts'
import type { WantedResponse } from '../cache/single-flight.ts'
import { Refusal, retrySeconds } from '../errors.ts'
import type { Log } from '../log.ts'
import type { RuleSet } from '../rules/site-rules.ts'
import { canonicalAddress } from '../text/canonical-address.ts'
import { traced } from '../trace.ts'
import { applyRules } from './apply-rules.ts'
import { askEngine, type ProviderObservation, prepareToAsk } from './ask-engine.ts'
import { namesBlocked } from './blocked-sites.ts'
import type { CountedSearch } from './contributions/contribution-counts.ts'
import { type EngineReport, engineStatusHeader, reportsOf, type SearchStatus, searchStatus } from './engine-report.ts'
import { commonIndexOf } from './indexes.ts'
import { completedOf, isPartOf, type MergedHit, mergeRankings, pageAddress, type Ranking } from './merge.ts'
import type { Outcome, ResponseOfTab } from './outcome.ts'
import {
  type Ask,
  type BoundEngine,
  type Plan,
  type PlannedAsk,
  planSearch,
  type SearchRequest,
  type Slot,
} from './plan.ts'
import { previewSearch, type SearchPreview } from './preview.ts'
import { guardText } from './query-guard.ts'
import { regionsTakenBy } from './regions.ts'
import { responseKey } from './response-key.ts'
import { isResponseOf } from './response-shape.ts'
import { boundsOf, withinBounds } from './result-bounds.ts'
import { SearchProgress, type SearchWatcher } from './search-watcher.ts'
import { uncheckedSlots } from './text-operators.ts'
import { askInTurn, type Found, laterAsks, neededOf, withoutLater, withUnneeded } from './thin.ts'

export interface SearchParts {
  slots: readonly Slot[]
  cache: ResponseCache
  startDeadline: () => Deadline
  clock: () => number
  observe: (observation: ProviderObservation) => void
  /** The engines are the operator's own: queries aren't guarded, and keys can't read what is found. */
  isPrivate?: boolean
  /** Whether other settings are in force by now: an answer must then not be sent again. */
  isReplaced?: () => boolean
  /** Called for each search that called a provider, with its results. */
  countSearch?: (search: CountedSearch) => void
  log: Log
}

/** The result of a search, before any API or page formats it. */
export interface SearchAnswer<Name extends Tab> {
  tab: Name
  request: SearchRequest
  /** The time that ages are relative to. */
  now: number
  correction: string
  /** A later page omits what earlier pages showed. */
  results: readonly MergedHit<HitOf[Name]>[]
  /** How many hits were left out because of the domains or dates of the request. */
  filtered: number
  /** The slots whose hits may lack the words in quotation marks: they don't promise them, and we can't tell. */
  unchecked: readonly string[]
  /** How many results were left out because rules block their sites. */
  blocked: number
  /** How many results of this page its `limit` left out. */
  cut: number
  /**
   * Set if every response was in memory: returns whether the same responses are still there, so that the same search
   * would give the same answer. Undefined otherwise, and for a later page, which also depends on the earlier pages.
   */
  isCurrent: (() => boolean) | undefined
  /** The slots whose results are included, in slot order. */
  engines: string[]
  status: SearchStatus
  reports: EngineReport[]
  upstreamMs: number
}

export interface Search {
  search: <Name extends Tab>(ask: Ask<Name>, watcher?: SearchWatcher<Name>) => Promise<SearchAnswer<Name>>
  /** What `search` would do. */
  preview: (ask: Ask) => Promise<SearchPreview>
  /** Display names of the engines that serve a tab of a slot. */
  engineNamesOf: (slot: string, tab: Tab) => readonly string[]
  /** The same as one text, for programs: `source_label`. */
  labelOf: (slot: string, tab: Tab) => string
  /** The one index that the engines of a slot show in a tab; '' if there are several, or one doesn't say. */
  indexOf: (slot: string, tab: Tab) => string
  /** The countries that an engine can favour in a tab, whatever the language. */
  regionsOf: (tab: Tab) => readonly string[]
  /** The attributions that those engines' terms require beside their results, one text each. */
  attributionsOf: (slot: string, tab: Tab) => readonly string[]
  slotNames: readonly string[]
}

export function createSearch(parts: SearchParts): Search {
  const { slots, clock } = parts
  const engineNames = bySlotAndTab(slots, (bound) => bound.map(({ engine }) => engine.name))
  const engineNamesOf = (slot: string, tab: Tab) => engineNames.get(`${slot} ${tab}`) ?? []
  const indexes = bySlotAndTab(slots, commonIndexOf)
  const hasThin = slots.some(({ when }) => when)
  const attributions = bySlotAndTab(slots, (bound) =>
    bound.map(({ engine }) => engine.terms.attribution).filter((text) => text !== ''),
  )
  return {
    slotNames: slots.map((slot) => slot.name),
    engineNamesOf,
    labelOf: (slot, tab) => engineNamesOf(slot, tab).join(', '),
    indexOf: (slot, tab) => indexes.get(`${slot} ${tab}`) ?? '',
    regionsOf: (tab) =>
      regionsTakenBy(slots.flatMap(({ engines }) => (engines[tab] ?? []).map(({ engine }) => engine.tabs[tab]))),
    attributionsOf: (slot, tab) => attributions.get(`${slot} ${tab}`) ?? [],
    async preview(unguarded) {
      const ask = guardAsk(unguarded, parts)
      const preview = await previewSearch(ask, { slots, cache: parts.cache, now: clock() })
      if (preview.engines.length === 0 && preview.skips.length === 0) throw noProvider(ask.request)
      return preview
    },
    async search(unguarded, watcher) {
      const started = performance.now()
      const ask = guardAsk(unguarded, parts)
      const { caller, tab, request } = ask
      const findingRules = caller.findRules()
      const rules = findingRules instanceof Promise ? await findingRules : findingRules
      const wishes = { rules, preferDomains: request.preferDomains }
      const { text, page, safe, date, lang, region, limit } = request
      const bounds = boundsOf(request)
      const plan = traced('plan', {}, () => planSearch(ask, slots))
      if (plan.asks.length === 0 && plan.skips.length === 0) throw noProvider(request)
      const base = responseKey({ tab, text, page, safe, date, lang, region, ...bounds })
      const later = hasThin ? laterAsks(plan, request) : undefined
      const merge = (answered: readonly Outcome<typeof tab>[]) => mergeOutcomes(tab, answered)
      const find = (known: readonly Outcome<typeof tab>[]) => {
        const { merged, rankings } = merge(known.filter(hasResponse))
        const { results } = applyRules(merged, rankings, wishes)
        return { results, limit }
      }
      const inMemory = ({ asks }: Plan<typeof tab>) => responsesInMemory(parts.cache, base, asks)
      const { kept, asked } = keptOf(plan, { later, bounds, inMemory, find })
      const query: EngineQuery = { text, page, safe, date, lang, region, ...bounds, now: clock() }
      const earlier = page > 1 ? previousPageUrls(ask, { slots, cache: parts.cache }) : undefined
      const progress = watcher && watchSearch({ plan, watcher, now: query.now, earlier, limit }, find)
      const outcomes = kept
        ? fromMemory(asked, kept, bounds)
        : await lookUpOrAsk(ask, { plan, later, query, base, parts, progress, find })
      const done = later ? withUnneeded(plan, later, outcomes) : plan
      progress?.finish(outcomes, done)
      const reports = reportsOf(done, outcomes)
      const answered = outcomes.filter(hasResponse)
      if (plan.asks.length > 0 && answered.length === 0) throw allFailed(outcomes, reports, query.now)
      const { merged, rankings } = merge(answered)
      const unseen = earlier ? withoutShown(await earlier, merged) : merged
      if (outcomes.some(({ wasAsked }) => wasAsked)) {
        parts.countSearch?.({ engines: answered.map(({ ask }) => ask.bound.engine.slug), results: unseen })
      }
      const { results, blocked } = applyRules(unseen, rankings, wishes)
      const shown = limit === undefined ? results : results.slice(0, limit)
      if (!parts.isPrivate) caller.onFound?.(listPageUrls(shown))
      return {
        tab,
        request,
        now: query.now,
        correction: correctionOf(answered, text, rules),
        results: shown,
        filtered: outcomes.reduce((sum, { filtered = 0 }) => sum + filtered, 0),
        unchecked: uncheckedSlots(tab, bounds, plan.asks),
        blocked,
        cut: limit === undefined ? 0 : Math.max(0, results.length - limit),
        isCurrent: kept?.length && !earlier ? () => !parts.isReplaced?.() && areSame(kept, inMemory(asked)) : undefined,
        engines: [...new Set(answered.map(({ ask }) => ask.slot.name))],
        status: searchStatus(reports),
        reports,
        upstreamMs: Math.round(performance.now() - started),
      }
    },
  }
}

const hasResponse = ({ got }: Outcome<Tab>): boolean => 'response' in got

interface Keeping<Name extends Tab> {
  later: readonly PlannedAsk<Name>[] | undefined
  bounds: ResultBounds
  inMemory: (plan: Plan<Name>) => readonly ResponseOfTab<Name>[] | undefined
  find: Find<Name>
}

/** What is in memory, if that is an answer, and the part of the plan that it answers. */
function keptOf<Name extends Tab>(plan: Plan<Name>, { later, bounds, inMemory, find }: Keeping<Name>) {
  const kept = inMemory(plan)
  if (kept || !later) return { kept, asked: plan }
  const asked = withoutLater(plan, later)
  const known = inMemory(asked)
  const isEnough = known && neededOf(later, find(fromMemory(asked, known, bounds))).length === 0
  return { kept: isEnough ? known : undefined, asked }
}

const withoutShown = <Hit extends { url: string }>(shown: ReadonlySet<string>, results: readonly MergedHit<Hit>[]) =>
  shown.size === 0 ? results : results.filter((merged) => !shown.has(canonicalAddress(pageAddress(merged))))

function bySlotAndTab<Value>(slots: readonly Slot[], of: (bound: BoundEngine[]) => Value): Map<string, Value> {
  const values = new Map<string, Value>()
  for (const { name, engines } of slots) {
    for (const [tab, bound] of Object.entries(engines)) values.set(`${name} ${tab}`, of(bound))
  }
  return values
}

const responsesInMemory = <Name extends Tab>(cache: ResponseCache, base: string, asks: readonly PlannedAsk<Name>[]) =>
  cache.fromMemory<ResponseOfTab<Name>>(
    base,
    asks.map(({ bound }) => bound.engine.slug),
  )

const areSame = (some: readonly unknown[], others: readonly unknown[] | undefined): boolean =>
  others !== undefined && some.every((response, index) => response === others[index])

const fromMemory = <Name extends Tab>(
  { asks }: Plan<Name>,
  kept: readonly ResponseOfTab<Name>[],
  bounds: ResultBounds,
): Outcome<Name>[] =>
  asks.flatMap((ask, index) => {
    const response = kept[index]
    if (!response) return []
    const got = { response, from: 'memory', isStale: false, ageMs: 0 } as const
    return [withinBounds<Name>({ ask, ms: 0, wasAsked: false, got }, bounds)]
  })

/** The results of these engines, of which the search shows `limit`. */
type Find<Name extends Tab> = (
  answered: readonly Outcome<Name>[],
) => Found & { results: readonly MergedHit<HitOf[Name]>[] }

interface Watching<Name extends Tab> {
  plan: Plan<Name>
  watcher: SearchWatcher<Name>
  now: number
  earlier: Promise<ReadonlySet<string>> | undefined
  limit: number | undefined
}

function watchSearch<Name extends Tab>({ plan, watcher, now, earlier, limit }: Watching<Name>, find: Find<Name>) {
  let shown: ReadonlySet<string> | undefined = earlier ? undefined : new Set()
  // The search itself also awaits `earlier`, and fails if it rejects.
  earlier?.then(
    (addresses) => {
      shown = addresses
    },
    () => undefined,
  )
  const merge = (answered: readonly Outcome<Name>[]) =>
    shown && { results: withoutShown(shown, find(answered).results).slice(0, limit), now }
  return new SearchProgress({ plan, watcher, merge })
}

interface LookingUp<Name extends Tab> {
  plan: Plan<Name>
  /** Those of the plan that are only asked if the others find too little. */
  later: readonly PlannedAsk<Name>[] | undefined
  query: EngineQuery
  base: string
  parts: SearchParts
  progress: SearchProgress<Name> | undefined
  find: Find<Name>
}

/** Gets the response of every planned engine: from the cache, or from the engine itself. */
async function lookUpOrAsk<Name extends Tab>(
  { caller, tab }: Ask<Name>,
  { plan, later, query, base, parts, progress, find }: LookingUp<Name>,
): Promise<Outcome<Name>[]> {
  const { cache, startDeadline, observe, log } = parts
  const isForVisitor = caller.isVisitor
  const preparing = prepareToAsk(plan.asks, query)
  if (preparing) await preparing
  const deadline = startDeadline()
  progress?.endWithWatcher(deadline)
  const started = performance.now()
  const ask = (asks: readonly PlannedAsk<Name>[]): Promise<Outcome<Name>>[] =>
    cache.lookUp(base, wantedBy(tab, asks), deadline).flatMap((lookup, index) => {
      const one = asks[index]
      return one ? [settle(one, lookup)] : []
    })
  const settle = async (one: PlannedAsk<Name>, lookup: Lookup<ResponseOfTab<Name>>): Promise<Outcome<Name>> => {
    let hasOrder = false
    void lookup.order.then((order) => {
      hasOrder = order !== undefined
      return order?.settle(
        askEngine({ name: tab, ask: one, query, deadline: order.deadline, isForVisitor, observe, log }),
      )
    })
    const got = await lookup.outcome
    // An order that comes with a cached response is for a refresh.
    const wasAsked = hasOrder && ('error' in got || got.from === 'provider')
    const ms = Math.round(performance.now() - started)
    const outcome = withinBounds({ ask: one, ms, wasAsked, got }, query)
    progress?.addOutcome(outcome)
    return outcome
  }
  try {
    if (!later) return await Promise.all(ask(plan.asks))
    const free = later.flatMap((one) => {
      const kept = responsesInMemory(cache, base, [one])
      return kept ? fromMemory({ asks: [one], skips: [] }, kept, query) : []
    })
    return await askInTurn({ plan, later, free, deadline, ask, find })
  } finally {
    deadline.cancel()
  }
}

const wantedBy = <Name extends Tab>(
  tab: Name,
  asks: readonly PlannedAsk<Name>[],
): WantedResponse<ResponseOfTab<Name>>[] =>
  asks.map(({ bound: { engine } }) => ({
    slug: engine.slug,
    cacheSeconds: engine.terms.cacheSeconds,
    cacheIn: engine.terms.cacheIn,
    // The guard for a tab checks that tab's responses; the type checker cannot follow that through the name.
    isResponse: isResponseOf[tab] as (value: unknown) => value is ResponseOfTab<Name>,
  }))

function correctionOf(answered: readonly Outcome<Tab>[], text: string, rules: RuleSet | undefined): string {
  const corrections = answered.flatMap(({ got }) => ('response' in got ? [got.response.correction] : []))
  const first = corrections.find((one) => one !== '' && one.toLowerCase() !== text.toLowerCase()) ?? ''
  return rules && namesBlocked(first, rules) ? '' : first
}

/** The same without the secret in its text, if there is one and the guard is on. */
function guardAsk<Name extends Tab>(ask: Ask<Name>, { isPrivate }: SearchParts): Ask<Name> {
  const { caller, request } = ask
  const text = isPrivate ? request.text : guardText(caller, request.text)
  return text === request.text ? ask : { ...ask, request: { ...request, text } }
}

/** The addresses that results show, and those that other engines gave for the same pages. */
export const listPageUrls = (results: readonly MergedHit<HitOf[Tab]>[]): string[] =>
  results.flatMap(({ hit, contributions }) => [
    hit.url,
    ...contributions.map(({ url }) => url),
    ...('sitelinks' in hit ? hit.sitelinks.map(({ url }) => url) : []),
  ])

function rankingsOf<Name extends Tab>(answered: readonly Outcome<Name>[]): Ranking<HitOf[Name]>[] {
  return answered.flatMap(({ ask: { slot, bound, weight: calibrated }, got }) => {
    if (!('response' in got)) return []
    const { engine } = bound
    const weight = calibrated ?? slot.weight
    const weightFrom = calibrated === undefined ? slot.weightFrom : 'calibration'
    return [{ slot: slot.name, name: engine.name, index: indexOf(engine), weight, weightFrom, hits: got.response.hits }]
  })
}

interface Merged<Name extends Tab> {
  rankings: readonly Ranking<HitOf[Name]>[]
  merged: readonly MergedHit<HitOf[Name]>[]
}

function mergeOutcomes<Name extends Tab>(tab: Name, answered: readonly Outcome<Name>[]): Merged<Name> {
  const rankings = rankingsOf(answered)
  const merged = traced('merge', { engines: rankings.length }, () =>
    mergeRankings<HitOf[Name]>(rankings, completedOf[tab], isPartOf[tab]),
  )
  return { rankings, merged }
}

const noProvider = ({ engines }: SearchRequest): Refusal =>
  new Refusal(
    'no_engine_configured',
    engines.length > 0
      ? `No provider is configured for ${engines.join(', ')} on this tab. Omit engine to use all configured engines.`
      : 'No search engine is configured for this tab on this deployment.',
  )

/** A budget that returns sooner couldn't be recorded, and is tried again like any failure. */
const SHORTEST_BUDGET_WAIT_SECONDS = 60

function allFailed(outcomes: readonly Outcome<Tab>[], reports: readonly EngineReport[], now: number): Refusal {
  const errors = outcomes.flatMap(({ got }) => ('error' in got ? [got.error] : []))
  const waits = errors.map(({ retryAfterSeconds }) => retryAfterSeconds)
  const budgetWait = Math.min(...waits.map((wait) => wait ?? 0))
  if (errors.every(({ kind }) => kind === 'overBudget') && budgetWait > SHORTEST_BUDGET_WAIT_SECONDS) {
    const until = new Date(now + budgetWait * 1_000).toISOString().slice(0, 16).replace('T', ' ')
    const sentence = `The budget for every search engine is used up until ${until} UTC.`
    return new SearchRefusal('budget_used_up', sentence, { seconds: budgetWait, reports })
  }
  const seconds = retrySeconds(waits)
  const sentence = `No search engine responded. Try again in ${seconds} seconds.`
  return new SearchRefusal('no_engine_responded', sentence, { seconds, reports })
}

/** Every engine failed; `reports` says how. */
export class SearchRefusal extends Refusal {
  readonly reports: readonly EngineReport[]
  readonly sentence: string

  constructor(
    code: 'budget_used_up' | 'no_engine_responded',
    sentence: string,
    { seconds, reports }: { seconds: number; reports: readonly EngineReport[] },
  ) {
    super(code, sentence, { 'Retry-After': String(seconds), 'Engine-Status': engineStatusHeader(reports) })
    this.reports = reports
    this.sentence = sentence
  }
}

/** Few people go further than this. */
const MAX_PAGES_BACK = 10

interface PreviousPages {
  slots: readonly Slot[]
  cache: ResponseCache
}

/**
 * The canonical URLs that earlier pages of the same search showed, as far as they are cached. Engines rank independently,
 * so a hit on one engine's second page may have been on another's first; a later page leaves it out.
 */
async function previousPageUrls(ask: Ask, { slots, cache }: PreviousPages): Promise<ReadonlySet<string>> {
  const { tab, request } = ask
  const { text, safe, date, lang, region } = request
  const bounds = boundsOf(request)
  const wanted: CachedResponse<ResponseOfTab<Tab>>[] = []
  for (let page = Math.max(1, request.page - MAX_PAGES_BACK); page < request.page; page++) {
    const base: string = responseKey({ tab, text, page, safe, date, lang, region, ...bounds })
    const plan = planSearch({ ...ask, request: { ...request, page } }, slots)
    wanted.push(...wantedBy(tab, plan.asks).map((one) => ({ ...one, base })))
  }
  const responses = wanted.length === 0 ? [] : await cache.peek(wanted)
  return new Set(responses.flatMap(({ hits }) => hits.map(({ url }) => canonicalAddress(url))))
}
