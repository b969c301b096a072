// You.com: `POST /v1/search` with a key, `GET /v1/agents/search` without. A closed list of languages, in which Japanese
// is JP. `offset` counts pages. News are included only when it thinks they were meant: here, never.

import type { Corpus } from '../corpus/corpus.ts'
import {
  defineJsonProvider,
  domains,
  type Given,
  matching,
  ok,
  oneOf,
  optional,
  rangeStart,
  text,
  whole,
} from './json-provider.ts'
import type { ProviderReply } from './provider.ts'
import { isoSeconds } from './wire-time.ts'

const KEY = 'sandbox-you-key'
const LANGUAGES = (
  'AR EU BN BG CA ZH-HANS ZH-HANT HR CS DA NL EN EN-GB ET FI FR GL DE EL GU HE HI HU IS IT JP KN KO LV LT MS ML MR NB PL ' +
  'PT-BR PT-PT PA RO RU SR SK SL ES SV TA TE TH TR UK VI'
).split(' ')

const rules = {
  query: text(400),
  count: optional(whole(1, 100)),
  offset: optional(whole(0, 9)),
  language: optional(oneOf(...LANGUAGES)),
  country: optional(matching(/^[A-Z]{2}$/)),
  safesearch: optional(oneOf('off', 'moderate', 'strict')),
  freshness: optional(oneOf('day', 'week', 'month', 'year')),
  include_domains: domains,
  exclude_domains: domains,
}

/** In an address, a list is joined by commas. */
const joinedDomains = optional(matching(/^[a-z0-9.-]+(,[a-z0-9.-]+)*$/))

function search(given: Given, { now, corpus }: { now: number; corpus: Corpus }): ProviderReply {
  const count = Number(given['count'] ?? 10)
  const found = corpus.search({
    engine: 'you',
    text: String(given['query']),
    start: Number(given['offset'] ?? 0) * count,
    count,
    now,
    hidesAdult: given['safesearch'] !== 'off',
    after: rangeStart(given['freshness'], now),
  })
  const web = found.hits.map((hit) => ({
    url: hit.url,
    title: hit.title,
    description: hit.mark % 3 === 0 ? '' : hit.sentences[0],
    snippets: [`# ${hit.title}\n\n${hit.sentences.join(' ')}`],
    thumbnail_url: `https://files.${hit.host}/${hit.mark}.jpg`,
    ...(hit.publishedAt !== undefined && { page_age: isoSeconds(hit.publishedAt).slice(0, -1) }),
    favicon_url: `https://icons.example/favicon?domain=${hit.host}`,
  }))
  const metadata = { search_uuid: 'sandbox', query: given['query'], latency: 0.3 }
  return ok({ results: web.length > 0 ? { web } : {}, metadata })
}

const both = {
  optionalMembers: 'description snippets thumbnail_url page_age favicon_url title',
  refusal: (_status: number, detail: string) => ({ detail }),
}

export const you = defineJsonProvider({
  ...both,
  slug: 'you',
  key: KEY,
  readsHeaders: ['x-api-key'],
  admits: ({ headers }) => headers['x-api-key'] === KEY,
  endpoints: [{ at: 'POST /v1/search', rules, answer: search }],
})

export const youfree = defineJsonProvider({
  ...both,
  slug: 'youfree',
  key: '',
  readsHeaders: ['authorization', 'accept-encoding'],
  admits: ({ headers }) => headers.authorization === undefined,
  endpoints: [
    {
      at: 'GET /v1/agents/search',
      rules: { ...rules, include_domains: joinedDomains, exclude_domains: joinedDomains },
      answer: search,
    },
  ],
})
