// GET /feeds/<secret>.xml and .json: one search, for a feed reader. The secret says whose search it is, and everything is
// as on the owner's results page: preferences, rules about sites, limits. A reader never takes an outage for an empty
// list: it gets 503, and goes on showing what it has. So it does where a feed has been deleted or its owner disabled: 404,
// as for any other secret.

import type { Accounts } from '../../accounts/accounts.ts'
import { FEED_LIFE_SECONDS, type OpenedFeed } from '../../accounts/feeds.ts'
import { Refusal } from '../../errors.ts'
import type { ConsumeQuota } from '../../rate-limit/searcher-limits.ts'
import type { RuleBook } from '../../rules/site-rules.ts'
import type { GuardMode } from '../../search/query-guard.ts'
import type { Search } from '../../search/search.ts'
import { isKnownTag } from '../../text/content-negotiation.ts'
import { PageError } from '../http/error-pages.ts'
import { definePage, type PageContext, type Verbatim } from '../http/page.ts'
import { createMember } from '../http/page-caller.ts'
import { languageOf, wordsIn } from '../i18n/messages.ts'
import { addressOf } from '../parts/address.ts'
import { preferencesOf } from '../preferences.ts'
import { isHeld } from '../search/guard-page.ts'
import { parseSearchQuery, SearchParams, searchParamsOf } from '../search/search-query.ts'
import { type FeedDocument, type FeedItem, feedItemsOf, jsonFeed, rssFeed } from './feed-documents.ts'

export interface FeedPageParts {
  search: Search
  rules: RuleBook
  accounts: Accounts
  consume: ConsumeQuota
  queryGuard: GuardMode
}

export const FEED_FORMATS = ['xml', 'json'] as const
type FeedFormat = (typeof FEED_FORMATS)[number]

const FORMATS: Record<FeedFormat, { contentType: string; write: (feed: FeedDocument) => string }> = {
  xml: { contentType: 'application/rss+xml; charset=utf-8', write: rssFeed },
  json: { contentType: 'application/feed+json; charset=utf-8', write: jsonFeed },
}

const FILE = /^([\w-]{43})\.(xml|json)$/

export const feedAddress = (baseUrl: string, token: string, format: FeedFormat): string =>
  `${baseUrl}/feeds/${token}.${format}`

export const feedPage = (parts: FeedPageParts) =>
  definePage({
    method: 'GET',
    path: '/feeds/:file',
    access: 'anyone',
    isData: true,
    async handle(context) {
      const { params, baseUrl, ifNoneMatch } = context
      const [, token = '', ending = 'xml'] = FILE.exec(params['file'] ?? '') ?? []
      const { feeds } = parts.accounts
      const feed = await feeds.open(token)
      if (!feed) throw new PageError('notFound')
      // The pattern knows no other.
      const format = ending as FeedFormat
      const { contentType, write } = FORMATS[format]
      const current = feeds.currentTag(feed)
      if (current && isKnownTag(ifNoneMatch, current)) return notModified(contentType, current)
      const waitSeconds = (await feeds.claimSearch(feed)) || (await spendSearch(parts, feed))
      if (waitSeconds > 0)
        throw new Refusal('rate_limited', 'Too many searches.', { 'Retry-After': String(waitSeconds) })
      const found = await searchFor(parts, context, feed)
      const tag = await feeds.noteFound(feed, identityOf(found.items))
      if (isKnownTag(ifNoneMatch, tag)) return notModified(contentType, tag)
      const content = write({ ...found, feedUrl: feedAddress(baseUrl, token, format) })
      return { contentType, content, headers: headersWith(tag) }
    },
  })

/** One of the owner's searches. What they can't spend now costs the feed nothing either. */
async function spendSearch(
  { accounts, consume }: Pick<FeedPageParts, 'accounts' | 'consume'>,
  feed: OpenedFeed,
): Promise<number> {
  const waitSeconds = await consume(`user ${feed.userId}`, 'search')
  if (waitSeconds > 0) await accounts.feeds.returnSearch(feed)
  return waitSeconds
}

/** The same for every reader of the same items: some engines say "2 days ago", and the rest is in the reader's language. */
const identityOf = (items: readonly FeedItem[]): string =>
  JSON.stringify(items.map(({ id, url, title, text }) => [id, url, title, text]))

/** Engines are often back by then, and a feed can wait. */
const RETRY_SOON = { 'Retry-After': '300' }

const headersWith = (tag: string) => ({ ETag: tag, 'Cache-Control': `private,max-age=${FEED_LIFE_SECONDS}` })

const notModified = (contentType: string, tag: string): Verbatim => ({
  status: 304,
  contentType,
  content: '',
  headers: headersWith(tag),
})

async function searchFor(
  { search, rules, queryGuard }: Pick<FeedPageParts, 'search' | 'rules' | 'queryGuard'>,
  context: PageContext,
  feed: OpenedFeed,
): Promise<Omit<FeedDocument, 'feedUrl'>> {
  const { baseUrl, locale, instanceName: name } = context
  const caller = createMember(rules, feed.userId)
  const preferences = preferencesOf(feed.preferences ?? undefined)
  const searchQuery = parseSearchQuery(SearchParams.parse(feed.search), preferences, search.slotNames)
  const { tab, written, request } = searchQuery
  // The operator may have become stricter since it was made.
  if (isHeld(queryGuard, searchQuery)) throw new PageError('notFound')
  const answer = await search.search({ caller, tab, request })
  const isIncomplete = answer.reports.some(({ outcome }) => outcome === 'failed')
  if (answer.results.length === 0 && isIncomplete)
    throw new Refusal('no_engine_responded', 'Some engines failed, and the others found nothing.', RETRY_SOON)
  const { feeds: words } = wordsIn(preferences.interfaceLocale || languageOf(locale))
  const credits = new Set(answer.engines.flatMap((slot) => search.attributionsOf(slot, tab)))
  return {
    title: `${written} – ${name}`,
    description: [words.describe({ query: written, name }), ...credits].join(' '),
    pageUrl: baseUrl + addressOf('/search', searchParamsOf(searchQuery)),
    language: request.lang,
    lifeSeconds: FEED_LIFE_SECONDS,
    items: feedItemsOf(answer),
  }
}
