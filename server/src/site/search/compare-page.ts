// GET /compare?q=: one search, shown as several lists beside each other: merged here, as SearXNG would merge the same
// answers, and each engine alone. It costs what the search costs, and nobody is asked twice. On a phone the lists are under
// each other, with links to each.
import { TABS } from '@bowerbird/engines/engine.ts'
import { hostOf } from '@bowerbird/engines/parsing/http-address.ts'
import { z } from 'zod'
import { Refusal } from '../../errors.ts'
import type { MergedHit } from '../../search/merge.ts'
import type { GuardMode } from '../../search/query-guard.ts'
import { isTooLong, MAX_QUERY_LENGTH } from '../../search/read-filters.ts'
import type { Search, SearchAnswer } from '../../search/search.ts'
import { searxngOrder } from '../../search/searxng-order.ts'
import { type Html, html } from '../http/html.ts'
import { definePage, type PageContext, type View } from '../http/page.ts'
import { addressOf } from '../parts/address.ts'
import { guardSearch } from './guard-page.ts'
import { externalLink, shortened } from './result-parts.ts'
import { failed, namesOfSlots, statePage } from './search-notes.ts'
import { parseSearchQuery, SearchParams, searchParamsOf } from './search-query.ts'

export interface ComparePageParts {
  search: Search
  queryGuard: GuardMode
}

/** Tabs whose results are lists of titles. */
const COMPARED = TABS.filter((tab) => tab !== 'images')
const LENGTH = 10
const MAX_TITLE_LENGTH = 120

interface List {
  id: string
  name: string
  results: readonly MergedHit[]
  /** Of one engine: of others, what only one engine found is marked. */
  isAlone?: boolean
}

const CompareQuery = SearchParams.extend({ tab: z.enum(COMPARED).catch('web') })

export const comparePage = ({ search, queryGuard }: ComparePageParts) =>
  definePage({
    method: 'GET',
    path: '/compare',
    access: 'searcher',
    quota: 'search',
    query: CompareQuery,
    async handle(context) {
      const { caller, query, preferences, words } = context
      const searchQuery = parseSearchQuery(query, preferences, search.slotNames)
      const { written: text } = searchQuery
      if (text === '') return compareView(context, text, html`<p class="measure">${words.compare.ask}</p>`)
      if (isTooLong(text)) {
        const { title, help } = words.search.tooLong
        return { ...compareView(context, text, statePage(title, [help({ most: MAX_QUERY_LENGTH })])), status: 400 }
      }
      const held = guardSearch(queryGuard, context, {
        text,
        isSure: searchQuery.keep['sure'] !== undefined,
        addressWith: (params) => addressOf('/compare', { ...searchParamsOf(searchQuery), page: '', ...params }),
      })
      if (held) return 'redirect' in held ? held : { ...compareView(context, text, held.body), ...held }
      try {
        // What is compared is a first page, with every engine. Its hits are of its tab, and each has a title.
        const request = { ...searchQuery.request, page: 1, engines: [] }
        const answer = await search.search({ caller, tab: searchQuery.tab, request })
        return compareView(context, text, columnsOf(search, context, answer))
      } catch (error) {
        if (!(error instanceof Refusal) || error.status !== 503) throw error
        const body = failed(context, searchQuery, { refusal: error, search })
        return { ...compareView(context, text, body), status: 503, headers: error.headers }
      }
    },
  })

function compareView(context: PageContext, text: string, content: Html): View {
  const { compare } = context.words
  return {
    title: text === '' ? compare.title : `${text} · ${compare.title}`,
    layout: 'wide',
    scripts: ['results'],
    body: html`<div class="compare"><h1 dir="auto">${text === '' ? compare.title : compare.heading({ query: text })}</h1>
<form class="form compare-form" method="get" action="/compare" role="search" aria-label="${compare.button}"><div class="field in-line"><input type="text" name="q" value="${text}" dir="auto" aria-label="${compare.query}" autocomplete="off" maxlength="${MAX_QUERY_LENGTH}"${text === '' && html` autofocus`}><button type="submit" class="button button-primary">${compare.button}</button></div></form>
${content}</div>`,
  }
}

function columnsOf(search: Search, context: PageContext, answer: SearchAnswer): Html {
  const { words, instanceName } = context
  const { compare } = words
  const names = [...new Set(answer.results.flatMap(({ contributions }) => contributions.map(({ name }) => name)))]
  const lists: List[] = [
    { id: 'merged', name: compare.merged({ name: instanceName }), results: answer.results },
    { id: 'searxng', name: compare.searxng, results: searxngOrder(answer.results) },
    ...names.map((name, at) => ({
      id: `engine-${at + 1}`,
      name: compare.alone({ name }),
      results: rankedBy(name, answer.results),
      isAlone: true,
    })),
  ]
  const left = answer.reports.flatMap((report) => (report.outcome === 'failed' ? [report.slot] : []))
  const silent = new Set(namesOfSlots(left, { search, tab: answer.tab }))
  if (names.length === 0) return html`<p>${compare.nothing}</p>`
  return html`${names.length === 1 && html`<p class="quiet">${compare.onlyOne}</p>`}
${[...silent].map((name) => html`<p class="partial">${name}: ${compare.didNotAnswer}</p>`)}
<nav class="page-index compare-index" aria-label="${compare.columns}"><ul>${lists.map(({ id, name }) => html`<li><a href="#${id}">${name}</a></li>`)}</ul></nav>
<div class="compare-columns" tabindex="0" role="region" aria-label="${compare.columns}">${lists.map((list) => columnOf(context, list))}</div>`
}

/** What the engine returned, in its own order. */
const rankedBy = (name: string, results: readonly MergedHit[]): MergedHit[] =>
  results
    .flatMap((merged) => {
      const own = merged.contributions.find((contribution) => contribution.name === name)
      return own ? [{ merged, rank: own.rank }] : []
    })
    .sort((one, other) => one.rank - other.rank)
    .map(({ merged }) => merged)

function columnOf(context: PageContext, { id, name, results, isAlone = false }: List): Html {
  const { words, preferences } = context
  const { compare } = words
  const item = ({ hit, contributions }: MergedHit) => {
    const finders = [...new Set(contributions.map((contribution) => contribution.name))]
    const mark =
      finders.length === 1 ? compare.onlyHere({ name: finders[0] ?? '' }) : compare.foundBy({ count: finders.length })
    return html`<li><a class="result-link" dir="auto" ${externalLink(hit.url, preferences)}>${shortened(hit.title, MAX_TITLE_LENGTH) || hostOf(hit.url)}</a><span class="compare-host" dir="ltr">${hostOf(hit.url)}</span><span class="compare-mark${finders.length === 1 && ' only'}">${mark}</span></li>`
  }
  return html`<section id="${id}" class="compare-column${isAlone && ' alone'}"><h2>${name}</h2><ol>${results.slice(0, LENGTH).map(item)}</ol></section>`
}
