// npm: `GET /-/v1/search`, keyless. There is no filter.
import { defineJsonProvider, ok, optional, text, whole } from './json-provider.ts'
import { projectNameOf } from './projects.ts'
import { isoSeconds } from './wire-time.ts'

export const npm = defineJsonProvider({
  slug: 'npm',
  key: '',
  admits: () => true,
  optionalMembers: 'description links publisher score searchScore',
  refusal: (_status, error) => ({ error }),
  endpoints: [
    {
      at: 'GET /-/v1/search',
      rules: { text: text(), size: optional(whole(1, 250)), from: optional(whole(0, 5_000)) },
      answer(given, { now, corpus }) {
        const [start, count] = [Number(given['from'] ?? 0), Number(given['size'] ?? 20)]
        const { total, hits } = corpus.search({
          engine: 'npm',
          text: String(given['text']),
          start,
          count,
          now,
          hidesAdult: true,
        })
        const objects = hits.map((hit) => ({
          package: {
            name: projectNameOf(hit),
            version: `${hit.mark % 9}.${hit.mark % 17}.0`,
            description: hit.sentences.join(' '),
            date: isoSeconds(hit.publishedAt ?? now),
            links: { npm: `https://npm.example/${projectNameOf(hit)}`, repository: hit.url },
            publisher: { username: 'someone' },
          },
          score: { final: 0.5 },
          searchScore: 1,
        }))
        return ok({ objects, total, time: new Date(now).toUTCString() })
      },
    },
  ],
})
