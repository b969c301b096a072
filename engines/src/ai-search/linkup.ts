// Linkup: a European web search API. JSON over HTTP, by POST, with a key. It has no safe filter, so it is only queried
// with `safe=off`; the host checks the language of its results. It reports "no results" as an error with status 400. It
// has no pages: page 2 requests 20 results and shows the last ten. Images among the results are dropped.

import { defineEngine } from '../engine.ts'
import { isoDay, wantedFrom } from '../parsing/dates.ts'
import { asObject, jsonReply, parseJsonObject, resultList } from '../parsing/json-reply.ts'
import { bearer, postJson } from '../parsing/json-request.ts'
import { markdownText } from '../parsing/plain-text.ts'
import { parseResults, type ReadReply, upToPage, webHit } from '../parsing/read-hits.ts'
import { secret, setting } from '../setting.ts'

const linkupReply: ReadReply = (reply, query) => {
  const { code } = asObject(parseJsonObject(reply.body)?.['error'])
  return reply.status === 400 && code === 'SEARCH_QUERY_NO_RESULT' ? { results: [] } : jsonReply(reply, query)
}

export const linkup = defineEngine({
  slug: 'linkup',
  name: 'Linkup',
  homepage: 'https://www.linkup.so',
  index: 'unknown',
  settings: { apiKey: secret('LINKUP_API_KEY'), baseUrl: setting('LINKUP_URL', 'https://api.linkup.so') },
  // 5 euros for 1,000 searches.
  terms: {
    cacheSeconds: 300,
    cacheIn: 'memory',
    pricePerCallMicros: 5800,
    attribution: '',
    asOf: '2026-11-15',
    unverified: 'terms on caching, and the price in US dollars',
    rateLimit: { calls: 10, perSeconds: 1 },
  },
  tabs: {
    web: {
      lastPage: 2,
      honours: ['date'],
      takesDateRange: true,
      hasTextInAnyLanguage: true,
      request: (query, { apiKey }) =>
        postJson(
          '/v1/search',
          {
            q: query.text,
            depth: 'fast',
            outputType: 'searchResults',
            maxResults: upToPage(query.page),
            fromDate: isoDay(wantedFrom(query)),
            toDate: isoDay(query.dateTo),
            includeDomains: query.includeDomains,
            excludeDomains: query.excludeDomains,
            includeImages: false,
          },
          bearer(apiKey),
        ),
      parse: parseResults(
        {
          results: ({ results }) => resultList(results).filter((result) => asObject(result)['type'] !== 'image'),
          readReply: linkupReply,
          hasAllPages: true,
        },
        ({ url, name, content, favicon }) => webHit({ url, title: name, description: markdownText(content), favicon }),
      ),
    },
  },
})
