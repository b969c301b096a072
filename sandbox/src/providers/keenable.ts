// Keenable: `POST /v1/search` with a key, `POST /v1/search/public` without, for a client that names itself. Its only
// filter is the date. Snippets are Markdown.
import type { Corpus } from '../corpus/corpus.ts'
import { defineJsonProvider, type Given, matching, ok, oneOf, optional, text, timeOf, whole } from './json-provider.ts'
import type { ProviderReply } from './provider.ts'
import { isoSeconds } from './wire-time.ts'

const KEY = 'sandbox-keenable-key'

const rules = {
  query: text(),
  mode: optional(oneOf('pro', 'realtime')),
  max_results: optional(whole(1, 50)),
  published_after: optional(matching(/^\d{4}-\d\d-\d\d$/)),
  snippet_max_length: optional(whole(1, 10_000)),
}

function search(given: Given, { now, corpus }: { now: number; corpus: Corpus }): ProviderReply {
  const { hits } = corpus.search({
    engine: 'keenable',
    text: String(given['query']),
    start: 0,
    count: Number(given['max_results'] ?? 10),
    now,
    hidesAdult: false,
    after: timeOf(given['published_after']),
  })
  const results = hits.map((hit) => ({
    title: hit.title,
    url: hit.url,
    snippet: `## ${hit.title}\n\n${hit.sentences.map((sentence) => `- ${sentence}`).join('\n')}`,
    description: '',
    ...(hit.publishedAt !== undefined && { published_at: isoSeconds(hit.publishedAt) }),
    acquired_at: isoSeconds(now),
  }))
  return ok({ query: given['query'], mode: given['mode'] ?? 'pro', results })
}

const both = {
  optionalMembers: 'title snippet description published_at acquired_at mode',
  refusal: (_status: number, error: string) => ({ error }),
}

export const keenable = defineJsonProvider({
  ...both,
  slug: 'keenable',
  key: KEY,
  readsHeaders: ['x-api-key'],
  admits: ({ headers }) => headers['x-api-key'] === KEY,
  endpoints: [{ at: 'POST /v1/search', rules, answer: search }],
})

export const keenablefree = defineJsonProvider({
  ...both,
  slug: 'keenablefree',
  key: '',
  readsHeaders: ['x-keenable-title', 'authorization'],
  admits: ({ headers }) => Boolean(headers['x-keenable-title']) && headers.authorization === undefined,
  endpoints: [{ at: 'POST /v1/search/public', rules, answer: search }],
})
