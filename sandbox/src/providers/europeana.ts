// Europeana: `GET /record/v2/search.json`, key in `X-Api-Key`, which the reply repeats. Fields are lists.
import { defineJsonProvider, ok, oneOf, optional, text, whole } from './json-provider.ts'

const KEY = 'sandbox-europeana-key'
const yes = optional(oneOf('true', 'false'))

export const europeana = defineJsonProvider({
  slug: 'europeana',
  key: KEY,
  readsHeaders: ['x-api-key'],
  admits: ({ headers }) => headers['x-api-key'] === KEY,
  optionalMembers: 'title dataProvider rights year language',
  refusal: (status, error) => ({ success: false, error, code: `${status}_error` }),
  endpoints: [
    {
      at: 'GET /record/v2/search.json',
      rules: {
        query: text(),
        qf: optional(oneOf('TYPE:IMAGE')),
        rows: optional(whole(0, 100)),
        start: optional(whole(1, 1_000)),
        thumbnail: yes,
        media: yes,
        reusability: optional(oneOf('open', 'restricted', 'permission')),
        profile: optional(oneOf('minimal', 'standard', 'rich')),
      },
      answer(given, { now, corpus }) {
        const { total, hits } = corpus.images({
          engine: 'europeana',
          text: String(given['query']),
          start: Number(given['start'] ?? 1) - 1,
          count: Number(given['rows'] ?? 12),
          now,
          hidesAdult: false,
        })
        const items = hits.map((hit) => ({
          id: `/1/${hit.mark}`,
          title: [hit.title],
          guid: hit.url,
          edmPreview: [hit.thumbnail.url],
          dataProvider: [hit.siteName],
          rights: [`http://licences.example/${hit.licence.code}/${hit.licence.version}/`],
          type: 'IMAGE',
          language: ['de'],
        }))
        return ok({ apikey: KEY, success: true, itemsCount: items.length, totalResults: total, items })
      },
    },
  ],
})
