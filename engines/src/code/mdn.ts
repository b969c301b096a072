// MDN: Mozilla's documentation of the web platform, in English and some translations. JSON over HTTP, no key: this is
// the site's own search, which may change without notice. Pages have no date, so it is not queried with a time range.
// Documentation is inherently safe.

import { defineEngine, PAGE_SIZE } from '../engine.ts'
import { asArray, asObject, asString, asTitle } from '../parsing/json-reply.ts'
import { getJson } from '../parsing/json-request.ts'
import { languageTag } from '../parsing/language-tag.ts'
import { parseResults, webHit } from '../parsing/read-hits.ts'
import { setting } from '../setting.ts'

const LOCALES = { en: 'en-US', de: 'de', es: 'es', fr: 'fr', ja: 'ja', ko: 'ko', pt: 'pt-BR', ru: 'ru', zh: 'zh-CN' }

const localeOf = (lang: string): string | undefined => {
  const { base, region } = languageTag(lang)
  if (base === 'zh' && region === 'TW') return 'zh-TW'
  return new Map(Object.entries(LOCALES)).get(base)
}

const addressOf = (path: string): string =>
  /^\/[\w-]{2,8}\/docs\/[\w.~!$&'()*+,;=:@%/-]{1,500}$/.test(path) ? `https://developer.mozilla.org${path}` : ''

export const mdn = defineEngine({
  slug: 'mdn',
  name: 'MDN',
  homepage: 'https://developer.mozilla.org',
  settings: { baseUrl: setting('MDN_URL', 'https://developer.mozilla.org') },
  terms: {
    cacheSeconds: 86_400,
    cacheIn: 'shared',
    pricePerCallMicros: 0,
    attribution: 'Documentation by Mozilla Contributors, CC BY-SA 2.5',
    asOf: '2026-11-15',
    unverified: 'an interface of the site itself, without documentation or terms; never tried',
    rateLimit: { calls: 1, perSeconds: 1 },
  },
  tabs: {
    code: {
      lastPage: 10,
      honours: ['safe', 'lang'],
      byNature: ['safe'],
      languages: Object.keys(LOCALES),
      request: (query) =>
        getJson('/api/v1/search', { q: query.text, locale: localeOf(query.lang), page: query.page, size: PAGE_SIZE }),
      parse: parseResults(
        { results: 'documents', correctionIn: ({ suggestions }) => asTitle(asObject(asArray(suggestions)[0])['text']) },
        ({ mdn_url: path, title, summary }) => webHit({ url: addressOf(asString(path)), title, description: summary }),
      ),
    },
  },
})
