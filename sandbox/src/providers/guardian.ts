// The Guardian: `GET /search`, key in the header `api-key` or in the URL. Pages past the last one are an error with
// status 400.
import { defineJsonProvider, matching, ok, oneOf, optional, text, timeOf, whole } from './json-provider.ts'
import { isoSeconds } from './wire-time.ts'

const KEY = 'sandbox-guardian-key'

const refusal = (_status: number, message: string) => ({ response: { status: 'error', message } })

export const guardian = defineJsonProvider({
  slug: 'guardian',
  key: KEY,
  readsHeaders: ['api-key'],
  admits: ({ headers, query }) => headers['api-key'] === KEY || query.get('api-key') === KEY,
  optionalMembers: 'webTitle webPublicationDate fields sectionName pillarName',
  refusal,
  endpoints: [
    {
      at: 'GET /search',
      rules: {
        q: text(),
        page: optional(whole(1, 10_000)),
        'page-size': optional(whole(1, 50)),
        'order-by': optional(oneOf('newest', 'oldest', 'relevance')),
        'from-date': optional(matching(/^\d{4}-\d\d-\d\d$/)),
        'show-fields': optional(matching(/^[A-Za-z,]+$/)),
      },
      answer(given, { now, corpus }) {
        const [page, size] = [Number(given['page'] ?? 1), Number(given['page-size'] ?? 10)]
        const { total, hits } = corpus.news({
          engine: 'guardian',
          text: String(given['q']),
          start: (page - 1) * size,
          count: size,
          now,
          hidesAdult: true,
          after: timeOf(given['from-date']),
        })
        if (page > 1 && hits.length === 0) {
          return { status: 400, json: refusal(400, 'requested page is beyond the number of available pages') }
        }
        const results = hits.map((hit) => ({
          id: `news/${hit.mark}`,
          type: 'article',
          sectionName: 'News',
          webPublicationDate: isoSeconds(hit.publishedAt),
          webTitle: hit.title,
          webUrl: hit.url,
          fields: { trailText: `<p>${hit.sentences[0]}</p>`, thumbnail: hit.thumbnailUrl },
        }))
        return ok({ response: { status: 'ok', total, pageSize: size, currentPage: page, results } })
      },
    },
  ],
})
