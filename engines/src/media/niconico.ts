// Niconico: videos on the Japanese platform, from its nightly snapshot. JSON over HTTP, no key; for non-commercial use,
// by services that send their name. There is no order by relevance, so the most viewed come first. Inherently Japanese.
// Adult videos have their own genre, which `safe` leaves out. No channel names.

import { defineEngine, PAGE_SIZE } from '../engine.ts'
import { durationSeconds } from '../parsing/duration-seconds.ts'
import { hitsOf, jsonIn, jsonReply, moment, record, resultList, word } from '../parsing/json-reply.ts'
import { getJson } from '../parsing/json-request.ts'
import { rangeStart } from '../parsing/range-start.ts'
import { videoHit } from '../parsing/read-hits.ts'
import { setting } from '../setting.ts'
import { UpstreamError } from '../upstream-error.ts'

const ADULT_GENRE = '例のソレ'
const NOT_ADULT = JSON.stringify({
  type: 'not',
  filter: { type: 'equal', field: 'genre.keyword', value: ADULT_GENRE },
})

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
          fields: 'contentId,title,lengthSeconds,thumbnailUrl,startTime,genre',
          'filters%5BstartTime%5D%5Bgte%5D': rangeStart(query)
            ?.toISOString()
            .replace(/\.\d+Z$/, 'Z'),
          jsonFilter: query.safe ? NOT_ADULT : undefined,
          _sort: '-viewCounter',
          _offset: (query.page - 1) * PAGE_SIZE,
          _limit: PAGE_SIZE,
          _context: 'bowerbird',
        }),
      parse: (reply, query) => {
        const { errorCode } = record(record(jsonIn(reply.body))['meta'])
        if (reply.status === 400 && errorCode === 'QUERY_PARSE_ERROR') {
          throw new UpstreamError('rejected', 'The provider refuses this query.', { isQueryFault: true })
        }
        const videos = resultList(jsonReply(reply, query)['data'])
        const shown = query.safe ? videos.filter((video) => record(video)['genre'] !== ADULT_GENRE) : videos
        return {
          correction: '',
          hits: hitsOf(shown, (video) => {
            const id = word(video['contentId'])
            return videoHit({
              url: /^[a-z]{2}\d{1,12}$/.test(id) ? `https://www.nicovideo.jp/watch/${id}` : '',
              title: video['title'],
              publishedAt: moment(video['startTime']),
              durationSeconds: durationSeconds(video['lengthSeconds']),
              thumbnails: [video['thumbnailUrl']],
            })
          }),
        }
      },
    },
  },
})
