// Codeberg, a Forgejo: `GET /api/v1/repos/search`, keyless. There is no filter for dates or adult content.
import { defineJsonProvider, ok, oneOf, optional, text, whole } from './json-provider.ts'
import { projectNameOf, topicsOf } from './projects.ts'
import { isoSeconds } from './wire-time.ts'

export const codeberg = defineJsonProvider({
  slug: 'codeberg',
  key: '',
  admits: () => true,
  optionalMembers: 'full_name description website topics stars_count',
  refusal: (_status, message) => ({ message, url: 'https://codeberg.example/api/swagger' }),
  endpoints: [
    {
      at: 'GET /api/v1/repos/search',
      rules: {
        q: text(),
        page: optional(whole(1, 1_000)),
        limit: optional(whole(1, 50)),
        includeDesc: optional(oneOf('true', 'false')),
        sort: optional(oneOf('alpha', 'created', 'updated', 'stars')),
        order: optional(oneOf('asc', 'desc')),
      },
      answer(given, { now, corpus }) {
        const [page, count] = [Number(given['page'] ?? 1), Number(given['limit'] ?? 10)]
        const { hits } = corpus.search({
          engine: 'codeberg',
          text: String(given['q']),
          start: (page - 1) * count,
          count,
          now,
          hidesAdult: false,
        })
        const data = hits.map((hit) => ({
          full_name: `${hit.host.split('.')[0]}/${projectNameOf(hit)}`,
          html_url: hit.url,
          description: hit.sentences.join(' '),
          website: hit.mark % 2 === 0 ? `https://${hit.host}/` : '',
          topics: topicsOf(hit),
          stars_count: hit.mark % 900,
          updated_at: isoSeconds(hit.publishedAt ?? now),
        }))
        return ok({ ok: true, data })
      },
    },
  ],
})
