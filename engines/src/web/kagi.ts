// Kagi: a paid, ad-free index built from its own and others'. JSON over HTTP, by POST. It filters by country, not by
// language, so a language is requested through its home market. No spelling. The name of the result list differs by
// tab, and the list is left out if it is empty. Images have no second page. `filters.after` takes whole days, so `d`
// may reach back to the beginning of yesterday.

import { defineEngine, type EngineTab, type ProviderReply } from '../engine.ts'
import { durationSeconds } from '../parsing/duration-seconds.ts'
import { MARKET_LANGUAGES, marketOf } from '../parsing/home-market.ts'
import { hostOf, httpAddress } from '../parsing/http-address.ts'
import { description, hitsOf, jsonIn, jsonReply, list, moment, record, title, word } from '../parsing/json-reply.ts'
import { pictureAddress } from '../parsing/picture-address.ts'
import { rangeStart } from '../parsing/range-start.ts'
import { secret, setting } from '../setting.ts'
import { UpstreamError } from '../upstream-error.ts'

type Fields = Readonly<Record<string, unknown>>

interface Workflow<Hit> {
  workflow: 'search' | 'images' | 'news' | 'videos'
  /** The name of the result list. */
  name: 'search' | 'image' | 'news' | 'video'
  lastPage: number
  read: (result: Fields, url: string) => Hit | undefined
}

/** True if an error blames the query. We assume that `location` names the parameter; the schema only says "string". */
const blamesQuery = ({ status, body }: ProviderReply): boolean =>
  status === 400 && list(jsonIn(body)?.['error']).some((error) => word(record(error)['location']).endsWith('query'))

const tabFor = <Hit>({ workflow, name, lastPage, read }: Workflow<Hit>): EngineTab<Hit, { apiKey: string }> => ({
  lastPage,
  honours: ['safe', 'date', 'lang'],
  languages: MARKET_LANGUAGES,
  request: (query, { apiKey }) => {
    const after = rangeStart(query)?.toISOString().slice(0, 10)
    const region = marketOf(query.lang)
    return {
      method: 'POST',
      path: '/api/v1/search',
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        authorization: `Bearer ${apiKey}`,
      },
      // No `limit`: it would only cut off results that we pay for.
      body: JSON.stringify({
        query: query.text.toWellFormed(),
        workflow,
        format: 'json',
        page: query.page,
        safe_search: query.safe,
        ...((after ?? region) !== undefined && { filters: { after, region } }),
      }),
    }
  },
  parse: (reply, query) => {
    if (blamesQuery(reply)) {
      throw new UpstreamError('rejected', 'The provider refuses this query.', { isQueryFault: true })
    }
    const { data } = jsonReply(reply, query)
    if (typeof data !== 'object' || data === null || Array.isArray(data)) {
      throw new UpstreamError('malformed', 'The provider answered with no search page.')
    }
    return {
      correction: '',
      hits: hitsOf(record(data)[name], (result) => {
        const url = httpAddress(result['url'])
        return url === '' ? undefined : read(result, url)
      }),
    }
  },
})

/** Images have `thumbnail`; whether videos do is not documented. */
const thumbnailOf = (result: Fields): string =>
  pictureAddress(record(record(result['props'])['thumbnail'])['url']) || pictureAddress(record(result['image'])['url'])

export const kagi = defineEngine({
  slug: 'kagi',
  name: 'Kagi',
  homepage: 'https://kagi.com',
  settings: { apiKey: secret('KAGI_API_KEY'), baseUrl: setting('KAGI_URL', 'https://kagi.com') },
  // We don't know what the terms say about caching, so replies stay in memory and not for long. The price is 12 US
  // dollars for 1,000 calls.
  terms: {
    cacheSeconds: 300,
    cacheIn: 'memory',
    pricePerCallMicros: 12_000,
    attribution: '',
    asOf: '2026-11-15',
    unverified: 'terms on caching, and the form of durations',
  },
  tabs: {
    web: tabFor({
      workflow: 'search',
      name: 'search',
      lastPage: 10,
      read: (result, url) => ({
        title: title(result['title']),
        url,
        description: description(result['snippet']),
        faviconUrl: '',
        publishedAt: moment(result['time']),
        sitelinks: [],
      }),
    }),
    images: tabFor({
      workflow: 'images',
      name: 'image',
      lastPage: 1,
      read: (result, url) => {
        const thumbnailUrl = thumbnailOf(result)
        return thumbnailUrl === '' ? undefined : { title: title(result['title']), url, thumbnailUrl }
      },
    }),
    news: tabFor({
      workflow: 'news',
      name: 'news',
      lastPage: 10,
      read: (result, url) => ({
        title: title(result['title']),
        url,
        description: description(result['snippet']),
        publishedAt: moment(result['time']),
        publisher: hostOf(url),
        thumbnailUrl: thumbnailOf(result),
      }),
    }),
    videos: tabFor({
      workflow: 'videos',
      name: 'video',
      lastPage: 10,
      read: (result, url) => ({
        title: title(result['title']),
        url,
        publishedAt: moment(result['time']),
        publisher: title(record(result['props'])['creator_name']),
        // Not documented whether this is seconds or 4:13; we accept both.
        durationSeconds: durationSeconds(record(result['props'])['duration']),
        thumbnailUrl: thumbnailOf(result),
      }),
    }),
  },
})
