// Semantic Scholar: `GET /graph/v1/paper/search`, with a key in `x-api-key` or without. No results come without `data`.
import { defineJsonProvider, matching, ok, optional, text, timeOf, whole, wordOf } from './json-provider.ts'
import { authorsOf, doiOf, journalOf } from './papers.ts'

const KEY = 'sandbox-semanticscholar-key'

export const semanticscholar = defineJsonProvider({
  slug: 'semanticscholar',
  key: KEY,
  readsHeaders: ['x-api-key'],
  admits: ({ headers }) => [undefined, KEY].includes(headers['x-api-key']?.toString()),
  optionalMembers: 'externalIds title abstract venue publicationDate authors openAccessPdf next',
  refusal: (status, message) => ({ message, code: String(status) }),
  endpoints: [
    {
      at: 'GET /graph/v1/paper/search',
      rules: {
        query: text(),
        offset: optional(whole(0, 999)),
        limit: optional(whole(1, 100)),
        fields: optional(matching(/^[A-Za-z,.]+$/)),
        publicationDateOrYear: optional(matching(/^\d{4}-\d{2}-\d{2}:$/)),
      },
      answer(given, { now, corpus }) {
        const [start, count] = [Number(given['offset'] ?? 0), Number(given['limit'] ?? 100)]
        const { total, hits } = corpus.search({
          engine: 'semanticscholar',
          text: String(given['query']),
          start,
          count,
          now,
          hidesAdult: true,
          after: timeOf(wordOf(given['publicationDateOrYear']).slice(0, -1)),
        })
        if (total === 0) return ok({ total, offset: start })
        const data = hits.map((hit) => ({
          paperId: hit.mark.toString(16),
          externalIds: hit.mark % 4 === 0 ? { CorpusId: hit.mark } : { CorpusId: hit.mark, DOI: doiOf(hit) },
          url: `https://papers.example/${hit.mark.toString(16)}`,
          title: hit.title,
          abstract: hit.sentences.join(' '),
          venue: journalOf(hit),
          publicationDate: hit.publishedAt === undefined ? null : new Date(hit.publishedAt).toISOString().slice(0, 10),
          authors: authorsOf(hit).map(({ given: first, family }) => ({ authorId: '1', name: `${first} ${family}` })),
          openAccessPdf: { url: hit.mark % 2 === 0 ? `https://papers.example/${hit.mark.toString(16)}.pdf` : '' },
        }))
        return ok({ total, offset: start, next: start + count, data })
      },
    },
  ],
})
