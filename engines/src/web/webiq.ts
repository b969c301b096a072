// Microsoft Web IQ: an API for Bing's index, with web, images, news and videos. JSON over HTTP, by POST, with a key.
// It has no pages: page p requests the best p × 10. Only videos can be filtered by date. Some results are marked as
// adult whatever the filter; they are dropped with `safe`. Throttling is 429 or 430, and the body says how long to
// wait: `60s`.

import { defineEngine, type EngineQuery, type EngineTab, type HitOf, type Tab } from '../engine.ts'
import { parseDuration, parseTimestamp, RANGE_NAMES } from '../parsing/dates.ts'
import { asObject, asString, jsonReply, parseJsonObject, resultList } from '../parsing/json-reply.ts'
import { postJson } from '../parsing/json-request.ts'
import { baseLanguage, marketOf } from '../parsing/language-tag.ts'
import { markdownText } from '../parsing/plain-text.ts'
import {
  imageHit,
  newsHit,
  parseResults,
  type ReadHit,
  type ReadReply,
  upToPage,
  videoHit,
  webHit,
} from '../parsing/read-hits.ts'
import { throttled } from '../parsing/status-error.ts'
import { secret, setting } from '../setting.ts'

interface TabOptions<Name extends Tab> {
  /** The name of the result list. */
  results: string
  lastPage: number
  /** Extra members of the request body. */
  body?: Record<string, unknown>
  canFilterByDate?: boolean
  readHit: ReadHit<HitOf[Name]>
}

const webiqReply: ReadReply = (reply, query) => {
  if (reply.status !== 429 && reply.status !== 430) return jsonReply(reply, query)
  const { retryAfter } = asObject(parseJsonObject(reply.body))
  throw throttled(reply, query.now, Number.parseInt(asString(retryAfter), 10))
}

const tabFor = <Name extends Tab>(
  name: Name,
  options: TabOptions<Name>,
): EngineTab<HitOf[Name], { apiKey: string }> => ({
  lastPage: options.lastPage,
  siteOperators: 'one',
  takesRegion: () => true,
  honours: options.canFilterByDate ? ['safe', 'date', 'lang'] : ['safe', 'lang'],
  request: (query: EngineQuery, { apiKey }) =>
    postJson(
      `/v3/search/${name}`,
      {
        query: query.text,
        maxResults: upToPage(query.page),
        language: baseLanguage(query.lang),
        region: query.region ?? marketOf(query.lang),
        safeSearch: query.safe ? 'strict' : 'off',
        freshness: options.canFilterByDate && query.date ? RANGE_NAMES[query.date] : undefined,
        ...options.body,
      },
      { 'x-apikey': apiKey },
    ),
  parse: parseResults(
    {
      results: (body, { safe }) =>
        resultList(body[options.results]).filter((result) => !safe || asObject(result)['isAdult'] !== true),
      readReply: webiqReply,
      hasAllPages: true,
    },
    options.readHit,
  ),
})

/** `PT4M13S`, `4:13` or seconds: the format is not documented. */
const parseLength = (value: unknown): number | undefined => {
  const [, hours = 0, minutes = 0, seconds = 0] =
    /^PT(?:(\d{1,3})H)?(?:(\d{1,4})M)?(?:(\d{1,6})S)?$/.exec(asString(value)) ?? []
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) || parseDuration(value)
}

export const webiq = defineEngine({
  slug: 'webiq',
  name: 'Microsoft Web IQ',
  homepage: 'https://learn.microsoft.com/web-iq',
  index: 'bing',
  settings: { apiKey: secret('WEBIQ_API_KEY'), baseUrl: setting('WEBIQ_URL', 'https://api.microsoft.ai') },
  terms: {
    cacheSeconds: 300,
    cacheIn: 'memory',
    pricePerCallMicros: 0,
    isPriceUnknown: true,
    attribution: '',
    asOf: '2026-11-15',
    unverified: 'the price, terms on display and caching, and the parameters of news and videos',
  },
  maxQueryLength: { characters: 1000, words: 500 },
  tabs: {
    web: tabFor('web', {
      results: 'webResults',
      lastPage: 5,
      body: { contentFormat: 'passage', maxLength: 400 },
      readHit: ({ url, title, content, lastUpdatedAt }) =>
        webHit({ url, title, description: markdownText(content), publishedAt: parseTimestamp(lastUpdatedAt) }),
    }),
    images: {
      ...tabFor('images', {
        results: 'imageResults',
        lastPage: 3,
        readHit: ({ hostPageUrl, title, thumbnailUrl, url, width, height }) =>
          imageHit({ url: hostPageUrl, title, thumbnails: [thumbnailUrl], picture: url, size: [width, height] }),
      }),
      knowsSizes: true,
    },
    news: tabFor('news', {
      results: 'newsResults',
      lastPage: 2,
      body: { contentFormat: 'passage', maxLength: 400 },
      readHit: ({ url, title, snippet, content, lastUpdatedAt, source, thumbnail }) =>
        newsHit({
          url,
          title,
          description: snippet || markdownText(content),
          publishedAt: parseTimestamp(lastUpdatedAt),
          publisher: source,
          thumbnails: [asObject(thumbnail)['url']],
        }),
    }),
    videos: tabFor('videos', {
      results: 'videoResults',
      lastPage: 3,
      canFilterByDate: true,
      readHit: ({ url, title, lastUpdatedAt, publishedBy, length, thumbnailUrl, viewCount: views }) =>
        videoHit({
          url,
          title,
          publishedAt: parseTimestamp(lastUpdatedAt),
          publisher: publishedBy,
          durationSeconds: parseLength(length),
          thumbnails: [thumbnailUrl],
          views,
        }),
    }),
  },
})
