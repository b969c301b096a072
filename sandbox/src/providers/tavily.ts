// Tavily: `POST /search`, with a bearer key, or keyless with a header for that. Snippets are Markdown, dates of news
// RFC 1123. It has no safe filter.
import type { Corpus } from '../corpus/corpus.ts'
import {
  defineJsonProvider,
  type Given,
  language,
  matching,
  ok,
  oneOf,
  optional,
  rangeStart,
  text,
  whole,
} from './json-provider.ts'
import type { ProviderReply } from './provider.ts'

const KEY = 'sandbox-tavily-key'
const yesOrNo = optional(oneOf(true, false))

const rules = {
  query: text(400),
  search_depth: optional(oneOf('basic', 'advanced', 'fast', 'ultra-fast')),
  topic: optional(oneOf('general', 'news', 'finance')),
  max_results: optional(whole(0, 20)),
  time_range: optional(oneOf('day', 'week', 'month', 'year', 'd', 'w', 'm', 'y')),
  // The name of a country in lower case.
  country: optional(matching(/^[a-z]+(?: [a-z]+)*$/)),
  language,
  filter_by_language: yesOrNo,
  include_favicon: yesOrNo,
  include_answer: yesOrNo,
  include_images: yesOrNo,
}

function search(given: Given, { now, corpus }: { now: number; corpus: Corpus }): ProviderReply {
  const asked = {
    engine: 'tavily',
    text: String(given['query']),
    start: 0,
    count: Number(given['max_results'] ?? 5),
    now,
    hidesAdult: false,
    after: rangeStart(given['time_range'], now),
  }
  const results =
    given['topic'] === 'news'
      ? corpus.news(asked).hits.map((hit) => ({
          title: hit.title,
          url: hit.url,
          content: hit.sentences.join(' '),
          score: 0.8,
          published_date: new Date(hit.publishedAt).toUTCString(),
        }))
      : corpus.search(asked).hits.map((hit) => ({
          title: hit.title,
          url: hit.url,
          content: `# ${hit.title}\n${hit.sentences.join(' ')}`,
          score: 0.8,
          raw_content: null,
          favicon: `https://${hit.host}/favicon.ico`,
        }))
  return ok({ query: given['query'], answer: null, images: [], results, response_time: '0.9', request_id: 'sandbox' })
}

const both = {
  readsHeaders: ['authorization', 'x-tavily-access-mode'],
  optionalMembers: 'title content score raw_content favicon published_date answer response_time',
  refusal: (_status: number, error: string) => ({ detail: { error } }),
  endpoints: [{ at: 'POST /search', rules, answer: search }],
}

export const tavily = defineJsonProvider({
  ...both,
  slug: 'tavily',
  key: KEY,
  admits: ({ headers }) => headers.authorization === `Bearer ${KEY}`,
})

export const tavilyfree = defineJsonProvider({
  ...both,
  slug: 'tavilyfree',
  key: '',
  admits: ({ headers }) => headers['x-tavily-access-mode'] === 'keyless' && headers.authorization === undefined,
})
