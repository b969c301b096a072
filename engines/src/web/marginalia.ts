// Marginalia: an independent index of small, text-heavy sites. JSON over HTTP. English only and without dates, so it is
// not queried for other languages or a time range. The key `public` works out of the box but is shared by everyone, so we
// ask little of it. Refusals are plain text or empty. Results are licensed for non-commercial use, with attribution.

import { defineEngine, PAGE_SIZE } from '../engine.ts'
import { jsonReply } from '../parsing/json-reply.ts'
import { getJson } from '../parsing/json-request.ts'
import { baseLanguage } from '../parsing/language-tag.ts'
import { parseResults, type ReadReply, webHit } from '../parsing/read-hits.ts'
import { errorWithWait, secondsToWait } from '../parsing/status-error.ts'
import { secret, setting } from '../setting.ts'

const SHARED_KEY = 'public'

const marginaliaReply: ReadReply = (reply, query) => {
  if (reply.status === 429 && reply.body.startsWith('QPM')) {
    throw errorWithWait('throttled', 'The limit per minute is reached.', secondsToWait(reply, query.now, 60))
  }
  return jsonReply(reply, query)
}

export const marginalia = defineEngine({
  slug: 'marginalia',
  name: 'Marginalia',
  homepage: 'https://marginalia-search.com',
  settings: {
    apiKey: secret('MARGINALIA_API_KEY', SHARED_KEY),
    baseUrl: setting('MARGINALIA_URL', 'https://api2.marginalia-search.com'),
  },
  terms: {
    cacheSeconds: 3600,
    cacheIn: 'shared',
    pricePerCallMicros: 0,
    attribution: 'Results from Marginalia Search, CC BY-NC-SA 4.0',
    asOf: '2026-11-15',
    unverified: 'the limits, which are ours and only for the shared key',
    rateLimit: { calls: 6, perSeconds: 60 },
    dailyCalls: 300,
    rateLimitedKey: SHARED_KEY,
  },
  tabs: {
    web: {
      lastPage: 10,
      honours: ['safe', 'lang'],
      languages: ['en'],
      request: (query, { apiKey }) =>
        getJson(
          '/search',
          {
            query: query.text,
            count: PAGE_SIZE,
            page: query.page,
            // 2 leaves out pornography as well as dangerous sites. It is in Marginalia's source; the documentation has
            // only 0 and 1.
            nsfw: query.safe ? 2 : 0,
            lang: baseLanguage(query.lang) === 'en' ? 'en' : undefined,
          },
          { 'api-key': apiKey },
        ),
      parse: parseResults({ results: 'results', readReply: marginaliaReply }, ({ url, title, description }) =>
        webHit({ url, title, description }),
      ),
    },
  },
})
