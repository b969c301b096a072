// Turns the outcomes of engines into the results that a search shows: merges them, drops what earlier pages showed, applies
// the rules about sites, and cuts to the limit. It is pure, so a stream and the decision about a second wave call it too,
// with what there is by then.
import { indexOf } from '@bowerbird/engines/engine.ts'
import type { RuleSet } from '../rules/site-rules.ts'
import { canonicalAddress } from '../text/canonical-address.ts'
import { traced } from '../trace.ts'
import { applyRules } from './apply-rules.ts'
import { namesBlocked } from './blocked-sites.ts'
import { type MergedHit, mergeRankings, pageAddress, type Ranking } from './merge.ts'
import type { Outcome } from './outcome.ts'
import type { SearchRequest } from './search-request.ts'

export interface ShapedResults {
  /** What the engines found, before rules and limit. */
  found: readonly MergedHit[]
  /** What is left of it by the rules, in their order. */
  allowed: readonly MergedHit[]
  /** How many results were left out because rules block their sites. */
  blocked: number
  /** What is shown. */
  results: readonly MergedHit[]
  /** How many results the limit left out. */
  cut: number
  /** An engine's spelling of the query, or ''. */
  correction: string
}

interface ShapeOptions {
  request: SearchRequest
  rules: RuleSet | undefined
  /** The canonical URLs that earlier pages had, with what their limit cut. */
  previousUrls: ReadonlySet<string>
}

export function shapeResults(
  outcomes: readonly Outcome[],
  { request, rules, previousUrls }: ShapeOptions,
): ShapedResults {
  const { text, limit, preferDomains } = request
  const rankings = outcomes.flatMap(toRanking)
  const merged = traced('merge', { engines: rankings.length }, () => mergeRankings(rankings))
  const found = previousUrls.size === 0 ? merged : merged.filter((one) => !wasShown(one, previousUrls))
  const { results: allowed, blocked } =
    rules || preferDomains ? applyRules(found, rankings, { rules, preferDomains }) : { results: found, blocked: 0 }
  const results = limit === undefined ? allowed : allowed.slice(0, limit)
  return {
    found,
    allowed,
    blocked,
    results,
    cut: allowed.length - results.length,
    correction: findCorrection(outcomes, text, rules),
  }
}

const wasShown = (merged: MergedHit, urls: ReadonlySet<string>): boolean =>
  urls.has(canonicalAddress(pageAddress(merged)))

/** The engine's ranking, or nothing if it has no response. */
function toRanking({ planned: { slot, bound, weight, weightFrom }, result }: Outcome): Ranking[] {
  if (!('response' in result)) return []
  const { engine } = bound
  const { hits } = result.response
  return [{ slot: slot.name, name: engine.name, index: indexOf(engine), weight, weightFrom, hits }]
}

function findCorrection(outcomes: readonly Outcome[], text: string, rules: RuleSet | undefined): string {
  const corrections = outcomes.flatMap(({ result }) => ('response' in result ? [result.response.correction] : []))
  const first = corrections.find((one) => one !== '' && one.toLowerCase() !== text.toLowerCase()) ?? ''
  return rules && namesBlocked(first, rules) ? '' : first
}
