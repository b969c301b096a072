// Mojeek: an independent index with its own crawler. JSON over HTTP; no spelling corrections, sitelinks or icons.
// Errors come as status 200 with `ERROR: …` in the body. The key is in the query string, so request URLs of this engine
// must never be logged. Language is a strong boost, not a filter: a few results in other languages may remain.

import { defineEngine, type EngineQuery, PAGE_SIZE } from '../engine.ts'
import { parseTimestamp, rangeStartDay } from '../parsing/dates.ts'
import { asArray, asObject, asString, jsonReply, noSearchPage } from '../parsing/json-reply.ts'
import { getJson } from '../parsing/json-request.ts'
import { languageTag } from '../parsing/language-tag.ts'
import { offsetOf, parseResults, type ReadReply, webHit } from '../parsing/read-hits.ts'
import { errorWithWait, secondsToWait } from '../parsing/status-error.ts'
import { secret, setting } from '../setting.ts'
import { UpstreamError } from '../upstream-error.ts'

const SINCE_KEYWORDS = { d: 'day', m: 'month', y: 'year' } as const

/** There is no keyword for a week, but any day is accepted: 20261107. */
const sinceOf = ({ date, now }: Pick<EngineQuery, 'date' | 'now'>): string | undefined => {
  if (date === 'w') return rangeStartDay({ date, now })?.replaceAll('-', '')
  return date && SINCE_KEYWORDS[date]
}

/** `ERROR: Daily Limit Reached` is the only documented text, so anything that doesn't mention a limit is a refusal. */
const mojeekReply: ReadReply = (reply, query) => {
  const response = asObject(jsonReply(reply, query)['response'])
  const status = asString(response['status'])
  if (status === 'OK') return response
  if (status === '') throw noSearchPage()
  throw /limit|quota/i.test(status)
    ? errorWithWait('throttled', 'The limit of the plan is reached.', secondsToWait(reply, query.now, Number.NaN))
    : new UpstreamError('rejected', 'The provider refused the request.')
}

export const mojeek = defineEngine({
  slug: 'mojeek',
  name: 'Mojeek',
  homepage: 'https://www.mojeek.com',
  settings: { apiKey: secret('MOJEEK_API_KEY'), baseUrl: setting('MOJEEK_URL', 'https://api.mojeek.com') },
  // Every plan allows caching for an hour. The price is £3 for 1,000 calls, taken as 4 US dollars.
  terms: { cacheSeconds: 3600, cacheIn: 'shared', pricePerCallMicros: 4000, attribution: '', asOf: '2026-11-15' },
  tabs: {
    web: {
      // Mojeek's own site stops here; the API's depth is not documented.
      lastPage: 10,
      honours: ['safe', 'date', 'lang'],
      takesRegion: () => true,
      siteOperators: 'one',
      request: (query, { apiKey }) => {
        const { base, region: ofLanguage } = languageTag(query.lang)
        const region = query.region ?? ofLanguage
        return getJson('/search', {
          q: query.text,
          fmt: 'json',
          t: PAGE_SIZE,
          s: offsetOf(query) + 1,
          safe: query.safe ? 1 : 0,
          since: sinceOf(query),
          lb: base === '' ? undefined : base.toUpperCase(),
          lbb: base === '' ? undefined : 100,
          rb: region === '' ? undefined : region,
          rbb: region === '' ? undefined : 10,
          date: 1,
          api_key: apiKey,
        })
      },
      parse: parseResults(
        { results: ({ results }) => asArray(results), readReply: mojeekReply },
        ({ url, title, desc, pdate, timestamp }) =>
          webHit({ url, title, description: desc, publishedAt: parseTimestamp(pdate) ?? parseTimestamp(timestamp) }),
      ),
    },
  },
})
