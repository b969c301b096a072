// Pexels: free photos and videos, reviewed by people before publication and so inherently safe. JSON over HTTP, with a
// free key. It takes one of its own locales. A video has no title, so it is derived from the URL.

import { defineEngine, type EngineQuery, PAGE_SIZE } from '../engine.ts'
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

const requestFor = (path: string, query: EngineQuery, apiKey: string) =>
  getJson(
    path,
    { query: query.text, page: query.page, per_page: PAGE_SIZE, locale: localeOf(query.lang) },
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
    attribution: 'Photos and videos provided by Pexels',
    asOf: '2026-11-15',
    unverified: 'the rate limit, and the list of locales',
    rateLimit: { calls: 200, perSeconds: 3600 },
  },
  tabs: {
    images: {
      ...tab,
      request: (query, { apiKey }) => requestFor('/v1/search', query, apiKey),
      parse: parseResults('photos', (photo) => {
        const { medium, small, original } = asObject(photo['src'])
        return imageHit({ url: photo['url'], title: photo['alt'], thumbnails: [medium, small], picture: original })
      }),
    },
    videos: {
      ...tab,
      request: (query, { apiKey }) => requestFor('/videos/search', query, apiKey),
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
