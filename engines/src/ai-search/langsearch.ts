// LangSearch: a web search for programs, with a free key and a daily allowance. JSON over HTTP, by POST. No safe
// filter, so it is only queried with `safe=off`; the host checks the language of its results. The real status is `code`
// in the body. It has no pages: page p requests the best p × 10.

import { defineEngine } from '../engine.ts'
import { hitsOf, jsonReply, moment, record, resultList } from '../parsing/json-reply.ts'
import { bearer, postJson } from '../parsing/json-request.ts'
import { markdownText } from '../parsing/markdown-text.ts'
import { cutPage, upToPage, webHit } from '../parsing/read-hits.ts'
import { statusError } from '../parsing/status-error.ts'
import { secret, setting } from '../setting.ts'
import { UpstreamError } from '../upstream-error.ts'

const FRESHNESS = { d: 'oneDay', w: 'oneWeek', m: 'oneMonth', y: 'oneYear' } as const

export const langsearch = defineEngine({
  slug: 'langsearch',
  name: 'LangSearch',
  homepage: 'https://langsearch.com',
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
      parse: (reply, query) => {
        const { code, data } = jsonReply(reply, query)
        if (typeof code === 'number' && code !== 200) {
          throw code >= 400 && code < 600
            ? statusError({ ...reply, status: code }, query.now)
            : new UpstreamError('rejected', 'The provider refused the request.')
        }
        const { value } = record(record(data)['webPages'])
        const hits = hitsOf(resultList(value), (result) =>
          webHit({
            url: result['url'],
            title: result['name'],
            description: markdownText(result['snippet']),
            publishedAt: moment(result['datePublished']),
          }),
        )
        return { correction: '', hits: cutPage(hits, query.page) }
      },
    },
  },
})
