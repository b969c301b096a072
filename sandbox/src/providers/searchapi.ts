// SearchApi, `GET /api/v1/search` with a bearer key, and SerpApi, `GET /search.json` with a key in the URL: Google's
// results in two dialects. At SerpApi no results is an `error` with status 200.
import type { Corpus } from '../corpus/corpus.ts'
import {
  defineJsonProvider,
  type Given,
  googleLanguage,
  matching,
  ok,
  oneOf,
  optional,
  rangeStart,
  text,
  whole,
} from './json-provider.ts'
import type { ProviderReply } from './provider.ts'
import { MS_AN_HOUR } from './wire-time.ts'

const KEY = 'sandbox-searchapi-key'
const SERPAPI_KEY = 'sandbox-serpapi-key'

const rules = {
  engine: oneOf('google', 'google_images', 'google_autocomplete'),
  q: text(),
  gl: optional(matching(/^[a-z]{2}$/)),
  hl: googleLanguage,
  lr: optional(matching(/^lang_(?!zh$|he$|nb$|fil$|jv$)(?:[a-z]{2}|zh-CN|zh-TW)$/)),
  safe: optional(oneOf('active', 'off')),
}

interface Answering {
  now: number
  corpus: Corpus
}

const asked = (given: Given, now: number, start: number) => ({
  engine: 'searchapi',
  text: String(given['q']),
  start,
  count: 10,
  now,
  hidesAdult: given['safe'] === 'active',
  after: rangeStart(given['time_period'] ?? given['tbs'], now),
})

const organic = (search: ReturnType<typeof asked>, { now, corpus }: Answering) =>
  corpus.search(search).hits.map((hit, index) => ({
    position: index + 1,
    title: hit.title,
    link: hit.url,
    snippet: hit.sentences[0],
    favicon: hit.mark % 3 === 0 ? 'data:image/png;base64,AAAA' : `https://${hit.host}/favicon.ico`,
    ...(hit.publishedAt !== undefined && {
      date: `${Math.max(1, Math.round((now - hit.publishedAt) / MS_AN_HOUR))} hours ago`,
    }),
    ...(hit.sitelinks.length > 0 && {
      sitelinks: { inline: hit.sitelinks.map(({ title, url }) => ({ title, link: url })) },
    }),
  }))

const both = {
  optionalMembers: 'title snippet favicon date sitelinks position search_metadata search_information',
  refusal: (_status: number, error: string) => ({ error }),
}

const searchMetadata = { id: 'sandbox', status: 'Success' }

function searchSearchapi(given: Given, by: Answering): ProviderReply {
  const start = (Number(given['page'] ?? 1) - 1) * 10
  if (given['engine'] === 'google_autocomplete') {
    const found = by.corpus.suggest({ engine: 'searchapi', text: String(given['q']), count: 10 })
    return ok({ search_metadata: searchMetadata, suggestions: found.map((suggestion) => ({ suggestion })) })
  }
  const search = asked(given, by.now, start)
  if (given['engine'] === 'google') {
    return ok({ search_metadata: searchMetadata, organic_results: organic(search, by) })
  }
  const images = by.corpus.images(search).hits.map((hit) => ({
    title: hit.title,
    source: { name: hit.siteName, link: hit.url },
    original: { link: hit.imageUrl, width: hit.width, height: hit.height },
    thumbnail: hit.mark % 3 === 0 ? 'data:image/png;base64,AAAA' : hit.thumbnail.url,
  }))
  return ok({ search_metadata: searchMetadata, images })
}

export const searchapi = defineJsonProvider({
  ...both,
  slug: 'searchapi',
  key: KEY,
  readsHeaders: ['authorization'],
  admits: ({ headers }) => headers.authorization === `Bearer ${KEY}`,
  endpoints: [
    {
      at: 'GET /api/v1/search',
      rules: {
        ...rules,
        time_period: optional(oneOf('last_hour', 'last_day', 'last_week', 'last_month', 'last_year')),
        page: optional(whole(1, 100)),
      },
      answer: searchSearchapi,
    },
  ],
})

function searchSerpapi(given: Given, by: Answering): ProviderReply {
  if (given['engine'] === 'google_autocomplete') {
    const found = by.corpus.suggest({ engine: 'serpapi', text: String(given['q']), count: 10 })
    return ok({ search_metadata: searchMetadata, suggestions: found.map((value) => ({ value })) })
  }
  const search = asked(given, by.now, Number(given['start'] ?? Number(given['ijn'] ?? 0) * 10))
  const isWeb = given['engine'] === 'google'
  const results = isWeb
    ? organic(search, by)
    : by.corpus.images(search).hits.map((hit) => ({
        title: hit.title,
        link: hit.url,
        source: hit.siteName,
        original: hit.imageUrl,
        original_width: hit.width,
        original_height: hit.height,
        thumbnail: hit.thumbnail.url,
      }))
  if (results.length === 0) {
    return ok({ search_metadata: searchMetadata, error: "Google hasn't returned any results for this query." })
  }
  return ok({ search_metadata: searchMetadata, [isWeb ? 'organic_results' : 'images_results']: results })
}

export const serpapi = defineJsonProvider({
  ...both,
  slug: 'serpapi',
  key: SERPAPI_KEY,
  admits: ({ query }) => query.get('api_key') === SERPAPI_KEY,
  endpoints: [
    {
      at: 'GET /search.json',
      rules: {
        ...rules,
        tbs: optional(oneOf('qdr:h', 'qdr:d', 'qdr:w', 'qdr:m', 'qdr:y')),
        start: optional(whole(0, 1_000)),
        ijn: optional(whole(0, 100)),
        api_key: text(),
      },
      answer: searchSerpapi,
    },
  ],
})
