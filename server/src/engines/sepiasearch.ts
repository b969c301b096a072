// Sepia Search: videos of the PeerTube federation, on hundreds of independent servers. JSON over HTTP, no key.
// It knows when a video is from by the day, so `d` may reach back to the beginning of yesterday. A thumbnail is named in
// three ways, by age of the server that has the video.
import { setting } from '../config/setting.ts'
import { UpstreamError } from '../errors.ts'
import { httpAddress } from '../text/http-address.ts'
import { durationSeconds } from '../providers/reading/duration-seconds.ts'
import { defineEngine, PAGE_SIZE } from '../providers/engine.ts'
import { hitsOf, jsonReply, list, moment, record, title, word } from '../providers/reading/json-reply.ts'
import { languageTag } from '../providers/reading/language-tag.ts'
import { pictureAddress } from '../providers/reading/picture-address.ts'
import { queryString } from '../providers/reading/query-string.ts'
import { rangeStart } from '../providers/reading/range-start.ts'

type Fields = Readonly<Record<string, unknown>>

const hostFor = (video: Fields): string =>
  word(record(video['channel'])['host']) || word(record(video['account'])['host'])

const thumbnailOf = (video: Fields): string =>
  pictureAddress(video['thumbnailUrl']) ||
  pictureAddress(record(list(video['thumbnails'])[0])['fileUrl']) ||
  thumbnailAt(hostFor(video), word(video['thumbnailPath']))

const thumbnailAt = (host: string, path: string): string =>
  path.startsWith('/') ? httpAddress(`https://${host}${path}`) : ''

export const sepiasearch = defineEngine({
  slug: 'sepiasearch',
  name: 'Sepia Search',
  homepage: 'https://sepiasearch.org',
  settings: { baseUrl: setting('SEPIASEARCH_URL', 'https://sepiasearch.org') },
  terms: {
    cacheSeconds: 3600,
    cacheIn: 'shared',
    pricePerCallMicros: 0,
    attribution: '',
    pace: { calls: 50, perSeconds: 10 },
  },
  tabs: {
    videos: {
      lastPage: 50,
      honours: ['safe', 'date', 'lang'],
      request: (query) => {
        const { base } = languageTag(query.lang)
        return {
          path: `/api/v1/search/videos${queryString({
            search: query.text,
            start: (query.page - 1) * PAGE_SIZE,
            count: PAGE_SIZE,
            sort: '-match',
            nsfw: query.safe ? 'false' : 'both',
            'languageOneOf%5B%5D': base === '' ? undefined : base,
            startDate: rangeStart(query)?.toISOString().slice(0, 10),
          })}`,
          headers: { accept: 'application/json' },
        }
      },
      parse: (reply, query) => {
        const page = jsonReply(reply, query)
        if (!Array.isArray(page['data'])) {
          throw new UpstreamError('malformed', 'The provider answered with no search page.')
        }
        return {
          correction: '',
          hits: hitsOf(page['data'], (video) => {
            const url = httpAddress(video['url'])
            if (url === '') return undefined
            return {
              title: title(video['name']),
              url,
              publishedAt: moment(video['publishedAt']),
              publisher: title(record(video['channel'])['displayName']) || title(hostFor(video)),
              durationSeconds: durationSeconds(video['duration']),
              thumbnailUrl: thumbnailOf(video),
            }
          }),
        }
      },
    },
  },
})
