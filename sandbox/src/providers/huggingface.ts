// Hugging Face: `GET /api/models`, keyless. The reply is a list. There is no filter; authors mark adult models.
import { defineJsonProvider, ok, oneOf, optional, text, whole } from './json-provider.ts'
import { projectNameOf } from './projects.ts'
import { isoSeconds } from './wire-time.ts'

export const huggingface = defineJsonProvider({
  slug: 'huggingface',
  key: '',
  admits: () => true,
  optionalMembers: 'pipeline_tag library_name tags downloads likes',
  refusal: (_status, error) => ({ error }),
  endpoints: [
    {
      at: 'GET /api/models',
      rules: {
        search: text(),
        limit: optional(whole(1, 1_000)),
        sort: optional(oneOf('downloads', 'likes', 'lastModified', 'trendingScore')),
        direction: optional(oneOf('-1')),
        full: optional(oneOf('true')),
      },
      answer(given, { now, corpus }) {
        const { hits } = corpus.search({
          engine: 'huggingface',
          text: String(given['search']),
          start: 0,
          count: Number(given['limit'] ?? 1_000),
          now,
          hidesAdult: false,
        })
        const models = hits.map((hit) => ({
          id: `${hit.host.split('.')[0]}/${projectNameOf(hit)}`,
          pipeline_tag: 'text-classification',
          library_name: 'transformers',
          tags: hit.isAdult ? ['not-for-all-audiences'] : ['transformers', 'region:us'],
          downloads: hit.mark % 90_000,
          likes: hit.mark % 900,
          lastModified: isoSeconds(hit.publishedAt ?? now),
        }))
        return ok(models)
      },
    },
  ],
})
