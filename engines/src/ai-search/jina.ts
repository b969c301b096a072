// Jina: Google's results for web, news and images, by way of Serper. JSON over HTTP, with a key. It has no safe filter and no date filter, so
// it is only queried with `safe=off` and without a time range. It reports "no results" as an error with status 422.
// News and images cost five times as much as web. Without `no-content` it would fetch every page first.

import { defineEngine, type EngineTab, type HitOf, PAGE_SIZE } from '../engine.ts'
import { parseWrittenDate } from '../parsing/dates.ts'
import { GOOGLE_LANGUAGES, googleInterfaceLanguage } from '../parsing/google-language.ts'
import { asObject, asString, jsonReply, parseJsonObject } from '../parsing/json-reply.ts'
import { bearer, getJson } from '../parsing/json-request.ts'
import { marketOf } from '../parsing/language-tag.ts'
import { imageHit, newsHit, parseResults, type ReadHit, type ReadReply, webHit } from '../parsing/read-hits.ts'
import { secret, setting } from '../setting.ts'

type Name = 'web' | 'images' | 'news'

const resultsIn: ReadReply = (reply, query) => {
  const message = asString(asObject(parseJsonObject(reply.body))['message'])
  const foundNothing = reply.status === 422 && message.startsWith('No search results')
  return foundNothing ? { data: [] } : jsonReply(reply, query)
}

const tabFor = <Source extends Name>(
  type: Source,
  readHit: ReadHit<HitOf[Source]>,
): EngineTab<HitOf[Source], { apiKey: string }> => ({
  lastPage: 10,
  honours: ['lang'],
  languages: GOOGLE_LANGUAGES,
  takesRegion: () => true,
  request: (query, { apiKey }) =>
    getJson(
      '/',
      {
        q: query.text,
        count: PAGE_SIZE,
        page: query.page,
        gl: query.region ?? marketOf(query.lang),
        hl: googleInterfaceLanguage(query.lang),
        type,
        respondWith: 'no-content',
      },
      bearer(apiKey),
    ),
  parse: parseResults({ results: 'data', readReply: resultsIn }, readHit),
})

export const jina = defineEngine({
  slug: 'jina',
  name: 'Jina',
  homepage: 'https://jina.ai',
  index: 'google',
  settings: { apiKey: secret('JINA_API_KEY'), baseUrl: setting('JINA_URL', 'https://s.jina.ai') },
  terms: {
    cacheSeconds: 300,
    cacheIn: 'memory',
    pricePerCallMicros: 500,
    attribution: '',
    asOf: '2026-11-15',
    unverified:
      'the price, terms on caching, the countries that it takes, the effect of a language, and the form of dates in news',
  },
  tabs: {
    web: tabFor('web', ({ url, title, description, date }, { now }) =>
      webHit({ url, title, description, publishedAt: parseWrittenDate(date, now) }),
    ),
    images: {
      ...tabFor('images', ({ url, title, imageUrl, imageWidth, imageHeight }) =>
        imageHit({ url, title, picture: imageUrl, size: [imageWidth, imageHeight] }),
      ),
      knowsSizes: true,
      priceFactor: 5,
    },
    news: {
      ...tabFor('news', ({ url, title, description, date, source }, { now }) =>
        newsHit({ url, title, description, publishedAt: parseWrittenDate(date, now), publisher: source }),
      ),
      priceFactor: 5,
    },
  },
})
