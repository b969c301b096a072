// OpenAlex: `GET /works`, with a key in the URL (`openalex`) or without (`openalexfree`). Abstracts are an index of
// words, and every sixth work has none.
import { defineJsonProvider, matching, ok, oneOf, optional, text, timeOf, whole, wordOf } from './json-provider.ts'
import { authorsOf, doiOf, journalOf } from './papers.ts'

const KEY = 'sandbox-openalex-key'
const FILTER = /^(?:language:[a-z]{2,3})?,?(?:from_publication_date:(\d{4}-\d{2}-\d{2}))?$/

function indexOf(abstract: string): Record<string, number[]> {
  const index = new Map<string, number[]>()
  for (const [at, word] of abstract.split(' ').entries()) index.set(word, [...(index.get(word) ?? []), at])
  return Object.fromEntries(index)
}

const tier = <const Slug extends string>(slug: Slug, key: string) =>
  defineJsonProvider({
    slug,
    key,
    admits: ({ query }) => (query.get('api_key') ?? '') === key,
    optionalMembers: 'doi display_name publication_date source pdf_url authorships abstract_inverted_index meta',
    refusal: (_status, message) => ({ error: 'Invalid query parameters error.', message }),
    endpoints: [
      {
        at: 'GET /works',
        rules: {
          search: text(),
          page: optional(whole(1, 500)),
          'per-page': optional(whole(1, 200)),
          filter: optional(matching(FILTER)),
          sort: optional(oneOf('relevance_score:desc')),
          select: optional(matching(/^[a-z_,]+$/)),
          api_key: optional(matching(/^\S+$/)),
        },
        answer(given, { now, corpus }) {
          const [page, count] = [Number(given['page'] ?? 1), Number(given['per-page'] ?? 25)]
          const { total, hits } = corpus.search({
            engine: 'openalex',
            text: String(given['search']),
            start: (page - 1) * count,
            count,
            now,
            hidesAdult: true,
            after: timeOf(FILTER.exec(wordOf(given['filter']))?.[1]),
          })
          const results = hits.map((hit) => ({
            id: `https://openalex.example/W${hit.mark}`,
            ...(hit.mark % 5 !== 0 && { doi: `https://doi.example/${doiOf(hit)}` }),
            display_name: hit.title,
            ...(hit.publishedAt !== undefined && {
              publication_date: new Date(hit.publishedAt).toISOString().slice(0, 10),
            }),
            primary_location: {
              landing_page_url: hit.url,
              pdf_url: hit.mark % 2 === 0 ? `https://papers.example/${hit.mark}.pdf` : null,
              source: { display_name: journalOf(hit) },
            },
            authorships: authorsOf(hit).map(({ given: first, family }) => ({
              author: { display_name: `${first} ${family}` },
            })),
            abstract_inverted_index: hit.mark % 6 === 0 ? null : indexOf(hit.sentences.join(' ')),
          }))
          return ok({ meta: { count: total, page, per_page: count }, results, group_by: [] })
        },
      },
    ],
  })

export const openalex = tier('openalex', KEY)
export const openalexfree = tier('openalexfree', '')
