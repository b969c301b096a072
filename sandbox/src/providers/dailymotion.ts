// Dailymotion: `GET /videos`, keyless. Sends only the requested fields; keys with a dot in them are literal. Thumbnails
// may be http. Our own choice: a wrong parameter is status 400.
import { defineJsonProvider, language, matching, ok, oneOf, optional, text, whole } from './json-provider.ts'

export const dailymotion = defineJsonProvider({
  slug: 'dailymotion',
  key: '',
  admits: () => true,
  optionalMembers: 'title created_time duration thumbnail_360_url owner.screenname views_total explicit',
  refusal: (code, message) => ({ error: { code, message, type: 'invalid_parameter', more_info: '' } }),
  endpoints: [
    {
      at: 'GET /videos',
      rules: {
        search: text(),
        fields: matching(/^[a-z_0-9.,]+$/),
        page: optional(whole(1, 100)),
        limit: optional(whole(1, 100)),
        sort: optional(oneOf('relevance', 'recent', 'visited')),
        family_filter: optional(oneOf('true', 'false')),
        languages: language,
        localization: optional(matching(/^[a-z]{2,3}_[A-Z]{2}$/)),
        created_after: optional(whole(0, 9_999_999_999)),
        password_protected: optional(oneOf('true', 'false')),
        private: optional(oneOf('true', 'false')),
      },
      answer(given, { now, corpus }) {
        const [page, limit] = [Number(given['page'] ?? 1), Number(given['limit'] ?? 10)]
        const { total, hits } = corpus.videos({
          engine: 'dailymotion',
          text: String(given['search']),
          start: (page - 1) * limit,
          count: limit,
          now,
          hidesAdult: given['family_filter'] !== 'false',
          after: given['created_after'] === undefined ? undefined : Number(given['created_after']) * 1000,
        })
        const list = hits.map((hit) => ({
          id: `x${hit.mark}`,
          title: hit.title,
          created_time: Math.floor(hit.publishedAt / 1000),
          duration: hit.seconds,
          url: hit.url,
          thumbnail_360_url: hit.thumbnailUrl.replace(/^https:/, hit.mark % 3 === 0 ? 'http:' : 'https:'),
          'owner.screenname': hit.channel,
          views_total: hit.views,
        }))
        return ok({ page, limit, explicit: false, total, has_more: page * limit < total, list })
      },
    },
  ],
})
