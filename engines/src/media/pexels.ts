// Pexels: free photos and videos, reviewed by people before publication and so inherently safe. JSON over HTTP, with a
// free key. It takes one of its own locales. A video has no title, so it is derived from the URL.

import { defineEngine, type EngineQuery, type Licence, PAGE_SIZE } from '../engine.ts'
import { IMAGE_FILTERS } from '../image-filters.ts'
import { parseDuration } from '../parsing/dates.ts'
import { asObject, asString } from '../parsing/json-reply.ts'
import { getJson } from '../parsing/json-request.ts'
import { languageTag } from '../parsing/language-tag.ts'
import { imageHit, parseResults, videoHit } from '../parsing/read-hits.ts'
import { secret, setting } from '../setting.ts'

const LOCALES = (
  'en-US pt-BR es-ES ca-ES de-DE it-IT fr-FR sv-SE id-ID pl-PL ja-JP zh-TW zh-CN ko-KR th-TH nl-NL hu-HU vi-VN cs-CZ ' +
  'da-DK fi-FI uk-UA el-GR ro-RO nb-NO sk-SK tr-TR ru-RU'
).split(' ')

const LANGUAGES = [...new Set(LOCALES.map((locale) => locale.slice(0, 2)))]

const localeOf = (lang: string): string | undefined => {
  const { base, region } = languageTag(lang)
  return (
    LOCALES.find((locale) => locale === `${base}-${region}`) ?? LOCALES.find((locale) => locale.startsWith(`${base}-`))
  )
}

const LICENCE: Licence = { name: 'Pexels License', url: 'https://www.pexels.com/license/' }

const SHAPES = { wide: 'landscape', tall: 'portrait', square: 'square' } as const
/** It has no name for pictures without colour. */
const KNOWN_COLORS = IMAGE_FILTERS.color.filter((color) => color !== 'mono')
const COLORS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(KNOWN_COLORS.map((color) => [color, color])),
  teal: 'turquoise',
  purple: 'violet',
}

const filtersOf = ({ shape, color }: NonNullable<EngineQuery['image']> = {}) => ({
  orientation: shape && SHAPES[shape],
  color: color && COLORS[color],
})

interface Asked {
  query: EngineQuery
  apiKey: string
  filters?: ReturnType<typeof filtersOf>
}

const requestFor = (path: string, { query, apiKey, filters }: Asked) =>
  getJson(
    path,
    {
      query: query.text,
      page: query.page,
      per_page: PAGE_SIZE,
      locale: localeOf(query.lang),
      ...filters,
    },
    { authorization: apiKey },
  )

/** `https://www.pexels.com/video/an-oak-in-the-wind-12/` → `an oak in the wind`. */
const titleIn = (address: unknown): string =>
  (/\/([\w-]{1,200})\/?$/.exec(asString(address))?.[1] ?? '').replace(/-?\d+$/, '').replaceAll('-', ' ')

const tab = {
  lastPage: 50,
  honours: ['safe', 'lang'],
  byNature: ['safe'],
  languages: LANGUAGES,
} as const

export const pexels = defineEngine({
  slug: 'pexels',
  name: 'Pexels',
  homepage: 'https://www.pexels.com',
  settings: { apiKey: secret('PEXELS_API_KEY'), baseUrl: setting('PEXELS_URL', 'https://api.pexels.com') },
  terms: {
    cacheSeconds: 86_400,
    cacheIn: 'shared',
    pricePerCallMicros: 0,
    hasFreeKeys: true,
    attribution: 'Photos and videos provided by Pexels',
    asOf: '2026-11-15',
    unverified: 'the rate limit, the list of locales, and the filters for pictures',
    rateLimit: { calls: 200, perSeconds: 3600 },
  },
  tabs: {
    images: {
      ...tab,
      knowsSizes: true,
      knowsLicences: true,
      imageFilters: {
        shape: IMAGE_FILTERS.shape,
        color: KNOWN_COLORS,
        // It has nothing else.
        kind: ['photo'],
      },
      request: (query, { apiKey }) => requestFor('/v1/search', { query, apiKey, filters: filtersOf(query.image) }),
      parse: parseResults('photos', (photo) => {
        const { medium, small, original } = asObject(photo['src'])
        return imageHit({
          url: photo['url'],
          title: photo['alt'],
          thumbnails: [medium, small],
          picture: original,
          size: [photo['width'], photo['height']],
          creator: photo['photographer'],
          licence: LICENCE,
        })
      }),
    },
    videos: {
      ...tab,
      request: (query, { apiKey }) => requestFor('/videos/search', { query, apiKey }),
      parse: parseResults('videos', ({ url, user, duration, image }) =>
        videoHit({
          url,
          title: titleIn(url),
          publisher: asObject(user)['name'],
          durationSeconds: parseDuration(duration),
          thumbnails: [image],
        }),
      ),
    },
  },
})
