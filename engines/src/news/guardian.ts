// The Guardian: the articles of one newspaper. JSON over HTTP, with a free key for non-commercial use. Inherently
// English and safe. A page past the last one is an error with status 400.

import { defineEngine, PAGE_SIZE, type ProviderReply } from '../engine.ts'
import { hitsOf, jsonIn, jsonReply, moment, record, resultList, title, word } from '../parsing/json-reply.ts'
import { getJson } from '../parsing/json-request.ts'
import { rangeStart } from '../parsing/range-start.ts'
import { newsHit } from '../parsing/read-hits.ts'
import { secret, setting } from '../setting.ts'

const isPastTheEnd = ({ status, body }: ProviderReply): boolean =>
  status === 400 && word(record(jsonIn(body)?.['response'])['message']).includes('beyond the number of available pages')

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
            'from-date': rangeStart(query)?.toISOString().slice(0, 10),
            'show-fields': 'trailText,thumbnail',
          },
          { 'api-key': apiKey },
        ),
      parse: (reply, query) => {
        if (isPastTheEnd(reply)) return { correction: '', hits: [] }
        const { results } = record(jsonReply(reply, query)['response'])
        return {
          correction: '',
          hits: hitsOf(resultList(results), (article) =>
            newsHit({
              url: article['webUrl'],
              title: article['webTitle'],
              description: record(article['fields'])['trailText'],
              publishedAt: moment(article['webPublicationDate']),
              publisher: title(record(article['fields'])['publication']) || (article['webTitle'] ? 'The Guardian' : ''),
              thumbnails: [record(article['fields'])['thumbnail']],
            }),
          ),
        }
      },
    },
  },
})
