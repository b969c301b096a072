// Gets the response of every planned engine: from memory, from Redis, or from the engine itself, all within one deadline.
//
// Engines that wait for the others (`thin.ts`) are the second wave. It begins as soon as all of the first have answered, and
// after half of the time at the latest, and asks those that are still needed. What the second has in memory is used in any
// case, because that costs nothing.
import type { Deadline } from '@bowerbird/engines/deadline.ts'
import type { EngineQuery, EngineResponse, Tab } from '@bowerbird/engines/engine.ts'
import type { ResponseCache, ResponseKey } from '../cache/response-cache.ts'
import type { WantedResponse } from '../cache/single-flight.ts'
import type { Log } from '../log.ts'
import { askEngine, type ProviderObservation, prepareToAsk } from './ask-engine.ts'
import type { Caller } from './caller.ts'
import type { Outcome } from './outcome.ts'
import type { Plan, PlannedEngine } from './plan.ts'
import { isResponseOf } from './response-shape.ts'
import { withinBounds } from './result-bounds.ts'
import { hasBounds } from './search-request.ts'
import type { SearchProgress } from './search-watcher.ts'

export interface AskParts {
  cache: ResponseCache
  startDeadline: () => Deadline
  observe: (observation: ProviderObservation) => void
  log: Log
}

/** One search, on its way to the engines. */
export interface PlannedSearch {
  caller: Caller
  tab: Tab
  plan: Plan
  query: EngineQuery
  cacheKey: ResponseKey<EngineResponse>
  /** Whether an engine of the second wave is needed, after these outcomes. */
  isNeeded: (engine: PlannedEngine, outcomes: readonly Outcome[]) => boolean
}

interface MemoryAnswer {
  outcomes: Outcome[]
  /** Whether memory still has the very same responses of these engines, and of no other. */
  isCurrent: () => boolean
}

/**
 * Returns undefined, without waiting, unless memory has the responses of the whole first wave, and those of the second that
 * are needed with what else it has of the second.
 */
export function findInMemory(search: PlannedSearch, cache: ResponseCache): MemoryAnswer | undefined {
  const { plan, query, isNeeded } = search
  const cached = readMemory(search, cache)
  if (!cached) return undefined
  const outcomes = toOutcomes(cached, query)
  const missing = plan.secondWave.filter((engine) => !cached.has(engine))
  if (missing.some((engine) => isNeeded(engine, outcomes))) return undefined
  return { outcomes, isCurrent: () => areSame(cached, readMemory(search, cache)) }
}

type CachedResponses = ReadonlyMap<PlannedEngine, EngineResponse>

/** In the order of `engines`; undefined if an engine of the first wave is missing. */
function readMemory(
  { plan, cacheKey }: PlannedSearch,
  cache: ResponseCache,
  engines: readonly PlannedEngine[] = plan.engines,
): CachedResponses | undefined {
  const cached = new Map<PlannedEngine, EngineResponse>()
  for (const planned of engines) {
    const response = cache.findInMemory(cacheKey, planned.bound.engine.slug)
    if (response) cached.set(planned, response)
    else if (!plan.secondWave.includes(planned)) return undefined
  }
  return cached
}

const toOutcomes = (cached: CachedResponses, query: EngineQuery): Outcome[] =>
  [...cached].map(([planned, response]) => {
    const result = { response, from: 'memory', isStale: false, ageMs: 0 } as const
    const outcome: Outcome = { planned, ms: 0, calledProvider: false, result }
    return hasBounds(query) ? withinBounds(outcome, query) : outcome
  })

const areSame = (before: CachedResponses, now: CachedResponses | undefined): boolean =>
  before.size === now?.size && [...before].every(([planned, response]) => now.get(planned) === response)

const getFirstWave = ({ engines, secondWave }: Plan): readonly PlannedEngine[] =>
  secondWave.length === 0 ? engines : engines.filter((engine) => !secondWave.includes(engine))

/** The outcomes in the plan's order. An engine of the second wave that wasn't needed has none. */
export async function askEngines(
  search: PlannedSearch,
  parts: AskParts,
  progress: SearchProgress | undefined,
): Promise<Outcome[]> {
  const { plan, query, isNeeded } = search
  await prepareToAsk(plan.engines, query)
  const deadline = parts.startDeadline()
  progress?.endWithWatcher(deadline)
  const outcomes = new Map<PlannedEngine, Outcome>()
  const addOutcome = (outcome: Outcome): void => {
    outcomes.set(outcome.planned, outcome)
    progress?.addOutcome(outcome)
  }
  const askWave = async (engines: readonly PlannedEngine[]): Promise<void> => {
    const pending = getOrFetchOutcomes(engines, search, { ...parts, deadline })
    await Promise.all(pending.map(async (outcome) => addOutcome(await outcome)))
  }
  const askSecondWave = async (firstWave: Promise<void>): Promise<void> => {
    const cached = readMemory(search, parts.cache, plan.secondWave)
    if (cached) toOutcomes(cached, query).forEach(addOutcome)
    // Half of the time, or sooner.
    await withinMs(deadline.remainingMs() / 2, firstWave)
    // Once the client has left, nobody waits for another answer.
    if (deadline.isCalledOff) return
    const outcomesSoFar = [...outcomes.values()]
    await askWave(plan.secondWave.filter((engine) => !outcomes.has(engine) && isNeeded(engine, outcomesSoFar)))
  }
  try {
    const firstWave = askWave(getFirstWave(plan))
    await Promise.all([firstWave, plan.secondWave.length > 0 && askSecondWave(firstWave)])
  } finally {
    deadline.cancel()
  }
  return plan.engines.flatMap((engine) => outcomes.get(engine) ?? [])
}

/** One outcome for each engine, as soon as it is known. */
function getOrFetchOutcomes(
  engines: readonly PlannedEngine[],
  { caller, tab, query, cacheKey }: PlannedSearch,
  { cache, deadline, observe, log }: AskParts & { deadline: Deadline },
): Promise<Outcome>[] {
  const startedAt = performance.now()
  const isForVisitor = caller.isVisitor
  const wanted = engines.map((planned) => toWantedResponse(planned, tab))
  const called = new Set<PlannedEngine>()
  const responses = cache.getOrFetch(cacheKey, wanted, deadline, ({ planned }, callDeadline) => {
    called.add(planned)
    return askEngine({ tabName: tab, planned, query, deadline: callDeadline, isForVisitor, observe, log })
  })
  return responses.map(async (response, index) => {
    const result = await response
    const planned = engines[index] as PlannedEngine // one response for each
    // With a cached response, a call was only its background refresh.
    const calledProvider =
      called.has(planned) && ('error' in result ? !result.error.wasDeclined : result.from === 'provider')
    const ms = Math.round(performance.now() - startedAt)
    const outcome: Outcome = { planned, ms, calledProvider, result }
    return hasBounds(query) ? withinBounds(outcome, query) : outcome
  })
}

/** The response of an engine, for the cache. */
export function toWantedResponse(
  planned: PlannedEngine,
  tab: Tab,
): WantedResponse<EngineResponse> & { planned: PlannedEngine } {
  const { slug, terms } = planned.bound.engine
  const { cacheSeconds, cacheIn } = terms
  return { planned, slug, cacheSeconds, cacheIn, isResponse: isResponseOf[tab] }
}

async function withinMs(ms: number, work: Promise<unknown>): Promise<void> {
  const { promise: timeUp, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  try {
    await Promise.race([work, timeUp])
  } finally {
    clearTimeout(timer)
  }
}
