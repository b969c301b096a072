// crates.io: `GET /api/v1/crates`, keyless. The page must be within range, and there is no filter.
import { defineJsonProvider, ok, oneOf, optional, text, whole } from './json-provider.ts'
import { projectNameOf } from './projects.ts'
import { isoSeconds } from './wire-time.ts'

export const crates = defineJsonProvider({
  slug: 'crates',
  key: '',
  admits: () => true,
  optionalMembers: 'description documentation repository homepage downloads max_stable_version',
  refusal: (_status, detail) => ({ errors: [{ detail }] }),
  endpoints: [
    {
      at: 'GET /api/v1/crates',
      rules: {
        q: text(),
        page: optional(whole(1, 200)),
        per_page: optional(whole(1, 100)),
        sort: optional(oneOf('relevance', 'downloads', 'recent-updates', 'new')),
      },
      answer(given, { now, corpus }) {
        const [page, count] = [Number(given['page'] ?? 1), Number(given['per_page'] ?? 10)]
        const { total, hits } = corpus.search({
          engine: 'crates',
          text: String(given['q']),
          start: (page - 1) * count,
          count,
          now,
          hidesAdult: true,
        })
        const found = hits.map((hit) => ({
          name: projectNameOf(hit),
          description: hit.sentences.join(' '),
          max_stable_version: `1.${hit.mark % 30}.0`,
          updated_at: isoSeconds(hit.publishedAt ?? now),
          downloads: hit.mark,
          documentation: hit.mark % 2 === 0 ? `https://docs.example/${projectNameOf(hit)}` : null,
          repository: hit.url,
          homepage: null,
        }))
        return ok({ crates: found, meta: { total } })
      },
    },
  ],
})
