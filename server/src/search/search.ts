// A search: plan → ask every planned engine at once → merge. One deadline bounds it all: an engine that has not answered
// by then is left out and said to be. Some engines fail: the answer is partial. All fail: a refusal, never an empty page.
import type { EnginePage, EngineQuery, HitOf, Tab } from '../engines/engine.ts'
import { Refusal, UpstreamError } from '../errors.ts'
import type { Log } from '../log.ts'
import type { Deadline } from '../upstream/deadline.ts'
import { askEngine, type ProviderObservation } from './ask-engine.ts'
import { type EngineReport, engineStatusHeader, type SearchStatus, searchStatus } from './engine-report.ts'
import { type MergedHit, mergeRankings } from './merge.ts'
import { completedOf } from './merge-fields.ts'
import { type Plan, type PlannedAsk, planSearch, type SearchRequest, type Slot } from './plan.ts'

export interface SearchAnswer<Name extends Tab> {
  tab: Name
  request: SearchRequest
  /** The moment that ages are counted from. */
  now: number
  correction: string
  results: MergedHit<HitOf[Name]>[]
  /** The slots whose answers are in it, in slot order. */
  engines: string[]
  status: SearchStatus
  reports: EngineReport[]
  upstreamMs: number
}

export interface SearchParts {
  slots: readonly Slot[]
  startDeadline: () => Deadline
  clock: () => number
  observe: (observation: ProviderObservation) => void
  log: Log
}

export interface Search {
  search: <Name extends Tab>(tab: Name, request: SearchRequest) => Promise<SearchAnswer<Name>>
  /** Display names of the engines that serve a tab of a slot, for `source_label`. */
  labelOf: (slot: string, tab: Tab) => string
  slotNames: readonly string[]
}

type Outcome<Name extends Tab> = { ask: PlannedAsk<Name>; ms: number } & (
  | { page: EnginePage<HitOf[Name]> }
  | { error: UpstreamError }
)

const DEFAULT_RETRY_SECONDS = 5
const LONGEST_RETRY_SECONDS = 3_600

export function createSearch(parts: SearchParts): Search {
  const { slots, clock } = parts
  const labels = new Map<string, string>()
  for (const { name, engines } of slots) {
    for (const [tab, bound] of Object.entries(engines)) {
      labels.set(`${name} ${tab}`, bound.map(({ engine }) => engine.name).join(', '))
    }
  }
  return {
    slotNames: slots.map((slot) => slot.name),
    labelOf: (slot, tab) => labels.get(`${slot} ${tab}`) ?? '',
    async search(tab, request) {
      const started = performance.now()
      const plan = planSearch(tab, slots, request)
      if (plan.asks.length === 0 && plan.skips.length === 0) throw noProvider(request)
      const { text, page, safe, date, lang } = request
      const query: EngineQuery = { text, page, safe, date, lang, now: clock() }
      const outcomes = await askAll(tab, { plan, query, parts })
      const reports = reportsOf(plan, outcomes)
      const answered = outcomes.filter((outcome) => 'page' in outcome)
      if (plan.asks.length > 0 && answered.length === 0) throw nobodyAnswered(outcomes, reports)
      return {
        tab,
        request,
        now: query.now,
        correction: correctionOf(answered, request.text),
        results: mergeRankings(
          answered.map(({ ask, page }) => ({ slot: ask.slot.name, weight: ask.slot.weight, hits: page.hits })),
          completedOf[tab],
        ),
        engines: [...new Set(answered.map(({ ask }) => ask.slot.name))],
        status: searchStatus(reports),
        reports,
        upstreamMs: Math.round(performance.now() - started),
      }
    },
  }
}

async function askAll<Name extends Tab>(
  name: Name,
  { plan, query, parts }: { plan: Plan<Name>; query: EngineQuery; parts: SearchParts },
): Promise<Outcome<Name>[]> {
  const deadline = parts.startDeadline()
  const { observe, log } = parts
  try {
    return await Promise.all(
      plan.asks.map(async (ask): Promise<Outcome<Name>> => {
        const started = performance.now()
        try {
          const page = await askEngine({ name, ask, query, deadline, observe, log })
          return { ask, ms: Math.round(performance.now() - started), page }
        } catch (error) {
          if (!(error instanceof UpstreamError)) throw error
          return { ask, ms: Math.round(performance.now() - started), error }
        }
      }),
    )
  } finally {
    deadline.cancel()
  }
}

function reportsOf<Name extends Tab>({ skips }: Plan<Name>, outcomes: readonly Outcome<Name>[]): EngineReport[] {
  const reports = outcomes.map((outcome): EngineReport => {
    const { ask, ms } = outcome
    const slot = ask.slot.name
    if ('error' in outcome) return { slot, outcome: 'failed', kind: outcome.error.kind, ms }
    return { slot, outcome: 'ok', count: outcome.page.hits.length, ms, cached: undefined, isStale: false }
  })
  for (const { slot, reason } of skips) reports.push({ slot, outcome: 'skipped', reason })
  return reports
}

function correctionOf(answered: readonly { page: EnginePage<unknown> }[], text: string): string {
  const correction = answered.find(({ page }) => page.correction !== '')?.page.correction ?? ''
  return correction.toLowerCase() === text.toLowerCase() ? '' : correction
}

const noProvider = ({ engines }: SearchRequest): Refusal =>
  new Refusal(
    503,
    engines.length > 0
      ? `No provider is configured here for ${engines.join(', ')} on this tab. Leave out engine to use what there is.`
      : 'No search engine is configured for this tab on this deployment.',
  )

function nobodyAnswered<Name extends Tab>(
  outcomes: readonly Outcome<Name>[],
  reports: readonly EngineReport[],
): Refusal {
  const waits = outcomes.map((outcome) => ('error' in outcome ? outcome.error.retryAfterSeconds : undefined))
  const shortest = Math.min(...waits.map((wait) => wait ?? DEFAULT_RETRY_SECONDS))
  const seconds = Math.min(LONGEST_RETRY_SECONDS, Math.max(1, shortest))
  return new Refusal(503, `No search engine answered. Expected available in ${seconds} seconds.`, {
    'Retry-After': String(seconds),
    'Engine-Status': engineStatusHeader(reports),
  })
}
