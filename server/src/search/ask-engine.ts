// Queries one engine: builds the request, sends it, reads the reply. If a provider cannot filter by date
// but dates every hit, the filter is applied here; likewise if it cannot filter by language but has text.

import type { Deadline } from '@bowerbird/engines/deadline.ts'
import type { Engine, EngineQuery, EngineResponse, Hit, ProviderReply, Tab } from '@bowerbird/engines/engine.ts'
import { rangeSince, rangeStart } from '@bowerbird/engines/parsing/dates.ts'
import { languageTag } from '@bowerbird/engines/parsing/language-tag.ts'
import type { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import type { Log } from '../log.ts'
import { type LanguageTest, loadLanguageTest } from '../text/detect-language.ts'
import { observeCall } from '../upstream/observed-call.ts'
import { publishedAtOf } from './hit-facts.ts'
import { exceedsLength, type PlannedEngine, writeText } from './plan.ts'
import { MAX_QUERY_LENGTH } from './read-filters.ts'
import { ignoresRegion } from './regions.ts'

/** Recorded for every call to a provider, for its health and the metrics. */
export interface ProviderObservation {
  slug: string
  tab: Tab
  ms: number
  error: UpstreamError | undefined
}

interface EngineCall {
  tabName: Tab
  planned: PlannedEngine
  query: EngineQuery
  deadline: Deadline
  /** The call is paid from the visitors' share of the budget. */
  isForVisitor: boolean
  observe: (observation: ProviderObservation) => void
  log: Log
}

export function askEngine(call: EngineCall): Promise<EngineResponse> {
  const { planned, deadline, log } = call
  const { bound, tab } = planned
  const query = buildQuery(call)
  const observe = ({ ms, error }: { ms: number; error: UpstreamError | undefined }) =>
    call.observe({ slug: bound.engine.slug, tab: call.tabName, ms, error })
  return observeCall(bound.engine.slug, { observe, log }, async () => {
    const isInLanguage = needsLanguageTest(tab, query)
      ? await loadLanguageTest(languageTag(query.lang).base)
      : undefined
    const read = (reply: ProviderReply): EngineResponse => {
      const response = limitHits(withoutOwnOperators(tab.parse(reply, query, bound.settings), call.query, query))
      const recent = query.date && !tab.honours.includes('date') ? filteredByDate(response, query) : response
      return isInLanguage ? filteredByLanguage(recent, isInLanguage) : recent
    }
    const request = tab.request(query, bound.settings)
    const { priceFactor = tab.priceFactor } = request
    const charged = {
      ...request,
      ...(priceFactor !== undefined && { priceFactor }),
      ...(call.isForVisitor && { isForVisitor: true }),
    }
    return await bound.ask(charged, deadline, read)
  })
}

/** The query as this engine understands it best. What it can't do by itself is done to its hits: `result-bounds.ts`. */
function buildQuery({ planned: { bound, tab }, query }: EngineCall): EngineQuery {
  const { dateFrom, date, now } = query
  const written = writeText(query, tab)
  const { maxQueryLength } = bound.engine
  const text = tab.siteOperators ? withSites({ ...query, text: written }, tab.siteOperators, maxQueryLength) : written
  const since = dateFrom === undefined || date || tab.takesDateRange ? date : rangeSince(dateFrom, now)
  const asked = query.region !== undefined && ignoresRegion(tab, query) ? { ...query, region: undefined } : query
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
  return exceedsLength(whole, longest) ? text : whole
}

/** `(site:a.org` → `site:a.org`. */
const withoutBrackets = (word: string): string => word.replaceAll('(', '').replaceAll(')', '')

/** A provider corrects the whole text that it is asked. What `buildQuery` added to it is no part of a suggestion. */
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

const limitHits = (response: EngineResponse): EngineResponse =>
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

type LanguageAbilities = Pick<PlannedEngine['tab'], 'honours' | 'hasTextInAnyLanguage'>

const needsLanguageTest = ({ honours, hasTextInAnyLanguage }: LanguageAbilities, { lang }: EngineQuery): boolean =>
  lang !== '' && hasTextInAnyLanguage === true && !honours.includes('lang')

function filteredByLanguage(response: EngineResponse, isInLanguage: LanguageTest): EngineResponse {
  const isUnderstood = (hit: Hit) =>
    isInLanguage(hit.kind === 'web' || hit.kind === 'news' ? `${hit.title}. ${hit.description}` : hit.title)
  return { ...response, hits: response.hits.filter(isUnderstood) }
}

function filteredByDate(response: EngineResponse, query: EngineQuery): EngineResponse {
  const start = rangeStart(query)?.getTime() ?? 0
  const isRecent = (hit: Hit) => (publishedAtOf(hit) ?? 0) >= start
  return { ...response, hits: response.hits.filter(isRecent) }
}
