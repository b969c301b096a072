// Unsplash: free photos by photographers who want credit. JSON over HTTP, with a free key. Its terms require pictures
// to be loaded from its own servers, but our website proxies all pictures, so an operator should ask Unsplash before
// using it. Some photos have neither title nor description.

import { defineEngine, PAGE_SIZE } from '../engine.ts'
import { asObject, asTitle } from '../parsing/json-reply.ts'
import { getJson } from '../parsing/json-request.ts'
import { baseLanguage } from '../parsing/language-tag.ts'
import { imageHit, parseResults } from '../parsing/read-hits.ts'
import { secret, setting } from '../setting.ts'

export const unsplash = defineEngine({
  slug: 'unsplash',
  name: 'Unsplash',
  homepage: 'https://unsplash.com',
  settings: { apiKey: secret('UNSPLASH_API_KEY'), baseUrl: setting('UNSPLASH_URL', 'https://api.unsplash.com') },
  terms: {
    cacheSeconds: 3600,
    cacheIn: 'memory',
    pricePerCallMicros: 0,
    attribution: 'Photos from Unsplash',
    asOf: '2026-11-15',
    unverified: 'the language parameter, and whether pictures may be loaded through a proxy',
    rateLimit: { calls: 50, perSeconds: 3600 },
  },
  tabs: {
    images: {
      lastPage: 50,
      honours: ['safe', 'lang'],
      request: (query, { apiKey }) =>
        getJson(
          '/search/photos',
          {
            query: query.text,
            page: query.page,
            per_page: PAGE_SIZE,
            order_by: 'relevant',
            content_filter: query.safe ? 'high' : 'low',
            lang: baseLanguage(query.lang),
          },
          { authorization: `Client-ID ${apiKey}`, 'accept-version': 'v1' },
        ),
      parse: parseResults('results', (photo) => {
        const { small, thumb } = asObject(photo['urls'])
        return imageHit({
          url: asObject(photo['links'])['html'],
          title: asTitle(photo['alt_description']) || photo['description'],
          thumbnails: [small, thumb],
        })
      }),
    },
  },
})
