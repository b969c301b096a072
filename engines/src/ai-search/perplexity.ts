// Perplexity: its search results without its answers. JSON over HTTP, by POST, with a key. It has no safe filter, so it
// is only queried with `safe=off`. It has no pages: page 2 requests 20 results and shows the last ten.

import { defineEngine, type EngineQuery } from '../engine.ts'
import { isoDay, parseTimestamp, RANGE_NAMES, wantedFrom } from '../parsing/dates.ts'
import { domainList } from '../parsing/domain-list.ts'
import { bearer, postJson } from '../parsing/json-request.ts'
import { languageTag, TWO_LETTER_LANGUAGES } from '../parsing/language-tag.ts'
import { markdownText } from '../parsing/plain-text.ts'
import { parseResults, upToPage, webHit } from '../parsing/read-hits.ts'
import { secret, setting } from '../setting.ts'

const MAX_DOMAINS = 20

/** `11/07/2026` */
function formatDay(moment: number | Date | undefined): string | undefined {
  const [year, month, day] = isoDay(moment)?.split('-') ?? []
  return year && `${month}/${day}/${year}`
}

/** A named range and days exclude each other. */
const datesOf = (query: EngineQuery) =>
  query.dateFrom === undefined && query.dateTo === undefined
    ? { search_recency_filter: query.date && RANGE_NAMES[query.date] }
    : { search_after_date_filter: formatDay(wantedFrom(query)), search_before_date_filter: formatDay(query.dateTo) }

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
    unverified: 'the price, terms on caching, and whether the first and last day of a range are part of it',
  },
  tabs: {
    web: {
      lastPage: 2,
      honours: ['date', 'lang'],
      takesDateRange: true,
      languages: TWO_LETTER_LANGUAGES,
      takesRegion: () => true,
      request: (query, { apiKey }) => {
        const { base, region } = languageTag(query.lang)
        const { include, exclude } = domainList(query, MAX_DOMAINS)
        return postJson(
          '/search',
          {
            query: query.text,
            max_results: upToPage(query.page),
            max_tokens_per_page: 256,
            country: query.region ?? (region || undefined),
            search_language_filter: base.length === 2 ? [base] : undefined,
            search_domain_filter: include ?? exclude?.map((name) => `-${name}`),
            ...datesOf(query),
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
