// GNews: `GET /api/v4/search`, key in `X-Api-Key`. A closed list of languages; a word with punctuation must be quoted.
// Errors are a list, or an object where a parameter is to blame.
import { defineJsonProvider, matching, ok, oneOf, optional, timeOf, whole } from './json-provider.ts'
import { isoSeconds } from './wire-time.ts'

const KEY = 'sandbox-gnews-key'
const LANGUAGES = 'ar bn zh nl en fr de el he hi id it ja ml mr no pt ro ru es sv ta te uk'.split(' ')

const isQuery = (value: unknown): boolean =>
  typeof value === 'string' &&
  value !== '' &&
  value.length <= 200 &&
  /^[\p{L}\p{N}\s]*$/u.test(value.replace(/"[^"]*"/g, ''))

export const gnews = defineJsonProvider({
  slug: 'gnews',
  key: KEY,
  readsHeaders: ['x-api-key'],
  admits: ({ headers }) => headers['x-api-key'] === KEY,
  optionalMembers: 'title description content image publishedAt lang source',
  refusal: (status, message) => ({ errors: status === 400 ? { q: message } : [message] }),
  endpoints: [
    {
      at: 'GET /api/v4/search',
      rules: {
        q: isQuery,
        lang: optional(oneOf(...LANGUAGES)),
        country: optional(matching(/^[a-z]{2}$/)),
        max: optional(whole(1, 10)),
        from: optional((value) => timeOf(value) !== undefined),
        sortby: optional(oneOf('relevance', 'publishedAt')),
      },
      answer(given, { now, corpus }) {
        const { total, hits } = corpus.news({
          engine: 'gnews',
          text: String(given['q']).replaceAll('"', ''),
          start: 0,
          count: Number(given['max'] ?? 10),
          now,
          hidesAdult: true,
          after: timeOf(given['from']),
        })
        const articles = hits.map((hit) => ({
          id: `${hit.mark}`,
          title: hit.title,
          description: hit.sentences[0],
          content: `${hit.sentences.join(' ')} [123 chars]`,
          url: hit.url,
          image: hit.mark % 5 === 0 ? null : hit.thumbnailUrl,
          publishedAt: isoSeconds(hit.publishedAt),
          lang: given['lang'] ?? 'en',
          source: { id: `${hit.mark}`, name: hit.publisher, url: `https://${hit.host}`, country: 'gb' },
        }))
        return ok({ totalArticles: total, articles })
      },
    },
  ],
})
