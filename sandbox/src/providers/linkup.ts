// Linkup: `POST /v1/search`, bearer key. No results is an error with status 400. Its only filter is the date.
import { defineJsonProvider, matching, ok, oneOf, optional, text, timeOf, whole } from './json-provider.ts'

const KEY = 'sandbox-linkup-key'

const error = (statusCode: number, code: string, message: string) => ({
  statusCode,
  error: { code, message, details: [] },
})

export const linkup = defineJsonProvider({
  slug: 'linkup',
  key: KEY,
  readsHeaders: ['authorization'],
  admits: ({ headers }) => headers.authorization === `Bearer ${KEY}`,
  optionalMembers: 'name content favicon',
  refusal: (status, message) => error(status, status === 429 ? 'TOO_MANY_REQUESTS' : 'VALIDATION_ERROR', message),
  endpoints: [
    {
      at: 'POST /v1/search',
      rules: {
        q: text(),
        depth: oneOf('standard', 'deep', 'fast'),
        outputType: oneOf('searchResults'),
        maxResults: optional(whole(1, 100)),
        fromDate: optional(matching(/^\d{4}-\d\d-\d\d$/)),
        includeImages: optional(oneOf(true, false)),
      },
      answer(given, { now, corpus }) {
        const { hits } = corpus.search({
          engine: 'linkup',
          text: String(given['q']),
          start: 0,
          count: Number(given['maxResults'] ?? 10),
          now,
          hidesAdult: false,
          after: timeOf(given['fromDate']),
        })
        if (hits.length === 0) {
          return { status: 400, json: error(400, 'SEARCH_QUERY_NO_RESULT', 'The query did not yield any result.') }
        }
        const results = hits.map((hit) => ({
          type: 'text',
          name: hit.title,
          url: hit.url,
          content: hit.sentences.join(' '),
          favicon: `https://${hit.host}/favicon.ico`,
        }))
        return ok({ results })
      },
    },
  ],
})
