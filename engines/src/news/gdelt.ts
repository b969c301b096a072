// GDELT: the world's news headlines in 65 languages, going back about three months. JSON over HTTP, no key. No safe
// filter, so it is only queried with `safe=off`. It allows one call every 8 seconds per IP address and takes 10 seconds
// to reply, so it only suits low traffic. Pages are cut from one long list. Errors are text with status 200, "no
// results" is an empty body or `{}`, and titles break the JSON with invalid escapes and control characters.

import { defineEngine, type EngineQuery, PAGE_SIZE, type ProviderReply } from '../engine.ts'
import { countryName, hasCountryName } from '../parsing/country-names.ts'
import { parseTimestamp } from '../parsing/dates.ts'
import { hostOf, httpAddress, pictureAddress } from '../parsing/http-address.ts'
import { asString, asTitle, hitsOf, jsonReply, noSearchPage } from '../parsing/json-reply.ts'
import { getJson } from '../parsing/json-request.ts'
import { languageTag } from '../parsing/language-tag.ts'
import { cutPage, upToPage } from '../parsing/read-hits.ts'
import { queryRefused, throttled } from '../parsing/status-error.ts'
import { setting } from '../setting.ts'
import type { UpstreamError } from '../upstream-error.ts'

const MAX_ARTICLES = 250

/** GDELT only goes back three months, so these stand for a year. */
const TIMESPANS = { d: '1d', w: '1w', m: '1m', y: '3m' } as const

/** Our base language → its name in `sourcelang:`. */
const LANGUAGE_NAMES = new Map(
  Object.entries({
    ar: 'arabic',
    bg: 'bulgarian',
    bn: 'bengali',
    ca: 'catalan',
    cs: 'czech',
    da: 'danish',
    de: 'german',
    el: 'greek',
    en: 'english',
    es: 'spanish',
    et: 'estonian',
    fa: 'persian',
    fi: 'finnish',
    fr: 'french',
    he: 'hebrew',
    hi: 'hindi',
    hr: 'croatian',
    hu: 'hungarian',
    id: 'indonesian',
    it: 'italian',
    ja: 'japanese',
    ko: 'korean',
    lt: 'lithuanian',
    lv: 'latvian',
    nb: 'norwegian',
    nl: 'dutch',
    no: 'norwegian',
    pl: 'polish',
    pt: 'portuguese',
    ro: 'romanian',
    ru: 'russian',
    sk: 'slovak',
    sl: 'slovenian',
    sq: 'albanian',
    sr: 'serbian',
    sv: 'swedish',
    th: 'thai',
    tr: 'turkish',
    uk: 'ukrainian',
    ur: 'urdu',
    vi: 'vietnamese',
    zh: 'chinese',
  }),
)

/** A shorter word makes GDELT refuse the whole query, and so does an OR outside parentheses, which is shorter too. */
const MIN_WORD_LENGTH = 3

const withoutShortWords = (text: string): string =>
  text
    .split(/\s+/)
    .filter((word) => word.length >= MIN_WORD_LENGTH)
    .join(' ') || text

/** Filters are part of the query text; a name has no spaces in them. */
const queryWithFilters = ({ text, lang, region }: EngineQuery): string => {
  const language = LANGUAGE_NAMES.get(languageTag(lang).base)
  const country = countryName(region)?.replaceAll(' ', '')
  return [
    withoutShortWords(text),
    ...(language === undefined ? [] : [`sourcelang:${language}`]),
    ...(country === undefined ? [] : [`sourcecountry:${country}`]),
  ].join(' ')
}

/** Interprets text sent instead of JSON; `undefined` if it is unknown. GDELT doesn't document these texts. */
const refusalOf = (reply: ProviderReply, now: number): UpstreamError | undefined => {
  const { status, body } = reply
  if (status !== 200 || body.trimStart().startsWith('{')) return undefined
  if (/limit requests/i.test(body)) {
    return throttled(reply, now, 60)
  }
  return /too (?:short|long|common)|\bOR'd\b|parenthes/i.test(body) ? queryRefused() : undefined
}

/** Turns control characters into spaces and drops backslashes that escape nothing. */
const repairJson = (body: string): string =>
  body.replace(/\p{Cc}/gu, ' ').replace(/(\\(?:["\\/bfnrt]|u[\da-f]{4}))|\\/gi, '$1')

/** `20261114T083000Z`, with or without the letters. */
const parseSeenDate = (seen: string): number | undefined =>
  parseTimestamp(seen.replace(/^(\d{4})(\d\d)(\d\d)T?(\d\d)(\d\d)(\d\d)Z?$/, '$1-$2-$3T$4:$5:$6Z'))

/** GDELT puts a space before punctuation: `Rates rise , bank says .` */
const headline = (value: unknown): string => asTitle(value).replace(/ (?=[,.:;?!](?: |$))/g, '')

export const gdelt = defineEngine({
  slug: 'gdelt',
  name: 'GDELT',
  homepage: 'https://www.gdeltproject.org',
  settings: { baseUrl: setting('GDELT_URL', 'https://api.gdeltproject.org') },
  terms: {
    cacheSeconds: 900,
    cacheIn: 'shared',
    pricePerCallMicros: 0,
    attribution: 'News found by the GDELT Project, https://www.gdeltproject.org',
    asOf: '2026-11-15',
    unverified: 'the names of countries',
    rateLimit: { calls: 1, perSeconds: 8 },
  },
  tabs: {
    news: {
      lastPage: MAX_ARTICLES / PAGE_SIZE,
      honours: ['date', 'lang'],
      languages: [...LANGUAGE_NAMES.keys()],
      takesRegion: hasCountryName,
      request: (query) =>
        getJson('/api/v2/doc/doc', {
          query: queryWithFilters(query),
          mode: 'artlist',
          format: 'json',
          maxrecords: Math.min(MAX_ARTICLES, upToPage(query.page)),
          sort: 'HybridRel',
          timespan: query.date && TIMESPANS[query.date],
        }),
      parse: (reply, query) => {
        const refusal = refusalOf(reply, query.now)
        if (refusal !== undefined) throw refusal
        const isEmpty = reply.status === 200 && reply.body.trim() === ''
        const page = isEmpty ? {} : jsonReply({ ...reply, body: repairJson(reply.body) }, query)
        if (!Array.isArray(page['articles']) && Object.keys(page).length > 0) throw noSearchPage()
        const articles = hitsOf(page['articles'], (article) => {
          const url = httpAddress(article['url'])
          if (url === '') return undefined
          return {
            kind: 'news' as const,
            title: headline(article['title']),
            url,
            description: '',
            publishedAt: parseSeenDate(asString(article['seendate'])),
            publisher: asTitle(article['domain']) || hostOf(url),
            thumbnailUrl: pictureAddress(article['socialimage']),
          }
        })
        return { correction: '', hits: cutPage(articles, query.page) }
      },
    },
  },
})
