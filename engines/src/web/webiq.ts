// Microsoft Web IQ: Bing's index for programs, with web, images, news and videos. JSON over HTTP, by POST, with a key.
// It has no pages: page p requests the best p × 10. Only videos can be filtered by date. Some results are marked as
// adult whatever the filter; they are dropped with `safe`. Throttling is 429 or 430, and the body says how long to
// wait: `60s`.

import { defineEngine, type EngineQuery, type EngineTab, type HitOf, type ProviderReply, type Tab } from '../engine.ts'
import { durationSeconds } from '../parsing/duration-seconds.ts'
import { marketOf } from '../parsing/home-market.ts'
import { hitsOf, jsonIn, jsonReply, moment, record, resultList, word } from '../parsing/json-reply.ts'
import { postJson } from '../parsing/json-request.ts'
import { languageTag } from '../parsing/language-tag.ts'
import { markdownText } from '../parsing/markdown-text.ts'
import { cutPage, imageHit, newsHit, upToPage, videoHit, webHit } from '../parsing/read-hits.ts'
import { errorWithWait, waitOf } from '../parsing/status-error.ts'
import { secret, setting } from '../setting.ts'

const FRESHNESS = { d: 'day', w: 'week', m: 'month', y: 'year' } as const

type Fields = Readonly<Record<string, unknown>>

interface Kind<Name extends Tab> {
  /** The name of the result list. */
  results: string
  lastPage: number
  /** Extra members of the request body. */
  body?: Record<string, unknown>
  knowsFreshness?: boolean
  read: (result: Fields) => HitOf[Name] | undefined
}

const webiqReply = (reply: ProviderReply, now: number): Fields => {
  if (reply.status === 429 || reply.status === 430) {
    const seconds = Number.parseInt(word(record(jsonIn(reply.body))['retryAfter']), 10)
    throw errorWithWait('throttled', 'The provider asks us to slow down.', waitOf(reply, now, seconds))
  }
  return jsonReply(reply, { now })
}

const tabFor = <Name extends Tab>(name: Name, kind: Kind<Name>): EngineTab<HitOf[Name], { apiKey: string }> => ({
  lastPage: kind.lastPage,
  honours: kind.knowsFreshness ? ['safe', 'date', 'lang'] : ['safe', 'lang'],
  request: (query: EngineQuery, { apiKey }) => {
    const { base } = languageTag(query.lang)
    return postJson(
      `/v3/search/${name}`,
      {
        query: query.text,
        maxResults: upToPage(query.page),
        language: base || undefined,
        region: marketOf(query.lang),
        safeSearch: query.safe ? 'strict' : 'off',
        freshness: kind.knowsFreshness && query.date ? FRESHNESS[query.date] : undefined,
        ...kind.body,
      },
      { 'x-apikey': apiKey },
    )
  },
  parse: (reply, query) => {
    const found = resultList(webiqReply(reply, query.now)[kind.results])
    const shown = query.safe ? found.filter((result) => record(result)['isAdult'] !== true) : found
    return { correction: '', hits: cutPage(hitsOf(shown, kind.read), query.page) }
  },
})

/** `PT4M13S`, `4:13` or seconds: the format is not documented. */
const lengthOf = (value: unknown): number | undefined => {
  const [, hours = 0, minutes = 0, seconds = 0] =
    /^PT(?:(\d{1,3})H)?(?:(\d{1,4})M)?(?:(\d{1,6})S)?$/.exec(word(value)) ?? []
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) || durationSeconds(value)
}

export const webiq = defineEngine({
  slug: 'webiq',
  name: 'Microsoft Web IQ',
  homepage: 'https://learn.microsoft.com/web-iq',
  settings: { apiKey: secret('WEBIQ_API_KEY'), baseUrl: setting('WEBIQ_URL', 'https://api.microsoft.ai') },
  terms: {
    cacheSeconds: 300,
    cacheIn: 'memory',
    pricePerCallMicros: 0,
    attribution: '',
    asOf: '2026-11-15',
    unverified: 'the price, terms on display and caching, and the parameters of news and videos',
  },
  longestQuery: { characters: 1000, words: 500 },
  tabs: {
    web: tabFor('web', {
      results: 'webResults',
      lastPage: 5,
      body: { contentFormat: 'passage', maxLength: 400 },
      read: (result) =>
        webHit({
          url: result['url'],
          title: result['title'],
          description: markdownText(result['content']),
          publishedAt: moment(result['lastUpdatedAt']),
        }),
    }),
    images: tabFor('images', {
      results: 'imageResults',
      lastPage: 3,
      read: (result) =>
        imageHit({
          url: result['hostPageUrl'],
          title: result['title'],
          thumbnails: [result['thumbnailUrl'], result['url']],
        }),
    }),
    news: tabFor('news', {
      results: 'newsResults',
      lastPage: 2,
      body: { contentFormat: 'passage', maxLength: 400 },
      read: (result) =>
        newsHit({
          url: result['url'],
          title: result['title'],
          description: result['snippet'] || markdownText(result['content']),
          publishedAt: moment(result['lastUpdatedAt']),
          publisher: result['source'],
          thumbnails: [record(result['thumbnail'])['url']],
        }),
    }),
    videos: tabFor('videos', {
      results: 'videoResults',
      lastPage: 3,
      knowsFreshness: true,
      read: (result) =>
        videoHit({
          url: result['url'],
          title: result['title'],
          publishedAt: moment(result['lastUpdatedAt']),
          publisher: result['publishedBy'],
          durationSeconds: lengthOf(result['length']),
          thumbnails: [result['thumbnailUrl']],
        }),
    }),
  },
})
