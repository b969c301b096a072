// The outcome of an engine that was planned: its response and where it came from, or why there is none.

import type { EngineResponse } from '@bowerbird/engines/engine.ts'
import type { ResponseOutcome } from '../cache/single-flight.ts'
import type { PlannedEngine } from './plan.ts'

export interface Outcome {
  planned: PlannedEngine
  ms: number
  /** True if this search called the provider. */
  calledProvider: boolean
  result: ResponseOutcome<EngineResponse>
  /** How many hits were left out because of the domains or dates of the search. */
  filtered?: number
}

export const hasResponse = ({ result }: Outcome): boolean => 'response' in result
