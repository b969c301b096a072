// Notes on a results page: corrections, missing engines, and what happened if there is nothing to show.

import type { Tab } from '@bowerbird/engines/engine.ts'
import type { UpstreamErrorKind } from '@bowerbird/engines/upstream-error.ts'
import type { Refusal } from '../../errors.ts'
import type { EngineReport } from '../../search/engine-report.ts'
import { slotsWithoutRegion } from '../../search/regions.ts'
import type { Search, SearchAnswer } from '../../search/search.ts'
import { type Html, html, joined, type Piece } from '../http/html.ts'
import type { PageContext } from '../http/page.ts'
import type { Words } from '../i18n/messages.ts'
import { addressOf } from '../parts/address.ts'
import { buttonLink } from '../parts/form.ts'
import { capitalised } from '../parts/formats.ts'
import { dotsOf, enginesOf, joinNames } from './result-parts.ts'
import { type SearchQuery, searchParamsOf } from './search-query.ts'

interface Asked {
  search: Search
  tab: Tab
}

/** The names of what serves a tab of these slots: a slot's engines or, if it has none, the slot itself. */
export const namesOfSlots = (slots: readonly string[], { search, tab }: Asked): string[] =>
  slots.flatMap((slot) => {
    const names = search.engineNamesOf(slot, tab)
    return names.length > 0 ? names : [slot]
  })

export function correction({ words }: PageContext, searchQuery: SearchQuery, corrected: string): Html | false {
  if (corrected === '') return false
  // The engine may have been asked with some operators.
  const operators = searchQuery.operators.filter((operator) => !corrected.includes(operator))
  const q = [corrected, ...operators].join(' ')
  const address = addressOf('/search', { ...searchParamsOf(searchQuery), q, page: '' })
  const [before = '', after = ''] = words.search.didYouMean({ query: QUERY_PLACE }).split(QUERY_PLACE)
  return html`<p class="correction">${before}<a href="${address}" dir="auto">${q}</a>${after}</p>`
}

/** Stands in a sentence for the link that is put there. */
const QUERY_PLACE = '\u{fffc}'

/** What became of the operators, as far as it isn't plain: those that aren't any, and those that nobody checked. */
export function operatorNotes(
  { words, locale }: PageContext,
  { tab, notUnderstood }: SearchQuery,
  { search, unchecked = [] }: { search: Search; unchecked?: readonly string[] },
): Html | false {
  const names = joinNames(namesOfSlots(unchecked, { search, tab }), locale)
  const lines = [
    notUnderstood.length > 0 && words.operators.notUnderstood({ words: joinNames(notUnderstood, locale) }),
    unchecked.length > 0 && words.operators.unchecked({ engines: names }),
  ].filter((line) => line !== false)
  return lines.length > 0 && html`${lines.map((line) => html`<p class="partial" role="status">${line}</p>`)}`
}

/** One amber line if an engine that was asked is missing from the results, or the results are stale. */
export function partialNote(
  context: PageContext,
  { status, reports, tab, engines }: SearchAnswer,
  search: Search,
): Html | false {
  if (status !== 'partial' && status !== 'stale') return false
  const { words, locale } = context
  const asked = { search, tab }
  const failed = reports.flatMap((report) => (report.outcome === 'failed' ? [failureOf(context, report, asked)] : []))
  const failures = joinNames([...new Set(failed)], locale)
  const line =
    status === 'stale' || failures === ''
      ? words.search.stale({ failures: failures || words.search.failed.title })
      : words.search.partial({ failures, answered: joinNames(namesOfSlots(engines, asked), locale) })
  return html`<p class="partial" role="status">${capitalised(line, locale)}</p>`
}

/** A sentence for each engine that failed in a search that others answered. */
export const failuresIn = (
  context: PageContext,
  reports: readonly EngineReport[],
  { search, tab }: Asked,
): string[] => {
  const failed = reports.flatMap((report) => (report.outcome === 'failed' ? [report] : []))
  return [...new Set(failed.map((failure) => sentenceOf(context, failureOf(context, failure, { search, tab }))))]
}

interface Failure {
  slot: string
  kind: UpstreamErrorKind
}

/** What went wrong. A refused key is told to administrators, who can do something about it. */
function failureOf({ words, viewer, locale }: PageContext, { slot, kind }: Failure, asked: Asked): string {
  const { failures, keyRefused } = words.search
  const name = joinNames(namesOfSlots([slot], asked), locale)
  return kind === 'rejected' && viewer?.isAdmin ? keyRefused({ engine: name }) : failures[kind]({ engine: name })
}

/** The page of a search of the web. */
export const WEB_PATH = '/search'

interface SearchPage {
  search: Search
  /** The page of this search. */
  path: string
}

/** Below the results: engines that were skipped and why, and the attributions that the terms of the others require. */
export function attributions(
  context: PageContext,
  { reports, tab, engines, results, filtered, blocked, request }: SearchAnswer,
  { search, path }: SearchPage,
): Html | false {
  const { words, locale } = context
  const namesOf = (slots: readonly string[]) => joinNames(namesOfSlots(slots, { search, tab }), locale)
  const skipped = reports.flatMap((report) =>
    report.outcome === 'skipped' ? [words.search.skips[report.reason]({ engine: namesOf([report.slot]) })] : [],
  )
  const ignoring = slotsWithoutRegion(reports)
  const leftOut = [
    ...(ignoring.length > 0 ? [words.region.ignored({ engines: namesOf(ignoring) })] : []),
    ...(filtered > 0 ? [words.operators.leftOut({ count: filtered })] : []),
    // A page that rules have emptied must not look as if there were nothing to find.
    ...(blocked > 0 && results.length === 0 ? [words.sites.blocked({ count: blocked })] : []),
  ]
  const credits = results.length > 0 ? engines.flatMap((slot) => search.attributionsOf(slot, tab)) : []
  const served = enginesOf(search, tab)
  const hasDots = results.length > 0 && tab !== 'images' && served.length > 1
  const isShared = dotsOf(served).length < served.length
  const lines = [...leftOut, ...skipped, ...new Set(credits)].map((line) => html`<p>${line}</p>`)
  const compare = addressOf('/compare', { q: request.text, tab: tab === 'web' ? '' : tab })
  const legend =
    hasDots &&
    html`<p class="legend">${words.search.dots}${isShared && ` ${words.search.sharedDots}`}${path === WEB_PATH && html` <a href="${compare}">${words.compare.link}</a>`}</p>`
  return (lines.length > 0 || legend) && html`<div class="small-print">${lines}${legend}</div>`
}

/** By their bang. */
const OTHER_SITES = { '!w': 'Wikipedia', '!ddg': 'DuckDuckGo', '!osm': 'OpenStreetMap' }

interface Unfound extends SearchPage {
  answer: SearchAnswer
}

/** Nothing was found: says which engines were asked and, for those of the web, where else the same words may find something. */
export function nothingFound(context: PageContext, searchQuery: SearchQuery, unfound: Unfound): Html {
  const { words, locale } = context
  const { answer, search, path } = unfound
  const { nothing } = words.search
  const { request } = searchQuery
  const params = { ...searchParamsOf(searchQuery), page: '' }
  if (request.page > 1) {
    return statePage(nothing.title, [nothing.lastPage], [buttonLink(nothing.firstPage, addressOf(path, params))])
  }
  const askedNames = joinNames(namesOfSlots(answer.engines, { search, tab: searchQuery.tab }), locale)
  const hasFilters = Object.keys(searchQuery.keep).some((name) => name !== 'sure')
  const lines =
    answer.status === 'unsupported' ? [nothing.unsupported] : [nothing.asked({ engines: askedNames }), nothing.help]
  const unfiltered = addressOf(path, { q: params.q, tab: params.tab })
  return statePage(
    nothing.title,
    [...lines, ...(path === WEB_PATH ? elsewhere(context, searchQuery) : [])],
    [
      searchQuery.operators.length > 0 &&
        buttonLink(words.operators.without, addressOf(path, { ...params, q: request.text })),
      hasFilters && buttonLink(nothing.withoutFilters, unfiltered),
    ],
  )
}

/** Other tabs, and other sites, for the same words. */
function elsewhere(context: PageContext, searchQuery: SearchQuery): Html[] {
  const { words } = context
  const { nothing } = words.search
  const params = { ...searchParamsOf(searchQuery), page: '' }
  const otherTabs = context.offers.tabs.filter((tab) => tab !== searchQuery.tab)
  const tabs = joined(
    otherTabs.map(
      (tab) =>
        html`<a href="${addressOf('/search', { ...params, tab: tab === 'web' ? '' : tab })}">${words.frame.tabs[tab]}</a>`,
    ),
    ' · ',
  )
  const others = joined(
    Object.entries(OTHER_SITES).map(
      ([bang, name]) =>
        html`<bdi><a href="${addressOf('/search', { q: `${bang} ${params.q}` })}">${name}</a> (<code>${bang}</code>)</bdi>`,
    ),
    ' · ',
  )
  return [html`${nothing.elsewhere} ${tabs}`, html`${nothing.otherSites} ${others}`]
}

/** No engine answered, or there is none to ask. */
export function failed(
  context: PageContext,
  searchQuery: SearchQuery,
  { refusal, search }: { refusal: Refusal; search: Search },
): Html {
  const { words } = context
  const { failed, noProvider } = words.search
  const seconds = Number(refusal.headers['Retry-After'] ?? 0)
  if (seconds === 0) {
    const allEngines = addressOf('/search', { ...searchParamsOf(searchQuery), page: '', engine: 'all' })
    const hasOthers = searchQuery.request.engines.length > 0 && enginesOf(search, searchQuery.tab).length > 0
    return statePage(noProvider.title, [noProvider.help], hasOthers ? [buttonLink(noProvider.again, allEngines)] : [])
  }
  const reasons = reasonsOf(context, refusal, { search, tab: searchQuery.tab })
  if (refusal.code === 'budget_used_up') return spent(context, { reasons, seconds })
  return unavailable(context, failed.title, { reasons, seconds })
}

/** Trying again is of no use before the budget returns. */
function spent(
  { words, locale, clock, hasPage }: PageContext,
  { reasons, seconds }: { reasons: readonly string[]; seconds: number },
): Html {
  const { spentTitle, spentHelp, status } = words.search.failed
  const dates = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' })
  const help = spentHelp({ date: dates.format(clock() + seconds * 1_000) })
  return statePage(spentTitle, [...reasons, help], [hasPage('/status') && html`<a href="/status">${status}</a>`])
}

/** A sentence for each engine that failed. */
export function reasonsOf(context: PageContext, { headers }: Refusal, { search, tab }: Asked): string[] {
  const failures = parseFailures(headers['Engine-Status'] ?? '', context.words.search.failures)
  // A slot with two providers reports both, and has one name.
  return [...new Set(failures.map((failure) => sentenceOf(context, failureOf(context, failure, { search, tab }))))]
}

const sentenceOf = ({ locale }: PageContext, clause: string): string => `${capitalised(clause, locale)}.`

/** Reads the failures from the refusal, in the API's format: `engine_a;timeout;ms=2000, engine_b;ok;ms=90`. */
const parseFailures = (engineStatus: string, failures: Words['search']['failures']) =>
  engineStatus.split(', ').flatMap((part) => {
    const [slot = '', word = ''] = part.split(';')
    const kind = word === 'budget' ? 'overBudget' : word
    return isFailure(kind, failures) ? [{ slot, kind }] : []
  })

const isFailure = (kind: string, failures: Words['search']['failures']): kind is UpstreamErrorKind =>
  Object.hasOwn(failures, kind)

/** No provider responded: offers to try again, and to see which ones are down. */
export function unavailable(
  { words, address, hasPage }: PageContext,
  title: string,
  { reasons = [], seconds }: { reasons?: readonly string[]; seconds: number },
): Html {
  const { help, again, status } = words.search.failed
  return statePage(
    title,
    [...reasons, help({ seconds })],
    [buttonLink(again, address), hasPage('/status') && html`<a href="/status">${status}</a>`],
  )
}

/** `actions` are for administrators, like `adminHelp`. */
export const notSetUp = (
  { viewer }: PageContext,
  { title, help, adminHelp }: Record<'title' | 'help' | 'adminHelp', string>,
  actions: readonly (Html | false)[] = [],
): Html => (viewer?.isAdmin ? statePage(title, [help, adminHelp], actions) : statePage(title, [help]))

/** The body of a page that has nothing to show: why, and what to do next. */
export const statePage = (title: string, lines: readonly Piece[], actions: readonly (Html | false)[] = []): Html =>
  html`<section class="state-page"><h1>${title}</h1>${lines.map((line) => html`<p>${line}</p>`)}${actions.some(Boolean) && html`<div class="actions">${actions}</div>`}</section>`
