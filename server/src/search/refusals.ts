// The errors for a search that cannot be answered, and when to try again.

import type { Tab } from '@bowerbird/engines/engine.ts'
import { Refusal, retrySeconds } from '../errors.ts'
import { type EngineReport, engineStatusHeader } from './engine-report.ts'
import type { Outcome } from './outcome.ts'
import type { SearchRequest } from './plan.ts'

export const noProvider = ({ engines }: SearchRequest): Refusal =>
  new Refusal(
    503,
    engines.length > 0
      ? `No provider is configured for ${engines.join(', ')} on this tab. Omit engine to use all configured engines.`
      : 'No search engine is configured for this tab on this deployment.',
  )

export function nobodyAnswered(outcomes: readonly Outcome<Tab>[], reports: readonly EngineReport[]): Refusal {
  const waits = outcomes.map(({ got }) => ('error' in got ? got.error.retryAfterSeconds : undefined))
  const seconds = retrySeconds(waits)
  return new Refusal(503, `No search engine responded. Try again in ${seconds} seconds.`, {
    'Retry-After': String(seconds),
    'Engine-Status': engineStatusHeader(reports),
  })
}
