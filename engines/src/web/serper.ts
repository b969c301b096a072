// Serper: resold Google results for web, images, news, videos and suggestions. JSON over HTTP, by POST, with a key.
// Whether it has a safe filter is not documented, so it is only queried with `safe=off`. Dates are words in the
// language of the results; only English ones are understood. Whether Google's data may be resold is disputed: the
// operator decides.

import { defineEngine, type EngineTab, type HitOf, PAGE_SIZE, type Sitelink, type Tab } from '../engine.ts'
import { clockSeconds } from '../parsing/clock-seconds.ts'
import { marketOf } from '../parsing/home-market.ts'
import { httpAddress } from '../parsing/http-address.ts'
import { hitsOf, jsonReply, list, record, resultList, title } from '../parsing/json-reply.ts'
import { postJson } from '../parsing/json-request.ts'
import { languageTag } from '../parsing/language-tag.ts'
import { imageHit, newsHit, videoHit, webHit } from '../parsing/read-hits.ts'
import { when } from '../parsing/when.ts'
import { secret, setting } from '../setting.ts'

const RANGE = { d: 'qdr:d', w: 'qdr:w', m: 'qdr:m', y: 'qdr:y' } as const

type Fields = Readonly<Record<string, unknown>>

/** The language of the results, and the country they are for. */
const placeOf = (lang: string) => {
  const { base } = languageTag(lang)
  return { gl: marketOf(lang)?.toLowerCase(), hl: base || undefined }
}

const tabFor = <Name extends Tab>(
  path: string,
  results: string,
  read: (result: Fields, now: number) => HitOf[Name] | undefined,
): EngineTab<HitOf[Name], { apiKey: string }> => ({
  lastPage: 10,
  honours: ['date', 'lang'],
  request: (query, { apiKey }) =>
    postJson(
      path,
      {
        q: query.text,
        ...placeOf(query.lang),
        num: PAGE_SIZE,
        page: query.page,
        tbs: query.date && RANGE[query.date],
        autocorrect: true,
      },
      { 'x-api-key': apiKey },
    ),
  parse: (reply, query) => ({
    correction: '',
    hits: hitsOf(resultList(jsonReply(reply, query)[results]), (result) => read(result, query.now)),
  }),
})

const sitelinksOf = (links: unknown): Sitelink[] =>
  list(links)
    .map(record)
    .map((link) => ({ title: title(link['title']), url: httpAddress(link['link']) }))
    .filter((link) => link.title !== '' && link.url !== '')

export const serper = defineEngine({
  slug: 'serper',
  name: 'Serper',
  homepage: 'https://serper.dev',
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
    web: tabFor<'web'>('/search', 'organic', (result, now) =>
      webHit({
        url: result['link'],
        title: result['title'],
        description: result['snippet'],
        publishedAt: when(result['date'], now),
        sitelinks: sitelinksOf(result['sitelinks']),
      }),
    ),
    images: tabFor<'images'>('/images', 'images', (result) =>
      imageHit({
        url: result['link'],
        title: result['title'],
        thumbnails: [result['thumbnailUrl'], result['imageUrl']],
      }),
    ),
    news: tabFor<'news'>('/news', 'news', (result, now) =>
      newsHit({
        url: result['link'],
        title: result['title'],
        description: result['snippet'],
        publishedAt: when(result['date'], now),
        publisher: result['source'],
        thumbnails: [result['imageUrl']],
      }),
    ),
    videos: tabFor<'videos'>('/videos', 'videos', (result, now) =>
      videoHit({
        url: result['link'],
        title: result['title'],
        publishedAt: when(result['date'], now),
        publisher: title(result['channel']) || result['source'],
        durationSeconds: clockSeconds(result['duration']),
        thumbnails: [result['imageUrl']],
      }),
    ),
  },
  suggest: {
    request: ({ text, lang }, { apiKey }) =>
      postJson('/autocomplete', { q: text, ...placeOf(lang) }, { 'x-api-key': apiKey }),
    // There is no clock here, so a Retry-After date is ignored.
    parse: (reply) =>
      hitsOf(
        resultList(jsonReply(reply, { now: Number.NaN })['suggestions']),
        (suggestion) => title(suggestion['value']) || undefined,
      ),
  },
})
