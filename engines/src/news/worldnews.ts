// World News API: full articles from some thousand newspapers. JSON over HTTP, paid in daily points. A closed list of
// publishers, so inherently safe. It takes queries of 3 to 100 characters. Once the day's points are used up it replies
// 402: a refusal rather than throttling, because only a larger plan or the next day helps.

import { defineEngine, type EngineQuery, PAGE_SIZE } from '../engine.ts'
import { parseTimestamp, rangeStart } from '../parsing/dates.ts'
import { asDescription, jsonReply } from '../parsing/json-reply.ts'
import { getJson } from '../parsing/json-request.ts'
import { languageTag } from '../parsing/language-tag.ts'
import { newsHit, offsetOf, parseResults, type ReadReply } from '../parsing/read-hits.ts'
import { queryRefused } from '../parsing/status-error.ts'
import { secret, setting } from '../setting.ts'

const MIN_QUERY_LENGTH = 3

/** The provider can't take this query: the text is too short, or the language has no two-letter code. */
const isUnsupported = ({ text, lang }: EngineQuery): boolean =>
  text.length < MIN_QUERY_LENGTH || languageTag(lang).base.length > 2

/** `2026-11-14 10:00:00`. The time zone is not documented; we assume UTC. */
const formatTime = (date: Date): string => date.toISOString().slice(0, 19).replace('T', ' ')

const worldnewsReply: ReadReply = (reply, query) => {
  if ((reply.status === 400 || reply.status === 406) && isUnsupported(query)) throw queryRefused()
  return jsonReply(reply, query)
}

export const worldnews = defineEngine({
  slug: 'worldnews',
  name: 'World News',
  homepage: 'https://worldnewsapi.com',
  settings: { apiKey: secret('WORLDNEWS_API_KEY'), baseUrl: setting('WORLDNEWS_URL', 'https://api.worldnewsapi.com') },
  // We don't know what the terms say about caching, or what a call costs beyond the free points.
  terms: {
    cacheSeconds: 300,
    cacheIn: 'memory',
    pricePerCallMicros: 0,
    isPriceUnknown: true,
    attribution: '',
    asOf: '2026-11-15',
    unverified: 'terms on caching, the price, and the parameter of the country',
  },
  maxQueryLength: { characters: 100, words: 50 },
  tabs: {
    news: {
      lastPage: 50,
      honours: ['safe', 'date', 'lang'],
      byNature: ['safe'],
      takesRegion: () => true,
      request: (query, { apiKey }) => {
        const { base } = languageTag(query.lang)
        const start = rangeStart(query)
        return getJson(
          '/search-news',
          {
            text: query.text,
            language: base === '' ? undefined : base,
            'source-country': query.region?.toLowerCase(),
            'earliest-publish-date': start && formatTime(start),
            offset: offsetOf(query),
            number: PAGE_SIZE,
          },
          { 'x-api-key': apiKey },
        )
      },
      parse: parseResults(
        { results: 'news', readReply: worldnewsReply },
        ({ url, title, summary, text, publish_date: date, image }) =>
          newsHit({
            url,
            title,
            description: asDescription(summary) ? summary : text,
            publishedAt: parseTimestamp(date),
            thumbnails: [image],
          }),
      ),
    },
  },
})
