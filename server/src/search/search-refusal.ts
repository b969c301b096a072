// Why a search has no answer: no engine is configured for it, or every engine that was asked has failed.
import { Refusal, retrySeconds } from '../errors.ts'
import { type EngineReport, engineStatusHeader } from './engine-report.ts'
import type { Outcome } from './outcome.ts'
import type { SearchRequest } from './search-request.ts'

export const noProvider = ({ engines }: SearchRequest): Refusal =>
  new Refusal(
    'no_engine_configured',
    engines.length > 0
      ? `No provider is configured for ${engines.join(', ')} on this tab. Omit engine to use all configured engines.`
      : 'No search engine is configured for this tab on this deployment.',
  )

/** Every engine failed; `reports` says how. */
export class SearchRefusal extends Refusal {
  readonly reports: readonly EngineReport[]
  readonly sentence: string

  constructor(
    code: 'budget_used_up' | 'no_engine_responded',
    sentence: string,
    { seconds, reports }: { seconds: number; reports: readonly EngineReport[] },
  ) {
    super(code, sentence, { 'Retry-After': String(seconds), 'Engine-Status': engineStatusHeader(reports) })
    this.reports = reports
    this.sentence = sentence
  }
}

/** A budget that returns sooner couldn't be recorded, and is tried again like any failure. */
const SHORTEST_BUDGET_WAIT_SECONDS = 60

export function allFailed(outcomes: readonly Outcome[], reports: readonly EngineReport[], now: number): SearchRefusal {
  const errors = outcomes.flatMap(({ result }) => ('error' in result ? [result.error] : []))
  const waits = errors.map(({ retryAfterSeconds }) => retryAfterSeconds)
  const budgetWait = Math.min(...waits.map((wait) => wait ?? 0))
  if (errors.every(({ kind }) => kind === 'overBudget') && budgetWait > SHORTEST_BUDGET_WAIT_SECONDS) {
    const until = new Date(now + budgetWait * 1_000).toISOString().slice(0, 16).replace('T', ' ')
    const sentence = `The budget for every search engine is used up until ${until} UTC.`
    return new SearchRefusal('budget_used_up', sentence, { seconds: budgetWait, reports })
  }
  const seconds = retrySeconds(waits)
  const sentence = `No search engine responded. Try again in ${seconds} seconds.`
  return new SearchRefusal('no_engine_responded', sentence, { seconds, reports })
}
