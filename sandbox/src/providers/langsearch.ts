// LangSearch: `POST /v1/web-search`, bearer key. The status is in the body too. Its only filter is the date.
import { defineJsonProvider, ok, oneOf, optional, rangeStart, text, whole } from './json-provider.ts'
import { isoSeconds } from './wire-time.ts'

const KEY = 'sandbox-langsearch-key'

export const langsearch = defineJsonProvider({
  slug: 'langsearch',
  key: KEY,
  readsHeaders: ['authorization'],
  admits: ({ headers }) => headers.authorization === `Bearer ${KEY}`,
  optionalMembers: 'name snippet displayUrl datePublished dateLastCrawled msg log_id',
  refusal: (code, msg) => ({ code, log_id: 'sandbox', msg, data: null }),
  endpoints: [
    {
      at: 'POST /v1/web-search',
      rules: {
        query: text(),
        count: optional(whole(1, 50)),
        freshness: optional(oneOf('oneDay', 'oneWeek', 'oneMonth', 'oneYear', 'noLimit')),
      },
      answer(given, { now, corpus }) {
        const { hits } = corpus.search({
          engine: 'langsearch',
          text: String(given['query']),
          start: 0,
          count: Number(given['count'] ?? 10),
          now,
          hidesAdult: false,
          after: rangeStart(given['freshness'], now),
        })
        const value = hits.map((hit) => ({
          id: `https://langsearch.example/${hit.mark}`,
          name: hit.title,
          url: hit.url,
          displayUrl: hit.url,
          snippet: hit.sentences.join(' '),
          datePublished: hit.publishedAt === undefined ? null : isoSeconds(hit.publishedAt),
          dateLastCrawled: null,
        }))
        const webPages = { webSearchUrl: '', totalEstimatedMatches: null, value }
        return ok({ code: 200, log_id: 'sandbox', msg: null, data: { _type: 'SearchResponse', webPages } })
      },
    },
  ],
})
