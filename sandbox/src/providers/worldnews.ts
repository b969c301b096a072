// World News API: `GET /search-news` with an `x-api-key` header (or `api-key` in the query string). Its sources are
// newspapers, so nothing in it is adult. Dates are UTC without a zone. A used-up plan is a 402.
// Our own choice: the wording of errors, and that an invalid parameter is a 400.
import type { Corpus } from '../corpus/corpus.ts'
import type { StoryHit } from '../corpus/hits.ts'
import { defineProvider, type ProviderReply, type ProviderRequest } from './provider.ts'
import { readChoice } from './read-choice.ts'
import { readInteger } from './read-integer.ts'
import { spacedSeconds } from './wire-time.ts'

const KEY = 'sandbox-worldnews-key'

const MESSAGES: Readonly<Record<number, string>> = {
  402: 'Your daily points limit has been reached.',
  404: 'Not found.',
}

const refusal = (status: number, message: string, headers: Record<string, string> = {}): ProviderReply => ({
  status,
  headers,
  json: { status: 'failure', code: status, message },
})

const badKey = (): ProviderReply => refusal(401, 'You are not authorized. Please provide a valid API key.')

export const worldnews = defineProvider({
  slug: 'worldnews',
  key: KEY,
  readsHeaders: ['x-api-key'],
  optionalMembers:
    'text summary image video publish_date author authors language category source_country sentiment'.split(' '),
  answer(request, corpus) {
    if (request.method !== 'GET' || request.path !== '/search-news') return undefined
    const key = request.headers['x-api-key'] ?? request.query.get('api-key')
    return key === KEY ? search(request, corpus) : badKey()
  },
  badKey,
  throttled: (_now, retryAfterSeconds) =>
    refusal(429, 'You have sent too many requests.', { 'retry-after': String(retryAfterSeconds) }),
  failure: (_now, status) => refusal(status, MESSAGES[status] ?? 'The request failed.'),
})

function search({ query, now }: ProviderRequest, corpus: Corpus): ProviderReply {
  const text = query.get('text')?.trim() ?? ''
  const length = Array.from(text).length
  if (length < 3 || length > 100) return refusal(400, 'The text must have between 3 and 100 characters.')
  const start = readInteger(query, 'offset', { from: 0, to: 10_000, fallback: 0 })
  if (start === undefined) return refusal(400, 'The offset must be between 0 and 10000.')
  const count = readInteger(query, 'number', { from: 1, to: 100, fallback: 10 })
  if (count === undefined) return refusal(400, 'The number must be between 1 and 100.')
  const language = query.get('language') ?? 'en'
  if (!/^[a-z]{2}$/.test(language)) return refusal(400, 'The language must be an ISO 639-1 code.')
  const after = readMoment(query.get('earliest-publish-date'))
  const before = readMoment(query.get('latest-publish-date'))
  if (Number.isNaN(after) || Number.isNaN(before)) return refusal(400, 'Dates must look like 2026-11-14 12:00:00.')
  const sort = readChoice(query, 'sort', { of: ['publish-time', 'relevance'], fallback: 'relevance' })
  const direction = readChoice(query, 'sort-direction', { of: ['ASC', 'DESC'], fallback: 'DESC' })
  if (sort === undefined || direction === undefined) return refusal(400, 'Unknown sort.')

  const byTime = direction === 'ASC' ? 'oldest' : 'newest'
  const order = sort === 'relevance' ? 'best' : byTime
  const found = corpus.news({
    engine: 'worldnews',
    text,
    start,
    count,
    now,
    hidesAdult: true,
    after,
    before,
    order,
  })
  return {
    status: 200,
    headers: { 'x-api-quota-left': '49' },
    json: {
      offset: start,
      number: found.hits.length,
      available: found.total,
      news: found.hits.map((hit) => present(hit, language)),
    },
  }
}

/** `undefined`: not given. NaN: given and not understood. */
function readMoment(given: string | null): number | undefined {
  if (given === null) return undefined
  return /^\d{4}-\d\d-\d\d( \d\d:\d\d:\d\d)?$/.test(given)
    ? Date.parse(`${given.slice(0, 10)}T${given.slice(11) || '00:00:00'}Z`)
    : Number.NaN
}

const present = (hit: StoryHit, language: string) => ({
  id: hit.mark,
  title: hit.title,
  text: hit.sentences.join(' '),
  summary: hit.mark % 4 === 0 ? null : hit.sentences[0],
  url: hit.url,
  image: hit.mark % 5 === 0 ? null : hit.thumbnailUrl,
  video: null,
  publish_date: spacedSeconds(hit.publishedAt),
  author: hit.author,
  authors: [hit.author],
  language,
  category: 'politics',
  source_country: 'gb',
  sentiment: Number((((hit.mark % 200) - 100) / 100).toFixed(2)),
})
