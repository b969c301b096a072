// GET /search: the results of one tab, with notes on engines that failed or were skipped. It uses the same search
// service as the API. First come the replies that need no search; then the search and its page, which is streamed if an
// engine is slow.

import { PAGE_SIZE, type Tab } from '@bowerbird/engines/engine.ts'
import type { z } from 'zod'
import { Refusal } from '../../errors.ts'
import type { RuleBook } from '../../rules/site-rules.ts'
import type { GuardMode } from '../../search/query-guard.ts'
import { isTooLong, LAST_PAGE, MAX_QUERY_LENGTH } from '../../search/read-filters.ts'
import type { Search, SearchAnswer } from '../../search/search.ts'
import type { SettingsDesk } from '../../settings/settings-desk.ts'
import { extraStylePath } from '../assets.ts'
import { feedLink } from '../feeds/feeds-pages.ts'
import { type Html, html } from '../http/html.ts'
import { definePage, type PageContext, type PageReply, type SearchBar, type StreamedView } from '../http/page.ts'
import { addressOf } from '../parts/address.ts'
import { pagination } from '../parts/search-navigation.ts'
import { type PageReading, readAddress } from '../reading/read-page.ts'
import { type AnswerBox, type AnswerBoxParts, answerBox, localAnswer } from './answer-box.ts'
import { followBang } from './bang.ts'
import { type EarlyResults, watchSearch } from './early-results.ts'
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

export interface ResultsPageParts extends ResultViewParts, AnswerBoxParts {
  mine: Search
  rules: RuleBook
  settings: SettingsDesk
  queryGuard: GuardMode
  reading: PageReading | undefined
}

const ResultsQuery = SearchParams.extend(ChangeParams)

type ResultsContext = PageContext<z.output<typeof ResultsQuery>>

export const resultsPage = (parts: ResultsPageParts) =>
  definePage({
    method: 'GET',
    path: '/search',
    access: 'searcher',
    quota: 'search',
    query: ResultsQuery,
    search: (context) => buildSearchBar(parts.search, context, readSearchQuery(parts.search, context)),
    async handle(context) {
      const searchQuery = readSearchQuery(parts.search, context)
      const reply = await replyWithoutSearch(parts, context, searchQuery)
      return reply ?? (await searchAndReply(parts, context, searchQuery))
    },
  })

/** Calls no engine, not even a private one. Returns undefined if a search is needed. */
async function replyWithoutSearch(
  parts: ResultsPageParts,
  context: PageContext,
  searchQuery: SearchQuery,
): Promise<PageReply | undefined> {
  const { search, queryGuard } = parts
  const { written, keep } = searchQuery
  const { ask, tooLong } = context.words.search

  const held = guardSearch(queryGuard, context, {
    text: written,
    isSure: keep['sure'] !== undefined,
    addressWith: (changes) => buildSearchPath(searchQuery, { page: '', ...changes }),
  })
  if (held && 'redirect' in held) return held
  if (held) {
    // An answer that is computed here can be shown below the warning.
    const box = await localAnswer(parts, context, searchQuery)
    return { ...buildHead(search, context, searchQuery, box), ...held, body: html`${held.body}${box.answer}` }
  }

  const bangReply = await followBang(context, written)
  if (bangReply) return bangReply

  if (written === '') {
    return { ...buildHead(search, context, searchQuery), body: statePage(ask.title, [ask.help]) }
  }
  if (isTooLong(written)) {
    const body = statePage(tooLong.title, [tooLong.help({ most: MAX_QUERY_LENGTH })])
    return { ...buildHead(search, context, searchQuery), status: 400, body }
  }
  return await findLocalAnswerPage(parts, context, searchQuery)
}

/** Readers may prefer that no engine is called for an answer that can be computed here. */
async function findLocalAnswerPage(
  parts: ResultsPageParts,
  context: PageContext,
  searchQuery: SearchQuery,
): Promise<PageReply | undefined> {
  const { tab, request, written, operators, keep } = searchQuery
  const prefersAnswer = context.preferences.answersFirst && keep['results'] === undefined
  const isQuestion = tab === 'web' && request.page === 1 && operators.length === 0
  if (!prefersAnswer || !isQuestion) return undefined
  const box = await localAnswer(parts, context, searchQuery)
  if (!box.answer) return undefined
  const { askedNobody, searchWeb } = context.words.answers
  const resultsPath = buildSearchPath(searchQuery, { results: 'on' })
  const body = html`
${box.answer}
<p>${askedNobody} <a href="${resultsPath}">${searchWeb({ query: written })}</a></p>`
  return { ...buildHead(parts.search, context, searchQuery, box), body }
}

/** The answer box and the private engines are fetched while the search runs, and neither of them can fail it. */
async function searchAndReply(
  parts: ResultsPageParts,
  context: ResultsContext,
  searchQuery: SearchQuery,
): Promise<PageReply> {
  const { search, rules } = parts
  const { tab, request } = searchQuery
  const changed = await changeNotice(rules, context, context.query, buildSearchPath(searchQuery))
  const pendingBox = fetchAnswerBox(parts, context, searchQuery)
  const pendingMine = startMineBox(parts.mine, context, searchQuery)
  const finishBox = async (): Promise<AnswerBox> => {
    const box = await pendingBox
    return { ...box, mine: await pendingMine.now(), changed }
  }
  const { watcher, waitForEarlyResults } = watchSearch()
  const pendingSearch = search.search({ caller: context.caller, tab, request }, watcher)
  try {
    // Image rows depend on all images, so they aren't streamed.
    const early = tab === 'images' ? undefined : await waitForEarlyResults(pendingSearch, pendingBox)
    if (early) {
      const box = await finishBox()
      return buildStreamedView(parts, context, searchQuery, { pendingSearch, early, box })
    }
    const answer = await pendingSearch
    const box = await finishBox()
    return {
      ...buildHead(search, context, searchQuery, box),
      body: renderResults(parts, context, searchQuery, { answer, box }),
      hasFailures: answer.reports.some(({ outcome }) => outcome === 'failed'),
    }
  } catch (error) {
    if (!(error instanceof Refusal) || error.status !== 503) throw error
    const box = await pendingBox
    const mine = await pendingMine.whole
    return {
      ...buildHead(search, context, searchQuery, box),
      status: 503,
      headers: { ...error.headers, ...box.headers },
      body: html`${changed}${box.answer}${mine}${failed(context, searchQuery, { refusal: error, search })}`,
      hasFailures: true,
    }
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

/** Sends the early results, then the final ones. An engine has answered, so the search can no longer be refused. */
function buildStreamedView(
  parts: ResultsPageParts,
  context: PageContext,
  searchQuery: SearchQuery,
  { pendingSearch, early, box }: { pendingSearch: Promise<SearchAnswer>; early: EarlyResults; box: AnswerBox },
): StreamedView {
  const { words, log } = context
  async function* renderParts(): AsyncGenerator<Html> {
    yield renderEarlyResults(parts, context, searchQuery, { early, box })
    try {
      yield renderResults(parts, context, searchQuery, { answer: await pendingSearch, box })
    } catch (error) {
      log.error({ err: error }, 'a search failed after its first results')
      yield statePage(words.frame.errors.broken, [words.search.early.failed])
    }
  }
  const head = buildHead(parts.search, context, searchQuery, box)
  return {
    ...head,
    scripts: [...head.scripts, 'streaming'],
    // Whether the slow engine fails is known only after the footer has been rendered.
    hasFailures: true,
    parts: renderParts(),
  }
}

const readSearchQuery = (
  search: Search,
  { query, preferences }: PageContext<z.output<typeof SearchParams>>,
): SearchQuery => parseSearchQuery(query, preferences, search.slotNames)

/** The path and query that lead to this search, with some parameters changed. */
const buildSearchPath = (searchQuery: SearchQuery, changes: Record<string, string> = {}): string =>
  addressOf(WEB_PATH, { ...searchParamsOf(searchQuery), ...changes })

/** Everything about the page except its body. A tool above the results has a script and a stylesheet. */
function buildHead(
  search: Search,
  context: PageContext,
  searchQuery: SearchQuery,
  { scripts = [], styles = [], headers = {} }: AnswerBox = {},
) {
  const { tab, written } = searchQuery
  const tabName = context.words.frame.tabs[tab]
  const isImages = tab === 'images'
  return {
    title: written === '' ? tabName : `${written} · ${tabName}`,
    layout: 'results' as const,
    search: buildSearchBar(search, context, searchQuery),
    scripts: isImages ? (['viewer'] as const) : scripts,
    styles: isImages ? [extraStylePath('images')] : styles,
    headers,
  }
}

function buildSearchBar(search: Search, context: PageContext, searchQuery: SearchQuery): SearchBar {
  const { written: text, tab, keep } = searchQuery
  if (text === '') return { text, tab, keep }
  return { text, tab, keep, filters: filters(context, searchQuery, { action: WEB_PATH, search }) }
}

function renderResults(
  parts: ResultsPageParts,
  context: PageContext,
  searchQuery: SearchQuery,
  { answer, box }: { answer: SearchAnswer; box: AnswerBox },
): Html {
  const { search, queryGuard, settings } = parts
  const { words } = context
  const { results, unchecked } = answer
  const isImages = searchQuery.tab === 'images'
  const isEmpty = results.length === 0
  const list = isEmpty
    ? nothingFound(context, searchQuery, { answer, search, path: WEB_PATH })
    : renderList(parts, context, searchQuery, answer)
  const related = !isEmpty && relatedLink(queryGuard, context, searchQuery)
  const viewer = isImages && imageViewer(words, resultViewOf(context, answer, parts))
  return html`
<div class="columns${isImages && ' columns-images'}${hasRail(box) && ' columns-card'}">
  <div class="column">
    <h1 class="visually-hidden">${words.search.results}</h1>
    ${box.changed}
    ${removedNote(context, searchQuery.removed)}
    ${operatorNotes(context, searchQuery, { search, unchecked })}
    ${correction(context, searchQuery, answer.correction)}
    ${partialNote(context, answer, search)}
    ${box.answer}
    ${list}
    ${renderPagination(context, searchQuery, { results, path: WEB_PATH })}
    ${related}
    ${attributions(context, answer, { search, path: WEB_PATH })}
    ${feedLink(settings, context, searchQuery)}
  </div>
  ${renderRail(context, box)}
  ${viewer}
</div>`
}

/**
 * `assets/streaming.js` puts the template in place. Without JavaScript it stays invisible, and the page is the usual
 * one, only later. The element after the template tells the script that it is complete.
 */
function renderEarlyResults(
  parts: ResultsPageParts,
  context: PageContext,
  searchQuery: SearchQuery,
  { early, box }: { early: EarlyResults; box: AnswerBox },
): Html {
  const { search } = parts
  const { words, locale } = context
  const { tab, removed } = searchQuery
  const engines = joinNames(namesOfSlots(early.pendingSlots, { search, tab }), locale)
  const { settled, better, sort, waitingFor } = words.search.early
  return html`
<template data-early data-settled="${settled}" data-better="${better}" data-sort="${sort}">
  <div class="columns${hasRail(box) && ' columns-card'} early">
    <div class="column">
      <h1 class="visually-hidden">${words.search.results}</h1>
      <div class="waiting" role="status">${waitingFor({ engines })}</div>
      ${box.changed}
      ${removedNote(context, removed)}
      ${operatorNotes(context, searchQuery, { search })}
      ${box.answer}
      ${renderList(parts, context, searchQuery, { ...early, tab })}
    </div>
    ${renderRail(context, box)}
  </div>
</template><wbr hidden>
`
}

const hasRail = ({ card, mine }: AnswerBox): boolean => Boolean(card || mine)

/** The rail stands beside the results; in a narrow window after the third, where `search.css` puts it. */
function renderRail({ words }: PageContext, box: AnswerBox): Html | false {
  if (!hasRail(box)) return false
  const card = box.card && html`<aside aria-label="${words.search.card}">${box.card}</aside>`
  return html`<div class="rail">${box.mine}${card}</div>`
}

/** Videos, papers and projects are on a few sites anyway: YouTube, doi.org, GitHub. */
const FOLDED_TABS: ReadonlySet<Tab> = new Set(['web', 'news'])

function renderList(
  parts: ResultsPageParts,
  context: PageContext,
  searchQuery: SearchQuery,
  answer: Pick<SearchAnswer, 'tab' | 'now' | 'results'>,
): Html {
  const { tab, written, request, keep } = searchQuery
  const { page, includeDomains = [] } = request
  const searchParams = searchParamsOf(searchQuery)
  const back = buildSearchPath(searchQuery)
  const { form, menuOf } = resultMenus(context, searchQuery, { back, path: WEB_PATH })
  const view = {
    ...resultViewOf(context, answer, parts),
    toRead: (url: string) => readAddress(parts.reading, context, url, searchParams),
    menuOf,
    // The results of a site search aren't folded.
    folds: FOLDED_TABS.has(tab) && includeDomains.length === 0,
  }
  if (tab !== 'images') return html`${form}${LISTS[tab](answer.results, view)}`
  const detailParams = { q: written, page: page === 1 ? '' : page, ...keep }
  const toDetail = (id: string) => addressOf('/images/detail', { ...detailParams, id })
  return html`${form}${imageGrid(answer.results, view, toDetail)}`
}

export function renderPagination(
  { words }: PageContext,
  searchQuery: SearchQuery,
  { results, path }: { results: readonly unknown[]; path: string },
): Html | false {
  const { request } = searchQuery
  const { page } = request
  const toPage = (number: number) =>
    addressOf(path, searchParamsOf({ ...searchQuery, request: { ...request, page: number } }))
  const hasNext = results.length >= PAGE_SIZE && page < LAST_PAGE
  return pagination(
    {
      page,
      previous: page > 1 ? toPage(page - 1) : undefined,
      next: hasNext ? toPage(page + 1) : undefined,
      count: results.length,
    },
    words,
  )
}
