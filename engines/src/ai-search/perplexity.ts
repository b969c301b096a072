// Perplexity: its search results without its answers. JSON over HTTP, by POST, with a key. It has no safe filter, so it
// is only queried with `safe=off`. It has no pages: page 2 requests 20 results and shows the last ten.

import { defineEngine } from '../engine.ts'
import { parseTimestamp, RANGE_NAMES } from '../parsing/dates.ts'
import { bearer, postJson } from '../parsing/json-request.ts'
import { languageTag } from '../parsing/language-tag.ts'
import { markdownText } from '../parsing/plain-text.ts'
import { parseResults, upToPage, webHit } from '../parsing/read-hits.ts'
import { secret, setting } from '../setting.ts'

export const perplexity = defineEngine({
  slug: 'perplexity',
  name: 'Perplexity',
  homepage: 'https://www.perplexity.ai',
  index: 'unknown',
  settings: { apiKey: secret('PERPLEXITY_API_KEY'), baseUrl: setting('PERPLEXITY_URL', 'https://api.perplexity.ai') },
  terms: {
    cacheSeconds: 300,
    cacheIn: 'memory',
    pricePerCallMicros: 5000,
    attribution: '',
    asOf: '2026-11-15',
    unverified: 'the price, and terms on caching',
  },
  tabs: {
    web: {
      lastPage: 2,
      honours: ['date', 'lang'],
      takesRegion: () => true,
      request: (query, { apiKey }) => {
        const { base, region } = languageTag(query.lang)
        return postJson(
          '/search',
          {
            query: query.text,
            max_results: upToPage(query.page),
            max_tokens_per_page: 256,
            country: query.region ?? (region || undefined),
            search_language_filter: base === '' ? undefined : [base],
            search_recency_filter: query.date && RANGE_NAMES[query.date],
          },
          bearer(apiKey),
        )
      },
      parse: parseResults(
        { results: 'results', hasAllPages: true },
        ({ url, title, snippet, date, last_updated: updated }) =>
          webHit({
            url,
            title,
            description: markdownText(snippet),
            publishedAt: parseTimestamp(date) ?? parseTimestamp(updated),
          }),
      ),
    },
  },
})
