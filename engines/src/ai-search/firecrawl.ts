// Firecrawl: a search API for web, news and images. JSON over HTTP, by POST, with a key, or without one within a daily
// quota per IP address: then there must be no Authorization header at all. It filters by country, not by language;
// without one, it favours the United States. It
// has no pages: page p requests the best p × 10 and is billed for all of them. `data` used to be a flat list, which a
// self-hosted server may still send.

import { defineEngine, type EngineQuery, type EngineTab, type HitOf } from '../engine.ts'
import { parseWrittenDate } from '../parsing/dates.ts'
import { domainList } from '../parsing/domain-list.ts'
import { asArray, asObject, type JsonObject, noSearchPage } from '../parsing/json-reply.ts'
import { bearer, postJson } from '../parsing/json-request.ts'
import { isMarketOf, MARKET_LANGUAGES, marketOf } from '../parsing/language-tag.ts'
import { imageHit, newsHit, parseResults, type ReadHit, upToPage, webHit } from '../parsing/read-hits.ts'
import { secret, setting } from '../setting.ts'

type Name = 'web' | 'images' | 'news'

const requestFor = (source: Name, query: EngineQuery, headers: Record<string, string>) => {
  const { include, exclude } = domainList(query)
  const body = {
    query: query.text,
    limit: upToPage(query.page),
    sources: [source],
    tbs: query.date && `qdr:${query.date}`,
    country: query.region ?? marketOf(query.lang),
    includeDomains: include,
    excludeDomains: exclude,
    safe: query.safe || undefined,
    // Highlights take seconds.
    highlights: false,
  }
  return { ...postJson('/v2/search', body, headers), priceFactor: query.page }
}

const listIn = ({ data, success }: JsonObject, source: Name): unknown => {
  if (Array.isArray(data)) return data
  if (success !== true || typeof data !== 'object' || data === null) throw noSearchPage()
  return asArray(asObject(data)[source])
}

/** All tabs of one tier. */
const tabsFor = <Values>(lastPage: number, headersOf: (settings: Values) => Record<string, string>) => {
  const tabFor = <Source extends Name>(
    source: Source,
    readHit: ReadHit<HitOf[Source]>,
  ): EngineTab<HitOf[Source], Values> => ({
    lastPage,
    honours: ['safe', 'date', 'lang'],
    operators: ['intitle', 'quotes'],
    languages: MARKET_LANGUAGES,
    takesRegion: isMarketOf,
    request: (query, settings) => requestFor(source, query, headersOf(settings)),
    parse: parseResults({ results: (body) => listIn(body, source), hasAllPages: true }, readHit),
  })
  return {
    web: tabFor('web', ({ url, title, description }) => webHit({ url, title, description })),
    images: {
      ...tabFor('images', ({ url, title, imageUrl, imageWidth, imageHeight }) =>
        imageHit({ url, title, picture: imageUrl, size: [imageWidth, imageHeight] }),
      ),
      knowsSizes: true,
    },
    news: tabFor('news', ({ url, title, snippet, date, imageUrl }, { now }) =>
      newsHit({ url, title, description: snippet, publishedAt: parseWrittenDate(date, now), thumbnails: [imageUrl] }),
    ),
  }
}

const MAX_QUERY_LENGTH = { characters: 500, words: 250 }

const terms = {
  cacheSeconds: 300,
  cacheIn: 'memory',
  attribution: '',
  asOf: '2026-11-15',
  rateLimit: { calls: 10, perSeconds: 60 },
} as const

export const firecrawl = defineEngine({
  slug: 'firecrawl',
  name: 'Firecrawl',
  homepage: 'https://www.firecrawl.dev',
  index: 'unknown',
  settings: { apiKey: secret('FIRECRAWL_API_KEY'), baseUrl: setting('FIRECRAWL_URL', 'https://api.firecrawl.dev') },
  terms: {
    ...terms,
    pricePerCallMicros: 1700,
    unverified: 'the price, terms on caching, and where the index comes from',
  },
  maxQueryLength: MAX_QUERY_LENGTH,
  tabs: tabsFor(10, ({ apiKey }: { apiKey: string }) => bearer(apiKey)),
})

export const firecrawlfree = defineEngine({
  slug: 'firecrawlfree',
  name: 'Firecrawl (keyless)',
  homepage: 'https://www.firecrawl.dev',
  index: 'unknown',
  hasNoContract: true,
  tierOf: 'firecrawl',
  settings: { baseUrl: setting('FIRECRAWLFREE_URL', 'https://api.firecrawl.dev') },
  terms: {
    ...terms,
    pricePerCallMicros: 0,
    unverified: 'the daily quota, which is not published, terms on caching, and where the index comes from',
    restSeconds: 3600,
  },
  maxQueryLength: MAX_QUERY_LENGTH,
  tabs: tabsFor<unknown>(3, () => ({})),
})
