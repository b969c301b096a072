// Keeps to the domains, dates, operators and kinds of picture that a search is limited to. Engines that can filter by them are asked to, and some pass
// over it, so every hit is checked here as well. What is left out is counted: a page that a filter has emptied must not
// look as if there were nothing to find.
import type { HitOf, ImageHit, ResultBounds, Tab } from '@bowerbird/engines/engine.ts'
import { keepsToImageFilters } from './filter-images.ts'
import type { Outcome } from './outcome.ts'
import type { PlannedAsk } from './plan.ts'
import { hasTextOperators, keepsToOperators } from './text-operators.ts'

/** The bounds of a request, and nothing else of it. */
export function boundsOf(request: ResultBounds): ResultBounds {
  const { includeDomains, excludeDomains, dateFrom, dateTo, fileTypes, titleWords, phrases, image } = request
  return { includeDomains, excludeDomains, dateFrom, dateTo, fileTypes, titleWords, phrases, image }
}

/** Leaves out the hits beyond the bounds, and counts them. */
export function withinBounds<Name extends Tab>(outcome: Outcome<Name>, bounds: ResultBounds): Outcome<Name> {
  const { ask, got } = outcome
  if (!('response' in got) || !isBounded(bounds)) return outcome
  const { hits } = got.response
  const { tab } = ask
  const wanted = hits.filter(
    (hit) =>
      isOfDomains(hit.url, bounds) &&
      isOfDates(hit, bounds, tab) &&
      keepsToOperators(hit, bounds, tab) &&
      // Only image searches have such filters.
      (!bounds.image || keepsToImageFilters(hit as ImageHit, bounds.image, tab)),
  )
  const filtered = hits.length - wanted.length
  return filtered === 0
    ? outcome
    : { ...outcome, got: { ...got, response: { ...got.response, hits: wanted } }, filtered }
}

const isBounded = (bounds: ResultBounds): boolean =>
  Boolean(bounds.includeDomains?.length) ||
  Boolean(bounds.excludeDomains?.length) ||
  bounds.dateFrom !== undefined ||
  bounds.dateTo !== undefined ||
  bounds.image !== undefined ||
  hasTextOperators(bounds)

function isOfDomains(address: string, { includeDomains = [], excludeDomains = [] }: ResultBounds): boolean {
  if (includeDomains.length === 0 && excludeDomains.length === 0) return true
  const host = URL.parse(address)?.hostname ?? ''
  const isAmong = (domains: readonly string[]) => domains.some((name) => host === name || host.endsWith(`.${name}`))
  return !isAmong(excludeDomains) && (includeDomains.length === 0 || isAmong(includeDomains))
}

/** A hit without a date is kept only if its engine keeps to the dates by itself. */
function isOfDates(
  hit: HitOf[Tab],
  { dateFrom = Number.NEGATIVE_INFINITY, dateTo = Number.POSITIVE_INFINITY }: ResultBounds,
  { takesDateRange = false }: Pick<PlannedAsk<Tab>['tab'], 'takesDateRange'>,
): boolean {
  if (dateFrom === Number.NEGATIVE_INFINITY && dateTo === Number.POSITIVE_INFINITY) return true
  const publishedAt = 'publishedAt' in hit ? hit.publishedAt : undefined
  return publishedAt === undefined ? takesDateRange : publishedAt >= dateFrom && publishedAt <= dateTo
}
