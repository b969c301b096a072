// World News API: full articles from some thousand newspapers. JSON over HTTP, paid in daily points. A closed list of
// publishers, so inherently safe. It takes queries of 3 to 100 characters. Once the day's points are used up it replies
// 402: a refusal rather than throttling, because only a larger plan or the next day helps.

import { defineEngine, type EngineQuery, PAGE_SIZE } from '../engine.ts'
import { hostOf, httpAddress } from '../parsing/http-address.ts'
import { description, hitsOf, jsonReply, moment, title } from '../parsing/json-reply.ts'
import { languageTag } from '../parsing/language-tag.ts'
import { pictureAddress } from '../parsing/picture-address.ts'
import { queryString } from '../parsing/query-string.ts'
import { rangeStart } from '../parsing/range-start.ts'
import { secret, setting } from '../setting.ts'
import { UpstreamError } from '../upstream-error.ts'

const SHORTEST_TEXT = 3

/** The provider can't take this query: the text is too short, or the language has no two-letter code. */
const isUnaskable = ({ text, lang }: EngineQuery): boolean =>
  text.length < SHORTEST_TEXT || languageTag(lang).base.length > 2

/** `2026-11-14 10:00:00`. The time zone is not documented; we assume UTC. */
const writtenOut = (date: Date): string => date.toISOString().slice(0, 19).replace('T', ' ')

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
    attribution: '',
    asOf: '2026-11-15',
    unverified: 'terms on caching, and the price',
  },
  longestQuery: { characters: 100, words: 50 },
  tabs: {
    news: {
      lastPage: 50,
      honours: ['safe', 'date', 'lang'],
      byNature: ['safe'],
      request: (query, { apiKey }) => {
        const { base } = languageTag(query.lang)
        const start = rangeStart(query)
        return {
          path: `/search-news${queryString({
            text: query.text,
            language: base === '' ? undefined : base,
            'earliest-publish-date': start && writtenOut(start),
            offset: (query.page - 1) * PAGE_SIZE,
            number: PAGE_SIZE,
          })}`,
          headers: { accept: 'application/json', 'x-api-key': apiKey },
        }
      },
      parse: (reply, query) => {
        if ((reply.status === 400 || reply.status === 406) && isUnaskable(query)) {
          throw new UpstreamError('rejected', 'The provider refuses this query.', { isQueryFault: true })
        }
        const page = jsonReply(reply, query)
        if (!Array.isArray(page['news'])) {
          throw new UpstreamError('malformed', 'The provider answered with no search page.')
        }
        return {
          correction: '',
          hits: hitsOf(page['news'], (article) => {
            const url = httpAddress(article['url'])
            if (url === '') return undefined
            return {
              title: title(article['title']),
              url,
              description: description(article['summary']) || description(article['text']),
              publishedAt: moment(article['publish_date']),
              publisher: hostOf(url),
              thumbnailUrl: pictureAddress(article['image']),
            }
          }),
        }
      },
    },
  },
})
