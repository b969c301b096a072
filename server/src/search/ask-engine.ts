// Queries one engine: builds the request, sends it, reads the reply. If a provider cannot filter by date
// but dates every hit, the filter is applied here; likewise if it cannot filter by language but has text.

import type { Deadline } from '@bowerbird/engines/deadline.ts'
import type { Engine, EngineQuery, EngineResponse, ProviderReply, Tab } from '@bowerbird/engines/engine.ts'
import { rangeSince, rangeStart } from '@bowerbird/engines/parsing/dates.ts'
import { languageTag } from '@bowerbird/engines/parsing/language-tag.ts'
import type { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import type { Log } from '../log.ts'
import { type LanguageTest, loadLanguageTest } from '../text/detect-language.ts'
import { observeCall } from '../upstream/observed-call.ts'
import type { ResponseOfTab } from './outcome.ts'
import { isLonger, type PlannedAsk } from './plan.ts'
import { MAX_QUERY_LENGTH } from './read-filters.ts'
import { ignoresRegion } from './regions.ts'
import { withOperators } from './text-operators.ts'

/** Recorded for every call to a provider, for its health and the metrics. */
export interface ProviderObservation {
  slug: string
  tab: Tab
  ms: number
  error: UpstreamError | undefined
}

interface Asking<Name extends Tab> {
  name: Name
  ask: PlannedAsk<Name>
  query: EngineQuery
  deadline: Deadline
  /** The call is paid from the visitors' share of the budget. */
  isForVisitor: boolean
  observe: (observation: ProviderObservation) => void
  log: Log
}

export const askEngine = <Name extends Tab>(asking: Asking<Name>): Promise<ResponseOfTab<Name>> => {
  const { ask, deadline, log } = asking
  const { bound, tab } = ask
  const query = queryFor(asking)
  const observe = ({ ms, error }: { ms: number; error: UpstreamError | undefined }) =>
    asking.observe({ slug: bound.engine.slug, tab: asking.name, ms, error })
  return observeCall(bound.engine.slug, { observe, log }, async () => {
    const isInLanguage = needsLanguageTest(tab, query)
      ? await loadLanguageTest(languageTag(query.lang).base)
      : undefined
    const read = (reply: ProviderReply): ResponseOfTab<Name> => {
      const response = bounded(withoutOwnOperators(tab.parse(reply, query, bound.settings), asking.query, query))
      const recent = query.date && !tab.honours.includes('date') ? filteredByDate(response, query) : response
      return isInLanguage ? filteredByLanguage(recent, isInLanguage) : recent
    }
    const request = tab.request(query, bound.settings)
    const { priceFactor = tab.priceFactor } = request
    const charged = {
      ...request,
      ...(priceFactor !== undefined && { priceFactor }),
      ...(asking.isForVisitor && { isForVisitor: true }),
    }
    return await bound.ask(charged, deadline, read)
  })
}

/** The query as this engine understands it best. What it can't do by itself is done to its hits: `result-bounds.ts`. */
function queryFor<Name extends Tab>({ ask: { bound, tab }, query }: Asking<Name>): EngineQuery {
  const { dateFrom, date, now } = query
  const written = withOperators(query, tab)
  const { maxQueryLength } = bound.engine
  const text = tab.siteOperators ? withSites({ ...query, text: written }, tab.siteOperators, maxQueryLength) : written
  const since = dateFrom === undefined || date || tab.takesDateRange ? date : rangeSince(dateFrom, now)
  const asked = ignoresRegion(tab, query) ? { ...query, region: undefined } : query
  return text === query.text && since === date ? asked : { ...asked, text, date: since }
}

/** Adds `site:` for each domain, unless the query would become too long: then they are only filtered. */
function withSites(
  { text, includeDomains = [], excludeDomains = [] }: EngineQuery,
  operators: 'one' | 'several',
  longest: Engine['maxQueryLength'] = { characters: MAX_QUERY_LENGTH, words: MAX_QUERY_LENGTH },
): string {
  const sites = includeDomains.map((name) => `site:${name}`)
  const wanted = sites.length > 1 ? (operators === 'several' ? [`(${sites.join(' OR ')})`] : []) : sites
  const whole = [text, ...wanted, ...excludeDomains.map((name) => `-site:${name}`)].join(' ')
  return isLonger(whole, longest) ? text : whole
}

/** `(site:a.org` → `site:a.org`. */
const withoutBrackets = (word: string): string => word.replaceAll('(', '').replaceAll(')', '')

/** A provider corrects the whole text that it is asked. What `queryFor` added to it is no part of a suggestion. */
function withoutOwnOperators<Response extends { correction: string }>(
  response: Response,
  written: EngineQuery,
  asked: EngineQuery,
): Response {
  if (response.correction === '' || asked.text === written.text) return response
  const added = new Set(asked.text.slice(written.text.length).split(' ').map(withoutBrackets))
  const words = response.correction.split(' ').filter((word) => !added.has(withoutBrackets(word)))
  const correction = words.join(' ')
  return { ...response, correction: correction.toLowerCase() === written.text.toLowerCase() ? '' : correction }
}

/** More than any provider sends for a page. Merging and showing thousands would hold up everybody else. */
const MAX_HITS = 200

const bounded = <Hit>(response: EngineResponse<Hit>): EngineResponse<Hit> =>
  response.hits.length <= MAX_HITS ? response : { ...response, hits: response.hits.slice(0, MAX_HITS) }

/**
 * Loads the language detector before the deadline starts. The first time, that takes a while, and would otherwise make
 * engines seem slow.
 * Returns undefined if no engine needs it, so that most searches wait for nothing.
 */
export const prepareToAsk = (
  asks: readonly { tab: LanguageAbilities }[],
  query: EngineQuery,
): Promise<unknown> | undefined =>
  asks.some(({ tab }) => needsLanguageTest(tab, query)) ? loadLanguageTest(languageTag(query.lang).base) : undefined

type LanguageAbilities = Pick<PlannedAsk<Tab>['tab'], 'honours' | 'hasTextInAnyLanguage'>

const needsLanguageTest = ({ honours, hasTextInAnyLanguage }: LanguageAbilities, { lang }: EngineQuery): boolean =>
  lang !== '' && hasTextInAnyLanguage === true && !honours.includes('lang')

function filteredByLanguage<Hit extends { title: string }>(
  response: EngineResponse<Hit>,
  isInLanguage: LanguageTest,
): EngineResponse<Hit> {
  const textOf = (hit: Hit) => `${hit.title}. ${(hit as { description?: string }).description ?? ''}` // web and news have it
  return { ...response, hits: response.hits.filter((hit) => isInLanguage(textOf(hit))) }
}

function filteredByDate<Hit>(response: EngineResponse<Hit>, query: EngineQuery): EngineResponse<Hit> {
  const start = rangeStart(query)?.getTime() ?? 0
  const isRecent = (hit: Hit) => ((hit as { publishedAt?: number }).publishedAt ?? 0) >= start // set if `knowsDates`
  return { ...response, hits: response.hits.filter(isRecent) }
}
