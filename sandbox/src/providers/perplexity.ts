// Perplexity: `POST /search`, bearer key. Snippets are Markdown. It has no safe filter.
import {
  country,
  defineJsonProvider,
  listOf,
  matching,
  ok,
  oneOf,
  optional,
  rangeStart,
  text,
  timeOf,
  whole,
} from './json-provider.ts'
import { isoDay } from './wire-time.ts'

/** `11/07/2026` */
const DAY = /^\d\d\/\d\d\/\d{4}$/

const KEY = 'sandbox-perplexity-key'

export const perplexity = defineJsonProvider({
  slug: 'perplexity',
  key: KEY,
  readsHeaders: ['authorization'],
  admits: ({ headers }) => headers.authorization === `Bearer ${KEY}`,
  optionalMembers: 'title snippet date last_updated server_time',
  refusal: (code, message) => ({ error: { message, type: 'bad_request', code } }),
  endpoints: [
    {
      at: 'POST /search',
      rules: {
        query: text(),
        max_results: optional(whole(1, 20)),
        max_tokens_per_page: optional(whole(1, 10_000)),
        country,
        search_language_filter: optional(listOf(matching(/^[a-z]{2}$/))),
        search_domain_filter: optional(
          (value) => listOf(matching(/^-?[a-z0-9.-]+$/))(value) && Array.isArray(value) && value.length <= 20,
        ),
        search_after_date_filter: optional(matching(DAY)),
        search_before_date_filter: optional(matching(DAY)),
        search_recency_filter: optional(oneOf('hour', 'day', 'week', 'month', 'year')),
      },
      answer(given, { now, corpus }) {
        const { hits } = corpus.search({
          engine: 'perplexity',
          text: String(given['query']),
          start: 0,
          count: Number(given['max_results'] ?? 10),
          now,
          hidesAdult: false,
          after: rangeStart(given['search_recency_filter'], now) ?? timeOf(given['search_after_date_filter']),
          before: timeOf(given['search_before_date_filter']),
        })
        const results = hits.map((hit) => ({
          title: hit.title,
          url: hit.url,
          snippet: `## ${hit.title}\n\n${hit.sentences.join(' ')}`,
          date: hit.publishedAt === undefined ? null : isoDay(hit.publishedAt),
          last_updated: hit.publishedAt === undefined ? null : isoDay(hit.publishedAt),
        }))
        return ok({ id: 'sandbox', results, server_time: null })
      },
    },
  ],
})
