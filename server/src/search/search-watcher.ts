// Reports the progress of a running search to a watcher: which engines are queried, the outcome of each, and the
// results so far. If the watcher leaves, calls that no other search waits for are cancelled. A search without a watcher
// pays for none of this.

import type { Deadline } from '@bowerbird/engines/deadline.ts'
import { createReport, type EngineReport, notNeeded } from './engine-report.ts'
import type { MergedHit } from './merge.ts'
import { hasResponse, type Outcome } from './outcome.ts'
import type { Plan, PlannedEngine } from './plan.ts'

/** The results of the engines that have answered, in the form and order of the answer. */
export interface ResultsSoFar {
  results: readonly MergedHit[]
  /** The time that ages are relative to. */
  now: number
}

export interface SearchWatcher {
  /** Called first, with the slots that are queried, each once; nothing has failed by then. */
  onStart: (slots: readonly string[]) => void
  /** Called once per queried engine, as soon as its outcome is known. */
  onEngine: (report: EngineReport) => void
  /** Called when there are new results, but not all yet. `soFar` shapes them on demand. */
  onResults: (soFar: () => ResultsSoFar) => void
  /** Aborted when the watcher leaves. */
  signal: AbortSignal
}

interface WatchedSearch {
  plan: Plan
  watcher: SearchWatcher
  shape: (outcomes: readonly Outcome[]) => { results: readonly MergedHit[] }
  now: number
}

export class SearchProgress {
  readonly #search: WatchedSearch
  readonly #outcomes = new Map<PlannedEngine, Outcome>()

  constructor(search: WatchedSearch) {
    this.#search = search
    search.watcher.onStart([...new Set(search.plan.engines.map(({ slot }) => slot.name))])
  }

  /** Ends the search when the watcher leaves; the calls that other searches wait for go on. */
  endWithWatcher(deadline: Deadline): void {
    const { signal } = this.#search.watcher
    if (signal.aborted) deadline.callOff()
    else signal.addEventListener('abort', () => deadline.callOff(), { once: true })
  }

  /** Called with each engine's outcome as soon as it is known. */
  addOutcome(outcome: Outcome): void {
    const { plan, watcher } = this.#search
    this.#report(outcome)
    if (hasResponse(outcome) && this.#outcomes.size < plan.engines.length) watcher.onResults(() => this.#soFar())
  }

  /** Reports the engines that `addOutcome` has not reported, and those that weren't needed. */
  finish(outcomes: readonly Outcome[]): void {
    const { plan, watcher } = this.#search
    for (const outcome of outcomes) this.#report(outcome)
    for (const planned of plan.engines) if (!this.#outcomes.has(planned)) watcher.onEngine(notNeeded(planned))
  }

  #report(outcome: Outcome): void {
    if (this.#outcomes.has(outcome.planned)) return
    this.#outcomes.set(outcome.planned, outcome)
    this.#search.watcher.onEngine(createReport(outcome))
  }

  #soFar(): ResultsSoFar {
    const { plan, shape, now } = this.#search
    return { results: shape(plan.engines.flatMap((planned) => this.#outcomes.get(planned) ?? [])).results, now }
  }
}
