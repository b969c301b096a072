// NewsData.io: articles from many newspapers, in some eighty languages. JSON over HTTP, with a free key: 200 calls a
// day, and articles are delayed by twelve hours. A closed list of publishers, so inherently safe. It can't filter by
// date, but every article is dated, so the host does. A second page would need a token from the first, so there is
// none.

import { defineEngine, PAGE_SIZE } from '../engine.ts'
import { parseTimestamp } from '../parsing/dates.ts'
import { asObject, asString, jsonReply, parseJsonObject } from '../parsing/json-reply.ts'
import { getJson } from '../parsing/json-request.ts'
import { baseLanguage } from '../parsing/language-tag.ts'
import { newsHit, parseResults, type ReadReply } from '../parsing/read-hits.ts'
import { queryRefused } from '../parsing/status-error.ts'
import { secret, setting } from '../setting.ts'

const newsdataReply: ReadReply = (reply, { now }) => {
  const code = asString(asObject(parseJsonObject(reply.body)?.['results'])['code'])
  if (reply.status === 422 && code === 'UnsupportedQueryLength') throw queryRefused()
  return jsonReply(reply, { now })
}

export const newsdata = defineEngine({
  slug: 'newsdata',
  name: 'NewsData.io',
  homepage: 'https://newsdata.io',
  settings: { apiKey: secret('NEWSDATA_API_KEY'), baseUrl: setting('NEWSDATA_URL', 'https://newsdata.io') },
  terms: {
    cacheSeconds: 900,
    cacheIn: 'memory',
    pricePerCallMicros: 0,
    attribution: '',
    asOf: '2026-11-15',
    unverified: 'the key in a header, the daily quota, the codes of languages and countries, and terms on caching',
    dailyCalls: 200,
  },
  maxQueryLength: { characters: 100, words: 50 },
  tabs: {
    news: {
      lastPage: 1,
      honours: ['safe', 'lang'],
      byNature: ['safe'],
      takesRegion: () => true,
      knowsDates: true,
      request: (query, { apiKey }) =>
        getJson(
          '/api/1/latest',
          {
            q: query.text,
            language: baseLanguage(query.lang),
            country: query.region?.toLowerCase(),
            size: PAGE_SIZE,
            removeduplicate: 1,
          },
          { 'x-access-key': apiKey },
        ),
      parse: parseResults({ results: 'results', readReply: newsdataReply }, (article) => {
        const publishedAt = parseTimestamp(article['pubDate'])
        return publishedAt === undefined
          ? undefined
          : newsHit({
              url: article['link'],
              title: article['title'],
              description: article['description'],
              publishedAt,
              publisher: article['source_name'],
              thumbnails: [article['image_url']],
            })
      }),
    },
  },
})
