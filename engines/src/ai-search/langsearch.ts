// LangSearch: a web search API, with a free key, one call a second and a daily allowance. JSON over HTTP, by POST. It has no safe filter,
// so it is only queried with `safe=off`; the host checks the language of its results. The real status is `code` in the
// body. It has no pages: page p requests the best p × 10.

import { defineEngine, type EngineQuery } from '../engine.ts'
import { isoDay, parseTimestamp, wantedFrom } from '../parsing/dates.ts'
import { domainList } from '../parsing/domain-list.ts'
import { asObject, jsonReply } from '../parsing/json-reply.ts'
import { bearer, postJson } from '../parsing/json-request.ts'
import { markdownText } from '../parsing/plain-text.ts'
import { parseResults, type ReadReply, upToPage, webHit } from '../parsing/read-hits.ts'
import { statusError } from '../parsing/status-error.ts'
import { secret, setting } from '../setting.ts'
import { UpstreamError } from '../upstream-error.ts'

const FRESHNESS = { d: 'oneDay', w: 'oneWeek', m: 'oneMonth', y: 'oneYear' } as const

/** One of its names, or a range between two days. */
function freshnessOf(query: EngineQuery): string {
  const { date, dateFrom, dateTo, now } = query
  if (dateFrom === undefined && dateTo === undefined) return date ? FRESHNESS[date] : 'noLimit'
  return `${isoDay(wantedFrom(query)) ?? '1970-01-01'}..${isoDay(dateTo ?? now)}`
}

const langsearchReply: ReadReply = (reply, query) => {
  const body = jsonReply(reply, query)
  const { code } = body
  if (typeof code !== 'number' || code === 200) return body
  throw code >= 400 && code < 600
    ? statusError({ ...reply, status: code }, query.now)
    : new UpstreamError('rejected', 'The provider refused the request.')
}

export const langsearch = defineEngine({
  slug: 'langsearch',
  name: 'LangSearch',
  homepage: 'https://langsearch.com',
  keysUrl: 'https://docs.langsearch.com',
  index: 'unknown',
  settings: { apiKey: secret('LANGSEARCH_API_KEY'), baseUrl: setting('LANGSEARCH_URL', 'https://api.langsearch.com') },
  terms: {
    cacheSeconds: 300,
    cacheIn: 'memory',
    pricePerCallMicros: 0,
    hasFreeKeys: true,
    attribution: '',
    asOf: '2026-11-15',
    unverified:
      'the daily allowance, which it no longer publishes, terms on caching, and the names of fields in a result',
    rateLimit: { calls: 1, perSeconds: 1 },
    dailyCalls: 1000,
    // A 429 need not mean that the day is spent: it also comes for two calls within a second.
    restSeconds: 0,
  },
  tabs: {
    web: {
      lastPage: 5,
      honours: ['date'],
      takesDateRange: true,
      hasTextInAnyLanguage: true,
      request: (query, { apiKey }) => {
        const { include, exclude } = domainList(query)
        return postJson(
          '/v1/web-search',
          {
            query: query.text,
            count: upToPage(query.page),
            freshness: freshnessOf(query),
            includeDomains: include,
            excludeDomains: exclude,
          },
          bearer(apiKey),
        )
      },
      parse: parseResults(
        {
          results: ({ data }) => asObject(asObject(data)['webPages'])['value'],
          readReply: langsearchReply,
          hasAllPages: true,
        },
        ({ url, name, snippet, datePublished }) =>
          webHit({ url, title: name, description: markdownText(snippet), publishedAt: parseTimestamp(datePublished) }),
      ),
    },
  },
})
