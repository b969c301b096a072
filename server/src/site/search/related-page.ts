// GET /search/related: what else people search for, from the providers of suggestions. Asking them costs a call, and tells
// them of a search that they may know nothing of, so it isn't part of every search: a link below the results leads here,
// and the script shows this page's list in its place.
import { Refusal } from '../../errors.ts'
import type { GuardMode } from '../../search/query-guard.ts'
import { isTooLong } from '../../search/read-filters.ts'
import type { Search } from '../../search/search.ts'
import type { Suggest } from '../../search/suggest.ts'
import { type Html, html } from '../http/html.ts'
import { definePage, type PageContext, type SearchBar } from '../http/page.ts'
import { addressOf } from '../parts/address.ts'
import { areSuggestionsOn, MIN_CHARACTERS } from '../suggestions.ts'
import { isGuarded } from './guard-page.ts'
import { parseSearchQuery, SearchParams, type SearchQuery, searchParamsOf } from './search-query.ts'

export interface RelatedPageParts {
  search: Search
  suggest: Suggest
  queryGuard: GuardMode
}

const PATH = '/search/related'
const MAX_SEARCHES = 8

export const relatedPage = (parts: RelatedPageParts) =>
  definePage({
    method: 'GET',
    path: PATH,
    access: 'searcher',
    quota: 'suggestion',
    query: SearchParams,
    async handle(context) {
      const { query, preferences, words } = context
      const searchQuery = parseSearchQuery(query, preferences, parts.search.slotNames)
      const { title, none, back } = words.finding.related
      const searches = mayAsk(parts.queryGuard, context, searchQuery)
        ? await relatedSearches(parts.suggest, context, searchQuery)
        : []
      const link = (q: string) =>
        html`<li><a href="${addressOf('/search', { ...paramsOf(searchQuery), q })}" dir="auto">${q}</a></li>`
      const list =
        searches.length > 0
          ? html`<ul class="related-list">${searches.map(link)}</ul>`
          : html`<p class="related-list">${none}</p>`
      const search: SearchBar = { text: searchQuery.written, tab: 'web', keep: searchQuery.keep, isFieldOnly: true }
      const body = html`<h1>${title}</h1>${list}
<p><a href="${addressOf('/search', searchParamsOf(searchQuery))}">${back}</a></p>`
      return { title, body, search }
    },
  })

/** Below the first page of results, if this reader gets suggestions. */
export function relatedLink(queryGuard: GuardMode, context: PageContext, searchQuery: SearchQuery): Html | false {
  const isFirst = searchQuery.tab === 'web' && searchQuery.request.page === 1
  if (!isFirst || !context.hasPage(PATH) || !mayAsk(queryGuard, context, searchQuery)) return false
  const address = addressOf(PATH, { ...paramsOf(searchQuery), q: searchQuery.written })
  return html`<div class="related"><a href="${address}" data-in-place="related">${context.words.finding.related.title}</a></div>`
}

/** The filters of the search. What was allowed or wanted for one text isn't for another. */
const paramsOf = ({ keep }: SearchQuery) => ({ q: '', ...keep, sure: '', results: '' })

/** Never a text with a secret in it: its reader may have allowed to search for it, but to nobody else. */
function mayAsk(queryGuard: GuardMode, context: PageContext, { written, request: { text } }: SearchQuery): boolean {
  return (
    areSuggestionsOn(context) && text.length >= MIN_CHARACTERS && !isTooLong(written) && !isGuarded(queryGuard, written)
  )
}

async function relatedSearches(suggest: Suggest, { caller }: PageContext, { request }: SearchQuery): Promise<string[]> {
  try {
    const { suggestions } = await suggest.suggest(caller, { text: request.text, lang: request.lang })
    return suggestions.slice(0, MAX_SEARCHES)
  } catch (error) {
    if (error instanceof Refusal) return []
    throw error
  }
}
