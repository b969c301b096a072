// GET /search: the results of one tab, with notes on engines that failed or were skipped. It uses the same
// search service as the API.

import { setTimeout as sleep } from 'node:timers/promises'
import { PAGE_SIZE, type Tab } from '@bowerbird/engines/engine.ts'
import type { z } from 'zod'
import { Refusal } from '../../errors.ts'
import type { RuleBook } from '../../rules/site-rules.ts'
import type { GuardMode } from '../../search/query-guard.ts'
import { isTooLong, LAST_PAGE, MAX_QUERY_LENGTH } from '../../search/read-filters.ts'
import type { Search, SearchAnswer } from '../../search/search.ts'
import type { ResultsSoFar, SearchWatcher } from '../../search/search-watcher.ts'
import type { SettingsDesk } from '../../settings/settings-desk.ts'
import { type ExtraScript, extraStylePath } from '../assets.ts'
import { feedLink } from '../feeds/feeds-pages.ts'
import { type Html, html } from '../http/html.ts'
import { definePage, type PageContext, type SearchBar, type StreamedView, type View } from '../http/page.ts'
import { addressOf } from '../parts/address.ts'
import { pagination } from '../parts/search-navigation.ts'
import { type PageReading, readAddress } from '../reading/read-page.ts'
import { type AnswerBox, type AnswerBoxParts, answerBox, localAnswer } from './answer-box.ts'
import { followBang } from './bang.ts'
import { filters } from './filters.ts'
import { guardSearch, removedNote } from './guard-page.ts'
import { imageViewer } from './image-viewer.ts'
import { startMineBox } from './mine-box.ts'
import { relatedLink } from './related-page.ts'
import { imageGrid, LISTS } from './result-lists.ts'
import { resultMenus } from './result-menu.ts'
import { joinNames, type ResultViewParts, resultViewOf } from './result-parts.ts'
import {
  attributions,
  correction,
  failed,
  namesOfSlots,
  nothingFound,
  operatorNotes,
  partialNote,
  statePage,
  WEB_PATH,
} from './search-notes.ts'
import { parseSearchQuery, SearchParams, type SearchQuery, searchParamsOf } from './search-query.ts'
import { ChangeParams, changeNotice } from './site-rule-pages.ts'

/** What the list of results needs, early or final. */
interface ResultListParts extends ResultViewParts {
  settings: SettingsDesk
  queryGuard: GuardMode
  reading: PageReading | undefined
}

export interface ResultsPageParts extends ResultListParts, AnswerBoxParts {
  mine: Search
  rules: RuleBook
}

const ResultsQuery = SearchParams.extend(ChangeParams)

export const resultsPage = (parts: ResultsPageParts) =>
  definePage({
    method: 'GET',
    path: '/search',
    access: 'searcher',
    quota: 'search',
    query: ResultsQuery,
    search: (context) => searchBarOf(parts.search, context, queryOf(parts.search, context)),
    async handle(context) {
      const { caller, words } = context
      const searchQuery = queryOf(parts.search, context)
      const { written: text } = searchQuery
      const { ask, tooLong } = words.search
      const held = guardSearch(parts.queryGuard, context, {
        text,
        isSure: searchQuery.keep['sure'] !== undefined,
        addressWith: (params) => addressOf('/search', { ...searchParamsOf(searchQuery), page: '', ...params }),
      })
      if (held) return 'redirect' in held ? held : await heldView(parts, context, searchQuery, held)
      const elsewhere = await followBang(context, text)
      if (elsewhere) return elsewhere
      if (text === '') return viewOf(parts.search, context, searchQuery, { body: statePage(ask.title, [ask.help]) })
      if (isTooLong(text)) {
        return viewOf(parts.search, context, searchQuery, {
          status: 400,
          body: statePage(tooLong.title, [tooLong.help({ most: MAX_QUERY_LENGTH })]),
        })
      }
      const answered = await answeredHere(parts, context, searchQuery)
      if (answered) return answered
      const changed = await changeNotice(parts.rules, context, context.query, hereOf(searchQuery))
      const pendingBox = fetchAnswerBox(parts, context, searchQuery)
      const mine = startMineBox(parts.mine, context, searchQuery)
      const watch = watchSearch()
      const pendingSearch = parts.search.search(
        { caller, tab: searchQuery.tab, request: searchQuery.request },
        watch.watcher,
      )
      try {
        // Image rows depend on all images, so they aren't streamed.
        const first = searchQuery.tab === 'images' ? undefined : await watch.earlyResults(pendingSearch, pendingBox)
        if (first) {
          first.box = { ...first.box, mine: await mine.now(), changed }
          return streamedView(parts, context, searchQuery, { first, pendingSearch })
        }
        const answer = await pendingSearch
        const box = { ...(await pendingBox), mine: await mine.now(), changed }
        const body = resultsOf(parts, context, searchQuery, { answer, box })
        const hasFailures = answer.reports.some(({ outcome }) => outcome === 'failed')
        return viewOf(parts.search, context, searchQuery, { ...needsOf(box), body, hasFailures })
      } catch (error) {
        if (!(error instanceof Refusal) || error.status !== 503) throw error
        const box = await pendingBox
        const body = html`${box.answer}${await mine.whole}${failed(context, searchQuery, { refusal: error, search: parts.search })}`
        return viewOf(parts.search, context, searchQuery, {
          ...needsOf(box),
          status: 503,
          headers: { ...error.headers, ...box.headers },
          body,
          hasFailures: true,
        })
      }
    },
  })

const queryOf = (search: Search, { query, preferences }: PageContext<z.output<typeof SearchParams>>): SearchQuery =>
  parseSearchQuery(query, preferences, search.slotNames)

const hereOf = (searchQuery: SearchQuery): string => addressOf('/search', searchParamsOf(searchQuery))

/** Nothing is sent, not even to private engines. An answer that is computed here can be shown below the warning. */
async function heldView(
  parts: Pick<ResultsPageParts, 'search' | 'answers' | 'exchange'>,
  context: PageContext,
  searchQuery: SearchQuery,
  { body, ...rest }: Content,
): Promise<View> {
  const { answer } = await localAnswer(parts, context, searchQuery)
  return viewOf(parts.search, context, searchQuery, { ...rest, body: html`${body}${answer}` })
}

/** The whole page, if the reader wants no engine to be asked what can be computed here; undefined: search. */
async function answeredHere(
  parts: Pick<ResultsPageParts, 'search' | 'answers' | 'exchange'>,
  context: PageContext,
  searchQuery: SearchQuery,
): Promise<View | undefined> {
  const { tab, request, written, operators, keep } = searchQuery
  const isQuestion = tab === 'web' && request.page === 1 && operators.length === 0 && keep['results'] === undefined
  if (!context.preferences.answersFirst || !isQuestion) return undefined
  const box = await localAnswer(parts, context, searchQuery)
  if (!box.answer) return undefined
  const { askedNobody, searchWeb } = context.words.answers
  const address = addressOf('/search', { ...searchParamsOf(searchQuery), results: 'on' })
  const body = html`${box.answer}<p>${askedNobody} <a href="${address}">${searchWeb({ query: written })}</a></p>`
  return viewOf(parts.search, context, searchQuery, { ...needsOf(box), body })
}

/** Sends the early results, then the final ones. An engine has answered, so the search can no longer be refused. */
function streamedView(
  parts: ResultListParts,
  context: PageContext,
  searchQuery: SearchQuery,
  { first, pendingSearch }: { first: EarlyResults; pendingSearch: Promise<SearchAnswer> },
): StreamedView {
  const { words, log } = context
  const { box } = first
  // If the reader is gone when the search fails, no one else handles its rejection.
  pendingSearch.catch(() => undefined)
  async function* sendParts(): AsyncGenerator<Html> {
    yield earlyPart(parts, context, searchQuery, first)
    try {
      yield resultsOf(parts, context, searchQuery, { answer: await pendingSearch, box })
    } catch (error) {
      log.error({ err: error }, 'a search failed after its first results')
      yield statePage(words.frame.errors.broken, [words.search.early.failed])
    }
  }
  // Whether the slow engine fails is known only after the footer has been rendered.
  const head = headOf(parts.search, context, searchQuery, needsOf(box))
  return {
    ...head,
    scripts: [...head.scripts, 'streaming'],
    hasFailures: true,
    parts: sendParts(),
  }
}

/** Never rejects: a failing answer box must not hide the results. */
async function fetchAnswerBox(
  parts: AnswerBoxParts,
  context: PageContext,
  searchQuery: SearchQuery,
): Promise<AnswerBox> {
  if (searchQuery.tab !== 'web' || searchQuery.request.page !== 1) return {}
  try {
    return await answerBox(parts, context, searchQuery)
  } catch (error) {
    context.log.error({ err: error }, 'the answer box failed; showing results without it')
    return {}
  }
}

/** What an answer above the results needs of the page: a tool has a script and a stylesheet. */
const needsOf = ({ headers = {}, scripts = [], styles = [] }: AnswerBox): Needs => ({ headers, scripts, styles })

interface Needs {
  headers?: Record<string, string>
  scripts?: readonly ExtraScript[]
  styles?: readonly string[]
}

type Content = Pick<View, 'body' | 'status' | 'hasFailures'> & Needs

const viewOf = (search: Search, context: PageContext, searchQuery: SearchQuery, content: Content): View => ({
  ...content,
  ...headOf(search, context, searchQuery, content),
})

/** Everything about the page except its body. */
function headOf(
  search: Search,
  context: PageContext,
  searchQuery: SearchQuery,
  { scripts = [], styles = [], headers = {} }: Needs,
) {
  const { tab, written } = searchQuery
  const { frame } = context.words
  return {
    title: written === '' ? frame.tabs[tab] : `${written} · ${frame.tabs[tab]}`,
    layout: 'results' as const,
    search: searchBarOf(search, context, searchQuery),
    scripts: tab === 'images' ? (['viewer'] as const) : scripts,
    styles: tab === 'images' ? [extraStylePath('images')] : styles,
    headers,
  }
}

const searchBarOf = (search: Search, context: PageContext, searchQuery: SearchQuery): SearchBar => ({
  text: searchQuery.written,
  tab: searchQuery.tab,
  keep: searchQuery.keep,
  ...(searchQuery.written !== '' && { filters: filters(context, searchQuery, { action: WEB_PATH, search }) }),
})

interface SearchOutcome {
  answer: SearchAnswer
  box: AnswerBox
}

function resultsOf(
  parts: ResultListParts,
  context: PageContext,
  searchQuery: SearchQuery,
  { answer, box }: SearchOutcome,
): Html {
  const { words } = context
  const isEmpty = answer.results.length === 0
  return html`<div class="columns${searchQuery.tab === 'images' && ' columns-images'}${hasRail(box) && ' columns-card'}"><div class="column">
<h1 class="visually-hidden">${words.search.results}</h1>
${box.changed}${removedNote(context, searchQuery.removed)}${operatorNotes(context, searchQuery, { search: parts.search, unchecked: answer.unchecked })}${correction(context, searchQuery, answer.correction)}${partialNote(context, answer, parts.search)}${box.answer}
${isEmpty ? nothingFound(context, searchQuery, { answer, search: parts.search, path: WEB_PATH }) : listOf(parts, context, searchQuery, answer)}
${paginationOf(context, searchQuery, { ...answer, path: '/search' })}${!isEmpty && relatedLink(parts.queryGuard, context, searchQuery)}${attributions(context, answer, { search: parts.search, path: WEB_PATH })}${feedLink(parts.settings, context, searchQuery)}
</div>${rail(context, box)}${searchQuery.tab === 'images' && imageViewer(words, resultViewOf(context, answer, parts))}</div>`
}

const hasRail = ({ card, mine }: AnswerBox): boolean => Boolean(card || mine)

/** Beside the results; in a narrow window after the third, where `search.css` puts it. */
const rail = ({ words }: PageContext, box: AnswerBox): Html | false =>
  hasRail(box) &&
  html`<div class="rail">${box.mine}${box.card && html`<aside aria-label="${words.search.card}">${box.card}</aside>`}</div>`

type Listed = Pick<SearchAnswer, 'tab' | 'now' | 'results'>

function listOf(parts: ResultListParts, context: PageContext, searchQuery: SearchQuery, answer: Listed): Html {
  const { tab, written: q, request, keep } = searchQuery
  const here = searchParamsOf(searchQuery)
  const toRead = (address: string) => readAddress(parts.reading, context, address, here)
  const { form, menuOf } = resultMenus(context, searchQuery, { back: hereOf(searchQuery), path: '/search' })
  // Whoever asks for a site wants to see all of it.
  const folds = FOLDED_TABS.has(tab) && (request.includeDomains ?? []).length === 0
  const view = { ...resultViewOf(context, answer, parts), toRead, menuOf, folds }
  const { results } = answer
  if (tab !== 'images') return html`${form}${LISTS[tab](results, view)}`
  const { page } = request
  const toDetail = (id: string) => addressOf('/images/detail', { q, page: page === 1 ? '' : page, ...keep, id })
  return html`${form}${imageGrid(results, view, toDetail)}`
}

/** Videos, papers and projects are on a few sites anyway: YouTube, doi.org, GitHub. */
const FOLDED_TABS: ReadonlySet<Tab> = new Set(['web', 'news'])

interface Shown {
  results: readonly unknown[]
  path: string
}

export function paginationOf({ words }: PageContext, searchQuery: SearchQuery, { results, path }: Shown): Html | false {
  const { request } = searchQuery
  const { page } = request
  const addressOfPage = (number: number) =>
    addressOf(path, searchParamsOf({ ...searchQuery, request: { ...request, page: number } }))
  const hasNext = results.length >= PAGE_SIZE && page < LAST_PAGE
  return pagination(
    {
      page,
      previous: page > 1 ? addressOfPage(page - 1) : undefined,
      next: hasNext ? addressOfPage(page + 1) : undefined,
      count: results.length,
    },
    words,
  )
}

/** A search that takes longer than this shows early results. Most searches take less, even if they aren't cached. */
const EARLY_AFTER_MS = 400

interface EarlyResults {
  soFar: ResultsSoFar
  box: AnswerBox
  /** The slots that have not answered yet. */
  waitingFor: readonly string[]
}

/**
 * Collects the results so far while a slow engine is still running. They are sent immediately, in a `template` that
 * `assets/streaming.js` puts in place; without JavaScript it stays invisible, and the page is the usual one, only later.
 */
function watchSearch() {
  const waitingFor = new Set<string>()
  const { promise: results, resolve } = Promise.withResolvers<() => ResultsSoFar>()
  const watcher: SearchWatcher = {
    onStart: (slots) => {
      for (const slot of slots) waitingFor.add(slot)
    },
    onEngine: ({ slot }) => void waitingFor.delete(slot),
    onResults: resolve,
    // Never aborted: readers who leave often come back, so the search is finished for the cache.
    signal: new AbortController().signal,
  }
  return {
    watcher,
    /** undefined: the search finished first, or there is nothing to show yet. */
    async earlyResults(
      pendingSearch: Promise<unknown>,
      pendingBox: Promise<AnswerBox>,
    ): Promise<EarlyResults | undefined> {
      const finished = pendingSearch.then(
        () => undefined,
        () => undefined,
      )
      // Also wait for the answer box, so that nothing is inserted above the results later.
      const ready = Promise.all([results, pendingBox, sleep(EARLY_AFTER_MS, undefined, { ref: false })])
      const first = await Promise.race([finished, ready])
      const soFar = first?.[0]()
      if (!first || !soFar || soFar.results.length === 0) return undefined
      return { soFar, box: first[1], waitingFor: [...waitingFor] }
    },
  }
}

/** The element after the template tells the script that the template is complete. */
function earlyPart(
  parts: ResultListParts,
  context: PageContext,
  searchQuery: SearchQuery,
  { soFar, box, waitingFor }: EarlyResults,
): Html {
  const { locale } = context
  const { search: words } = context.words
  const { tab } = searchQuery
  const names = namesOfSlots(waitingFor, { search: parts.search, tab })
  return html`<template data-early data-settled="${words.early.settled}" data-better="${words.early.better}" data-sort="${words.early.sort}"><div class="columns${hasRail(box) && ' columns-card'} early"><div class="column">
<h1 class="visually-hidden">${words.results}</h1>
<div class="waiting" role="status">${words.early.waitingFor({ engines: joinNames(names, locale) })}</div>${box.changed}${removedNote(context, searchQuery.removed)}${operatorNotes(context, searchQuery, { search: parts.search })}${box.answer}
${listOf(parts, context, searchQuery, { ...soFar, tab })}
</div>${rail(context, box)}</div></template><wbr hidden>
`
}
