// Staan: the European index behind Qwant and Ecosia. JSON over HTTP, web only. No safe-search filter and no date filter, so it is
// only queried with `safe=off` and without a time range. It only has markets for German, English and French, and ends
// after 40 results. Domains are only taken by POST, up to ten. The same query may return the same results in a different order.

import { defineEngine, type EngineQuery } from '../engine.ts'
import { parseTimestamp } from '../parsing/dates.ts'
import { domainList } from '../parsing/domain-list.ts'
import { asArray, asObject, asString, jsonReply, parseJsonObject } from '../parsing/json-reply.ts'
import { bearer, getJson, postJson } from '../parsing/json-request.ts'
import { languageTag } from '../parsing/language-tag.ts'
import { offsetOf, parseResults, type ReadReply, webHit } from '../parsing/read-hits.ts'
import { queryRefused } from '../parsing/status-error.ts'
import { secret, setting } from '../setting.ts'

const MARKETS = new Set('de-de en-au en-ca en-fr en-gb en-ie en-in en-nz en-sg en-us en-za fr-fr'.split(' '))

/** Without a language, the one that most people of the country speak. */
const marketIn = (region: string, lang: string): string | undefined => {
  const country = region.toLowerCase()
  const own = MARKETS.has(`${country}-${country}`) ? country : 'en'
  const market = `${languageTag(lang).base || own}-${country}`
  return MARKETS.has(market) ? market : undefined
}

/** Always sent: the default market is France. */
const marketFor = ({ lang, region }: Pick<EngineQuery, 'lang' | 'region'>): string => {
  const { base, region: ofLanguage } = languageTag(lang)
  const home = base === 'de' || base === 'fr' ? `${base}-${base}` : 'en-us'
  return marketIn(region ?? ofLanguage, lang) ?? home
}

const PATH = '/v2/search/web'
const MAX_DOMAINS = 10

const staanReply: ReadReply = (reply, query) => {
  // An error message starts with the refused parameter: `q must be shorter than …`.
  const messages = reply.status === 400 ? asArray(parseJsonObject(reply.body)?.['message']) : []
  if (messages.some((message) => asString(message).startsWith('q '))) throw queryRefused()
  return jsonReply(reply, query)
}

export const staan = defineEngine({
  slug: 'staan',
  name: 'Staan',
  homepage: 'https://staan.ai',
  settings: { apiKey: secret('STAAN_API_KEY'), baseUrl: setting('STAAN_URL', 'https://api.staan.ai') },
  // We don't know what the terms say about caching, so replies stay in memory and not for long. The price is 1 euro for
  // 1,000 calls, taken as 1.15 US dollars.
  terms: {
    cacheSeconds: 300,
    cacheIn: 'memory',
    pricePerCallMicros: 1150,
    attribution: '',
    asOf: '2026-11-15',
    unverified: 'terms on caching',
  },
  maxQueryLength: { characters: 400, words: 200 },
  tabs: {
    web: {
      lastPage: 4,
      honours: ['lang'],
      languages: ['de', 'en', 'fr'],
      takesRegion: (region, lang) => marketIn(region, lang) !== undefined,
      request: (query, { apiKey }) => {
        const parameters = { q: query.text, market: marketFor(query), offset: offsetOf(query) }
        const { include, exclude } = domainList(query, MAX_DOMAINS)
        if (!include && !exclude) return getJson(PATH, parameters, bearer(apiKey))
        return postJson(PATH, { ...parameters, include_domains: include, exclude_domains: exclude }, bearer(apiKey))
      },
      parse: parseResults(
        { results: ({ web }) => asObject(web)['results'], readReply: staanReply },
        ({ url, title, snippet, published_date: date }) =>
          webHit({ url, title, description: snippet, publishedAt: parseTimestamp(date) }),
      ),
    },
  },
})
