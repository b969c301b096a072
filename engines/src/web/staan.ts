// Staan: the European index behind Qwant and Ecosia. JSON over HTTP, web only. No safe filter and no dates, so it is
// only queried with `safe=off` and without a time range. It only has markets for German, English and French, and ends
// after 40 results. The same query may return the same results in a different order.

import { defineEngine, PAGE_SIZE, type ProviderReply } from '../engine.ts'
import { httpAddress } from '../parsing/http-address.ts'
import { description, hitsOf, jsonIn, jsonReply, list, moment, record, title, word } from '../parsing/json-reply.ts'
import { languageTag } from '../parsing/language-tag.ts'
import { queryString } from '../parsing/query-string.ts'
import { secret, setting } from '../setting.ts'
import { UpstreamError } from '../upstream-error.ts'

/** Regions that have their own English market. */
const ENGLISH_MARKETS = new Set('AU CA FR GB IE IN NZ SG US ZA'.split(' '))

/** Always sent: the default market is France. */
const marketFor = (lang: string): string => {
  const { base, region } = languageTag(lang)
  if (base === 'de' || base === 'fr') return `${base}-${base}`
  return base === 'en' && ENGLISH_MARKETS.has(region) ? `en-${region.toLowerCase()}` : 'en-us'
}

/** An error message starts with the refused parameter: `q must be shorter than …`. */
const blamesQuery = ({ status, body }: ProviderReply): boolean =>
  status === 400 && list(jsonIn(body)?.['message']).some((complaint) => word(complaint).startsWith('q '))

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
  longestQuery: { characters: 400, words: 200 },
  tabs: {
    web: {
      lastPage: 4,
      honours: ['lang'],
      languages: ['de', 'en', 'fr'],
      request: (query, { apiKey }) => ({
        path: `/v2/search/web${queryString({
          q: query.text,
          market: marketFor(query.lang),
          offset: (query.page - 1) * PAGE_SIZE,
        })}`,
        headers: { accept: 'application/json', authorization: `Bearer ${apiKey}` },
      }),
      parse: (reply, query) => {
        if (blamesQuery(reply)) {
          throw new UpstreamError('rejected', 'The provider refuses this query.', { isQueryFault: true })
        }
        const { results } = record(jsonReply(reply, query)['web'])
        if (!Array.isArray(results)) {
          throw new UpstreamError('malformed', 'The provider answered with no search page.')
        }
        return {
          correction: '',
          hits: hitsOf(results, (result) => {
            const url = httpAddress(result['url'])
            if (url === '') return undefined
            return {
              title: title(result['title']),
              url,
              description: description(result['snippet']),
              faviconUrl: '',
              publishedAt: moment(result['published_date']),
              sitelinks: [],
            }
          }),
        }
      },
    },
  },
})
