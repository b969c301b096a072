// A search: plan → get the page of every planned engine, from the cache or from the provider → merge. One deadline
// covers all of it; an engine that has not answered by then is left out and reported. If some engines fail, the answer
// is partial. If all fail, the search is refused: it never returns an empty page instead.
//
// If every page is in memory, a search for page 1 waits for nothing.

import type { Deadline } from '@bowerbird/engines/deadline.ts'
import type { EngineQuery, HitOf, Tab } from '@bowerbird/engines/engine.ts'
import type { ResponseCache } from '../cache/response-cache.ts'
import type { ResponseLoader } from '../cache/response-loader.ts'
import type { Log } from '../log.ts'
import { canonicalAddress } from '../text/canonical-address.ts'
import { traced } from '../trace.ts'
import { askEngine, type ProviderObservation, prepareToAsk } from './ask-engine.ts'
import type { CountedSearch } from './contributions/contribution-counts.ts'
import { reportsOf, searchStatus } from './engine-report.ts'
import { type MergedHit, mergeRankings, type Ranking } from './merge.ts'
import { completedOf, isPartOf } from './merge-fields.ts'
import type { Outcome, ResponseOfTab } from './outcome.ts'
import { type BoundEngine, type Plan, type PlannedAsk, planSearch, type SearchRequest, type Slot } from './plan.ts'
import { shownEarlier } from './previous-page-urls.ts'
import { nobodyAnswered, noProvider } from './refusals.ts'
import { responseKey } from './response-key.ts'
import { isResponseOf } from './response-shape.ts'
import type { SearchAnswer } from './search-answer.ts'
import { SearchProgress, type SearchWatcher } from './search-watcher.ts'

export type { SearchAnswer }

export interface SearchParts {
  slots: readonly Slot[]
  cache: ResponseCache
  startDeadline: () => Deadline
  clock: () => number
  observe: (observation: ProviderObservation) => void
  /** Called for each search that called a provider, with its results. */
  countSearch?: (search: CountedSearch) => void
  log: Log
}

export interface Search {
  search: <Name extends Tab>(
    tab: Name,
    request: SearchRequest,
    watcher?: SearchWatcher<Name>,
  ) => Promise<SearchAnswer<Name>>
  /** Display names of the engines that serve a tab of a slot, for `source_label`. */
  labelOf: (slot: string, tab: Tab) => string
  /** The attributions that those engines' terms require beside their results, one text each. */
  attributionsOf: (slot: string, tab: Tab) => readonly string[]
  slotNames: readonly string[]
}

export function createSearch(parts: SearchParts): Search {
  const { slots, clock } = parts
  const labels = bySlotAndTab(slots, (bound) => bound.map(({ engine }) => engine.name).join(', '))
  const attributions = bySlotAndTab(slots, (bound) =>
    bound.map(({ engine }) => engine.terms.attribution).filter((text) => text !== ''),
  )
  return {
    slotNames: slots.map((slot) => slot.name),
    labelOf: (slot, tab) => labels.get(`${slot} ${tab}`) ?? '',
    attributionsOf: (slot, tab) => attributions.get(`${slot} ${tab}`) ?? [],
    async search(tab, request, watcher) {
      const started = performance.now()
      const { text, page, safe, date, lang } = request
      const plan = traced('plan', {}, () => planSearch(tab, slots, request))
      if (plan.asks.length === 0 && plan.skips.length === 0) throw noProvider(request)
      const base = responseKey({ tab, text, page, safe, date, lang })
      const inMemory = () => pagesInMemory(parts.cache, base, plan)
      const pages = inMemory()
      const query: EngineQuery = { text, page, safe, date, lang, now: clock() }
      const earlier = page > 1 ? shownEarlier(tab, { slots, cache: parts.cache, request }) : undefined
      const progress = watcher && watchSearch(tab, { plan, watcher, now: query.now, earlier })
      const outcomes = pages ? fromMemory(plan, pages) : await obtain(tab, { plan, query, base, parts, progress })
      progress?.finish(outcomes)
      const reports = reportsOf(plan, outcomes)
      const answered = outcomes.filter(({ got }) => 'page' in got)
      if (plan.asks.length > 0 && answered.length === 0) throw nobodyAnswered(outcomes, reports)
      const rankings = rankingsOf(answered)
      const merged = mergeHits(tab, rankings)
      const results = earlier ? notAmong(await earlier, merged) : merged
      if (outcomes.some(({ wasAsked }) => wasAsked)) {
        parts.countSearch?.({ engines: answered.map(({ ask }) => ask.bound.engine.slug), results })
      }
      return {
        tab,
        request,
        now: query.now,
        correction: correctionOf(answered, text),
        results,
        isCurrent: pages?.length && !earlier ? () => areSame(pages, inMemory()) : undefined,
        engines: [...new Set(answered.map(({ ask }) => ask.slot.name))],
        status: searchStatus(reports),
        reports,
        upstreamMs: Math.round(performance.now() - started),
      }
    },
  }
}

const notAmong = <Hit extends { url: string }>(shown: ReadonlySet<string>, results: readonly MergedHit<Hit>[]) =>
  shown.size === 0 ? results : results.filter(({ hit }) => !shown.has(canonicalAddress(hit.url)))

function bySlotAndTab<Value>(slots: readonly Slot[], of: (bound: BoundEngine[]) => Value): Map<string, Value> {
  const values = new Map<string, Value>()
  for (const { name, engines } of slots) {
    for (const [tab, bound] of Object.entries(engines)) values.set(`${name} ${tab}`, of(bound))
  }
  return values
}

const pagesInMemory = <Name extends Tab>(cache: ResponseCache, base: string, { asks }: Plan<Name>) =>
  cache.fromMemory<ResponseOfTab<Name>>(
    base,
    asks.map(({ bound }) => bound.engine.slug),
  )

const areSame = (pages: readonly unknown[], others: readonly unknown[] | undefined): boolean =>
  others !== undefined && pages.every((page, index) => page === others[index])

const fromMemory = <Name extends Tab>({ asks }: Plan<Name>, pages: readonly ResponseOfTab<Name>[]): Outcome<Name>[] =>
  asks.flatMap((ask, index) => {
    const page = pages[index]
    return page ? [{ ask, ms: 0, wasAsked: false, got: { page, from: 'memory', isStale: false, ageMs: 0 } }] : []
  })

interface Watching<Name extends Tab> {
  plan: Plan<Name>
  watcher: SearchWatcher<Name>
  now: number
  earlier: Promise<ReadonlySet<string>> | undefined
}

function watchSearch<Name extends Tab>(tab: Name, { plan, watcher, now, earlier }: Watching<Name>) {
  let shown: ReadonlySet<string> | undefined = earlier ? undefined : new Set()
  // The search itself also awaits `earlier`, and fails if it rejects.
  earlier?.then(
    (addresses) => {
      shown = addresses
    },
    () => undefined,
  )
  const merge = (answered: readonly Outcome<Name>[]) =>
    shown && { results: notAmong(shown, mergeHits(tab, rankingsOf(answered))), now }
  return new SearchProgress({ plan, watcher, merge })
}

interface Obtaining<Name extends Tab> {
  plan: Plan<Name>
  query: EngineQuery
  base: string
  parts: SearchParts
  progress: SearchProgress<Name> | undefined
}

async function obtain<Name extends Tab>(
  tab: Name,
  { plan, query, base, parts, progress }: Obtaining<Name>,
): Promise<Outcome<Name>[]> {
  const { cache, startDeadline, observe, log } = parts
  const preparing = prepareToAsk(plan.asks, query)
  if (preparing) await preparing
  const deadline = startDeadline()
  progress?.endWithWatcher(deadline)
  const started = performance.now()
  const elapsed: number[] = []
  const asks = plan.asks.map((ask, index): ResponseLoader<ResponseOfTab<Name>> => {
    const { slug, terms } = ask.bound.engine
    const fetch = (until: Deadline) =>
      askEngine({ name: tab, ask, query, deadline: until, observe, log }).finally(() => {
        elapsed[index] = performance.now() - started
      })
    // The guard for a tab checks that tab's pages; the type checker cannot follow that through the name.
    const isResponse = isResponseOf[tab] as (value: unknown) => value is ResponseOfTab<Name>
    return {
      slug,
      cacheSeconds: terms.cacheSeconds,
      cacheIn: terms.cacheIn,
      isResponse,
      fetch,
      ...(progress && { onOutcome: (got) => progress.tell(index, got) }),
    }
  })
  try {
    const got = await cache.obtain<ResponseOfTab<Name>>(base, asks, deadline)
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

interface PageRanking<Name extends Tab> extends Ranking<HitOf[Name]> {
  page: ResponseOfTab<Name>
}

const rankingOf = <Name extends Tab>(
  { slot, bound }: PlannedAsk<Name>,
  page: ResponseOfTab<Name>,
): PageRanking<Name> => ({ slot: slot.name, name: bound.engine.name, weight: slot.weight, page, hits: page.hits })

const rankingsOf = <Name extends Tab>(answered: readonly Outcome<Name>[]): PageRanking<Name>[] =>
  answered.flatMap(({ ask, got }) => ('page' in got ? [rankingOf(ask, got.page)] : []))

const mergeHits = <Name extends Tab>(tab: Name, rankings: readonly PageRanking<Name>[]) =>
  traced('merge', { engines: rankings.length }, () =>
    mergeRankings<HitOf[Name]>(rankings, completedOf[tab], isPartOf[tab]),
  )
