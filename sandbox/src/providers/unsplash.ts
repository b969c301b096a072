// Unsplash: `GET /search/photos`, `Authorization: Client-ID <key>`. Texts may be null.
import { defineJsonProvider, language, ok, oneOf, optional, text, whole } from './json-provider.ts'

const KEY = 'sandbox-unsplash-key'

const COLORS = 'black_and_white black white yellow orange red purple magenta green teal blue'.split(' ')

export const unsplash = defineJsonProvider({
  slug: 'unsplash',
  key: KEY,
  readsHeaders: ['authorization'],
  admits: ({ headers }) => headers.authorization === `Client-ID ${KEY}`,
  optionalMembers: 'alt_description description created_at width height user',
  refusal: (_status, message) => ({ errors: [message] }),
  endpoints: [
    {
      at: 'GET /search/photos',
      rules: {
        query: text(),
        page: optional(whole(1, 1_000)),
        per_page: optional(whole(1, 30)),
        order_by: optional(oneOf('relevant', 'latest')),
        content_filter: optional(oneOf('low', 'high')),
        lang: language,
        // Whether a picture is like that isn't known here, so these are only checked.
        orientation: optional(oneOf('landscape', 'portrait', 'squarish')),
        color: optional(oneOf(...COLORS)),
      },
      answer(given, { now, corpus }) {
        const count = Number(given['per_page'] ?? 10)
        const { total, hits } = corpus.images({
          engine: 'unsplash',
          text: String(given['query']),
          start: (Number(given['page'] ?? 1) - 1) * count,
          count,
          now,
          hidesAdult: given['content_filter'] === 'high',
        })
        const results = hits.map((hit) => ({
          id: `u${hit.mark}`,
          width: hit.width,
          height: hit.height,
          alt_description: hit.mark % 3 === 0 ? null : hit.title,
          description: hit.title,
          urls: { full: hit.imageUrl, small: hit.thumbnail.url, thumb: hit.thumbnail.url },
          links: { html: hit.url },
          user: { name: hit.creator },
        }))
        return ok({ total, total_pages: Math.ceil(total / count), results })
      },
    },
  ],
})
