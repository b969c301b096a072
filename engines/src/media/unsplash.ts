// Unsplash: free photos by photographers who want credit. JSON over HTTP, with a free key. Its terms require pictures
// to be loaded from its own servers, but our website proxies all pictures, so an operator should ask Unsplash before
// using it. Some photos have neither title nor description.

import { defineEngine, type EngineQuery, type Licence, PAGE_SIZE } from '../engine.ts'
import { IMAGE_FILTERS } from '../image-filters.ts'
import { asObject, asTitle } from '../parsing/json-reply.ts'
import { getJson } from '../parsing/json-request.ts'
import { baseLanguage } from '../parsing/language-tag.ts'
import { imageHit, parseResults } from '../parsing/read-hits.ts'
import { secret, setting } from '../setting.ts'

const LICENCE: Licence = { name: 'Unsplash License', url: 'https://unsplash.com/license' }

const SHAPES = { wide: 'landscape', tall: 'portrait', square: 'squarish' } as const
const KNOWN_COLORS = IMAGE_FILTERS.color.filter((color) => color !== 'brown' && color !== 'gray')
const COLORS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(KNOWN_COLORS.map((color) => [color, color])),
  mono: 'black_and_white',
  pink: 'magenta',
}

const filtersOf = ({ shape, color }: NonNullable<EngineQuery['image']> = {}) => ({
  orientation: shape && SHAPES[shape],
  color: color && COLORS[color],
})

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
    unverified:
      'the language parameter, the names of colours and shapes, and whether pictures may be loaded through a proxy',
    rateLimit: { calls: 50, perSeconds: 3600 },
  },
  tabs: {
    images: {
      lastPage: 50,
      honours: ['safe', 'lang'],
      knowsSizes: true,
      knowsLicences: true,
      imageFilters: {
        shape: IMAGE_FILTERS.shape,
        color: KNOWN_COLORS,
        // It is asked for photos alone.
        kind: ['photo'],
      },
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
            ...filtersOf(query.image),
          },
          { authorization: `Client-ID ${apiKey}`, 'accept-version': 'v1' },
        ),
      parse: parseResults('results', (photo) => {
        const { full, small, thumb } = asObject(photo['urls'])
        return imageHit({
          url: asObject(photo['links'])['html'],
          title: asTitle(photo['alt_description']) || photo['description'],
          thumbnails: [small, thumb],
          picture: full,
          size: [photo['width'], photo['height']],
          creator: asObject(photo['user'])['name'],
          licence: LICENCE,
        })
      }),
    },
  },
})
