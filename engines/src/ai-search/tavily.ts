// Tavily: a search API for web and news. JSON over HTTP, by POST, with a key, or without one within an unpublished
// quota: then a header that says so replaces Authorization. It has no safe filter, so it is only queried with
// `safe=off`. It has no pages: page 2 requests 20 results, the most there are, and shows the last ten. If the quota is
// used up, the body says how long to wait.

import { defineEngine, type EngineQuery, type EngineTab } from '../engine.ts'
import { countryName, hasCountryName } from '../parsing/country-names.ts'
import { isoDay, parseWrittenDate } from '../parsing/dates.ts'
import { asObject, jsonReply, parseJsonObject } from '../parsing/json-reply.ts'
import { bearer, postJson } from '../parsing/json-request.ts'
import { baseLanguage } from '../parsing/language-tag.ts'
import { markdownText } from '../parsing/plain-text.ts'
import { newsHit, parseResults, type ReadHit, type ReadReply, upToPage, webHit } from '../parsing/read-hits.ts'
import { throttled } from '../parsing/status-error.ts'
import { secret, setting } from '../setting.ts'

const requestFor = (topic: 'general' | 'news', query: EngineQuery, headers: Record<string, string>) => {
  const language = baseLanguage(query.lang)
  return postJson(
    '/search',
    {
      query: query.text,
      search_depth: 'fast',
      topic,
      max_results: upToPage(query.page),
      time_range: query.date,
      start_date: isoDay(query.dateFrom),
      end_date: isoDay(query.dateTo),
      include_domains: query.includeDomains,
      exclude_domains: query.excludeDomains,
      country: countryName(query.region),
      language,
      filter_by_language: language && true,
      include_favicon: true,
      include_answer: false,
      include_images: false,
    },
    headers,
  )
}

const tavilyReply: ReadReply = (reply, query) => {
  const seconds = Number(asObject(parseJsonObject(reply.body)?.['error'])['retry_after_seconds'])
  if (reply.status === 429 && seconds > 0) throw throttled(reply, query.now, seconds)
  return jsonReply(reply, query)
}

/** All tabs of one tier. */
const tabsFor = <Values>(headersOf: (settings: Values) => Record<string, string>) => {
  const tabFor = <Hit>(topic: 'general' | 'news', readHit: ReadHit<Hit>): EngineTab<Hit, Values> => ({
    lastPage: 2,
    honours: ['date', 'lang'],
    takesDateRange: true,
    // News takes no country.
    ...(topic === 'general' && { takesRegion: hasCountryName }),
    request: (query, settings) => requestFor(topic, query, headersOf(settings)),
    parse: parseResults({ results: 'results', readReply: tavilyReply, hasAllPages: true }, readHit),
  })
  return {
    web: tabFor('general', ({ url, title, content, favicon }) =>
      webHit({ url, title, description: markdownText(content), favicon }),
    ),
    news: tabFor('news', ({ url, title, content, published_date: date }, { now }) =>
      newsHit({ url, title, description: markdownText(content), publishedAt: parseWrittenDate(date, now) }),
    ),
  }
}

const terms = { cacheSeconds: 300, cacheIn: 'memory', attribution: '', asOf: '2026-11-15' } as const

export const tavily = defineEngine({
  slug: 'tavily',
  name: 'Tavily',
  homepage: 'https://www.tavily.com',
  index: 'unknown',
  settings: { apiKey: secret('TAVILY_API_KEY'), baseUrl: setting('TAVILY_URL', 'https://api.tavily.com') },
  terms: {
    ...terms,
    pricePerCallMicros: 8000,
    unverified: 'the price, terms on caching, the names of countries, and how strict its language filter is',
    rateLimit: { calls: 100, perSeconds: 60 },
  },
  tabs: tabsFor(({ apiKey }: { apiKey: string }) => bearer(apiKey)),
})

export const tavilyfree = defineEngine({
  slug: 'tavilyfree',
  name: 'Tavily (keyless)',
  homepage: 'https://www.tavily.com',
  index: 'unknown',
  hasNoContract: true,
  tierOf: 'tavily',
  settings: { baseUrl: setting('TAVILYFREE_URL', 'https://api.tavily.com') },
  terms: {
    ...terms,
    pricePerCallMicros: 0,
    unverified:
      'the quota, which is not published, terms on caching, the names of countries, and how strict its language filter is',
    rateLimit: { calls: 10, perSeconds: 60 },
    restSeconds: 3600,
  },
  tabs: tabsFor(() => ({ 'x-tavily-access-mode': 'keyless' })),
})
