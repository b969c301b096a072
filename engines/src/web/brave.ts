// Brave Search: a large independent index for web, images, news and videos, paid per call. JSON over HTTP. It corrects
// a query by itself, searches for the corrected one and reports it. Its terms allow only transient storage, so replies
// are kept in memory for minutes, and fixtures are not recorded. `offset` counts pages, not results, and ends at 9.
// Images have no offset: page p requests the best p × 10 and shows the last 10. Suggestions need their own
// subscription. Dates (`page_age`) have no time zone; we assume UTC.
import { defineEngine, type EngineQuery, PAGE_SIZE, type ProviderReply, type ProviderRequest } from '../engine.ts'
import { isoDay, parseClockDuration, parseTimestamp, wantedFrom } from '../parsing/dates.ts'
import { httpAddress } from '../parsing/http-address.ts'
import {
  asArray,
  asObject,
  asString,
  asTitle,
  hitsOf,
  type JsonObject,
  noSearchPage,
  parseJsonObject,
} from '../parsing/json-reply.ts'
import { getJson } from '../parsing/json-request.ts'
import { imageHit, newsHit, parseResults, sitelinksIn, upToPage, videoHit, webHit } from '../parsing/read-hits.ts'
import { errorWithWait, numberInHeader, queryRefused, secondsToWait, statusError } from '../parsing/status-error.ts'
import { secret, setting } from '../setting.ts'
import { UpstreamError } from '../upstream-error.ts'
import { BRAVE_LANGUAGES, hasCountry, searchCountry, searchLanguage } from './brave-language.ts'

const FRESHNESS = { d: 'pd', w: 'pw', m: 'pm', y: 'py' } as const

/** The most images per call. */
const MAX_IMAGES = 200

type Parameters = Record<string, string | number | undefined>

const requestTo = (path: string, parameters: Parameters, apiKey: string): ProviderRequest =>
  getJson(`/res/v1/${path}`, parameters, { 'x-subscription-token': apiKey })

/** Parameters of every search. `ALL` favours no country; by default Brave favours the United States. */
const filtersOf = (query: EngineQuery): Parameters => ({
  safesearch: query.safe ? 'strict' : 'off',
  country: query.region ?? searchCountry(query.lang) ?? 'ALL',
  search_lang: searchLanguage(query.lang),
  spellcheck: 'true',
})

/** It takes one of the two: a range between two days, or one of its names. */
const freshnessOf = (query: EngineQuery): string | undefined => {
  const { date, dateFrom, dateTo, now } = query
  if (dateFrom === undefined && dateTo === undefined) return date && FRESHNESS[date]
  return `${isoDay(wantedFrom(query)) ?? '1970-01-01'}to${isoDay(dateTo ?? now)}`
}

/** For the searches with pages and a time filter. */
const pagedParameters = (query: EngineQuery): Parameters => ({
  q: query.text,
  count: PAGE_SIZE,
  offset: query.page - 1,
  freshness: freshnessOf(query),
  ...filtersOf(query),
})

/** Seconds until the per-second and the per-month window reset: `1, 1419704`. */
const RESET_HEADER = 'x-ratelimit-reset'

/**
 * Interprets the code in an error body; `undefined` if it adds nothing to the status. A bad key is a 422, like a bad
 * query, so the status alone would blame the wrong one.
 */
const refusalOf = (reply: ProviderReply, now: number): UpstreamError | undefined => {
  const resetIn = (window: number) => secondsToWait(reply, now, numberInHeader(reply, RESET_HEADER, window))
  const body = asObject(parseJsonObject(reply.body))
  // Live replies have `error`; Brave's own example has `errors`.
  const error = asObject(body['error'] ?? asArray(body['errors'])[0])
  switch (asString(error['code'])) {
    case 'SUBSCRIPTION_TOKEN_INVALID':
      return new UpstreamError('rejected', 'The provider does not accept the API key.')
    case 'SUBSCRIPTION_NOT_FOUND':
      return new UpstreamError('rejected', 'The API key has no subscription to this search.')
    case 'RATE_LIMITED':
      return errorWithWait('throttled', 'The limit per second is reached.', resetIn(0))
    case 'QUOTA_LIMITED':
      return errorWithWait('throttled', 'The quota of the plan is used up.', resetIn(1))
    case 'VALIDATION': {
      const mistakes = asArray(asObject(error['meta'])['errors']).map(asObject)
      return mistakes.some(({ loc }) => asArray(loc).includes('q')) ? queryRefused() : undefined
    }
    default:
      return undefined
  }
}

type ReplyType = 'search' | 'images' | 'news' | 'videos' | 'suggest'

/** Returns the body after checking `type`, which is always there; a block without results is left out. */
const braveReply = (reply: ProviderReply, type: ReplyType, now: number): JsonObject => {
  if (reply.status < 200 || reply.status > 299) throw refusalOf(reply, now) ?? statusError(reply, now)
  const body = parseJsonObject(reply.body)
  if (body?.['type'] !== type) throw noSearchPage()
  return body
}

/** In the `query` block, `altered` is what was searched for instead of `original`. */
const correctionIn = ({ query }: JsonObject): string => {
  const { altered, original } = asObject(query)
  const corrected = asTitle(altered)
  return corrected.toLowerCase() === asTitle(original).toLowerCase() ? '' : corrected
}

/** How to read replies of this type. */
const optionsFor = (type: ReplyType) => ({
  readReply: (reply: ProviderReply, { now }: EngineQuery) => braveReply(reply, type, now),
  correctionIn,
})

/** The picture of a story or video, unless it is only the site's logo. */
const thumbnailsOf = (block: unknown): unknown[] => {
  const { src, logo } = asObject(block)
  return logo === true ? [] : [src]
}

export const brave = defineEngine({
  slug: 'brave',
  name: 'Brave',
  homepage: 'https://search.brave.com',
  keysUrl: 'https://api-dashboard.search.brave.com',
  settings: { apiKey: secret('BRAVE_API_KEY'), baseUrl: setting('BRAVE_URL', 'https://api.search.brave.com') },
  // 5 US dollars for 1,000 searches. Suggestions, on their own plan, cost a tenth.
  terms: {
    cacheSeconds: 300,
    cacheIn: 'memory',
    pricePerCallMicros: 5000,
    attribution: 'Results from Brave Search',
    asOf: '2026-11-15',
    rateLimit: { calls: 50, perSeconds: 1 },
  },
  maxQueryLength: { characters: 400, words: 50 },
  tabs: {
    web: {
      lastPage: 10,
      honours: ['safe', 'date', 'lang'],
      takesDateRange: true,
      siteOperators: 'several',
      operators: ['filetype', 'intitle', 'quotes'],
      languages: BRAVE_LANGUAGES,
      takesRegion: hasCountry,
      request: (query, { apiKey }) =>
        requestTo(
          'web/search',
          { ...pagedParameters(query), text_decorations: 'false', result_filter: 'web,query' },
          apiKey,
        ),
      parse: parseResults(
        { results: ({ web }) => asArray(asObject(web)['results']), ...optionsFor('search') },
        ({ url, title, description, meta_url: meta, page_age: age, deep_results: deep }) =>
          webHit({
            url,
            title,
            description,
            favicon: httpAddress(asObject(meta)['favicon']),
            publishedAt: parseTimestamp(age),
            sitelinks: sitelinksIn(asObject(deep)['buttons'], 'url'),
          }),
      ),
    },
    images: {
      lastPage: MAX_IMAGES / PAGE_SIZE,
      honours: ['safe', 'lang'],
      knowsSizes: true,
      siteOperators: 'several',
      languages: BRAVE_LANGUAGES,
      takesRegion: hasCountry,
      request: (query, { apiKey }) => {
        const count = Math.min(MAX_IMAGES, upToPage(query.page))
        return requestTo('images/search', { q: query.text, count, ...filtersOf(query) }, apiKey)
      },
      parse: parseResults(
        { results: ({ results }) => asArray(results), ...optionsFor('images'), hasAllPages: true },
        ({ url, title, thumbnail, properties }) => {
          const { url: picture, width, height } = asObject(properties)
          return imageHit({ url, title, thumbnails: [asObject(thumbnail)['src']], picture, size: [width, height] })
        },
      ),
    },
    news: {
      lastPage: 10,
      honours: ['safe', 'date', 'lang'],
      takesDateRange: true,
      siteOperators: 'several',
      operators: ['filetype', 'intitle', 'quotes'],
      languages: BRAVE_LANGUAGES,
      takesRegion: hasCountry,
      request: (query, { apiKey }) => requestTo('news/search', pagedParameters(query), apiKey),
      parse: parseResults(
        { results: ({ results }) => asArray(results), ...optionsFor('news') },
        ({ url, title, description, page_age: age, profile, thumbnail }) =>
          newsHit({
            url,
            title,
            description,
            publishedAt: parseTimestamp(age),
            // No publisher is documented for a story; `profile` is used if present.
            publisher: asObject(profile)['name'],
            thumbnails: thumbnailsOf(thumbnail),
          }),
      ),
    },
    videos: {
      lastPage: 10,
      honours: ['safe', 'date', 'lang'],
      takesDateRange: true,
      siteOperators: 'several',
      operators: ['filetype', 'intitle', 'quotes'],
      languages: BRAVE_LANGUAGES,
      takesRegion: hasCountry,
      request: (query, { apiKey }) => requestTo('videos/search', pagedParameters(query), apiKey),
      parse: parseResults(
        { results: ({ results }) => asArray(results), ...optionsFor('videos') },
        ({ url, title, page_age: age, video, thumbnail }) => {
          const { creator, author, publisher, duration, views } = asObject(video)
          return videoHit({
            url,
            title,
            publishedAt: parseTimestamp(age),
            publisher: [creator, asObject(author)['name'], publisher].find(asTitle),
            durationSeconds: parseClockDuration(duration),
            thumbnails: thumbnailsOf(thumbnail),
            views,
          })
        },
      ),
    },
  },
  suggest: {
    languages: BRAVE_LANGUAGES,
    priceFactor: 0.1,
    // The codes are those of `search_lang`, under another name.
    request: ({ text, lang }, { apiKey }) => {
      const parameters = { q: text, count: PAGE_SIZE, lang: searchLanguage(lang), country: searchCountry(lang) }
      return requestTo('suggest/search', parameters, apiKey)
    },
    // There is no clock here, so a Retry-After date is ignored.
    parse: (reply) =>
      hitsOf(braveReply(reply, 'suggest', Number.NaN)['results'], (result) => asTitle(result['query']) || undefined),
  },
})
