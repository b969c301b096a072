// Exa: a semantic search API, with a news category. JSON over HTTP, by POST, with a key. It filters by country, not by
// language. It has no pages. Up to 25 results cost the same, so we offer two pages.

import { defineEngine, type EngineTab, type HitOf } from '../engine.ts'
import { parseTimestamp, wantedFrom } from '../parsing/dates.ts'
import { domainList } from '../parsing/domain-list.ts'
import { asArray } from '../parsing/json-reply.ts'
import { postJson } from '../parsing/json-request.ts'
import { isMarketOf, MARKET_LANGUAGES, marketOf } from '../parsing/language-tag.ts'
import { markdownText } from '../parsing/plain-text.ts'
import { newsHit, parseResults, type ReadHit, upToPage, webHit } from '../parsing/read-hits.ts'
import { secret, setting } from '../setting.ts'

const tabFor = <Name extends 'web' | 'news'>(
  category: 'news' | undefined,
  readHit: ReadHit<HitOf[Name]>,
): EngineTab<HitOf[Name], { apiKey: string }> => ({
  lastPage: 2,
  honours: ['safe', 'date', 'lang'],
  takesDateRange: true,
  languages: MARKET_LANGUAGES,
  takesRegion: isMarketOf,
  request: (query, { apiKey }) => {
    const { include, exclude } = domainList(query)
    return postJson(
      '/search',
      {
        query: query.text,
        type: 'fast',
        category,
        numResults: upToPage(query.page),
        moderation: query.safe,
        startPublishedDate: wantedFrom(query)?.toISOString(),
        endPublishedDate: query.dateTo && new Date(query.dateTo).toISOString(),
        // It takes one of the two.
        includeDomains: include,
        excludeDomains: exclude,
        userLocation: query.region ?? marketOf(query.lang),
        // Without this there is no snippet.
        contents: { highlights: { maxCharacters: 400 } },
      },
      { 'x-api-key': apiKey },
    )
  },
  parse: parseResults({ results: 'results', hasAllPages: true }, readHit),
})

export const exa = defineEngine({
  slug: 'exa',
  name: 'Exa',
  homepage: 'https://exa.ai',
  settings: { apiKey: secret('EXA_API_KEY'), baseUrl: setting('EXA_URL', 'https://api.exa.ai') },
  terms: {
    cacheSeconds: 300,
    cacheIn: 'memory',
    pricePerCallMicros: 5000,
    attribution: '',
    asOf: '2026-11-15',
    unverified: 'the price, which another table says is 7 US dollars for 1,000 calls, and terms on caching',
    rateLimit: { calls: 10, perSeconds: 1 },
  },
  tabs: {
    web: tabFor<'web'>(undefined, ({ url, title, highlights, favicon, publishedDate }) =>
      webHit({
        url,
        title,
        description: markdownText(asArray(highlights)[0]),
        favicon,
        publishedAt: parseTimestamp(publishedDate),
      }),
    ),
    news: tabFor<'news'>('news', ({ url, title, highlights, publishedDate, image }) =>
      newsHit({
        url,
        title,
        description: markdownText(asArray(highlights)[0]),
        publishedAt: parseTimestamp(publishedDate),
        thumbnails: [image],
      }),
    ),
  },
})
