// You.com: a web search API with a large index and every filter. JSON over HTTP: POST with a key, or GET without one
// from another URL, for 100 searches a day. The reply contains news only if a classifier thinks the query is about
// news, so this engine is web only. `offset` counts pages. Language codes are Brave's in upper case (Japanese is `JP`).

import { defineEngine, type EngineQuery, type EngineTab, PAGE_SIZE, type WebHit } from '../engine.ts'
import { parseTimestamp, RANGE_NAMES } from '../parsing/dates.ts'
import { domainList } from '../parsing/domain-list.ts'
import { asArray, asObject, noSearchPage } from '../parsing/json-reply.ts'
import { getJson, postJson } from '../parsing/json-request.ts'
import { markdownText } from '../parsing/plain-text.ts'
import { parseResults, webHit } from '../parsing/read-hits.ts'
import { secret, setting } from '../setting.ts'
import { BRAVE_LANGUAGES, hasCountry, searchCountry, searchLanguage } from '../web/brave-language.ts'

const parametersOf = (query: EngineQuery) => ({
  query: query.text,
  count: PAGE_SIZE,
  offset: query.page - 1,
  safesearch: query.safe ? 'strict' : 'off',
  freshness: query.date && RANGE_NAMES[query.date],
  language: searchLanguage(query.lang)?.toUpperCase(),
  country: query.region ?? searchCountry(query.lang),
})

const web: Omit<EngineTab<WebHit, unknown>, 'request'> = {
  lastPage: 10,
  honours: ['safe', 'date', 'lang'],
  operators: ['filetype'],
  languages: BRAVE_LANGUAGES.filter((language) => language !== 'nn'),
  takesRegion: hasCountry,
  parse: parseResults(
    {
      results: ({ results, metadata }) => {
        // A section without results is left out, so `metadata` proves that a search was carried out.
        if (results === undefined ? metadata === undefined : typeof results !== 'object' || results === null) {
          throw noSearchPage()
        }
        return asArray(asObject(results)['web'])
      },
    },
    ({ url, title, description, snippets, favicon_url: favicon, page_age: age }) =>
      webHit({
        url,
        title,
        description: description || markdownText(asArray(snippets)[0]),
        favicon,
        publishedAt: parseTimestamp(age),
      }),
  ),
}

const MAX_QUERY_LENGTH = { characters: 400, words: 50 }

const terms = { cacheSeconds: 300, cacheIn: 'memory', attribution: '', asOf: '2026-11-15' } as const

export const you = defineEngine({
  slug: 'you',
  name: 'You.com',
  homepage: 'https://you.com',
  keysUrl: 'https://you.com/docs',
  index: 'unknown',
  settings: { apiKey: secret('YOU_API_KEY'), baseUrl: setting('YOU_URL', 'https://ydc-index.io') },
  terms: {
    ...terms,
    pricePerCallMicros: 5000,
    unverified: 'terms on caching',
    rateLimit: { calls: 10, perSeconds: 1 },
  },
  maxQueryLength: MAX_QUERY_LENGTH,
  tabs: {
    web: {
      ...web,
      request: (query, { apiKey }) => {
        const { include, exclude } = domainList(query)
        const body = { ...parametersOf(query), include_domains: include, exclude_domains: exclude }
        return postJson('/v1/search', body, { 'x-api-key': apiKey })
      },
    },
  },
})

export const youfree = defineEngine({
  slug: 'youfree',
  name: 'You.com (keyless)',
  homepage: 'https://you.com',
  index: 'unknown',
  hasNoContract: true,
  tierOf: 'you',
  settings: { baseUrl: setting('YOUFREE_URL', 'https://api.you.com') },
  terms: { ...terms, pricePerCallMicros: 0, unverified: 'the daily quota, and terms on caching', dailyCalls: 100 },
  maxQueryLength: MAX_QUERY_LENGTH,
  tabs: {
    web: {
      ...web,
      request: (query) => {
        const { include, exclude } = domainList(query)
        const domains = { include_domains: include?.join(','), exclude_domains: exclude?.join(',') }
        // The keyless API labels uncompressed bodies as gzip.
        const headers = { 'accept-encoding': 'identity' }
        return getJson('/v1/agents/search', { ...parametersOf(query), ...domains }, headers)
      },
    },
  },
})
