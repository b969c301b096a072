// Engines that are asked only when they are needed: `ENGINE_A_WHEN=thin`. The others are asked first. If they find too
// little, or agree too little, this one is asked as well, within the same deadline: as soon as all others have answered,
// and after half of the time at the latest. Otherwise its call is saved, and Engine-Status says `skipped;for=enough`.
//
// It is asked like any other if a search names it, if no other engine can answer the search, and if the others fail. What
// it has in memory is used in any case, because that costs nothing. Several such engines decide by the same results, so the
// answer doesn't depend on which of them is faster. What was measured: docs/set-up/spend-less.md.
import { countIndexes } from './indexes.ts'
import type { MergedHit } from './merge.ts'

/** When the results of the other engines are too thin (`thin.ts`). */
export interface ThinRule {
  /** Fewer results than this. */
  results: number
  /** A smaller share of the first ten than this was found by two independent indexes; 0: agreement doesn't matter. */
  agreement: number
}

const FIRST_RESULTS = 10
const DEFAULT_RULE: ThinRule = { results: 5, agreement: 0.2 }
const RULE = /^thin(?::(\d{1,2})(?::(0|1|0?\.\d{1,2}))?)?$/

/** Reads `always`, `thin`, `thin:8` or `thin:8:0.3`. */
export function readWhen(text: string): ThinRule | 'always' | undefined {
  const written = text.trim().toLowerCase()
  if (written === 'always') return 'always'
  const match = RULE.exec(written)
  if (!match) return undefined
  const [, results = DEFAULT_RULE.results, agreement = DEFAULT_RULE.agreement] = match
  const rule = { results: Number(results), agreement: Number(agreement) }
  return rule.results >= 1 && rule.results <= 50 ? rule : undefined
}

/** What a search has found so far. */
interface Found {
  results: readonly Pick<MergedHit, 'contributions'>[]
  /** The most that the search wants. */
  limit: number | undefined
}

export function isThin({ results: wanted, agreement }: ThinRule, { results, limit = wanted }: Found): boolean {
  if (results.length < Math.min(wanted, limit)) return true
  if (agreement === 0) return false
  // One index can't agree with anybody, so asking would never be saved.
  if (countIndexes(results.flatMap(({ contributions }) => contributions)) < 2) return false
  const first = results.slice(0, FIRST_RESULTS)
  const confirmed = first.filter(({ contributions }) => countIndexes(contributions) > 1)
  return confirmed.length / first.length < agreement
}
