// Serper: resold Google results for web, images, news, videos and suggestions. JSON over HTTP, by POST, with a key.
// Without a country it favours the United States. A wrong key is a 403.
// Whether it has a safe filter is not documented, so it is only queried with `safe=off`. Dates are words in the
// language of the results; only English ones are understood. Whether Google's data may be resold is disputed: the
// operator decides.

import { defineEngine, type EngineTab, PAGE_SIZE, type ProviderReply } from '../engine.ts'
import { parseClockDuration, parseWrittenDate } from '../parsing/dates.ts'
import { GOOGLE_LANGUAGES, googleInterfaceLanguage } from '../parsing/google-language.ts'
import {
  asString,
  asTitle,
  hitsOf,
  type JsonObject,
  jsonReply,
  parseJsonObject,
  resultList,
} from '../parsing/json-reply.ts'
import { postJson } from '../parsing/json-request.ts'
import { marketOf } from '../parsing/language-tag.ts'
import { imageHit, newsHit, parseResults, type ReadHit, sitelinksIn, videoHit, webHit } from '../parsing/read-hits.ts'
import { secret, setting } from '../setting.ts'

/** The language of the results, and the country they are for. */
const placeOf = ({ lang, region }: { lang: string; region?: string | undefined }) => ({
  gl: (region ?? marketOf(lang))?.toLowerCase(),
  hl: googleInterfaceLanguage(lang),
})

/** `{"message":"Unauthorized.","statusCode":403}` is a wrong key; any other 403 is not about the key. */
const serperReply = (reply: ProviderReply, asked: { now: number }): JsonObject => {
  const isWrongKey =
    reply.status === 403 && asString(parseJsonObject(reply.body)?.['message']).startsWith('Unauthorized')
  return jsonReply(isWrongKey ? { ...reply, status: 401 } : reply, asked)
}

const tabFor = <Hit>(path: string, results: string, readHit: ReadHit<Hit>): EngineTab<Hit, { apiKey: string }> => ({
  lastPage: 10,
  honours: ['date', 'lang'],
  languages: GOOGLE_LANGUAGES,
  takesRegion: () => true,
  siteOperators: 'several',
  request: (query, { apiKey }) =>
    postJson(
      path,
      {
        q: query.text,
        ...placeOf(query),
        num: PAGE_SIZE,
        page: query.page,
        tbs: query.date && `qdr:${query.date}`,
        autocorrect: true,
      },
      { 'x-api-key': apiKey },
    ),
  parse: parseResults({ results, readReply: serperReply }, readHit),
})

export const serper = defineEngine({
  slug: 'serper',
  name: 'Serper',
  homepage: 'https://serper.dev',
  index: 'google',
  settings: { apiKey: secret('SERPER_API_KEY'), baseUrl: setting('SERPER_URL', 'https://google.serper.dev') },
  terms: {
    cacheSeconds: 300,
    cacheIn: 'memory',
    pricePerCallMicros: 1000,
    attribution: '',
    asOf: '2026-11-15',
    unverified: 'a safe filter, terms on caching, and the price of a larger pack',
    rateLimit: { calls: 50, perSeconds: 1 },
  },
  tabs: {
    web: tabFor('/search', 'organic', ({ link, title, snippet, date, sitelinks }, { now }) =>
      webHit({
        url: link,
        title,
        description: snippet,
        publishedAt: parseWrittenDate(date, now),
        sitelinks: sitelinksIn(sitelinks, 'link'),
      }),
    ),
    images: {
      ...tabFor('/images', 'images', ({ link, title, thumbnailUrl, imageUrl, imageWidth, imageHeight }) =>
        imageHit({
          url: link,
          title,
          thumbnails: [thumbnailUrl],
          picture: imageUrl,
          size: [imageWidth, imageHeight],
        }),
      ),
      knowsSizes: true,
    },
    news: tabFor('/news', 'news', ({ link, title, snippet, date, source, imageUrl }, { now }) =>
      newsHit({
        url: link,
        title,
        description: snippet,
        publishedAt: parseWrittenDate(date, now),
        publisher: source,
        thumbnails: [imageUrl],
      }),
    ),
    videos: tabFor('/videos', 'videos', ({ link, title, date, channel, source, duration, imageUrl }, { now }) =>
      videoHit({
        url: link,
        title,
        publishedAt: parseWrittenDate(date, now),
        publisher: asTitle(channel) || source,
        durationSeconds: parseClockDuration(duration),
        thumbnails: [imageUrl],
      }),
    ),
  },
  suggest: {
    languages: GOOGLE_LANGUAGES,
    request: ({ text, lang }, { apiKey }) =>
      postJson('/autocomplete', { q: text, ...placeOf({ lang }) }, { 'x-api-key': apiKey }),
    // There is no clock here, so a Retry-After date is ignored.
    parse: (reply) =>
      hitsOf(
        resultList(serperReply(reply, { now: Number.NaN })['suggestions']),
        (suggestion) => asTitle(suggestion['value']) || undefined,
      ),
  },
})
