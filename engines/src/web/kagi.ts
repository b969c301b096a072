// Kagi: a paid, ad-free index built from its own and others'. JSON over HTTP, by POST. It filters by country, not by
// language, so a language is requested through its home market. It corrects no spelling. The name of the result list
// differs by tab, and the list is left out if it is empty. Images have no second page. `filters.after` takes whole
// days, so `d` may reach back to the beginning of yesterday; `filters.before` likewise.

import { defineEngine, type EngineTab } from '../engine.ts'
import { isoDay, parseDuration, parseTimestamp, wantedFrom } from '../parsing/dates.ts'
import {
  asArray,
  asObject,
  asString,
  type JsonObject,
  jsonReply,
  noSearchPage,
  parseJsonObject,
} from '../parsing/json-reply.ts'
import { bearer, postJson } from '../parsing/json-request.ts'
import { isMarketOf, MARKET_LANGUAGES, marketOf } from '../parsing/language-tag.ts'
import {
  imageHit,
  newsHit,
  parseResults,
  type ReadHit,
  type ReadReply,
  videoHit,
  webHit,
} from '../parsing/read-hits.ts'
import { queryRefused } from '../parsing/status-error.ts'
import { secret, setting } from '../setting.ts'

interface Workflow<Hit> {
  workflow: 'search' | 'images' | 'news' | 'videos'
  /** The name of the result list. */
  name: 'search' | 'image' | 'news' | 'video'
  lastPage: number
  readHit: ReadHit<Hit>
}

const kagiReply: ReadReply = (reply, query) => {
  // We assume that `location` names the refused parameter; the schema only says "string".
  const errors = reply.status === 400 ? asArray(parseJsonObject(reply.body)?.['error']) : []
  if (errors.some((error) => asString(asObject(error)['location']).endsWith('query'))) throw queryRefused()
  const { data } = jsonReply(reply, query)
  if (typeof data !== 'object' || data === null || Array.isArray(data)) throw noSearchPage()
  return asObject(data)
}

const tabFor = <Hit>({ workflow, name, lastPage, readHit }: Workflow<Hit>): EngineTab<Hit, { apiKey: string }> => ({
  lastPage,
  honours: ['safe', 'date', 'lang'],
  takesDateRange: true,
  languages: MARKET_LANGUAGES,
  takesRegion: isMarketOf,
  request: (query, { apiKey }) => {
    const [after, before] = [isoDay(wantedFrom(query)), isoDay(query.dateTo)]
    const region = query.region ?? marketOf(query.lang)
    return postJson(
      '/api/v1/search',
      // No `limit`: it would only cut off results that we pay for.
      {
        query: query.text,
        workflow,
        format: 'json',
        page: query.page,
        safe_search: query.safe,
        filters: (after ?? before ?? region) === undefined ? undefined : { after, before, region },
      },
      bearer(apiKey),
    )
  },
  parse: parseResults({ results: (data) => asArray(data[name]), readReply: kagiReply }, readHit),
})

/** Images have `thumbnail`; whether videos do is not documented. */
const thumbnailsOf = ({ props, image }: JsonObject): unknown[] => [
  asObject(asObject(props)['thumbnail'])['url'],
  asObject(image)['url'],
]

export const kagi = defineEngine({
  slug: 'kagi',
  name: 'Kagi',
  homepage: 'https://kagi.com',
  index: 'unknown',
  settings: { apiKey: secret('KAGI_API_KEY'), baseUrl: setting('KAGI_URL', 'https://kagi.com') },
  // We don't know what the terms say about caching, so replies stay in memory and not for long. The price is 12 US
  // dollars for 1,000 calls.
  terms: {
    cacheSeconds: 300,
    cacheIn: 'memory',
    pricePerCallMicros: 12_000,
    attribution: '',
    asOf: '2026-11-15',
    unverified: 'terms on caching, whether the last day of a range is part of it, and how regions are written',
  },
  tabs: {
    web: tabFor({
      workflow: 'search',
      name: 'search',
      lastPage: 10,
      readHit: ({ url, title, snippet, time }) =>
        webHit({ url, title, description: snippet, publishedAt: parseTimestamp(time) }),
    }),
    images: {
      ...tabFor({
        workflow: 'images',
        name: 'image',
        lastPage: 1,
        readHit: (result) => {
          const { url: picture, width, height } = asObject(result['image'])
          return imageHit({
            url: result['url'],
            title: result['title'],
            thumbnails: thumbnailsOf(result),
            picture,
            size: [width, height],
          })
        },
      }),
      knowsSizes: true,
    },
    news: tabFor({
      workflow: 'news',
      name: 'news',
      lastPage: 10,
      readHit: (result) =>
        newsHit({
          url: result['url'],
          title: result['title'],
          description: result['snippet'],
          publishedAt: parseTimestamp(result['time']),
          thumbnails: thumbnailsOf(result),
        }),
    }),
    videos: tabFor({
      workflow: 'videos',
      name: 'video',
      lastPage: 10,
      readHit: (result) =>
        videoHit({
          url: result['url'],
          title: result['title'],
          publishedAt: parseTimestamp(result['time']),
          publisher: asObject(result['props'])['creator_name'],
          // Not documented whether this is seconds or 4:13; we accept both.
          durationSeconds: parseDuration(asObject(result['props'])['duration']),
          thumbnails: thumbnailsOf(result),
        }),
    }),
  },
})
