// Hacker News: what programmers and founders read and discuss, through Algolia's index. JSON over HTTP, no key.
// Technology stories only, in English, chosen by readers and moderated: there is no filter for `safe` or `lang` because
// the index is inherently clean and English. A story without a URL is a discussion and links to itself.

import { defineEngine, PAGE_SIZE } from '../engine.ts'
import { hostOf, httpAddress } from '../parsing/http-address.ts'
import { description, hitsOf, jsonReply, moment, title, word } from '../parsing/json-reply.ts'
import { queryString } from '../parsing/query-string.ts'
import { rangeStart } from '../parsing/range-start.ts'
import { setting } from '../setting.ts'
import { UpstreamError } from '../upstream-error.ts'

const discussionAddress = (id: string): string =>
  /^\d{1,12}$/.test(id) ? `https://news.ycombinator.com/item?id=${id}` : ''

const createdAfter = (start: Date | undefined): string | undefined =>
  start && `created_at_i>${Math.floor(start.getTime() / 1000)}`

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
      request: (query) => ({
        path: `/api/v1/search${queryString({
          query: query.text,
          tags: 'story',
          numericFilters: createdAfter(rangeStart(query)),
          page: query.page - 1,
          hitsPerPage: PAGE_SIZE,
        })}`,
        headers: { accept: 'application/json' },
      }),
      parse: (reply, query) => {
        const page = jsonReply(reply, query)
        if (!Array.isArray(page['hits'])) {
          throw new UpstreamError('malformed', 'The provider answered with no search page.')
        }
        return {
          correction: '',
          hits: hitsOf(page['hits'], (story) => {
            const url = httpAddress(story['url']) || discussionAddress(word(story['objectID']))
            if (url === '') return undefined
            return {
              title: title(story['title']),
              url,
              description: description(story['story_text']),
              publishedAt: moment(story['created_at_i']) ?? moment(story['created_at']),
              // `author` is who posted the link, not who published the story.
              publisher: hostOf(url),
              thumbnailUrl: '',
            }
          }),
        }
      },
    },
  },
})
