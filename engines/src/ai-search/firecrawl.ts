// Firecrawl: web, news and images for programs. JSON over HTTP, by POST, with a key or, for a daily quota per IP
// address, without: then there must be no Authorization header at all. It filters by country, not by language. It has
// no pages: page p requests the best p × 10 and is billed for all of them. `data` used to be a flat list, which a
// self-hosted server may still send.

import { defineEngine, type EngineQuery, type EngineTab, type HitOf } from '../engine.ts'
import { MARKET_LANGUAGES, marketOf } from '../parsing/home-market.ts'
import { hitsOf, jsonReply, record } from '../parsing/json-reply.ts'
import { bearer, postJson } from '../parsing/json-request.ts'
import { cutPage, imageHit, newsHit, upToPage, webHit } from '../parsing/read-hits.ts'
import { when } from '../parsing/when.ts'
import { secret, setting } from '../setting.ts'
import { UpstreamError } from '../upstream-error.ts'

const RANGE = { d: 'qdr:d', w: 'qdr:w', m: 'qdr:m', y: 'qdr:y' } as const

type Fields = Readonly<Record<string, unknown>>
type Name = 'web' | 'images' | 'news'

const requestFor = (source: Name, query: EngineQuery, headers: Record<string, string>) => ({
  ...postJson(
    '/v2/search',
    {
      query: query.text,
      limit: upToPage(query.page),
      sources: [source],
      tbs: query.date && RANGE[query.date],
      country: marketOf(query.lang),
      safe: query.safe || undefined,
      // Highlights take seconds.
      highlights: false,
    },
    headers,
  ),
  priceFactor: query.page,
})

const listIn = (page: Fields, source: Name): unknown => {
  const { data, success } = page
  if (Array.isArray(data)) return data
  if (success !== true || typeof data !== 'object' || data === null) {
    throw new UpstreamError('malformed', 'The provider answered with no search page.')
  }
  return record(data)[source]
}

/** A tab without its request and `lastPage`, which differ by tier. */
const tabFor = <Source extends Name>(
  source: Source,
  read: (result: Fields, now: number) => HitOf[Source] | undefined,
): Omit<EngineTab<HitOf[Source], unknown>, 'request' | 'lastPage'> => ({
  honours: ['safe', 'date', 'lang'],
  languages: MARKET_LANGUAGES,
  parse: (reply, query) => ({
    correction: '',
    hits: cutPage(
      hitsOf(listIn(jsonReply(reply, query), source), (result) => read(result, query.now)),
      query.page,
    ),
  }),
})

const web = tabFor('web', (result) =>
  webHit({ url: result['url'], title: result['title'], description: result['description'] }),
)
const images = tabFor('images', (result) =>
  imageHit({ url: result['url'], title: result['title'], thumbnails: [result['imageUrl']] }),
)
const news = tabFor('news', (result, now) =>
  newsHit({
    url: result['url'],
    title: result['title'],
    description: result['snippet'],
    publishedAt: when(result['date'], now),
    thumbnails: [result['imageUrl']],
  }),
)

const LONGEST_QUERY = { characters: 500, words: 250 }

const KEYED_PAGES = 10
const KEYLESS_PAGES = 3

export const firecrawl = defineEngine({
  slug: 'firecrawl',
  name: 'Firecrawl',
  homepage: 'https://www.firecrawl.dev',
  settings: { apiKey: secret('FIRECRAWL_API_KEY'), baseUrl: setting('FIRECRAWL_URL', 'https://api.firecrawl.dev') },
  terms: {
    cacheSeconds: 300,
    cacheIn: 'memory',
    pricePerCallMicros: 1700,
    attribution: '',
    asOf: '2026-11-15',
    unverified: 'the price, terms on caching, and where the index comes from',
    rateLimit: { calls: 10, perSeconds: 60 },
  },
  longestQuery: LONGEST_QUERY,
  tabs: {
    web: {
      ...web,
      lastPage: KEYED_PAGES,
      request: (query, { apiKey }) => requestFor('web', query, bearer(apiKey)),
    },
    images: {
      ...images,
      lastPage: KEYED_PAGES,
      request: (query, { apiKey }) => requestFor('images', query, bearer(apiKey)),
    },
    news: {
      ...news,
      lastPage: KEYED_PAGES,
      request: (query, { apiKey }) => requestFor('news', query, bearer(apiKey)),
    },
  },
})

export const firecrawlfree = defineEngine({
  slug: 'firecrawlfree',
  name: 'Firecrawl (keyless)',
  homepage: 'https://www.firecrawl.dev',
  hasNoContract: true,
  tierOf: 'firecrawl',
  settings: { baseUrl: setting('FIRECRAWLFREE_URL', 'https://api.firecrawl.dev') },
  terms: {
    cacheSeconds: 300,
    cacheIn: 'memory',
    pricePerCallMicros: 0,
    attribution: '',
    asOf: '2026-11-15',
    unverified: 'the daily quota, which is not published, terms on caching, and where the index comes from',
    rateLimit: { calls: 10, perSeconds: 60 },
    restSeconds: 3600,
  },
  longestQuery: LONGEST_QUERY,
  tabs: {
    web: { ...web, lastPage: KEYLESS_PAGES, request: (query) => requestFor('web', query, {}) },
    images: { ...images, lastPage: KEYLESS_PAGES, request: (query) => requestFor('images', query, {}) },
    news: { ...news, lastPage: KEYLESS_PAGES, request: (query) => requestFor('news', query, {}) },
  },
})
