// Reports the progress of a running search to a watcher: which engines are queried, the outcome of each, and the
// results so far. If the watcher leaves, calls that no other search waits for are cancelled. A search without a watcher
// pays for none of this.

import type { Deadline } from '@bowerbird/engines/deadline.ts'
import type { HitOf, Tab } from '@bowerbird/engines/engine.ts'
import { type EngineReport, reportsOf } from './engine-report.ts'
import type { MergedHit } from './merge.ts'
import type { Outcome } from './outcome.ts'
import type { Plan } from './plan.ts'

/** The results of the engines that have answered, in the form and order of the answer. */
export interface ResultsSoFar<Name extends Tab> {
  results: readonly MergedHit<HitOf[Name]>[]
  /** The time that ages are relative to. */
  now: number
}

export interface SearchWatcher<Name extends Tab> {
  /** Called first, with the slots that are queried, each once; nothing has failed by then. */
  onStart: (slots: readonly string[]) => void
  /** Called once per queried engine, as soon as its outcome is known. */
  onEngine: (report: EngineReport) => void
  /**
   * Called when there are new results, but not all yet. `soFar` merges them on demand; it returns undefined while
   * earlier pages are still being looked up.
   */
  onResults: (soFar: () => ResultsSoFar<Name> | undefined) => void
  /** Aborted when the watcher leaves. */
  signal: AbortSignal
}

interface WatchedSearch<Name extends Tab> {
  plan: Plan<Name>
  watcher: SearchWatcher<Name>
  merge: (answered: readonly Outcome<Name>[]) => ResultsSoFar<Name> | undefined
}

export class SearchProgress<Name extends Tab> {
  readonly #search: WatchedSearch<Name>
  readonly #outcomes: (Outcome<Name> | undefined)[]

  constructor(search: WatchedSearch<Name>) {
    this.#search = search
    this.#outcomes = search.plan.asks.map(() => undefined)
    search.watcher.onStart([...new Set(search.plan.asks.map(({ slot }) => slot.name))])
  }

  /** Ends the search when the watcher leaves; the calls that other searches wait for go on. */
  endWithWatcher(deadline: Deadline): void {
    const { signal } = this.#search.watcher
    if (signal.aborted) deadline.callOff()
    else signal.addEventListener('abort', () => deadline.callOff(), { once: true })
  }

  /** Reports the engines that `addOutcome` has not reported, and those that weren't needed. */
  finish(outcomes: readonly Outcome<Name>[], done: Plan<Name>): void {
    for (const outcome of outcomes) this.#add(outcome)
    const unneeded = done.skips.filter(({ reason }) => reason === 'enough')
    for (const report of reportsOf<Name>({ asks: [], skips: unneeded }, [])) this.#search.watcher.onEngine(report)
  }

  /** Called with each engine's outcome as soon as it is known. */
  addOutcome(outcome: Outcome<Name>): void {
    this.#add(outcome)
    if ('response' in outcome.got && this.#outcomes.includes(undefined))
      this.#search.watcher.onResults(() => this.#soFar())
  }

  #add(outcome: Outcome<Name>): void {
    const index = this.#search.plan.asks.indexOf(outcome.ask)
    if (this.#outcomes[index]) return
    this.#outcomes[index] = outcome
    this.#report(outcome)
  }

  #report(outcome: Outcome<Name>): void {
    for (const report of reportsOf<Name>({ asks: [], skips: [] }, [outcome])) this.#search.watcher.onEngine(report)
  }

  #soFar(): ResultsSoFar<Name> | undefined {
    return this.#search.merge(
      this.#outcomes.flatMap((outcome) => (outcome && 'response' in outcome.got ? [outcome] : [])),
    )
  }
}
