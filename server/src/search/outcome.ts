// The outcome of an engine that was planned: its response and where it came from, or why there is none.

import type { EngineResponse, HitOf, Tab } from '@bowerbird/engines/engine.ts'
import type { ResponseOutcome } from '../cache/single-flight.ts'
import type { PlannedAsk } from './plan.ts'

export type ResponseOfTab<Name extends Tab> = EngineResponse<HitOf[Name]>

export interface Outcome<Name extends Tab> {
  ask: PlannedAsk<Name>
  ms: number
  /** Whether this search called the provider. */
  wasAsked: boolean
  got: ResponseOutcome<ResponseOfTab<Name>>
  /** How many hits were left out because of the domains or dates of the search. */
  filtered?: number
}
