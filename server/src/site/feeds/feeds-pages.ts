// Settings → Feeds: searches that their owner reads in a feed reader. A link on the results page leads here with a search;
// the answer to the form is the only page that shows the feed's addresses. An address opens one search of the web, so
// making one doesn't ask for the password again.
import { z } from 'zod'
import type { Accounts } from '../../accounts/accounts.ts'
import { type Feed, type FeedSearch, MAX_FEEDS } from '../../accounts/feeds.ts'
import type { GuardMode } from '../../search/query-guard.ts'
import { isTooLong } from '../../search/read-filters.ts'
import type { Search } from '../../search/search.ts'
import type { SettingsDesk } from '../../settings/settings-desk.ts'
import { actingAccess, type SignedInContext } from '../accounts/account-forms.ts'
import { type Html, html } from '../http/html.ts'
import { definePage, type Page, type PageContext, redirectTo, type View } from '../http/page.ts'
import { addressOf } from '../parts/address.ts'
import { dataTable } from '../parts/data-table.ts'
import { actions, button, buttonLink, postForm } from '../parts/form.ts'
import { capitalised, languageName, showPast } from '../parts/formats.ts'
import { copyable, emptyState, notice } from '../parts/notice.ts'
import { settingsView } from '../parts/settings-view.ts'
import { isHeld } from '../search/guard-page.ts'
import { parseSearchQuery, SearchParams, type SearchQuery, searchParamsOf } from '../search/search-query.ts'
import { FEED_FORMATS, feedAddress } from './feed-page.ts'

export interface FeedsPagesParts {
  search: Search
  accounts: Accounts
  settings: SettingsDesk
  queryGuard: GuardMode
}

const PATH = '/settings/feeds'

const FeedsQuery = SearchParams.extend({ done: z.literal('removed').optional().catch(undefined) })

const feedsPage = (parts: FeedsPagesParts) =>
  definePage({
    method: 'GET',
    path: PATH,
    access: 'user',
    query: FeedsQuery,
    handle: (context) =>
      listView(parts, context, context.query, context.query.done && notice('good', context.words.feeds.removed)),
  })

const createAction = (parts: FeedsPagesParts) =>
  definePage({
    method: 'POST',
    path: PATH,
    access: 'user',
    form: () => SearchParams,
    async handle(context) {
      const { form, viewer, words, baseUrl } = context
      const text = words.feeds
      // Every field has a default.
      const asked = form.ok ? form.values : SearchParams.parse({})
      const searchQuery = readSearch(parts.search, context, asked)
      if (!parts.settings.takesSecrets) return redirectTo(PATH)
      if (!isWanted(parts.queryGuard, searchQuery))
        return { ...(await listView(parts, context, asked, notice('bad', text.notThis))), status: 400 }
      const token = await parts.accounts.feeds.create(
        actingAccess(parts.accounts, context),
        viewer.userId,
        storedSearch(searchQuery),
      )
      if (token === undefined)
        return {
          ...(await listView(parts, context, asked, notice('bad', text.full({ most: MAX_FEEDS })))),
          status: 409,
        }
      return settingsView(context, PATH, {
        title: text.createdTitle,
        content: html`<p><bdi>${searchQuery.written}</bdi></p>
<p class="measure">${text.once}</p>
${FEED_FORMATS.map((format) => html`<h2>${text.formats[format]}</h2><div class="once">${copyable(feedAddress(baseUrl, token, format), words.frame, text.formats[format])}</div>`)}
<p class="measure">${text.either}</p>
<p>${buttonLink(text.back, PATH, 'primary')}</p>`,
        headers: { 'Cache-Control': 'no-store' },
      })
    },
  })

const removeAction = ({ accounts }: FeedsPagesParts) =>
  definePage({
    method: 'POST',
    path: `${PATH}/:feedId/remove`,
    access: 'user',
    async handle(context) {
      const { viewer, params } = context
      await accounts.feeds.remove(actingAccess(accounts, context), viewer.userId, params['feedId'] ?? '')
      return redirectTo(`${PATH}?done=removed`)
    },
  })

export const feedsPages = (parts: FeedsPagesParts): Page[] => [
  feedsPage(parts),
  createAction(parts),
  removeAction(parts),
]

/** On a results page, for those who can have feeds. */
export const feedLink = (
  settings: SettingsDesk,
  { viewer, hasPage, words }: PageContext,
  searchQuery: SearchQuery,
): Html | false =>
  viewer !== undefined &&
  settings.takesSecrets &&
  hasPage(PATH) &&
  html`<p class="feed-link"><a href="${addressOf(PATH, storedSearch(searchQuery))}">${words.feeds.link}</a></p>`

type AskedSearch = z.output<typeof SearchParams>

const readSearch = (search: Search, { preferences }: PageContext, asked: AskedSearch): SearchQuery =>
  parseSearchQuery(asked, preferences, search.slotNames)

const isWanted = (queryGuard: GuardMode, searchQuery: SearchQuery): boolean =>
  searchQuery.written !== '' && !isTooLong(searchQuery.written) && !isHeld(queryGuard, searchQuery)

/** The first page, whatever page it was asked for on, without what is empty or only concerns the page. */
function storedSearch(searchQuery: SearchQuery): Record<string, string> {
  const { page: _page, results: _results, ...params } = { results: '', ...searchParamsOf(searchQuery) }
  return Object.fromEntries(Object.entries(params).filter(([, value]) => value !== ''))
}

async function listView(
  parts: FeedsPagesParts,
  context: SignedInContext,
  asked: AskedSearch,
  note?: Html | false,
): Promise<View> {
  const { words, viewer } = context
  const text = words.feeds
  const feeds = await parts.accounts.feeds.list(viewer.userId)
  const searchQuery = readSearch(parts.search, context, asked)
  const canStore = parts.settings.takesSecrets
  const isNew = canStore && isWanted(parts.queryGuard, searchQuery)
  return settingsView(context, PATH, {
    title: text.title,
    content: html`${note}<p class="measure">${text.intro}</p>${!canStore && notice('partial', text.noSecret)}
${isNew && newSection(context, searchQuery, feeds.length)}
${feeds.length > 0 ? feedTable(context, feeds) : !isNew && emptyState({ title: text.empty, help: text.emptyHelp, action: buttonLink(words.frame.search, '/', 'primary') })}`,
  })
}

function newSection(context: SignedInContext, searchQuery: SearchQuery, count: number): Html {
  const text = context.words.feeds
  const search = storedSearch(searchQuery)
  const fields = Object.entries(search).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )
  const body = html`${fields}${actions(button(text.create), buttonLink(context.words.frame.cancel, addressOf('/search', search)))}`
  return html`<section class="stack"><h2>${text.newTitle}</h2>
<p>${searchLink(context, search)}</p>
<p class="measure">${text.newHelp}</p>
${count >= MAX_FEEDS ? notice('plain', text.full({ most: MAX_FEEDS })) : postForm(context, { action: PATH, body })}</section>`
}

function feedTable(context: SignedInContext, feeds: readonly Feed[]): Html {
  const text = context.words.feeds
  return dataTable<Feed>(
    text.title,
    [
      {
        label: text.search,
        isHeading: true,
        cell: ({ search }) => (search ? searchLink(context, search) : text.unreadable),
      },
      { label: text.created, cell: ({ createdAt }) => showPast(createdAt, context) },
      { label: text.fetched, cell: ({ fetchedAt }) => (fetchedAt ? showPast(fetchedAt, context) : text.never) },
      {
        label: text.remove,
        isAction: true,
        cell: ({ id, search }) => {
          const label = search && html` aria-label="${text.removeOf({ query: search['q'] ?? '' })}"`
          const submit = html`<button type="submit" class="button button-danger"${label}>${text.remove}</button>`
          return postForm(context, { action: `${PATH}/${id}/remove`, body: submit, isInline: true })
        },
      },
    ],
    feeds,
  )
}

/** What was typed, and which tab and filters go with it. */
function searchLink(context: PageContext, search: FeedSearch): Html {
  const { q = '', tab = 'web', sure: _sure, ...filters } = search
  const { tabs } = context.words.frame
  const name = Object.hasOwn(tabs, tab) ? tabs[tab as keyof typeof tabs] : tab
  const named = Object.entries(filters).map(([filter, value]) => nameFilter(context, filter, value))
  return html`<a href="${addressOf('/search', search)}"><bdi>${q}</bdi></a> <span class="quiet">${[name, ...named].join(' · ')}</span>`
}

/** As the results page names the commonest; others as its URL does. */
function nameFilter({ words, locale }: PageContext, filter: string, value: string): string {
  const { ranges, safeOn, safeOff } = words.search.filters
  if (filter === 'date' && Object.hasOwn(ranges, value)) return ranges[value as keyof typeof ranges]
  if (filter === 'safe') return value === 'on' ? safeOn : safeOff
  const language = filter === 'lang' && languageName(value, locale)
  return language ? capitalised(language, locale) : `${filter}=${value}`
}
