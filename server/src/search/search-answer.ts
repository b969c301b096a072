// A search result, before any API or page formats it.
import type { HitOf, Tab } from '@bowerbird/engines/engine.ts'
import type { EngineReport, SearchStatus } from './engine-report.ts'
import type { MergedHit } from './merge.ts'
import type { SearchRequest } from './plan.ts'

export interface SearchAnswer<Name extends Tab> {
  tab: Name
  request: SearchRequest
  /** The time that ages are relative to. */
  now: number
  correction: string
  /** A later page omits what earlier pages showed. */
  results: readonly MergedHit<HitOf[Name]>[]
  /**
   * Set if every page was in memory: whether those very pages still are, so that the same search would give the same
   * answer. Undefined otherwise, and for a later page: what earlier pages showed may change without its own.
   */
  isCurrent: (() => boolean) | undefined
  /** The slots whose results are included, in slot order. */
  engines: string[]
  status: SearchStatus
  reports: EngineReport[]
  upstreamMs: number
}
