// Niconico: videos on the Japanese platform, from its nightly snapshot. JSON over HTTP, no key; for non-commercial use,
// by services that send their name. It can't sort by relevance, so the most viewed come first. Inherently Japanese.
// Adult videos have their own genre, which `safe` leaves out. No channel names.

import { defineEngine, PAGE_SIZE } from '../engine.ts'
import { parseDuration, parseTimestamp, rangeStart } from '../parsing/dates.ts'
import { asObject, asString, jsonReply, parseJsonObject, resultList } from '../parsing/json-reply.ts'
import { getJson } from '../parsing/json-request.ts'
import { offsetOf, parseResults, type ReadReply, videoHit } from '../parsing/read-hits.ts'
import { queryRefused } from '../parsing/status-error.ts'
import { setting } from '../setting.ts'

const ADULT_GENRE = '例のソレ'
const NOT_ADULT = JSON.stringify({ type: 'not', filter: { type: 'equal', field: 'genre.keyword', value: ADULT_GENRE } })

const niconicoReply: ReadReply = (reply, query) => {
  const { errorCode } = asObject(asObject(parseJsonObject(reply.body))['meta'])
  if (reply.status === 400 && errorCode === 'QUERY_PARSE_ERROR') throw queryRefused()
  return jsonReply(reply, query)
}

const addressOf = (id: string): string => (/^[a-z]{2}\d{1,12}$/.test(id) ? `https://www.nicovideo.jp/watch/${id}` : '')

export const niconico = defineEngine({
  slug: 'niconico',
  name: 'Niconico',
  homepage: 'https://www.nicovideo.jp',
  hasNoContract: true,
  settings: { baseUrl: setting('NICONICO_URL', 'https://snapshot.search.nicovideo.jp') },
  terms: {
    cacheSeconds: 86_400,
    cacheIn: 'shared',
    pricePerCallMicros: 0,
    attribution: 'Videos from Niconico',
    asOf: '2026-11-15',
    unverified: 'the filter of the adult genre, and the rate limit, which is not published',
    rateLimit: { calls: 1, perSeconds: 1 },
  },
  tabs: {
    videos: {
      lastPage: 50,
      honours: ['safe', 'date', 'lang'],
      byNature: ['lang'],
      languages: ['ja'],
      request: (query) =>
        getJson('/api/v2/snapshot/video/contents/search', {
          q: query.text,
          targets: 'title,tags',
          fields: 'contentId,title,lengthSeconds,thumbnailUrl,startTime,genre,viewCounter',
          'filters%5BstartTime%5D%5Bgte%5D': rangeStart(query)
            ?.toISOString()
            .replace(/\.\d+Z$/, 'Z'),
          jsonFilter: query.safe ? NOT_ADULT : undefined,
          _sort: '-viewCounter',
          _offset: offsetOf(query),
          _limit: PAGE_SIZE,
          _context: 'bowerbird',
        }),
      parse: parseResults(
        {
          results: ({ data }, { safe }) =>
            resultList(data).filter((video) => !safe || asObject(video)['genre'] !== ADULT_GENRE),
          readReply: niconicoReply,
        },
        ({ contentId, title, startTime, lengthSeconds, thumbnailUrl, viewCounter: views }) =>
          videoHit({
            url: addressOf(asString(contentId)),
            title,
            publishedAt: parseTimestamp(startTime),
            durationSeconds: parseDuration(lengthSeconds),
            thumbnails: [thumbnailUrl],
            views,
          }),
      ),
    },
  },
})
