// Exa: `POST /search`, key in `x-api-key`. Without `contents` there are no highlights. Titles and dates may be null.
import { isRecord } from '../is-record.ts'
import { country, defineJsonProvider, domains, ok, oneOf, optional, text, timeOf, whole } from './json-provider.ts'

const KEY = 'sandbox-exa-key'

export const exa = defineJsonProvider({
  slug: 'exa',
  key: KEY,
  readsHeaders: ['x-api-key'],
  admits: ({ headers }) => headers['x-api-key'] === KEY,
  optionalMembers: 'title publishedDate author score image favicon highlights costDollars searchTime',
  refusal: (_status, error) => ({ requestId: 'sandbox', error }),
  endpoints: [
    {
      at: 'POST /search',
      rules: {
        query: text(),
        type: optional(oneOf('auto', 'fast', 'instant', 'deep')),
        category: optional(oneOf('news', 'company', 'publication')),
        numResults: optional(whole(1, 100)),
        moderation: optional(oneOf(true, false)),
        startPublishedDate: optional((value) => timeOf(value) !== undefined),
        endPublishedDate: optional((value) => timeOf(value) !== undefined),
        includeDomains: domains,
        excludeDomains: domains,
        userLocation: country,
        contents: optional(isRecord),
      },
      exclusive: ['includeDomains', 'excludeDomains'],
      answer(given, { now, corpus }) {
        const asked = {
          engine: 'exa',
          text: String(given['query']),
          start: 0,
          count: Number(given['numResults'] ?? 10),
          now,
          hidesAdult: given['moderation'] === true,
          after: timeOf(given['startPublishedDate']),
          before: timeOf(given['endPublishedDate']),
        }
        const { hits } = given['category'] === 'news' ? corpus.news(asked) : corpus.search(asked)
        const results = hits.map((hit) => ({
          id: hit.url,
          title: hit.title,
          url: hit.url,
          publishedDate: hit.publishedAt === undefined ? null : new Date(hit.publishedAt).toISOString(),
          favicon: `https://${hit.host}/favicon.ico`,
          ...('thumbnailUrl' in hit && { image: hit.thumbnailUrl }),
          ...(given['contents'] !== undefined && { highlights: [hit.sentences.join(' ')] }),
        }))
        return ok({ requestId: 'sandbox', resolvedSearchType: 'fast', results, costDollars: { total: 0.005 } })
      },
    },
  ],
})
