// Keeps to the domains, dates, operators and kinds of picture that a search is limited to. Engines that can filter by them are asked to, and some pass
// over it, so every hit is checked here as well. What is left out is counted: a page that a filter has emptied must not
// look as if there were nothing to find.
import type { Hit, ResultBounds } from '@bowerbird/engines/engine.ts'
import { keepsToImageFilters } from './filter-images.ts'
import { publishedAtOf } from './hit-facts.ts'
import type { Outcome } from './outcome.ts'
import type { PlannedEngine } from './plan.ts'
import { keepsToOperators } from './text-operators.ts'

/** Leaves out the hits beyond the bounds, and counts them. */
export function withinBounds(outcome: Outcome, bounds: ResultBounds): Outcome {
  const { planned, result } = outcome
  if (!('response' in result)) return outcome
  const { hits } = result.response
  const { tab } = planned
  const wanted = hits.filter(
    (hit) =>
      isOfDomains(hit.url, bounds) &&
      isOfDates(hit, bounds, tab) &&
      keepsToOperators(hit, bounds, tab) &&
      (!bounds.image || (hit.kind === 'image' && keepsToImageFilters(hit, bounds.image, tab))),
  )
  const filtered = hits.length - wanted.length
  return filtered === 0
    ? outcome
    : { ...outcome, result: { ...result, response: { ...result.response, hits: wanted } }, filtered }
}

function isOfDomains(address: string, { includeDomains = [], excludeDomains = [] }: ResultBounds): boolean {
  if (includeDomains.length === 0 && excludeDomains.length === 0) return true
  const host = URL.parse(address)?.hostname ?? ''
  const isAmong = (domains: readonly string[]) => domains.some((name) => host === name || host.endsWith(`.${name}`))
  return !isAmong(excludeDomains) && (includeDomains.length === 0 || isAmong(includeDomains))
}

/** A hit without a date is kept only if its engine keeps to the dates by itself. */
function isOfDates(
  hit: Hit,
  { dateFrom = Number.NEGATIVE_INFINITY, dateTo = Number.POSITIVE_INFINITY }: ResultBounds,
  { takesDateRange = false }: Pick<PlannedEngine['tab'], 'takesDateRange'>,
): boolean {
  if (dateFrom === Number.NEGATIVE_INFINITY && dateTo === Number.POSITIVE_INFINITY) return true
  const publishedAt = publishedAtOf(hit)
  return publishedAt === undefined ? takesDateRange : publishedAt >= dateFrom && publishedAt <= dateTo
}
