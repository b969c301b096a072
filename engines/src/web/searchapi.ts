// SearchApi and SerpApi: resold Google results in nearly the same format, so one reader serves both. JSON over HTTP,
// with a key, which SerpApi only accepts in the URL. Dates are words; only English ones are understood. Pictures may be
// `data:` URLs, which are dropped. SerpApi reports no results as an `error` with status 200. Whether Google's data may
// be resold is disputed: the operator decides. News and videos are not supported yet.

import { defineEngine, type EngineQuery, type ProviderReply } from '../engine.ts'
import { parseWrittenDate } from '../parsing/dates.ts'
import { GOOGLE_LANGUAGES, googleInterfaceLanguage, googleResultLanguage } from '../parsing/google-language.ts'
import { httpAddress } from '../parsing/http-address.ts'
import { asObject, asString, asTitle, hitsOf, type JsonObject, jsonReply, resultList } from '../parsing/json-reply.ts'
import { bearer, getJson } from '../parsing/json-request.ts'
import { marketOf } from '../parsing/language-tag.ts'
import {
  imageHit,
  offsetOf,
  parseResults,
  type ReadHit,
  type ReadReply,
  sitelinksIn,
  webHit,
} from '../parsing/read-hits.ts'
import { secret, setting } from '../setting.ts'

type Name = 'web' | 'images'

const ENGINES = { web: 'google', images: 'google_images' } as const

const filtersOf = ({ lang, region, safe }: EngineQuery) => {
  const gl = (region ?? marketOf(lang))?.toLowerCase()
  const hl = googleInterfaceLanguage(lang)
  return { gl, hl, lr: googleResultLanguage(lang), safe: safe ? 'active' : 'off' }
}

const NOTHING_FOUND: JsonObject = { organic_results: [], images: [] }

const googleReply: ReadReply = (reply, query) => {
  const body = jsonReply(reply, query)
  return /returned any results|no results/i.test(asString(body['error'])) ? NOTHING_FOUND : body
}

const tabFor = <Hit>(resultsIn: (body: JsonObject) => unknown, readHit: ReadHit<Hit>) => ({
  lastPage: 10,
  honours: ['safe', 'date', 'lang'] as const,
  languages: GOOGLE_LANGUAGES,
  takesRegion: () => true,
  siteOperators: 'several' as const,
  parse: parseResults(
    {
      results: resultsIn,
      readReply: googleReply,
      correctionIn: ({ search_information: information }) => {
        const { did_you_mean: meant, spelling_fix: fix } = asObject(information)
        return asTitle(meant) || asTitle(fix)
      },
    },
    readHit,
  ),
})

const web = tabFor(
  ({ organic_results: results }) => results,
  ({ link, title, snippet, favicon, date, sitelinks }, { now }) => {
    const { inline, expanded } = asObject(sitelinks)
    return webHit({
      url: link,
      title,
      description: snippet,
      favicon,
      publishedAt: parseWrittenDate(date, now),
      sitelinks: [...sitelinksIn(inline, 'link'), ...sitelinksIn(expanded, 'link')],
    })
  },
)

/** SearchApi: `source.link`, `original.link`, `original.width`. SerpApi: `link`, `original`, `original_width`. */
const images = {
  ...tabFor(
    ({ images, images_results: results }) => (images === undefined ? results : images),
    ({ source, link, title, thumbnail, original, ...rest }) => {
      const {
        link: picture = original,
        width = rest['original_width'],
        height = rest['original_height'],
      } = asObject(original)
      return imageHit({
        url: httpAddress(asObject(source)['link']) || link,
        title,
        thumbnails: [thumbnail],
        picture,
        size: [width, height],
      })
    },
  ),
  knowsSizes: true,
}

const suggestionsIn = (reply: ProviderReply): string[] =>
  hitsOf(
    // There is no clock here, so a Retry-After date is ignored.
    resultList(jsonReply(reply, { now: Number.NaN })['suggestions']),
    ({ suggestion, value }) => asTitle(suggestion) || asTitle(value) || undefined,
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
  index: 'google',
  settings: { apiKey: secret('SEARCHAPI_API_KEY'), baseUrl: setting('SEARCHAPI_URL', 'https://www.searchapi.io') },
  terms: { ...terms, pricePerCallMicros: 4000 },
  tabs: {
    web: { ...web, request: (query, { apiKey }) => searchapiRequest('web', query, apiKey) },
    images: { ...images, request: (query, { apiKey }) => searchapiRequest('images', query, apiKey) },
  },
  suggest: {
    languages: GOOGLE_LANGUAGES,
    request: ({ text, lang }, { apiKey }) =>
      getJson(
        '/api/v1/search',
        { engine: 'google_autocomplete', q: text, hl: googleInterfaceLanguage(lang) },
        bearer(apiKey),
      ),
    parse: suggestionsIn,
  },
})

const serpapiRequest = (name: Name, query: EngineQuery, apiKey: string) =>
  getJson('/search.json', {
    engine: ENGINES[name],
    q: query.text,
    ...filtersOf(query),
    tbs: query.date && `qdr:${query.date}`,
    // Images are counted in pages, from 0, and know no `lr`.
    ...(name === 'web' ? { start: offsetOf(query) } : { ijn: query.page - 1, lr: undefined }),
    api_key: apiKey,
  })

export const serpapi = defineEngine({
  slug: 'serpapi',
  name: 'SerpApi',
  homepage: 'https://serpapi.com',
  index: 'google',
  settings: { apiKey: secret('SERPAPI_API_KEY'), baseUrl: setting('SERPAPI_URL', 'https://serpapi.com') },
  terms: { ...terms, pricePerCallMicros: 15_000 },
  tabs: {
    web: { ...web, request: (query, { apiKey }) => serpapiRequest('web', query, apiKey) },
    images: { ...images, request: (query, { apiKey }) => serpapiRequest('images', query, apiKey) },
  },
  suggest: {
    languages: GOOGLE_LANGUAGES,
    request: ({ text, lang }, { apiKey }) =>
      getJson('/search.json', {
        engine: 'google_autocomplete',
        q: text,
        hl: googleInterfaceLanguage(lang),
        api_key: apiKey,
      }),
    parse: suggestionsIn,
  },
})
