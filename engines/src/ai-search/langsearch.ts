// LangSearch: a web search API, with a free key and a daily allowance. JSON over HTTP, by POST. It has no safe filter,
// so it is only queried with `safe=off`; the host checks the language of its results. The real status is `code` in the
// body. It has no pages: page p requests the best p × 10.

import { defineEngine } from '../engine.ts'
import { parseTimestamp } from '../parsing/dates.ts'
import { asObject, jsonReply } from '../parsing/json-reply.ts'
import { bearer, postJson } from '../parsing/json-request.ts'
import { markdownText } from '../parsing/plain-text.ts'
import { parseResults, type ReadReply, upToPage, webHit } from '../parsing/read-hits.ts'
import { statusError } from '../parsing/status-error.ts'
import { secret, setting } from '../setting.ts'
import { UpstreamError } from '../upstream-error.ts'

const FRESHNESS = { d: 'oneDay', w: 'oneWeek', m: 'oneMonth', y: 'oneYear' } as const

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
  index: 'unknown',
  settings: { apiKey: secret('LANGSEARCH_API_KEY'), baseUrl: setting('LANGSEARCH_URL', 'https://api.langsearch.com') },
  terms: {
    cacheSeconds: 300,
    cacheIn: 'memory',
    pricePerCallMicros: 0,
    attribution: '',
    asOf: '2026-11-15',
    unverified: 'the daily allowance, terms on caching, and the names of fields in a result',
    restSeconds: 3600,
  },
  tabs: {
    web: {
      lastPage: 5,
      honours: ['date'],
      hasTextInAnyLanguage: true,
      request: (query, { apiKey }) =>
        postJson(
          '/v1/web-search',
          {
            query: query.text,
            count: upToPage(query.page),
            freshness: query.date ? FRESHNESS[query.date] : 'noLimit',
          },
          bearer(apiKey),
        ),
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
