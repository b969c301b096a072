// Niconico: `GET /api/v2/snapshot/video/contents/search`, keyless. `_context` and `_sort` are required. Adult videos
// have their own genre, which only `jsonFilter` leaves out. Times are Japan's.
import { isRecord } from '../is-record.ts'
import { defineJsonProvider, matching, ok, optional, text, timeOf, whole } from './json-provider.ts'
import { readJsonObject } from './read-json-object.ts'

const JAPAN_MS = 9 * 3_600_000
const ADULT_GENRE = '例のソレ'

const leavesOutAdults = (filter: unknown): boolean => {
  const given = typeof filter === 'string' ? readJsonObject(filter) : undefined
  return given?.['type'] === 'not' && isRecord(given['filter']) && given['filter']['value'] === ADULT_GENRE
}

export const niconico = defineJsonProvider({
  slug: 'niconico',
  key: '',
  admits: () => true,
  optionalMembers: 'title lengthSeconds startTime thumbnailUrl viewCounter genre channelId userId',
  refusal: (status, errorMessage) => ({ meta: { status, errorCode: 'QUERY_PARSE_ERROR', errorMessage } }),
  endpoints: [
    {
      at: 'GET /api/v2/snapshot/video/contents/search',
      rules: {
        q: text(),
        targets: matching(/^(title|description|tags|tagsExact)(,(title|description|tags))*$/),
        fields: optional(matching(/^[A-Za-z,]+$/)),
        'filters[startTime][gte]': optional((value) => timeOf(value) !== undefined),
        jsonFilter: optional((value) => typeof value === 'string' && readJsonObject(value) !== undefined),
        _sort: matching(/^[+-]?(viewCounter|startTime|likeCounter|lengthSeconds)$/),
        _offset: optional(whole(0, 100_000)),
        _limit: optional(whole(1, 100)),
        _context: text(40),
      },
      answer(given, { now, corpus }) {
        const { total, hits } = corpus.videos({
          engine: 'niconico',
          text: String(given['q']),
          start: Number(given['_offset'] ?? 0),
          count: Number(given['_limit'] ?? 10),
          now,
          hidesAdult: leavesOutAdults(given['jsonFilter']),
          after: timeOf(given['filters[startTime][gte]']),
        })
        const data = hits.map((hit) => ({
          contentId: `sm${hit.mark}`,
          title: hit.title,
          lengthSeconds: hit.seconds,
          startTime: `${new Date(hit.publishedAt + JAPAN_MS).toISOString().slice(0, 19)}+09:00`,
          thumbnailUrl: hit.thumbnailUrl,
          viewCounter: hit.views,
          genre: hit.isAdult ? ADULT_GENRE : 'その他',
        }))
        return ok({ meta: { status: 200, totalCount: total, id: 'sandbox' }, data })
      },
    },
  ],
})
