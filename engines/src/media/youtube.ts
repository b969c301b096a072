// YouTube: what most people expect of a video search. Data API v3, JSON over HTTP, with a free key for 100 searches a
// day. So one call requests 50 videos, from which all five pages are cut, and replies are cached for a day. Search
// results have no durations. A used-up quota is a 403 with a reason. Titles are HTML-encoded.

import { defineEngine } from '../engine.ts'
import { parseTimestamp, rangeStart } from '../parsing/dates.ts'
import { asArray, asObject, asString, jsonReply, parseJsonObject } from '../parsing/json-reply.ts'
import { getJson } from '../parsing/json-request.ts'
import { languageTag } from '../parsing/language-tag.ts'
import { parseResults, type ReadReply, videoHit } from '../parsing/read-hits.ts'
import { errorWithWait, secondsToWait } from '../parsing/status-error.ts'
import { secret, setting } from '../setting.ts'
import { UpstreamError } from '../upstream-error.ts'

const VIDEOS_PER_CALL = 50
const QUOTA_REASONS = new Set(['quotaExceeded', 'dailyLimitExceeded', 'rateLimitExceeded', 'userRateLimitExceeded'])

const youtubeReply: ReadReply = (reply, query) => {
  const reasons = asArray(asObject(parseJsonObject(reply.body)?.['error'])['errors']).map((error) =>
    asString(asObject(error)['reason']),
  )
  if (reply.status === 403 && reasons.some((reason) => QUOTA_REASONS.has(reason))) {
    throw errorWithWait('throttled', 'The provider’s quota is used up.', secondsToWait(reply, query.now, Number.NaN))
  }
  if (reply.status === 400 && reasons.includes('keyInvalid')) {
    throw new UpstreamError('rejected', 'The provider does not accept the API key.')
  }
  return jsonReply(reply, query)
}

export const youtube = defineEngine({
  slug: 'youtube',
  name: 'YouTube',
  homepage: 'https://www.youtube.com',
  keysUrl: 'https://developers.google.com/youtube',
  settings: { apiKey: secret('YOUTUBE_API_KEY'), baseUrl: setting('YOUTUBE_URL', 'https://www.googleapis.com') },
  terms: {
    cacheSeconds: 86_400,
    cacheIn: 'shared',
    pricePerCallMicros: 0,
    hasFreeKeys: true,
    attribution: 'Videos from YouTube, under its terms of service',
    asOf: '2026-11-15',
    unverified: 'the key in a header, and how long a reply may be kept',
    dailyCalls: 100,
  },
  tabs: {
    videos: {
      lastPage: 5,
      honours: ['safe', 'date', 'lang'],
      takesRegion: () => true,
      request: (query, { apiKey }) => {
        const { base, region } = languageTag(query.lang)
        return getJson(
          '/youtube/v3/search',
          {
            part: 'snippet',
            type: 'video',
            q: query.text,
            maxResults: VIDEOS_PER_CALL,
            safeSearch: query.safe ? 'strict' : 'none',
            publishedAfter: rangeStart(query)?.toISOString(),
            relevanceLanguage: base || undefined,
            regionCode: query.region ?? (region || undefined),
          },
          { 'x-goog-api-key': apiKey },
        )
      },
      parse: parseResults({ results: 'items', readReply: youtubeReply, hasAllPages: true }, (item) => {
        const id = asString(asObject(item['id'])['videoId'])
        const { title, publishedAt, channelTitle, thumbnails } = asObject(item['snippet'])
        const { medium, high, default: small } = asObject(thumbnails)
        return videoHit({
          url: /^[\w-]{5,20}$/.test(id) ? `https://www.youtube.com/watch?v=${id}` : '',
          title,
          publishedAt: parseTimestamp(publishedAt),
          publisher: channelTitle,
          thumbnails: [medium, high, small].map((picture) => asObject(picture)['url']),
          previews: [asObject(high)['url']],
        })
      }),
    },
  },
})
