// Dailymotion: videos on a large platform, in any language. JSON over HTTP, no key. Errors may come with status 200.
// The family filter is always sent, because it is on by default. `owner.screenname` is a single key of the reply, not a
// path.

import { defineEngine, PAGE_SIZE } from '../engine.ts'
import { parseDuration, parseTimestamp, rangeStartSeconds } from '../parsing/dates.ts'
import { asObject, asString, jsonReply } from '../parsing/json-reply.ts'
import { getJson } from '../parsing/json-request.ts'
import { languageTag } from '../parsing/language-tag.ts'
import { parseResults, type ReadReply, videoHit } from '../parsing/read-hits.ts'
import { throttled } from '../parsing/status-error.ts'
import { setting } from '../setting.ts'
import { UpstreamError } from '../upstream-error.ts'

const FIELDS = 'id,title,created_time,duration,url,thumbnail_360_url,owner.screenname,views_total'

const dailymotionReply: ReadReply = (reply, { now }) => {
  const page = jsonReply(reply, { now })
  const { error } = page
  if (error === undefined || error === null) return page
  throw asString(asObject(error)['type']).includes('rate_limit')
    ? throttled(reply, now)
    : new UpstreamError('rejected', 'The provider refused the request.')
}

export const dailymotion = defineEngine({
  slug: 'dailymotion',
  name: 'Dailymotion',
  homepage: 'https://www.dailymotion.com',
  hasNoContract: true,
  settings: { baseUrl: setting('DAILYMOTION_URL', 'https://api.dailymotion.com') },
  terms: {
    cacheSeconds: 3600,
    cacheIn: 'shared',
    pricePerCallMicros: 0,
    attribution: 'Videos from Dailymotion',
    asOf: '2026-11-15',
    unverified: 'the rate limit, which is not published',
    rateLimit: { calls: 5, perSeconds: 1 },
  },
  tabs: {
    videos: {
      lastPage: 50,
      honours: ['safe', 'date', 'lang'],
      // It takes a region only as part of a language: `de_AT`.
      takesRegion: (_region, lang) => languageTag(lang).base !== '',
      request: (query) => {
        const { base, region: ofLanguage } = languageTag(query.lang)
        const region = query.region ?? ofLanguage
        return getJson('/videos', {
          search: query.text,
          fields: FIELDS,
          page: query.page,
          limit: PAGE_SIZE,
          sort: 'relevance',
          family_filter: String(query.safe),
          languages: base || undefined,
          localization: base && region ? `${base}_${region}` : undefined,
          created_after: rangeStartSeconds(query),
          password_protected: 'false',
          private: 'false',
        })
      },
      parse: parseResults({ results: 'list', readReply: dailymotionReply }, (video) =>
        videoHit({
          url: video['url'],
          title: video['title'],
          publishedAt: parseTimestamp(video['created_time']),
          publisher: video['owner.screenname'],
          durationSeconds: parseDuration(video['duration']),
          views: video['views_total'],
          thumbnails: [asString(video['thumbnail_360_url']).replace(/^http:/, 'https:')],
        }),
      ),
    },
  },
})
