// Keenable: a semantic search API, for which long questions work best. JSON over HTTP, by POST, with a free key, or
// without one for about 1,000 calls an hour per IP address; it then wants the name of the calling program. It has no
// safe filter and no language filter, so it is only queried with `safe=off`, and the host checks the language of its
// results.

import { defineEngine, type EngineQuery, type EngineTab, type WebHit } from '../engine.ts'
import { parseTimestamp, rangeStartDay } from '../parsing/dates.ts'
import { postJson } from '../parsing/json-request.ts'
import { markdownText } from '../parsing/plain-text.ts'
import { parseResults, upToPage, webHit } from '../parsing/read-hits.ts'
import { secret, setting } from '../setting.ts'

const bodyOf = (query: EngineQuery) => ({
  query: query.text,
  // The other mode is too slow for a search.
  mode: 'realtime',
  max_results: upToPage(query.page),
  published_after: rangeStartDay(query),
  snippet_max_length: 400,
})

const web: Omit<EngineTab<WebHit, unknown>, 'request'> = {
  lastPage: 5,
  honours: ['date'],
  hasTextInAnyLanguage: true,
  parse: parseResults(
    { results: 'results', hasAllPages: true },
    ({ url, title, snippet, description, published_at: publishedAt }) =>
      webHit({
        url,
        title,
        description: markdownText(snippet) || description,
        publishedAt: parseTimestamp(publishedAt),
      }),
  ),
}

const terms = {
  cacheSeconds: 300,
  cacheIn: 'memory',
  pricePerCallMicros: 0,
  attribution: '',
  asOf: '2026-11-15',
  unverified: 'the quota, and terms on caching',
} as const

export const keenable = defineEngine({
  slug: 'keenable',
  name: 'Keenable',
  homepage: 'https://keenable.ai',
  index: 'unknown',
  settings: { apiKey: secret('KEENABLE_API_KEY'), baseUrl: setting('KEENABLE_URL', 'https://api.keenable.ai') },
  terms,
  tabs: {
    web: { ...web, request: (query, { apiKey }) => postJson('/v1/search', bodyOf(query), { 'x-api-key': apiKey }) },
  },
})

export const keenablefree = defineEngine({
  slug: 'keenablefree',
  name: 'Keenable (keyless)',
  homepage: 'https://keenable.ai',
  index: 'unknown',
  hasNoContract: true,
  tierOf: 'keenable',
  settings: { baseUrl: setting('KEENABLEFREE_URL', 'https://api.keenable.ai') },
  terms: { ...terms, rateLimit: { calls: 1000, perSeconds: 3600 }, restSeconds: 3600 },
  tabs: {
    web: {
      ...web,
      request: (query) => postJson('/v1/search/public', bodyOf(query), { 'x-keenable-title': 'Bowerbird' }),
    },
  },
})
