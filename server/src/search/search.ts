// A search: plan → get every planned engine's page, from the cache or from the provider → merge. One deadline bounds it
// all: an engine that has not answered by then is left out and said to be. Some engines fail: the answer is partial. All
// fail: a refusal, never an empty page.
//
// When every page is in memory, nothing is waited for, and what was merged from these very pages before is not merged
// again. That is not a cache of answers: it is remembered by the pages, and gone as soon as one of them is another.
import { LRUCache } from 'lru-cache'
import type { EngineQuery, HitOf, Tab } from '../providers/engine.ts'
import type { Log } from '../log.ts'
import type { Deadline } from '../upstream/deadline.ts'
import { askEngine, type ProviderObservation } from './ask-engine.ts'
import { type EngineReport, reportsOf, type SearchStatus, searchStatus } from './engine-report.ts'
import { type MergedHit, mergeRankings } from './merge.ts'
import { completedOf, isPartOf } from './merge-fields.ts'
import type { Outcome, PageOfTab } from './outcome.ts'
import type { PageAsk } from '../cache/response-loader.ts'
import type { PageCache } from './page-cache.ts'
import { pageKey } from './page-key.ts'
import { isPageOf } from './page-shape.ts'
import { type BoundEngine, type Plan, planSearch, type SearchRequest, type Slot } from './plan.ts'
import { underDeadline } from '../upstream/observed-call.ts'
import { nobodyAnswered, noProvider } from './refusals.ts'

export interface SearchAnswer<Name extends Tab> {
  tab: Name
  request: SearchRequest
  /** The moment that ages are counted from. */
  now: number
  correction: string
  /** The same array as long as it is merged from the same pages. */
  results: readonly MergedHit<HitOf[Name]>[]
  /** The slots whose answers are in it, in slot order. */
  engines: string[]
  status: SearchStatus
  reports: EngineReport[]
  upstreamMs: number
}

export interface SearchParts {
  slots: readonly Slot[]
  cache: PageCache
  startDeadline: () => Deadline
  clock: () => number
  observe: (observation: ProviderObservation) => void
  log: Log
}

export interface Search {
  search: <Name extends Tab>(tab: Name, request: SearchRequest) => Promise<SearchAnswer<Name>>
  /** Display names of the engines that serve a tab of a slot, for `source_label`. */
  labelOf: (slot: string, tab: Tab) => string
  /** What their terms ask to be shown beside results of theirs, one text each. */
  attributionsOf: (slot: string, tab: Tab) => readonly string[]
  slotNames: readonly string[]
}

const MERGES_REMEMBERED = 500

export function createSearch(parts: SearchParts): Search {
  const { slots, clock } = parts
  const labels = bySlotAndTab(slots, (bound) => bound.map(({ engine }) => engine.name).join(', '))
  const attributions = bySlotAndTab(slots, (bound) =>
    bound.map(({ engine }) => engine.terms.attribution).filter((text) => text !== ''),
  )
  const merge = createMerge()
  return {
    slotNames: slots.map((slot) => slot.name),
    labelOf: (slot, tab) => labels.get(`${slot} ${tab}`) ?? '',
    attributionsOf: (slot, tab) => attributions.get(`${slot} ${tab}`) ?? [],
    async search(tab, request) {
      const started = performance.now()
      const plan = planSearch(tab, slots, request)
      if (plan.asks.length === 0 && plan.skips.length === 0) throw noProvider(request)
      const { text, page, safe, date, lang } = request
      const query: EngineQuery = { text, page, safe, date, lang, now: clock() }
      const base: string = pageKey({ tab, text, page, safe, date, lang })
      const inMemory = parts.cache.fromMemory<PageOfTab<typeof tab>>(
        base,
        plan.asks.map(({ bound }) => bound.engine.slug),
      )
      const outcomes = inMemory ? fromMemory(plan, inMemory) : await obtain(tab, { plan, query, base, parts })
      const reports = reportsOf(plan, outcomes)
      const answered = outcomes.filter(({ got }) => 'page' in got)
      if (plan.asks.length > 0 && answered.length === 0) throw nobodyAnswered(outcomes, reports)
      return {
        tab,
        request,
        now: query.now,
        correction: correctionOf(answered, text),
        results: merge(tab, base, answered),
        engines: [...new Set(answered.map(({ ask }) => ask.slot.name))],
        status: searchStatus(reports),
        reports,
        upstreamMs: Math.round(performance.now() - started),
      }
    },
  }
}

function bySlotAndTab<Value>(slots: readonly Slot[], of: (bound: BoundEngine[]) => Value): Map<string, Value> {
  const values = new Map<string, Value>()
  for (const { name, engines } of slots) {
    for (const [tab, bound] of Object.entries(engines)) values.set(`${name} ${tab}`, of(bound))
  }
  return values
}

const fromMemory = <Name extends Tab>({ asks }: Plan<Name>, pages: readonly PageOfTab<Name>[]): Outcome<Name>[] =>
  asks.flatMap((ask, index) => {
    const page = pages[index]
    return page ? [{ ask, ms: 0, wasAsked: false, got: { page, from: 'memory', isStale: false, ageMs: 0 } }] : []
  })

interface Obtaining<Name extends Tab> {
  plan: Plan<Name>
  query: EngineQuery
  base: string
  parts: SearchParts
}

async function obtain<Name extends Tab>(
  tab: Name,
  { plan, query, base, parts }: Obtaining<Name>,
): Promise<Outcome<Name>[]> {
  const { cache, startDeadline, observe, log } = parts
  const deadline = startDeadline()
  const started = performance.now()
  const elapsed: number[] = []
  const asks = plan.asks.map((ask, index): PageAsk<PageOfTab<Name>> => {
    const { slug, terms } = ask.bound.engine
    const fetch = (purpose: 'search' | 'refresh') =>
      underDeadline(purpose, { deadline, startDeadline }, (until) =>
        askEngine({ name: tab, ask, query, deadline: until, observe, log }),
      ).finally(() => {
        elapsed[index] = performance.now() - started
      })
    // The guard of a tab is that of its pages; the type checker does not see it through the name.
    const isPage = isPageOf[tab] as (value: unknown) => value is PageOfTab<Name>
    return { slug, cacheSeconds: terms.cacheSeconds, cacheIn: terms.cacheIn, isPage, fetch }
  })
  try {
    const got = await cache.obtain<PageOfTab<Name>>(base, asks, deadline)
    const all = performance.now() - started
    return plan.asks.flatMap((ask, index) => {
      const outcome = got[index]
      return outcome
        ? [{ ask, ms: Math.round(elapsed[index] ?? all), wasAsked: elapsed[index] !== undefined, got: outcome }]
        : []
    })
  } finally {
    deadline.cancel()
  }
}

function correctionOf(answered: readonly Outcome<Tab>[], text: string): string {
  for (const { got } of answered) {
    if ('page' in got && got.page.correction !== '' && got.page.correction.toLowerCase() !== text.toLowerCase()) {
      return got.page.correction
    }
  }
  return ''
}

function createMerge() {
  const remembered = new LRUCache<string, { pages: readonly unknown[]; results: readonly MergedHit<HitOf[Tab]>[] }>({
    max: MERGES_REMEMBERED,
  })
  return <Name extends Tab>(tab: Name, base: string, answered: readonly Outcome<Name>[]) => {
    const rankings = answered.flatMap(({ ask, got }) =>
      'page' in got ? [{ slot: ask.slot.name, weight: ask.slot.weight, page: got.page, hits: got.page.hits }] : [],
    )
    const known = remembered.get(base)
    if (known && known.pages.length === rankings.length && rankings.every(({ page }, i) => page === known.pages[i])) {
      // The key names the tab, so these are its hits.
      return known.results as readonly MergedHit<HitOf[Name]>[]
    }
    const results = mergeRankings<HitOf[Name]>(rankings, completedOf[tab], isPartOf[tab])
    remembered.set(base, { pages: rankings.map(({ page }) => page), results })
    return results
  }
}
