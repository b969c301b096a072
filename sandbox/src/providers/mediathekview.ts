// MediathekViewWeb: `POST /api/query`, keyless. Without `sortBy` the best come first. Streams have no duration, and
// some films have a second version with audio description. Dates are always present.
import { isRecord } from '../is-record.ts'
import { defineJsonProvider, listOf, ok, oneOf, optional, whole } from './json-provider.ts'

const isQuery = (value: unknown): boolean =>
  isRecord(value) &&
  typeof value['query'] === 'string' &&
  listOf(oneOf('channel', 'topic', 'title', 'description'))(value['fields'])

export const mediathekview = defineJsonProvider({
  slug: 'mediathekview',
  key: '',
  admits: () => true,
  optionalMembers: 'channel topic title description duration size url_subtitle url_video_low filmlisteTimestamp',
  refusal: (_status, message) => ({ result: null, err: [message] }),
  endpoints: [
    {
      at: 'POST /api/query',
      rules: {
        queries: listOf(isQuery),
        sortBy: optional(oneOf('timestamp', 'duration', 'channel')),
        sortOrder: optional(oneOf('asc', 'desc')),
        future: optional(oneOf(true, false)),
        offset: optional(whole(0, 10_000)),
        size: optional(whole(1, 1_000)),
      },
      answer(given, { now, corpus }) {
        const [first] = given['queries'] as { query: string }[]
        const { total, hits } = corpus.videos({
          engine: 'mediathekview',
          text: first?.query ?? '',
          start: Number(given['offset'] ?? 0),
          count: Number(given['size'] ?? 15),
          now,
          hidesAdult: true,
          order: given['sortBy'] === 'timestamp' ? 'newest' : 'best',
        })
        const results = hits.map((hit) => ({
          channel: hit.channel,
          topic: hit.platform,
          title: hit.mark % 11 === 5 ? `${hit.title} (Audiodeskription)` : hit.title,
          description: hit.sentences[0],
          timestamp: Math.floor(hit.publishedAt / 1000),
          duration: hit.mark % 7 === 3 ? '' : hit.seconds,
          size: hit.seconds * 400_000,
          url_website: hit.url,
          url_subtitle: '',
          url_video: `https://films.${hit.host}/${hit.mark}.mp4`,
          id: `${hit.mark}=`,
        }))
        const queryInfo = { filmlisteTimestamp: Math.floor(now / 1000), resultCount: hits.length, totalResults: total }
        return ok({ result: { results, queryInfo }, err: null })
      },
    },
  ],
})
