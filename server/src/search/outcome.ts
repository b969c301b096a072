// What became of an engine that was planned: its page and where it came from, or why there is none.
import type { EnginePage, HitOf, Tab } from '../providers/engine.ts'
import type { PageOutcome } from '../cache/response-loader.ts'
import type { PlannedAsk } from './plan.ts'

export type PageOfTab<Name extends Tab> = EnginePage<HitOf[Name]>

export interface Outcome<Name extends Tab> {
  ask: PlannedAsk<Name>
  ms: number
  /** By this very search. */
  wasAsked: boolean
  got: PageOutcome<PageOfTab<Name>>
}
