// Hacker News: what programmers and founders read and discuss, through Algolia's index. JSON over HTTP, no key.
// Technology stories only, in English, chosen by readers and moderated: there is no filter for `safe` or `lang` because
// the index is inherently clean and English. A story without a URL is a discussion and links to itself.

import { defineEngine, PAGE_SIZE } from '../engine.ts'
import { parseTimestamp, rangeStartSeconds } from '../parsing/dates.ts'
import { httpAddress } from '../parsing/http-address.ts'
import { asString } from '../parsing/json-reply.ts'
import { getJson } from '../parsing/json-request.ts'
import { newsHit, parseResults } from '../parsing/read-hits.ts'
import { setting } from '../setting.ts'

const discussionAddress = (id: string): string =>
  /^\d{1,12}$/.test(id) ? `https://news.ycombinator.com/item?id=${id}` : ''

export const hackernews = defineEngine({
  slug: 'hackernews',
  name: 'Hacker News',
  homepage: 'https://hn.algolia.com',
  settings: { baseUrl: setting('HACKERNEWS_URL', 'https://hn.algolia.com') },
  terms: {
    cacheSeconds: 600,
    cacheIn: 'shared',
    pricePerCallMicros: 0,
    attribution: '',
    asOf: '2026-11-15',
    rateLimit: { calls: 10_000, perSeconds: 3600 },
  },
  tabs: {
    news: {
      // The index goes 1,000 results deep, further than callers can page.
      lastPage: 50,
      byNature: ['safe', 'lang'],
      honours: ['safe', 'date', 'lang'],
      languages: ['en'],
      request: (query) =>
        getJson('/api/v1/search', {
          query: query.text,
          tags: 'story',
          numericFilters: query.date && `created_at_i>${rangeStartSeconds(query)}`,
          page: query.page - 1,
          hitsPerPage: PAGE_SIZE,
        }),
      parse: parseResults('hits', (story) =>
        newsHit({
          url: httpAddress(story['url']) || discussionAddress(asString(story['objectID'])),
          title: story['title'],
          description: story['story_text'],
          // There is no publisher: `author` is who posted the link.
          publishedAt: parseTimestamp(story['created_at_i']) ?? parseTimestamp(story['created_at']),
        }),
      ),
    },
  },
})
