// MediathekViewWeb: the on-demand libraries of the German, Austrian and Swiss public broadcasters, searched by a free
// project. JSON over HTTP, by POST, no key. Inherently German and safe. It can't filter by date, but every film is
// dated, so the host does, on the newest films instead of the best matches. Versions for blind and deaf viewers are
// left out. No pictures.

import { defineEngine, PAGE_SIZE } from '../engine.ts'
import { durationSeconds } from '../parsing/duration-seconds.ts'
import { hitsOf, jsonIn, jsonReply, list, moment, record, resultList, title, word } from '../parsing/json-reply.ts'
import { postJson } from '../parsing/json-request.ts'
import { videoHit } from '../parsing/read-hits.ts'
import { setting } from '../setting.ts'
import { UpstreamError } from '../upstream-error.ts'

const VARIANT = /\((?:Audiodeskription|Gebärdensprache|mit Gebärdensprache|Originalversion mit Untertitel)\)/i

export const mediathekview = defineEngine({
  slug: 'mediathekview',
  name: 'MediathekViewWeb',
  homepage: 'https://mediathekviewweb.de',
  settings: { baseUrl: setting('MEDIATHEKVIEW_URL', 'https://mediathekviewweb.de') },
  terms: {
    cacheSeconds: 3600,
    cacheIn: 'shared',
    pricePerCallMicros: 0,
    attribution: 'Found with MediathekViewWeb',
    asOf: '2026-11-15',
    unverified: 'the rate limit, which is not published',
    rateLimit: { calls: 2, perSeconds: 1 },
  },
  tabs: {
    videos: {
      lastPage: 50,
      honours: ['safe', 'lang'],
      byNature: ['safe', 'lang'],
      languages: ['de'],
      knowsDates: true,
      request: (query) =>
        postJson('/api/query', {
          queries: [{ fields: ['title', 'topic'], query: query.text }],
          // By default the best matches come first.
          ...(query.date && { sortBy: 'timestamp', sortOrder: 'desc' }),
          future: false,
          offset: (query.page - 1) * PAGE_SIZE,
          size: PAGE_SIZE,
        }),
      parse: (reply, query) => {
        const { result, err } = record(jsonIn(reply.body))
        if (reply.status === 400 && result === null && list(err).length > 0) {
          throw new UpstreamError('rejected', 'The provider refused the request (status 400).')
        }
        const films = resultList(record(jsonReply(reply, query)['result'])['results'])
        const originals = films.filter((film) => !VARIANT.test(word(record(film)['title'])))
        return {
          correction: '',
          hits: hitsOf(originals, (film) => {
            const publishedAt = moment(film['timestamp'])
            return publishedAt === undefined
              ? undefined
              : videoHit({
                  url: film['url_website'] || film['url_video'],
                  title: [title(film['topic']), title(film['title'])].filter(Boolean).join(': '),
                  publishedAt,
                  publisher: film['channel'],
                  durationSeconds: durationSeconds(film['duration']),
                })
          }),
        }
      },
    },
  },
})
