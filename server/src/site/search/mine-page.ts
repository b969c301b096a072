// GET /mine: everything that the private engines of this instance find, for signed-in people. Nothing of it leaves the
// instance: no icon is fetched for a result, no result can be read here, and what is typed asks for no suggestions.
import type { z } from 'zod'
import { Refusal } from '../../errors.ts'
import { isTooLong, MAX_QUERY_LENGTH } from '../../search/read-filters.ts'
import type { Search, SearchAnswer } from '../../search/search.ts'
import { PageError } from '../http/error-pages.ts'
import { type Html, html } from '../http/html.ts'
import { definePage, type PageContext, type SearchBar } from '../http/page.ts'
import { addressOf } from '../parts/address.ts'
import { buttonLink } from '../parts/form.ts'
import { followBang } from './bang.ts'
import { filters } from './filters.ts'
import { mineRequest } from './mine-box.ts'
import { LISTS } from './result-lists.ts'
import { joinNames, resultViewOf } from './result-parts.ts'
import { paginationOf } from './results-page.ts'
import { attributions, partialNote, reasonsOf, statePage } from './search-notes.ts'
import { parseSearchQuery, SearchParams, type SearchQuery, searchParamsOf } from './search-query.ts'

const PATH = '/mine'

export const minePage = definePage({
  method: 'GET',
  path: PATH,
  access: 'user',
  quota: 'search',
  query: SearchParams,
  search: (context) => searchBarOf(context, queryOf(context)),
  async handle(context) {
    const { services, words } = context
    if (!services.mine) throw new PageError('notFound')
    const { search } = services.mine
    const searchQuery = queryOf(context)
    const { text } = searchQuery.request
    const { ask, tooLong } = words.search
    const view = (body: Html, more: { status?: number; headers?: Record<string, string> } = {}) => ({
      title: text === '' ? words.frame.tabs.mine : `${text} · ${words.frame.tabs.mine}`,
      layout: 'results' as const,
      search: searchBarOf(context, searchQuery),
      body,
      ...more,
    })
    const elsewhere = await followBang(context, text)
    if (elsewhere) return elsewhere
    if (text === '') return view(statePage(ask.title, [ask.help]))
    if (isTooLong(text)) return view(statePage(tooLong.title, [tooLong.help(MAX_QUERY_LENGTH)]), { status: 400 })
    try {
      const answer = await search.search('web', searchQuery.request)
      return view(resultsOf(context, searchQuery, { answer, search }))
    } catch (error) {
      if (!(error instanceof Refusal) || error.status !== 503) throw error
      return view(failed(context, error, search), { status: 503, headers: error.headers })
    }
  },
})

function queryOf({ query, preferences, services }: PageContext<z.output<typeof SearchParams>>): SearchQuery {
  const searchQuery = parseSearchQuery({ ...query, tab: '' }, preferences, services.mine?.search.slotNames ?? [])
  const { engines } = searchQuery.request
  return { ...searchQuery, request: { ...mineRequest(searchQuery), engines } }
}

const searchBarOf = (context: PageContext, searchQuery: SearchQuery): SearchBar => {
  const { keep, request } = searchQuery
  const { text } = request
  return { text, tab: 'mine', keep, ...(text !== '' && { filters: filters(context, searchQuery, PATH) }) }
}

interface Found {
  answer: SearchAnswer<'web'>
  search: Search
}

function resultsOf(context: PageContext, searchQuery: SearchQuery, { answer, search }: Found): Html {
  const view = { ...resultViewOf(context, answer, search), showsIcons: false }
  const { results } = answer
  return html`<div class="columns"><div class="column">
<h1 class="visually-hidden">${context.words.search.results}</h1>
${partialNote(context, answer, search)}
${results.length === 0 ? nothingFound(context, searchQuery, { answer, search }) : LISTS.web(results, view)}
${paginationOf(context, searchQuery, { results, path: PATH })}${attributions(context, answer, search)}
</div></div>`
}

function nothingFound({ words, locale }: PageContext, searchQuery: SearchQuery, { answer, search }: Found): Html {
  const { nothing } = words.search
  const params = { ...searchParamsOf(searchQuery), page: '' }
  if (searchQuery.request.page > 1) {
    return statePage(nothing.title, [nothing.lastPage], [buttonLink(nothing.firstPage, addressOf(PATH, params))])
  }
  const asked = joinNames(
    answer.engines.map((name) => search.labelOf(name, 'web')),
    locale,
  )
  const lines = answer.status === 'unsupported' ? [nothing.unsupported] : [nothing.asked(asked), nothing.help]
  const hasFilters = Object.keys(searchQuery.keep).length > 0
  const unfiltered = buttonLink(nothing.withoutFilters, addressOf(PATH, { q: params.q }))
  return statePage(nothing.title, lines, hasFilters ? [unfiltered] : [])
}

function failed(context: PageContext, refusal: Refusal, search: Search): Html {
  const { words, address } = context
  const { help, again } = words.search.failed
  const seconds = Number(refusal.headers['Retry-After'] ?? 1)
  const reasons = reasonsOf(context, refusal, { search, tab: 'web' })
  return statePage(words.search.mine.failed, [...reasons, help(seconds)], [buttonLink(again, address)])
}
