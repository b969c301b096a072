// LangSearch: `POST /v1/web-search`, bearer key. The status is in the body too. It filters by dates and
// domains.
import {
  defineJsonProvider,
  domains,
  matching,
  ok,
  optional,
  rangeStart,
  text,
  timeOf,
  whole,
} from './json-provider.ts'
import { isoSeconds, MS_A_DAY } from './wire-time.ts'

/** One of its names, a day, or a range between two days. */
const FRESHNESS = /^(?:oneDay|oneWeek|oneMonth|oneYear|noLimit|\d{4}-\d\d-\d\d(?:\.\.\d{4}-\d\d-\d\d)?)$/

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
        freshness: optional(matching(FRESHNESS)),
        includeDomains: domains,
        excludeDomains: domains,
      },
      answer(given, { now, corpus }) {
        const [from, to] = String(given['freshness']).split('..')
        const { hits } = corpus.search({
          engine: 'langsearch',
          text: String(given['query']),
          start: 0,
          count: Number(given['count'] ?? 10),
          now,
          hidesAdult: false,
          after: rangeStart(given['freshness'], now) ?? timeOf(from),
          before: to === undefined ? undefined : (timeOf(to) ?? 0) + MS_A_DAY,
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
