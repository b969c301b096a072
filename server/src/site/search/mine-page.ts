// GET /mine: everything that the private engines of this instance find. Nothing of it leaves the instance: no icon is
// fetched for a result, no result can be read here, and what is typed asks for no suggestions.
import type { z } from 'zod'
import { Refusal } from '../../errors.ts'
import type { RuleBook } from '../../rules/site-rules.ts'
import { isTooLong, MAX_QUERY_LENGTH } from '../../search/read-filters.ts'
import type { Search, SearchAnswer } from '../../search/search.ts'
import { PageError } from '../http/error-pages.ts'
import { type Html, html } from '../http/html.ts'
import { definePage, type PageContext, type SearchBar } from '../http/page.ts'
import { hasMine } from '../mine.ts'
import { addressOf } from '../parts/address.ts'
import { buttonLink } from '../parts/form.ts'
import type { Pictures } from '../pictures.ts'
import { followBang } from './bang.ts'
import { filters } from './filters.ts'
import { mineRequest } from './mine-box.ts'
import { LISTS } from './result-lists.ts'
import { resultMenus } from './result-menu.ts'
import { resultViewOf } from './result-parts.ts'
import { renderPagination } from './results-page.ts'
import { attributions, nothingFound, partialNote, reasonsOf, statePage } from './search-notes.ts'
import { parseSearchQuery, SearchParams, type SearchQuery, searchParamsOf } from './search-query.ts'
import { ChangeParams, changeNotice } from './site-rule-pages.ts'

export interface MinePageParts {
  /** The private engines, for signed-in people: see `mine.ts`. Without any, it has no slots. */
  mine: Search
  rules: RuleBook
  pictures: Pictures | undefined
}

const PATH = '/mine'

const MineQuery = SearchParams.extend(ChangeParams)

export const minePage = (parts: MinePageParts) =>
  definePage({
    method: 'GET',
    path: PATH,
    access: 'user',
    quota: 'search',
    query: MineQuery,
    search: (context) => searchBarOf(context, queryOf(context, [])),
    async handle(context) {
      if (!hasMine(context)) throw new PageError('notFound')
      const { caller, words } = context
      const search = parts.mine
      const searchQuery = queryOf(context, search.slotNames)
      const { written: text } = searchQuery
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
      if (isTooLong(text))
        return view(statePage(tooLong.title, [tooLong.help({ most: MAX_QUERY_LENGTH })]), { status: 400 })
      try {
        const answer = await search.search({ caller, tab: 'web', request: searchQuery.request })
        const changed = await changeNotice(parts.rules, context, context.query, hereOf(searchQuery))
        return view(resultsOf(parts.pictures, context, searchQuery, { answer, search, changed }))
      } catch (error) {
        if (!(error instanceof Refusal) || error.status !== 503) throw error
        return view(failed(context, error, search), { status: 503, headers: error.headers })
      }
    },
  })

function queryOf(
  { query, preferences }: PageContext<z.output<typeof SearchParams>>,
  slotNames: readonly string[],
): SearchQuery {
  const searchQuery = parseSearchQuery({ ...query, tab: '' }, preferences, slotNames)
  const { engines } = searchQuery.request
  return { ...searchQuery, request: { ...mineRequest(searchQuery), engines } }
}

const searchBarOf = (context: PageContext, searchQuery: SearchQuery): SearchBar => {
  const { keep, written: text } = searchQuery
  return { text, tab: 'mine', keep, ...(text !== '' && { filters: filters(context, searchQuery, { action: PATH }) }) }
}

interface Found {
  answer: SearchAnswer
  search: Search
  changed: Html | false
}

const hereOf = (searchQuery: SearchQuery): string => addressOf(PATH, searchParamsOf(searchQuery))

function resultsOf(
  pictures: Pictures | undefined,
  context: PageContext,
  searchQuery: SearchQuery,
  { answer, search, changed }: Found,
): Html {
  const { form, menuOf } = resultMenus(context, searchQuery, { back: hereOf(searchQuery), path: PATH })
  const view = { ...resultViewOf(context, answer, { search, pictures, showsIcons: false }), menuOf }
  const { results } = answer
  return html`<div class="columns"><div class="column">
<h1 class="visually-hidden">${context.words.search.results}</h1>
${changed}${partialNote(context, answer, search)}${form}
${results.length === 0 ? nothingFound(context, searchQuery, { answer, search, path: PATH }) : LISTS.web(results, view)}
${renderPagination(context, searchQuery, { results, path: PATH })}${attributions(context, answer, { search, path: PATH })}
</div></div>`
}

function failed(context: PageContext, refusal: Refusal, search: Search): Html {
  const { words, address } = context
  const { help, again } = words.search.failed
  const seconds = Number(refusal.headers['Retry-After'] ?? 1)
  const reasons = reasonsOf(context, refusal, { search, tab: 'web' })
  return statePage(words.search.mine.failed, [...reasons, help({ seconds })], [buttonLink(again, address)])
}
