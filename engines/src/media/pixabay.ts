// Pixabay: free photographs, illustrations and vector graphics. JSON over HTTP, with a free key. Pictures have no
// titles, so their tags are used. No dates. The key is in the query string, so request URLs of this engine must never
// be logged. Its terms require what others forbid: caching replies for a day. Refusals are plain text, and so is the
// reply for a page beyond the last result, which is not a refusal.

import { defineEngine, type EngineQuery, type Licence, PAGE_SIZE } from '../engine.ts'
import { IMAGE_FILTERS } from '../image-filters.ts'
import { jsonReply } from '../parsing/json-reply.ts'
import { getJson } from '../parsing/json-request.ts'
import { languageTag } from '../parsing/language-tag.ts'
import { imageHit, parseResults, type ReadReply } from '../parsing/read-hits.ts'
import { secret, setting } from '../setting.ts'
import { UpstreamError } from '../upstream-error.ts'

/** The API returns no more for any query, however many match. */
const MAX_RESULTS = 500

const LANGUAGES = 'bg cs da de el en es fi fr hu id it ja ko nl no pl pt ro ru sk sv th tr vi zh'.split(' ')

/** Pixabay has only one Norwegian. */
const NORWEGIAN = ['nb', 'nn']

const languageOf = (lang: string): string | undefined => {
  const { base } = languageTag(lang)
  if (NORWEGIAN.includes(base)) return 'no'
  return LANGUAGES.includes(base) ? base : undefined
}

const LICENCE: Licence = { name: 'Pixabay Content License', url: 'https://pixabay.com/service/license-summary/' }

/** Squares are told by their sizes. */
const SHAPES: Readonly<Record<string, string>> = { wide: 'horizontal', tall: 'vertical' }
const COLORS: Readonly<Record<string, string>> = { teal: 'turquoise', purple: 'lilac', mono: 'grayscale' }
const KINDS = { photo: 'photo', drawing: 'illustration' } as const

const filtersOf = ({ shape, color, kind }: NonNullable<EngineQuery['image']> = {}) => ({
  orientation: shape && SHAPES[shape],
  colors: color && (COLORS[color] ?? color),
  image_type: kind && KINDS[kind],
})

const pixabayReply: ReadReply = (reply, query) => {
  // Any other 400 is an ordinary refusal.
  if (reply.status === 400) {
    if (reply.body.includes('"page" is out of valid range')) return { hits: [] }
    if (/api key/i.test(reply.body)) throw new UpstreamError('rejected', 'The provider does not accept the API key.')
  }
  return jsonReply(reply, query)
}

export const pixabay = defineEngine({
  slug: 'pixabay',
  name: 'Pixabay',
  homepage: 'https://pixabay.com',
  settings: { apiKey: secret('PIXABAY_API_KEY'), baseUrl: setting('PIXABAY_URL', 'https://pixabay.com') },
  terms: {
    cacheSeconds: 86_400,
    cacheIn: 'shared',
    pricePerCallMicros: 0,
    attribution: 'Images from Pixabay',
    asOf: '2026-11-15',
    unverified: 'the filters for pictures, and the address of its licence',
    rateLimit: { calls: 100, perSeconds: 60 },
  },
  maxQueryLength: { characters: 100, words: 50 },
  tabs: {
    images: {
      lastPage: MAX_RESULTS / PAGE_SIZE,
      honours: ['safe', 'lang'],
      languages: [...LANGUAGES, ...NORWEGIAN],
      knowsSizes: true,
      knowsLicences: true,
      imageFilters: { shape: ['wide', 'tall'], color: IMAGE_FILTERS.color, kind: IMAGE_FILTERS.kind },
      request: (query, { apiKey }) =>
        getJson('/api/', {
          q: query.text,
          page: query.page,
          per_page: PAGE_SIZE,
          safesearch: query.safe ? 'true' : 'false',
          lang: languageOf(query.lang),
          ...filtersOf(query.image),
          key: apiKey,
        }),
      parse: parseResults({ results: 'hits', readReply: pixabayReply }, (picture) =>
        imageHit({
          url: picture['pageURL'],
          title: picture['tags'],
          thumbnails: [picture['previewURL'], picture['webformatURL']],
          // 1,280 pixels wide: the original needs an agreement with Pixabay.
          picture: picture['largeImageURL'],
          size: [picture['imageWidth'], picture['imageHeight']],
          creator: picture['user'],
          licence: LICENCE,
        }),
      ),
    },
  },
})
