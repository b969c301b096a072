// YouTube Data API v3: `GET /youtube/v3/search`, key in `X-Goog-Api-Key`. Titles are HTML-encoded, and some results are
// channels. Errors have a reason.

import { escapeHtml } from './escape-html.ts'
import { defineJsonProvider, language, matching, ok, oneOf, optional, text, timeOf, whole } from './json-provider.ts'
import { isoSeconds } from './wire-time.ts'

const KEY = 'sandbox-youtube-key'
const REASONS: Readonly<Record<number, string>> = { 400: 'badRequest', 401: 'keyInvalid', 429: 'rateLimitExceeded' }

export const youtube = defineJsonProvider({
  slug: 'youtube',
  key: KEY,
  readsHeaders: ['x-goog-api-key'],
  admits: ({ headers }) => headers['x-goog-api-key'] === KEY,
  optionalMembers: 'publishedAt title description channelTitle thumbnails nextPageToken pageInfo',
  refusal: (code, message) => ({
    error: { code, message, errors: [{ domain: 'youtube', reason: REASONS[code] ?? 'backendError' }] },
  }),
  endpoints: [
    {
      at: 'GET /youtube/v3/search',
      rules: {
        part: oneOf('snippet'),
        type: optional(oneOf('video')),
        q: text(),
        maxResults: optional(whole(0, 50)),
        safeSearch: optional(oneOf('none', 'moderate', 'strict')),
        publishedAfter: optional((value) => timeOf(value) !== undefined),
        relevanceLanguage: language,
        regionCode: optional(matching(/^[A-Z]{2}$/)),
      },
      answer(given, { now, corpus }) {
        const { total, hits } = corpus.videos({
          engine: 'youtube',
          text: String(given['q']),
          start: 0,
          count: Number(given['maxResults'] ?? 5),
          now,
          hidesAdult: given['safeSearch'] === 'strict',
          after: timeOf(given['publishedAfter']),
        })
        const items = hits.map((hit) => ({
          kind: 'youtube#searchResult',
          id: { kind: 'youtube#video', videoId: `v${hit.mark.toString(36).padStart(10, '0')}` },
          snippet: {
            publishedAt: isoSeconds(hit.publishedAt),
            title: escapeHtml(hit.title),
            description: hit.sentences[0],
            channelTitle: hit.channel,
            thumbnails: {
              medium: { url: hit.thumbnailUrl, width: 320, height: 180 },
              high: { url: hit.thumbnailUrl.replace(/-320\.jpg$/, '-480.jpg'), width: 480, height: 360 },
            },
          },
        }))
        const pageInfo = { totalResults: total, resultsPerPage: items.length }
        return ok({ kind: 'youtube#searchListResponse', nextPageToken: 'CAoQAA', pageInfo, items })
      },
    },
  ],
})
