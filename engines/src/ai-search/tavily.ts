// Tavily: web and news for programs. JSON over HTTP, by POST, with a key, or without one for an unpublished quota; a
// header then announces that, and there is no Authorization. No safe filter, so it is only queried with `safe=off`. No
// pages: 20 results at most, of which page 2 shows the rest. If the quota is used up, the body says how long to wait.

import { defineEngine, type EngineQuery, type EngineTab, type HitOf, type ProviderReply } from '../engine.ts'
import { hitsOf, jsonIn, jsonReply, record, resultList } from '../parsing/json-reply.ts'
import { bearer, postJson } from '../parsing/json-request.ts'
import { languageTag } from '../parsing/language-tag.ts'
import { markdownText } from '../parsing/markdown-text.ts'
import { cutPage, newsHit, upToPage, webHit } from '../parsing/read-hits.ts'
import { errorWithWait, waitOf } from '../parsing/status-error.ts'
import { when } from '../parsing/when.ts'
import { secret, setting } from '../setting.ts'

type Fields = Readonly<Record<string, unknown>>
type Name = 'web' | 'news'

const requestFor = (tab: Name, query: EngineQuery, headers: Record<string, string>) => {
  const { base } = languageTag(query.lang)
  return postJson(
    '/search',
    {
      query: query.text,
      search_depth: 'fast',
      topic: tab === 'news' ? 'news' : 'general',
      max_results: upToPage(query.page),
      time_range: query.date,
      language: base || undefined,
      filter_by_language: base === '' ? undefined : true,
      include_favicon: true,
      include_answer: false,
      include_images: false,
    },
    headers,
  )
}

const tavilyReply = (reply: ProviderReply, now: number): Fields => {
  const seconds = Number(record(jsonIn(reply.body)?.['error'])['retry_after_seconds'])
  if (reply.status === 429 && seconds > 0) {
    throw errorWithWait('throttled', 'The provider asks us to slow down.', waitOf(reply, now, seconds))
  }
  return jsonReply(reply, { now })
}

/** A tab without its request, which differs by tier. */
const tabFor = <Source extends Name>(
  read: (result: Fields, now: number) => HitOf[Source] | undefined,
): Omit<EngineTab<HitOf[Source], unknown>, 'request'> => ({
  lastPage: 2,
  honours: ['date', 'lang'],
  parse: (reply, query) => ({
    correction: '',
    hits: cutPage(
      hitsOf(resultList(tavilyReply(reply, query.now)['results']), (result) => read(result, query.now)),
      query.page,
    ),
  }),
})

const web = tabFor<'web'>((result) =>
  webHit({
    url: result['url'],
    title: result['title'],
    description: markdownText(result['content']),
    favicon: result['favicon'],
  }),
)
const news = tabFor<'news'>((result, now) =>
  newsHit({
    url: result['url'],
    title: result['title'],
    description: markdownText(result['content']),
    publishedAt: when(result['published_date'], now),
  }),
)

const terms = {
  cacheSeconds: 300,
  cacheIn: 'memory',
  attribution: '',
  asOf: '2026-11-15',
} as const

export const tavily = defineEngine({
  slug: 'tavily',
  name: 'Tavily',
  homepage: 'https://www.tavily.com',
  settings: { apiKey: secret('TAVILY_API_KEY'), baseUrl: setting('TAVILY_URL', 'https://api.tavily.com') },
  terms: {
    ...terms,
    pricePerCallMicros: 8000,
    unverified: 'the price, terms on caching, and how strict its language filter is',
    rateLimit: { calls: 100, perSeconds: 60 },
  },
  tabs: {
    web: { ...web, request: (query, { apiKey }) => requestFor('web', query, bearer(apiKey)) },
    news: { ...news, request: (query, { apiKey }) => requestFor('news', query, bearer(apiKey)) },
  },
})

const KEYLESS = { 'x-tavily-access-mode': 'keyless' }

export const tavilyfree = defineEngine({
  slug: 'tavilyfree',
  name: 'Tavily (keyless)',
  homepage: 'https://www.tavily.com',
  hasNoContract: true,
  tierOf: 'tavily',
  settings: { baseUrl: setting('TAVILYFREE_URL', 'https://api.tavily.com') },
  terms: {
    ...terms,
    pricePerCallMicros: 0,
    unverified: 'the quota, which is not published, terms on caching, and how strict its language filter is',
    rateLimit: { calls: 10, perSeconds: 60 },
    restSeconds: 3600,
  },
  tabs: {
    web: { ...web, request: (query) => requestFor('web', query, KEYLESS) },
    news: { ...news, request: (query) => requestFor('news', query, KEYLESS) },
  },
})
