// Openverse: openly licensed pictures from many collections. JSON over HTTP, no key. No date filter. Pictures have no
// language, so every language is inherently honoured. It goes 240 results deep and replies 401 beyond that. Anonymous
// callers get few calls: throttling is normal here, so replies are cached for a day.

import { defineEngine, PAGE_SIZE } from '../engine.ts'
import { httpAddress } from '../parsing/http-address.ts'
import { hitsOf, jsonReply, title } from '../parsing/json-reply.ts'
import { pictureAddress } from '../parsing/picture-address.ts'
import { queryString } from '../parsing/query-string.ts'
import { errorWithWait, waitOf } from '../parsing/status-error.ts'
import { setting } from '../setting.ts'
import { UpstreamError } from '../upstream-error.ts'

const DEEPEST_RESULT = 240

/** The wording of Django REST framework, which Openverse is built with. */
const WAIT = /available in (\d+) second/

export const openverse = defineEngine({
  slug: 'openverse',
  name: 'Openverse',
  homepage: 'https://openverse.org',
  settings: { baseUrl: setting('OPENVERSE_URL', 'https://api.openverse.org') },
  terms: {
    cacheSeconds: 86_400,
    cacheIn: 'shared',
    pricePerCallMicros: 0,
    attribution: 'Openly licensed images from Openverse; credit the creator named on each page',
    asOf: '2026-11-15',
    // Its source code allows 5 an hour and 100 a day; its servers reportedly allow 1 a second. A 429 settles it.
    rateLimit: { calls: 1, perSeconds: 1 },
  },
  longestQuery: { characters: 200, words: 100 },
  tabs: {
    images: {
      lastPage: DEEPEST_RESULT / PAGE_SIZE,
      byNature: ['lang'],
      honours: ['safe', 'lang'],
      request: (query) => ({
        path: `/v1/images/${queryString({
          q: query.text,
          page: query.page,
          page_size: PAGE_SIZE,
          mature: query.safe ? 'false' : 'true',
        })}`,
        headers: { accept: 'application/json' },
      }),
      parse: (reply, query) => {
        const wait = reply.status === 429 ? WAIT.exec(reply.body)?.[1] : undefined
        if (wait !== undefined) {
          const seconds = waitOf(reply, query.now, Number(wait))
          throw errorWithWait('throttled', 'The limit for callers without an account is reached.', seconds)
        }
        const page = jsonReply(reply, query)
        if (!Array.isArray(page['results'])) {
          throw new UpstreamError('malformed', 'The provider answered with no search page.')
        }
        return {
          correction: '',
          hits: hitsOf(page['results'], (result) => {
            const url = httpAddress(result['foreign_landing_url'])
            const thumbnailUrl = pictureAddress(result['thumbnail']) || pictureAddress(result['url'])
            return url === '' || thumbnailUrl === '' ? undefined : { title: title(result['title']), url, thumbnailUrl }
          }),
        }
      },
    },
  },
})
