// Firecrawl: `POST /v2/search`, with a key or without, but never with an empty one. One list for each requested source.
// Dates are words. Some pictures of news are data URLs.
import type { Corpus } from '../corpus/corpus.ts'
import {
  country,
  defineJsonProvider,
  domains,
  type Given,
  listOf,
  ok,
  oneOf,
  optional,
  rangeStart,
  text,
  whole,
} from './json-provider.ts'
import type { ProviderReply } from './provider.ts'
import { MS_AN_HOUR } from './wire-time.ts'

const KEY = 'sandbox-firecrawl-key'

const rules = {
  query: text(500),
  limit: optional(whole(1, 100)),
  sources: optional(listOf(oneOf('web', 'news', 'images'))),
  tbs: optional(oneOf('qdr:h', 'qdr:d', 'qdr:w', 'qdr:m', 'qdr:y')),
  country,
  includeDomains: domains,
  excludeDomains: domains,
  safe: optional(oneOf(true, false)),
  highlights: optional(oneOf(true, false)),
}

function search(given: Given, { now, corpus }: { now: number; corpus: Corpus }): ProviderReply {
  const [source = 'web'] = (given['sources'] as string[] | undefined) ?? []
  const asked = {
    engine: 'firecrawl',
    text: String(given['query']),
    start: 0,
    count: Number(given['limit'] ?? 10),
    now,
    hidesAdult: given['safe'] === true,
    after: rangeStart(given['tbs'], now),
  }
  const ago = (time: number) => `${Math.max(1, Math.round((now - time) / MS_AN_HOUR))} hours ago`
  const data =
    source === 'images'
      ? corpus.images(asked).hits.map((hit) => ({
          title: hit.title,
          imageUrl: hit.imageUrl,
          imageWidth: hit.width,
          imageHeight: hit.height,
          url: hit.url,
        }))
      : source === 'news'
        ? corpus.news(asked).hits.map((hit) => ({
            title: hit.title,
            url: hit.url,
            snippet: hit.sentences[0],
            date: hit.mark % 4 === 0 ? new Date(hit.publishedAt).toUTCString() : ago(hit.publishedAt),
            imageUrl: hit.mark % 5 === 0 ? 'data:image/gif;base64,R0lGODlhAQABAAAAACw=' : hit.thumbnailUrl,
          }))
        : corpus.search(asked).hits.map((hit) => ({ title: hit.title, url: hit.url, description: hit.sentences[0] }))
  return ok({ success: true, id: 'sandbox', creditsUsed: 2, data: { [source]: data } })
}

const both = {
  readsHeaders: ['authorization'],
  optionalMembers: 'title description snippet date position imageWidth imageHeight warning creditsUsed',
  refusal: (_status: number, error: string) => ({ success: false, error }),
  endpoints: [{ at: 'POST /v2/search', rules, exclusive: ['includeDomains', 'excludeDomains'], answer: search }],
}

export const firecrawl = defineJsonProvider({
  ...both,
  slug: 'firecrawl',
  key: KEY,
  admits: ({ headers }) => headers.authorization === `Bearer ${KEY}`,
})

export const firecrawlfree = defineJsonProvider({
  ...both,
  slug: 'firecrawlfree',
  key: '',
  admits: ({ headers }) => headers.authorization === undefined,
})
