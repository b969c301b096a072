// MediathekViewWeb: the on-demand libraries of the German, Austrian and Swiss public broadcasters, searched by a free
// project. JSON over HTTP, by POST, no key. Inherently German and safe. It can't filter by date, but every film is
// dated, so the host does; for that, we request the newest films instead of the best matches. Versions for blind and
// deaf viewers are left out. It has no pictures.

import { defineEngine, PAGE_SIZE } from '../engine.ts'
import { parseDuration, parseTimestamp } from '../parsing/dates.ts'
import { asArray, asObject, asString, asTitle, jsonReply, parseJsonObject, resultList } from '../parsing/json-reply.ts'
import { postJson } from '../parsing/json-request.ts'
import { offsetOf, parseResults, type ReadReply, videoHit } from '../parsing/read-hits.ts'
import { setting } from '../setting.ts'
import { UpstreamError } from '../upstream-error.ts'

const VARIANT = /\((?:Audiodeskription|Gebärdensprache|mit Gebärdensprache|Originalversion mit Untertitel)\)/i

const mediathekReply: ReadReply = (reply, query) => {
  const { result, err } = asObject(parseJsonObject(reply.body))
  if (reply.status === 400 && result === null && asArray(err).length > 0) {
    throw new UpstreamError('rejected', 'The provider refused the request (status 400).')
  }
  return jsonReply(reply, query)
}

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
          offset: offsetOf(query),
          size: PAGE_SIZE,
        }),
      parse: parseResults(
        {
          results: ({ result }) =>
            resultList(asObject(result)['results']).filter((film) => !VARIANT.test(asString(asObject(film)['title']))),
          readReply: mediathekReply,
        },
        ({ url_website: page, url_video: file, topic, title, timestamp, channel, duration }) => {
          const publishedAt = parseTimestamp(timestamp)
          return publishedAt === undefined
            ? undefined
            : videoHit({
                url: page || file,
                title: [asTitle(topic), asTitle(title)].filter(Boolean).join(': '),
                publishedAt,
                publisher: channel,
                durationSeconds: parseDuration(duration),
              })
        },
      ),
    },
  },
})
