// GET /search: the results of one tab, with notes on engines that failed or were skipped. It uses the API's search.

import { setTimeout as sleep } from 'node:timers/promises'
import { PAGE_SIZE, type Tab } from '@bowerbird/engines/engine.ts'
import { Refusal } from '../../errors.ts'
import { isTooLong, LAST_PAGE, MAX_QUERY_LENGTH } from '../../search/read-filters.ts'
import type { SearchAnswer } from '../../search/search.ts'
import type { ResultsSoFar, SearchWatcher } from '../../search/search-watcher.ts'
import { type Html, html } from '../http/html.ts'
import { definePage, type PageContext, type StreamedView, type View } from '../http/page.ts'
import { addressOf } from '../parts/address.ts'
import { pagination } from '../parts/search-navigation.ts'
import { readAddress } from '../reading/read-page.ts'
import { type AnswerBox, answerBox } from './answer-box.ts'
import { followBang } from './bang.ts'
import { filters } from './filters.ts'
import { imageGrid, LISTS } from './result-lists.ts'
import { listed, type ResultView, resultViewOf } from './result-parts.ts'
import { attributions, correction, failed, nothingFound, partialNote, statePage } from './search-notes.ts'
import { parseSearchQuery, SearchParams, type SearchQuery, writtenSearch } from './search-query.ts'

export const resultsPage = definePage({
  method: 'GET',
  path: '/search',
  access: 'searcher',
  quota: 'search',
  query: SearchParams,
  async handle(context) {
    const { query, preferences, services, words } = context
    const searchQuery = parseSearchQuery(query, preferences, services.search.slotNames)
    const { text } = searchQuery.request
    const { ask, tooLong } = words.search
    const elsewhere = await followBang(context, text)
    if (elsewhere) return elsewhere
    if (text === '') return viewOf(context, searchQuery, { body: statePage(ask.title, [ask.help]) })
    if (isTooLong(text)) {
      return viewOf(context, searchQuery, {
        status: 400,
        body: statePage(tooLong.title, [tooLong.help(MAX_QUERY_LENGTH)]),
      })
    }
    const asking = besideOf(context, searchQuery)
    const watched = watchSearch()
    const running = services.search.search(searchQuery.tab, searchQuery.request, watched.watcher)
    try {
      // Image rows depend on all images, so they aren't streamed.
      const first = searchQuery.tab === 'images' ? undefined : await watched.early(running, asking)
      if (first) return streamed(context, searchQuery, { first, running })
      const answer = await running
      const beside = await asking
      const body = resultsOf(context, searchQuery, { answer, beside })
      return viewOf(context, searchQuery, { headers: beside.headers ?? {}, body })
    } catch (error) {
      if (!(error instanceof Refusal) || error.status !== 503) throw error
      const { answer, headers } = await asking
      const body = html`${answer}${failed(context, searchQuery, error)}`
      return viewOf(context, searchQuery, { status: 503, headers: { ...error.headers, ...headers }, body })
    }
  },
})

/** An engine has answered, so the search won't be refused any more. */
function streamed(
  context: PageContext,
  searchQuery: SearchQuery,
  { first, running }: { first: EarlyResults; running: Promise<SearchAnswer<Tab>> },
): StreamedView {
  const { words, services } = context
  const { beside } = first
  // The reader may be gone by the time the search ends.
  running.catch(() => undefined)
  async function* parts(): AsyncGenerator<Html> {
    yield earlyPart(context, searchQuery, first)
    try {
      yield resultsOf(context, searchQuery, { answer: await running, beside })
    } catch (error) {
      services.log.error({ err: error }, 'a search failed after its first results')
      yield statePage(words.frame.errors.broken, [words.search.early.failed])
    }
  }
  return { ...headOf(context, searchQuery), script: 'streaming', headers: beside.headers ?? {}, parts: parts() }
}

/** Never rejects: a failing answer box must not hide the results. */
async function besideOf(context: PageContext, searchQuery: SearchQuery): Promise<AnswerBox> {
  if (searchQuery.tab !== 'web' || searchQuery.request.page !== 1) return {}
  try {
    return await answerBox(context, searchQuery)
  } catch (error) {
    context.services.log.error({ err: error }, 'the answer box failed; showing results without it')
    return {}
  }
}

type Content = Pick<View, 'body' | 'status' | 'headers'>

const viewOf = (context: PageContext, searchQuery: SearchQuery, content: Content): View => ({
  ...headOf(context, searchQuery),
  ...content,
})

/** The page around the results, whatever they are. */
function headOf(context: PageContext, searchQuery: SearchQuery) {
  const { tab, request, keep } = searchQuery
  const { frame } = context.words
  return {
    title: request.text === '' ? frame.tabs[tab] : `${request.text} · ${frame.tabs[tab]}`,
    layout: 'results' as const,
    search: { text: request.text, tab, keep, filters: request.text === '' ? html`` : filters(context, searchQuery) },
  }
}

interface Found {
  answer: SearchAnswer<Tab>
  beside: AnswerBox
}

function resultsOf(context: PageContext, searchQuery: SearchQuery, { answer, beside }: Found): Html {
  const { words } = context
  const isEmpty = answer.results.length === 0
  return html`<div class="columns${searchQuery.tab === 'images' && ' columns-images'}"><div class="column">
<h1 class="visually-hidden">${words.search.results}</h1>
${correction(context, searchQuery, answer.correction)}${partialNote(context, answer)}${beside.answer}
${isEmpty ? nothingFound(context, searchQuery, answer) : listOf(context, searchQuery, answer)}
${pagesOf(context, searchQuery, answer)}${attributions(context, answer)}
</div>${beside.card && html`<aside class="rail" aria-label="${words.search.card}">${beside.card}</aside>`}</div>`
}

type Listed = Pick<SearchAnswer<Tab>, 'tab' | 'now' | 'results'>

function listOf(context: PageContext, searchQuery: SearchQuery, answer: Listed): Html {
  const { tab, request, keep } = searchQuery
  const here = writtenSearch(searchQuery)
  const toRead = (address: string) => readAddress(context, address, here)
  const view = { ...resultViewOf(context, answer), toRead }
  // An answer's hits are of its tab; the type checker can't see that.
  if (tab !== 'images') return (LISTS[tab] as ListOf)(answer.results, view)
  const { results } = answer as Pick<SearchAnswer<'images'>, 'results'>
  const { text: q, page } = request
  return imageGrid(
    results.map(({ hit }) => hit),
    view,
    (id) => addressOf('/images/detail', { q, page: page === 1 ? '' : page, ...keep, id }),
  )
}

type ListOf = (results: SearchAnswer<Tab>['results'], view: ResultView) => Html

function pagesOf({ words }: PageContext, searchQuery: SearchQuery, { results }: SearchAnswer<Tab>): Html | false {
  const { request } = searchQuery
  const { page } = request
  const to = (number: number) =>
    addressOf('/search', writtenSearch({ ...searchQuery, request: { ...request, page: number } }))
  const hasNext = results.length >= PAGE_SIZE && page < LAST_PAGE
  return pagination(
    { page, previous: page > 1 ? to(page - 1) : undefined, next: hasNext ? to(page + 1) : undefined },
    words.frame,
  )
}

/** A search that takes longer is slow. Most uncached ones take less. */
const SLOW_MS = 400

interface EarlyResults {
  soFar: ResultsSoFar<Tab>
  beside: AnswerBox
  /** The slots that have not answered yet. */
  waitingFor: readonly string[]
}

/**
 * Collects the results so far while a slow engine is still running. They are sent immediately, in a `template` that
 * `assets/streaming.js` puts in place; without JavaScript it stays invisible, and the page is the usual one, only later.
 */
function watchSearch() {
  const waitingFor = new Set<string>()
  const { promise: results, resolve } = Promise.withResolvers<() => ResultsSoFar<Tab> | undefined>()
  const watcher: SearchWatcher<Tab> = {
    onStart: (slots) => {
      for (const slot of slots) waitingFor.add(slot)
    },
    onEngine: ({ slot }) => void waitingFor.delete(slot),
    onResults: resolve,
    // Readers who leave a page often come back: finish the search, for the cache.
    signal: new AbortController().signal,
  }
  return {
    watcher,
    /** undefined: the search finished first, or there is nothing to show yet. */
    async early(running: Promise<unknown>, asking: Promise<AnswerBox>): Promise<EarlyResults | undefined> {
      const over = running.then(
        () => undefined,
        () => undefined,
      )
      // Also wait for the answer box, so that nothing is inserted above the results later.
      const ready = Promise.all([results, asking, sleep(SLOW_MS, undefined, { ref: false })])
      const first = await Promise.race([over, ready])
      const soFar = first?.[0]()
      if (!first || !soFar || soFar.results.length === 0) return undefined
      return { soFar, beside: first[1], waitingFor: [...waitingFor] }
    },
  }
}

/** The element after the template tells the script that the template is complete. */
function earlyPart(context: PageContext, searchQuery: SearchQuery, { soFar, beside, waitingFor }: EarlyResults): Html {
  const { locale, services } = context
  const { search: words } = context.words
  const { tab } = searchQuery
  const names = waitingFor.map((slot) => services.search.labelOf(slot, tab))
  return html`<template data-early data-settled="${words.early.settled}" data-sort="${words.early.sort}"><div class="columns early"><div class="column">
<h1 class="visually-hidden">${words.results}</h1>
<div class="waiting" role="status">${words.early.waitingFor(listed(names, locale))}</div>${beside.answer}
${listOf(context, searchQuery, { ...soFar, tab })}
</div>${beside.card && html`<aside class="rail" aria-label="${words.card}">${beside.card}</aside>`}</div></template><wbr hidden>
`
}
