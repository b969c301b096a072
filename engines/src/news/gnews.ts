// GNews: articles from some ten thousand newspapers, in two dozen languages. JSON over HTTP, with a free key: 100 calls
// a day, for non-commercial use, and articles are delayed by twelve hours. A closed list of publishers, so inherently
// safe. It refuses punctuation in a word unless the word is quoted. More than one page needs a paid plan. A used-up
// quota is a 403.

import { defineEngine, PAGE_SIZE } from '../engine.ts'
import { parseTimestamp, rangeStart } from '../parsing/dates.ts'
import { asObject, jsonReply, parseJsonObject } from '../parsing/json-reply.ts'
import { getJson } from '../parsing/json-request.ts'
import { languageTag } from '../parsing/language-tag.ts'
import { newsHit, parseResults, type ReadReply } from '../parsing/read-hits.ts'
import { errorWithWait, queryRefused, secondsToWait } from '../parsing/status-error.ts'
import { secret, setting } from '../setting.ts'

const LANGUAGES = 'ar bn zh nl en fr de el he hi id it ja ml mr no pt ro ru es sv ta te uk nb'.split(' ')

const COUNTRIES: ReadonlySet<string> = new Set(
  'AU BR CA CH CN DE EG ES FR GB GR HK IE IL IN IT JP NL NO PE PH PK PT RO RU SE SG TW UA US'.split(' '),
)

const quotePunctuation = (text: string): string =>
  text
    .toWellFormed()
    .split(/\s+/)
    .map((word) => (/^[\p{L}\p{N}]*$/u.test(word) ? word : `"${word.replaceAll('"', '')}"`))
    .filter((word) => word !== '""')
    .join(' ')

const gnewsReply: ReadReply = (reply, { now }) => {
  const { errors } = asObject(parseJsonObject(reply.body))
  if (reply.status === 403 && errors !== undefined) {
    throw errorWithWait('throttled', 'The provider’s quota is used up.', secondsToWait(reply, now, Number.NaN))
  }
  if (reply.status === 400 && asObject(errors)['q'] !== undefined) throw queryRefused()
  return jsonReply(reply, { now })
}

export const gnews = defineEngine({
  slug: 'gnews',
  name: 'GNews',
  homepage: 'https://gnews.io',
  settings: { apiKey: secret('GNEWS_API_KEY'), baseUrl: setting('GNEWS_URL', 'https://gnews.io') },
  terms: {
    cacheSeconds: 900,
    cacheIn: 'memory',
    pricePerCallMicros: 0,
    hasFreeKeys: true,
    attribution: '',
    asOf: '2026-11-15',
    unverified:
      'the key in a header, the lists of languages and countries, how queries must be quoted, and terms on caching',
    dailyCalls: 100,
  },
  maxQueryLength: { characters: 180, words: 20 },
  tabs: {
    news: {
      lastPage: 1,
      honours: ['safe', 'date', 'lang'],
      byNature: ['safe'],
      languages: LANGUAGES,
      takesRegion: (region) => COUNTRIES.has(region),
      request: (query, { apiKey }) => {
        const { base } = languageTag(query.lang)
        return getJson(
          '/api/v4/search',
          {
            q: quotePunctuation(query.text),
            lang: (base === 'nb' ? 'no' : base) || undefined,
            country: query.region?.toLowerCase(),
            max: PAGE_SIZE,
            from: rangeStart(query)
              ?.toISOString()
              .replace(/\.\d+Z$/, 'Z'),
            sortby: 'relevance',
          },
          { 'x-api-key': apiKey },
        )
      },
      parse: parseResults(
        { results: 'articles', readReply: gnewsReply },
        ({ url, title, description, publishedAt, source, image }) =>
          newsHit({
            url,
            title,
            description,
            publishedAt: parseTimestamp(publishedAt),
            publisher: asObject(source)['name'],
            thumbnails: [image],
          }),
      ),
    },
  },
})
