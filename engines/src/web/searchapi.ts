// SearchApi and SerpApi: resold Google results in nearly the same format, so one reader serves both. JSON over HTTP,
// with a key, which SerpApi only accepts in the URL. Dates are words; only English ones are understood. Pictures may be
// `data:` URLs, which are dropped. SerpApi reports no results as an `error` with status 200. Whether Google's data may
// be resold is disputed: the operator decides. News and videos are not supported yet.

import { defineEngine, type EngineQuery, type HitOf, PAGE_SIZE, type ProviderReply, type Sitelink } from '../engine.ts'
import { marketOf } from '../parsing/home-market.ts'
import { httpAddress } from '../parsing/http-address.ts'
import { hitsOf, jsonReply, list, record, resultList, title, word } from '../parsing/json-reply.ts'
import { bearer, getJson } from '../parsing/json-request.ts'
import { languageTag } from '../parsing/language-tag.ts'
import { imageHit, webHit } from '../parsing/read-hits.ts'
import { when } from '../parsing/when.ts'
import { secret, setting } from '../setting.ts'

type Fields = Readonly<Record<string, unknown>>
type Name = 'web' | 'images'

const ENGINES = { web: 'google', images: 'google_images' } as const

const filtersOf = ({ lang, safe }: EngineQuery) => {
  const { base } = languageTag(lang)
  return {
    gl: marketOf(lang)?.toLowerCase(),
    hl: base || undefined,
    lr: base === '' ? undefined : `lang_${base}`,
    safe: safe ? 'active' : 'off',
  }
}

const sitelinksOf = (sitelinks: unknown): Sitelink[] =>
  [...list(record(sitelinks)['inline']), ...list(record(sitelinks)['expanded'])]
    .map(record)
    .map((link) => ({ title: title(link['title']), url: httpAddress(link['link']) }))
    .filter((link) => link.title !== '' && link.url !== '')

const foundNothing = (page: Fields): boolean => /returned any results|no results/i.test(word(page['error']))

const tabFor = <Source extends Name>(
  results: readonly string[],
  read: (result: Fields, now: number) => HitOf[Source] | undefined,
) => ({
  lastPage: 10,
  honours: ['safe', 'date', 'lang'] as const,
  parse: (reply: ProviderReply, query: EngineQuery) => {
    const page = jsonReply(reply, query)
    const { did_you_mean: meant, spelling_fix: fix } = record(page['search_information'])
    if (foundNothing(page)) return { correction: '', hits: [] }
    const found = results.map((name) => page[name]).find((value) => value !== undefined)
    return {
      correction: title(meant) || title(fix),
      hits: hitsOf(resultList(found), (result) => read(result, query.now)),
    }
  },
})

const web = tabFor<'web'>(['organic_results'], (result, now) =>
  webHit({
    url: result['link'],
    title: result['title'],
    description: result['snippet'],
    favicon: result['favicon'],
    publishedAt: when(result['date'], now),
    sitelinks: sitelinksOf(result['sitelinks']),
  }),
)

/** SearchApi: `source.link`, `original.link`. SerpApi: `link`, `original`. */
const images = tabFor<'images'>(['images', 'images_results'], (result) =>
  imageHit({
    url: httpAddress(record(result['source'])['link']) || result['link'],
    title: result['title'],
    thumbnails: [result['thumbnail'], record(result['original'])['link'], result['original']],
  }),
)

const suggestionsIn = (reply: ProviderReply): string[] =>
  hitsOf(
    // There is no clock here, so a Retry-After date is ignored.
    resultList(jsonReply(reply, { now: Number.NaN })['suggestions']),
    ({ suggestion, value }) => title(suggestion) || title(value) || undefined,
  )

const terms = {
  cacheSeconds: 300,
  cacheIn: 'memory',
  attribution: '',
  asOf: '2026-11-15',
  unverified: 'the price, terms on caching, and the form of images',
} as const

const PERIOD = { d: 'last_day', w: 'last_week', m: 'last_month', y: 'last_year' } as const

const searchapiRequest = (name: Name, query: EngineQuery, apiKey: string) =>
  getJson(
    '/api/v1/search',
    {
      engine: ENGINES[name],
      q: query.text,
      ...filtersOf(query),
      time_period: query.date && PERIOD[query.date],
      page: query.page,
    },
    bearer(apiKey),
  )

export const searchapi = defineEngine({
  slug: 'searchapi',
  name: 'SearchApi',
  homepage: 'https://www.searchapi.io',
  settings: { apiKey: secret('SEARCHAPI_API_KEY'), baseUrl: setting('SEARCHAPI_URL', 'https://www.searchapi.io') },
  terms: { ...terms, pricePerCallMicros: 4000 },
  tabs: {
    web: { ...web, request: (query, { apiKey }) => searchapiRequest('web', query, apiKey) },
    images: { ...images, request: (query, { apiKey }) => searchapiRequest('images', query, apiKey) },
  },
  suggest: {
    request: ({ text, lang }, { apiKey }) => {
      const { base } = languageTag(lang)
      const parameters = { engine: 'google_autocomplete', q: text, hl: base || undefined }
      return getJson('/api/v1/search', parameters, bearer(apiKey))
    },
    parse: suggestionsIn,
  },
})

const RANGE = { d: 'qdr:d', w: 'qdr:w', m: 'qdr:m', y: 'qdr:y' } as const

const serpapiRequest = (name: Name, query: EngineQuery, apiKey: string) =>
  getJson('/search.json', {
    engine: ENGINES[name],
    q: query.text,
    ...filtersOf(query),
    tbs: query.date && RANGE[query.date],
    // Images are counted in pages, from 0.
    ...(name === 'web' ? { start: (query.page - 1) * PAGE_SIZE } : { ijn: query.page - 1 }),
    api_key: apiKey,
  })

export const serpapi = defineEngine({
  slug: 'serpapi',
  name: 'SerpApi',
  homepage: 'https://serpapi.com',
  settings: { apiKey: secret('SERPAPI_API_KEY'), baseUrl: setting('SERPAPI_URL', 'https://serpapi.com') },
  terms: { ...terms, pricePerCallMicros: 15_000 },
  tabs: {
    web: { ...web, request: (query, { apiKey }) => serpapiRequest('web', query, apiKey) },
    images: { ...images, request: (query, { apiKey }) => serpapiRequest('images', query, apiKey) },
  },
  suggest: {
    request: ({ text, lang }, { apiKey }) => {
      const { base } = languageTag(lang)
      return getJson('/search.json', {
        engine: 'google_autocomplete',
        q: text,
        hl: base || undefined,
        api_key: apiKey,
      })
    },
    parse: suggestionsIn,
  },
})
