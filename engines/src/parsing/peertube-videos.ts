// The PeerTube search API, for one server or the index of all. It filters dates by whole days, so `d` may reach back to
// the beginning of yesterday. Thumbnails come in three forms, depending on the version of the server that hosts the
// video.

import { type EngineQuery, type EngineTab, PAGE_SIZE, type VideoHit } from '../engine.ts'
import { durationSeconds } from './duration-seconds.ts'
import { httpAddress } from './http-address.ts'
import { hitsOf, jsonReply, list, moment, record, resultList, title, word } from './json-reply.ts'
import { getJson } from './json-request.ts'
import { languageTag } from './language-tag.ts'
import { rangeStart } from './range-start.ts'
import { videoHit } from './read-hits.ts'

type Fields = Readonly<Record<string, unknown>>

const hostFor = (video: Fields): string =>
  word(record(video['channel'])['host']) || word(record(video['account'])['host'])

const thumbnailAt = (host: string, path: string): string =>
  path.startsWith('/') ? httpAddress(`https://${host}${path}`) : ''

const requestFor = (query: EngineQuery, searchTarget: 'local' | undefined) => {
  const { base } = languageTag(query.lang)
  return getJson('/api/v1/search/videos', {
    search: query.text,
    searchTarget,
    start: (query.page - 1) * PAGE_SIZE,
    count: PAGE_SIZE,
    sort: '-match',
    nsfw: query.safe ? 'false' : 'both',
    'languageOneOf%5B%5D': base === '' ? undefined : base,
    startDate: rangeStart(query)?.toISOString().slice(0, 10),
  })
}

export const peertubeVideos = (searchTarget?: 'local'): EngineTab<VideoHit, unknown> => ({
  lastPage: 50,
  honours: ['safe', 'date', 'lang'],
  request: (query) => requestFor(query, searchTarget),
  parse: (reply, query) => ({
    correction: '',
    hits: hitsOf(resultList(jsonReply(reply, query)['data']), (video) =>
      videoHit({
        url: video['url'],
        title: video['name'],
        publishedAt: moment(video['publishedAt']),
        publisher: title(record(video['channel'])['displayName']) || hostFor(video),
        durationSeconds: durationSeconds(video['duration']),
        thumbnails: [
          video['thumbnailUrl'],
          record(list(video['thumbnails'])[0])['fileUrl'],
          thumbnailAt(hostFor(video), word(video['thumbnailPath'])),
        ],
      }),
    ),
  }),
})
