// Linkup: a European index for programs. JSON over HTTP, by POST, with a key. No safe filter, so it is only queried
// with `safe=off`; the host checks the language of its results. No results is an error with status 400. It has no
// pages: page 2 requests 20 and shows the rest. Images among the results are dropped.

import { defineEngine, type ProviderReply } from '../engine.ts'
import { hitsOf, jsonIn, jsonReply, record, resultList } from '../parsing/json-reply.ts'
import { bearer, postJson } from '../parsing/json-request.ts'
import { markdownText } from '../parsing/markdown-text.ts'
import { rangeStart } from '../parsing/range-start.ts'
import { cutPage, upToPage, webHit } from '../parsing/read-hits.ts'
import { secret, setting } from '../setting.ts'

const foundNothing = ({ status, body }: ProviderReply): boolean =>
  status === 400 && record(jsonIn(body)?.['error'])['code'] === 'SEARCH_QUERY_NO_RESULT'

export const linkup = defineEngine({
  slug: 'linkup',
  name: 'Linkup',
  homepage: 'https://www.linkup.so',
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
      hasTextInAnyLanguage: true,
      request: (query, { apiKey }) =>
        postJson(
          '/v1/search',
          {
            q: query.text,
            depth: 'fast',
            outputType: 'searchResults',
            maxResults: upToPage(query.page),
            fromDate: rangeStart(query)?.toISOString().slice(0, 10),
            includeImages: false,
          },
          bearer(apiKey),
        ),
      parse: (reply, query) => {
        if (foundNothing(reply)) return { correction: '', hits: [] }
        const results = resultList(jsonReply(reply, query)['results'])
        const texts = results.filter((result) => record(result)['type'] !== 'image')
        const hits = hitsOf(texts, (result) =>
          webHit({
            url: result['url'],
            title: result['name'],
            description: markdownText(result['content']),
            favicon: result['favicon'],
          }),
        )
        return { correction: '', hits: cutPage(hits, query.page) }
      },
    },
  },
})
