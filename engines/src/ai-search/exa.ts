// Exa: a semantic index for programs, with a news category. JSON over HTTP, by POST, with a key. It filters by country,
// not by language. It has no pages: up to 25 results cost the same, so there are two pages.

import { defineEngine, type EngineTab, type HitOf } from '../engine.ts'
import { MARKET_LANGUAGES, marketOf } from '../parsing/home-market.ts'
import { hitsOf, jsonReply, list, moment, resultList } from '../parsing/json-reply.ts'
import { postJson } from '../parsing/json-request.ts'
import { markdownText } from '../parsing/markdown-text.ts'
import { rangeStart } from '../parsing/range-start.ts'
import { cutPage, newsHit, upToPage, webHit } from '../parsing/read-hits.ts'
import { secret, setting } from '../setting.ts'

type Fields = Readonly<Record<string, unknown>>

const tabFor = <Name extends 'web' | 'news'>(
  category: 'news' | undefined,
  read: (result: Fields) => HitOf[Name] | undefined,
): EngineTab<HitOf[Name], { apiKey: string }> => ({
  lastPage: 2,
  honours: ['safe', 'date', 'lang'],
  languages: MARKET_LANGUAGES,
  request: (query, { apiKey }) =>
    postJson(
      '/search',
      {
        query: query.text,
        type: 'fast',
        category,
        numResults: upToPage(query.page),
        moderation: query.safe,
        startPublishedDate: rangeStart(query)?.toISOString(),
        userLocation: marketOf(query.lang),
        // Without this there is no snippet.
        contents: { highlights: { maxCharacters: 400 } },
      },
      { 'x-api-key': apiKey },
    ),
  parse: (reply, query) => ({
    correction: '',
    hits: cutPage(hitsOf(resultList(jsonReply(reply, query)['results']), read), query.page),
  }),
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
    unverified: 'terms on caching',
    rateLimit: { calls: 10, perSeconds: 1 },
  },
  tabs: {
    web: tabFor<'web'>(undefined, (result) =>
      webHit({
        url: result['url'],
        title: result['title'],
        description: markdownText(list(result['highlights'])[0]),
        favicon: result['favicon'],
        publishedAt: moment(result['publishedDate']),
      }),
    ),
    news: tabFor<'news'>('news', (result) =>
      newsHit({
        url: result['url'],
        title: result['title'],
        description: markdownText(list(result['highlights'])[0]),
        publishedAt: moment(result['publishedDate']),
        thumbnails: [result['image']],
      }),
    ),
  },
})
