// The navigation of the search pages: the search field, the tabs above the results, and the links to the previous and
// the next page of results.
import { type Html, html } from '../http/html.ts'
import type { PageContext, SearchBar, SearchTab } from '../http/page.ts'
import type { Words } from '../i18n/messages.ts'
import { hasMine } from '../mine.ts'
import { areSuggestionsOn } from '../suggestions.ts'
import { addressOf } from './address.ts'

const LONG_QUERY_LENGTH = 60

interface FieldOptions {
  isLarge?: boolean
  id?: string
}

/**
 * A plain GET form. The script adds suggestions below it, so it has the attributes of a combobox only once the script
 * runs.
 */
export function searchField(context: PageContext, bar?: SearchBar, { isLarge = false, id }: FieldOptions = {}): Html {
  const { frame, search } = context.words
  const tab = bar?.tab ?? 'web'
  const kept = Object.entries(bar?.keep ?? {}).filter(([name]) => name !== 'tab')
  const action = isPageOfItsOwn(tab) ? `/${tab}` : '/search'
  // What is typed to search one's own things goes to no one else.
  const suggests = tab !== 'translate' && tab !== 'mine' && areSuggestionsOn(context)
  // The field shows only the beginning of a long query.
  const title = bar && bar.text.length > LONG_QUERY_LENGTH && html` title="${bar.text}"`
  return html`<form class="search-field${isLarge && ' search-field-large'}"${id && html` id="${id}"`} role="search" action="${action}" data-suggest="${suggests && search.suggestions}">
<input type="search" name="q" value="${bar?.text}" dir="auto" aria-label="${frame.searchLabel}" placeholder="${frame.searchLabel}"${title} aria-keyshortcuts="/" maxlength="500" autocomplete="off" autocapitalize="off" spellcheck="false" enterkeyhint="search"${isLarge && html` autofocus`} required>
${action === '/search' && tab !== 'web' && html`<input type="hidden" name="tab" value="${tab}">`}
${kept.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<button type="submit">${LENS}<span>${frame.search}</span></button>
</form>`
}

/** Stands for the word on a phone. */
const LENS = html`<svg viewBox="0 0 20 20" aria-hidden="true"><circle cx="8.5" cy="8.5" r="6"/><path d="m13 13 5 5"/></svg>`

const OTHER_TABS = ['mine', 'maps', 'translate'] as const
type OtherTab = (typeof OTHER_TABS)[number]

const isPageOfItsOwn = (tab: SearchTab): tab is OtherTab => OTHER_TABS.some((name) => name === tab)

/** The tabs that are pages of their own, by name. */
export const otherTabs = (context: PageContext): OtherTab[] =>
  OTHER_TABS.filter((name) => context.hasPage(`/${name}`) && (name !== 'mine' || hasMine(context)))

/** Links that search for the same words in another tab. Filters are at the end of the line. */
export function tabs(context: PageContext, { text, tab, keep = {}, filters }: SearchBar): Html {
  const { words, offers } = context
  const { tabs: names, tabsLabel } = words.frame
  const link = (name: SearchTab, address: string) =>
    html`<li data-label="${names[name]}"><a href="${address}"${name === tab && html` aria-current="page"`}>${names[name]}</a></li>`
  return html`<div class="tab-line tab-line-${tab}"><nav class="tabs" aria-label="${tabsLabel}"><ul>
${offers.tabs.map((name) => link(name, addressOf('/search', { q: text, tab: name === 'web' ? '' : name, ...keep })))}
${otherTabs(context).map((name) => link(name, addressOf(`/${name}`, { q: text })))}
</ul></nav>${filters}</div>`
}

interface PaginationParts {
  page: number
  /** undefined: there is none. */
  previous: string | undefined
  next: string | undefined
  /** How many results this page has. */
  count: number
}

/**
 * There is no count of pages to show, because no engine knows it. The script adds the next page to this one, so the link
 * has two names: the stylesheet shows the one that is true.
 */
export function pagination(
  { page, previous, next, count }: PaginationParts,
  { frame, finding }: Pick<Words, 'frame' | 'finding'>,
): Html | false {
  if (previous === undefined && next === undefined) return false
  const { more, loading, failed, arrived } = finding.more
  return html`<nav class="pagination" aria-label="${frame.pagesLabel}" data-arrived="${arrived({ count })}">
${previous ? html`<a class="button button-plain" rel="prev" href="${previous}">${frame.previousPage}</a>` : html`<span></span>`}
<span class="quiet" aria-current="page">${frame.page({ page })}</span>
${next ? html`<a class="button button-plain" rel="next" href="${next}" data-in-place="more" data-loading="${loading}" data-failed="${failed}"><span class="if-script">${more}</span><span class="if-no-script">${frame.nextPage}</span></a>` : html`<span></span>`}
</nav>`
}
