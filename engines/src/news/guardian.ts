// The Guardian: the articles of one newspaper. JSON over HTTP, with a free key for non-commercial use. Inherently
// English and safe. A page past the last one is an error with status 400.

import { defineEngine, PAGE_SIZE } from '../engine.ts'
import { parseTimestamp, rangeStartDay } from '../parsing/dates.ts'
import { asObject, asString, asTitle, jsonReply, parseJsonObject } from '../parsing/json-reply.ts'
import { getJson } from '../parsing/json-request.ts'
import { newsHit, parseResults, type ReadReply } from '../parsing/read-hits.ts'
import { secret, setting } from '../setting.ts'

const guardianReply: ReadReply = (reply, query) => {
  const message = asString(asObject(parseJsonObject(reply.body)?.['response'])['message'])
  const isPastTheEnd = reply.status === 400 && message.includes('beyond the number of available pages')
  return isPastTheEnd ? { response: { results: [] } } : jsonReply(reply, query)
}

export const guardian = defineEngine({
  slug: 'guardian',
  name: 'The Guardian',
  homepage: 'https://www.theguardian.com',
  settings: {
    apiKey: secret('GUARDIAN_API_KEY'),
    baseUrl: setting('GUARDIAN_URL', 'https://content.guardianapis.com'),
  },
  terms: {
    cacheSeconds: 3600,
    cacheIn: 'shared',
    pricePerCallMicros: 0,
    attribution: 'News from the Guardian',
    asOf: '2026-11-15',
    unverified: 'the key in a header, and the daily quota',
    rateLimit: { calls: 1, perSeconds: 1 },
    dailyCalls: 500,
  },
  tabs: {
    news: {
      lastPage: 20,
      honours: ['safe', 'date', 'lang'],
      byNature: ['safe', 'lang'],
      languages: ['en'],
      request: (query, { apiKey }) =>
        getJson(
          '/search',
          {
            q: query.text,
            page: query.page,
            'page-size': PAGE_SIZE,
            'order-by': 'relevance',
            'from-date': rangeStartDay(query),
            'show-fields': 'trailText,thumbnail',
          },
          { 'api-key': apiKey },
        ),
      parse: parseResults(
        { results: ({ response }) => asObject(response)['results'], readReply: guardianReply },
        ({ webUrl, webTitle, webPublicationDate, fields }) => {
          const { trailText, publication, thumbnail } = asObject(fields)
          return newsHit({
            url: webUrl,
            title: webTitle,
            description: trailText,
            publishedAt: parseTimestamp(webPublicationDate),
            publisher: asTitle(publication) || (webTitle ? 'The Guardian' : ''),
            thumbnails: [thumbnail],
          })
        },
      ),
    },
  },
})
