// What a search is answered with, before a door gives it a form.
import type { HitOf, Tab } from '../providers/engine.ts'
import type { EngineReport, SearchStatus } from './engine-report.ts'
import type { MergedHit } from './merge.ts'
import type { SearchRequest } from './plan.ts'

export interface SearchAnswer<Name extends Tab> {
  tab: Name
  request: SearchRequest
  /** The time from which ages are counted. */
  now: number
  correction: string
  /** Of a later page, without what earlier ones showed. */
  results: readonly MergedHit<HitOf[Name]>[]
  /**
   * If every page was in memory: whether these very pages still are, so that the same search would give the same answer.
   * Undefined otherwise, and for a later page: what earlier pages have shown may change without its own.
   */
  isCurrent: (() => boolean) | undefined
  /** The slots whose results are included, in slot order. */
  engines: string[]
  status: SearchStatus
  reports: EngineReport[]
  upstreamMs: number
}
