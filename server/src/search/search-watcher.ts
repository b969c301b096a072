// A search that is watched while it runs: which engines were asked, what each has said, and the results so far. The
// watcher may leave; then whatever nobody else waits for is called off. A search that nobody watches pays for none of it.
import type { ResponseOutcome } from '../cache/response-loader.ts'
import type { HitOf, Tab } from '../providers/engine.ts'
import type { Deadline } from '../upstream/deadline.ts'
import { type EngineReport, reportsOf } from './engine-report.ts'
import type { MergedHit } from './merge.ts'
import type { Outcome, ResponseOfTab } from './outcome.ts'
import type { Plan } from './plan.ts'

/** The results of the engines that have answered, in the form and order of the answer. */
export interface ResultsSoFar<Name extends Tab> {
  results: readonly MergedHit<HitOf[Name]>[]
  /** The time from which ages are counted. */
  now: number
}

export interface SearchWatcher<Name extends Tab> {
  /** The slots that are queried, each once; nothing has failed so far. */
  onStart: (slots: readonly string[]) => void
  /** Once for each engine that is queried, as soon as its outcome is known. */
  onEngine: (report: EngineReport) => void
  /** There are new results, but not all yet. They are merged when they are asked for; undefined: not yet known. */
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
  readonly #started = performance.now()

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

  /** Whoever was not heard of is told now. */
  finish(outcomes: readonly Outcome<Name>[]): void {
    const { asks } = this.#search.plan
    for (const outcome of outcomes) {
      const index = asks.indexOf(outcome.ask)
      if (this.#outcomes[index]) continue
      this.#outcomes[index] = outcome
      this.#report(outcome)
    }
  }

  /** Called with each engine's outcome as soon as it is known. */
  tell(index: number, got: ResponseOutcome<ResponseOfTab<Name>>): void {
    const ask = this.#search.plan.asks[index]
    if (!ask || this.#outcomes[index]) return
    const outcome = { ask, ms: Math.round(performance.now() - this.#started), wasAsked: false, got }
    this.#outcomes[index] = outcome
    this.#report(outcome)
    if ('page' in got && this.#outcomes.includes(undefined)) this.#search.watcher.onResults(() => this.#soFar())
  }

  #report(outcome: Outcome<Name>): void {
    for (const report of reportsOf<Name>({ asks: [], skips: [] }, [outcome])) this.#search.watcher.onEngine(report)
  }

  #soFar(): ResultsSoFar<Name> | undefined {
    return this.#search.merge(this.#outcomes.flatMap((outcome) => (outcome && 'page' in outcome.got ? [outcome] : [])))
  }
}
