// NewsData.io: `GET /api/1/latest`, key in `X-ACCESS-KEY`. Articles are always dated. Texts are at most 100 characters.
import { defineJsonProvider, language, matching, ok, oneOf, optional, text, whole } from './json-provider.ts'
import { spacedSeconds } from './wire-time.ts'

const KEY = 'sandbox-newsdata-key'

export const newsdata = defineJsonProvider({
  slug: 'newsdata',
  key: KEY,
  readsHeaders: ['x-access-key'],
  admits: ({ headers }) => headers['x-access-key'] === KEY,
  optionalMembers: 'title description content keywords creator image_url video_url source_name source_icon nextPage',
  refusal: (status, message) => ({
    status: 'error',
    results: { message, code: status === 401 ? 'Unauthorized' : 'UnsupportedParameter' },
  }),
  endpoints: [
    {
      at: 'GET /api/1/latest',
      rules: {
        q: text(100),
        language,
        country: optional(matching(/^[a-z]{2}$/)),
        size: optional(whole(1, 10)),
        removeduplicate: optional(oneOf('1', '0')),
      },
      answer(given, { now, corpus }) {
        const { total, hits } = corpus.news({
          engine: 'newsdata',
          text: String(given['q']),
          start: 0,
          count: Number(given['size'] ?? 10),
          now,
          hidesAdult: true,
        })
        const results = hits.map((hit) => ({
          article_id: `${hit.mark}`,
          title: hit.title,
          link: hit.url,
          description: hit.mark % 4 === 0 ? null : hit.sentences[0],
          content: 'ONLY AVAILABLE IN PAID PLANS',
          pubDate: spacedSeconds(hit.publishedAt),
          pubDateTZ: 'UTC',
          image_url: hit.mark % 5 === 0 ? null : hit.thumbnailUrl,
          source_name: hit.publisher,
          language: 'english',
        }))
        return ok({ status: 'success', totalResults: total, results, nextPage: '1763' })
      },
    },
  ],
})
