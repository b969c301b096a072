// PeerTube: videos of one server of the operator's choice, such as a university's (`peertube`), or of the whole
// federation of independent servers, through its index (`sepiasearch`). JSON over HTTP, no key. Dates are filtered by
// whole days, so `d` may reach back to the beginning of yesterday. Thumbnails come in three forms, depending on the
// version of the server that hosts the video.

import { defineEngine, type EngineTab, PAGE_SIZE, type VideoHit } from '../engine.ts'
import { parseDuration, parseTimestamp, rangeStartDay } from '../parsing/dates.ts'
import { httpAddress } from '../parsing/http-address.ts'
import { asArray, asCount, asObject, asString, asTitle, type JsonObject } from '../parsing/json-reply.ts'
import { getJson } from '../parsing/json-request.ts'
import { baseLanguage } from '../parsing/language-tag.ts'
import { offsetOf, parseResults, videoHit } from '../parsing/read-hits.ts'
import { setting } from '../setting.ts'

const hostFor = (video: JsonObject): string =>
  asString(asObject(video['channel'])['host']) || asString(asObject(video['account'])['host'])

/** Newer servers list the picture in several widths, the others name a larger one. */
const widestOf = (pictures: unknown): unknown =>
  asArray(pictures)
    .map(asObject)
    .toSorted((one, other) => (asCount(other['width']) ?? 0) - (asCount(one['width']) ?? 0))[0]?.['fileUrl']

const pictureAt = (host: string, path: string): string =>
  path.startsWith('/') ? httpAddress(`https://${host}${path}`) : ''

const peertubeVideos = (searchTarget?: 'local'): EngineTab<VideoHit, unknown> => ({
  lastPage: 50,
  honours: ['safe', 'date', 'lang'],
  request: (query) =>
    getJson('/api/v1/search/videos', {
      search: query.text,
      searchTarget,
      start: offsetOf(query),
      count: PAGE_SIZE,
      sort: '-match',
      nsfw: query.safe ? 'false' : 'both',
      'languageOneOf%5B%5D': baseLanguage(query.lang),
      startDate: rangeStartDay(query),
    }),
  parse: parseResults('data', (video) =>
    videoHit({
      url: video['url'],
      title: video['name'],
      publishedAt: parseTimestamp(video['publishedAt']),
      publisher: asTitle(asObject(video['channel'])['displayName']) || hostFor(video),
      durationSeconds: parseDuration(video['duration']),
      thumbnails: [
        video['thumbnailUrl'],
        asObject(asArray(video['thumbnails'])[0])['fileUrl'],
        pictureAt(hostFor(video), asString(video['thumbnailPath'])),
      ],
      previews: [
        video['previewUrl'],
        widestOf(video['thumbnails']),
        pictureAt(hostFor(video), asString(video['previewPath'])),
      ],
      views: video['views'],
    }),
  ),
})

const terms = {
  cacheSeconds: 3600,
  cacheIn: 'shared',
  pricePerCallMicros: 0,
  attribution: '',
  asOf: '2026-11-15',
  rateLimit: { calls: 50, perSeconds: 10 },
} as const

export const peertube = defineEngine({
  slug: 'peertube',
  name: 'PeerTube',
  homepage: 'https://joinpeertube.org',
  settings: { baseUrl: setting('PEERTUBE_URL') },
  terms,
  tabs: { videos: peertubeVideos('local') },
})

export const sepiasearch = defineEngine({
  slug: 'sepiasearch',
  name: 'Sepia Search',
  homepage: 'https://sepiasearch.org',
  settings: { baseUrl: setting('SEPIASEARCH_URL', 'https://sepiasearch.org') },
  terms,
  tabs: { videos: peertubeVideos() },
})
