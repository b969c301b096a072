// Marginalia, new API (v2): `GET /search` with an `API-Key` header. Errors are plain text, sometimes empty.
// `nsfw=1` only reduces dangerous sites, so only `nsfw=2` removes adult pages. It has no dates.
// Our own choice: a parameter that is not a whole number in its range is a 400 with a sentence naming it.
import type { Corpus } from '../corpus/corpus.ts'
import type { CorpusHit } from '../corpus/hits.ts'
import { defineProvider, type ProviderReply, type ProviderRequest } from './provider.ts'
import { readInteger } from './read-integer.ts'

const KEY = 'sandbox-marginalia-key'
const ACCEPTED_KEYS: readonly unknown[] = [KEY, 'public']
const SEARCH_PATHS: readonly string[] = ['/search', '/api/v2/search']

const FAILURES: Readonly<Record<number, string>> = {
  429: 'QPM Limit Exceeded',
  500: 'Query Execution Failed',
}

const plain = (status: number, text: string, headers: Record<string, string> = {}): ProviderReply => ({
  status,
  headers,
  text,
  contentType: 'text/plain; charset=utf-8',
})

export const marginalia = defineProvider({
  slug: 'marginalia',
  key: KEY,
  readsHeaders: ['api-key'],
  optionalMembers: ['license', 'description', 'quality', 'format', 'resultsFromDomain', 'details'],
  answer(request, corpus) {
    if (request.method !== 'GET' || !SEARCH_PATHS.includes(request.path)) return undefined
    const key = request.headers['api-key']
    if (key === undefined || key === '') return plain(400, 'Missing API-Key header')
    if (!ACCEPTED_KEYS.includes(key)) return plain(401, '')
    return search(request, corpus)
  },
  badKey: () => plain(401, ''),
  throttled: (_now, retryAfterSeconds) =>
    plain(429, 'QPM Limit Exceeded', { 'retry-after': String(retryAfterSeconds), 'api-event-type': 'OverLimitBlock' }),
  failure: (_now, status) => plain(status, FAILURES[status] ?? ''),
})

function search({ query, now }: ProviderRequest, corpus: Corpus): ProviderReply {
  const text = query.get('query')?.trim() ?? ''
  if (text === '') return plain(400, 'Missing query')
  const nsfw = readInteger(query, 'nsfw', { from: 0, to: 2, fallback: 1 })
  if (nsfw === undefined) return plain(400, 'Invalid nsfw filter')
  const count = readInteger(query, 'count', { from: 1, to: 999_999, fallback: 20 })
  const perHost = readInteger(query, 'dc', { from: 1, to: 100, fallback: 2 })
  const page = readInteger(query, 'page', { from: 1, to: 999_999, fallback: 1 })
  const timeout = readInteger(query, 'timeout', { from: 50, to: 250, fallback: 150 })
  if (count === undefined) return plain(400, 'Invalid count')
  if (perHost === undefined) return plain(400, 'Invalid dc')
  if (page === undefined) return plain(400, 'Invalid page')
  if (timeout === undefined) return plain(400, 'Invalid timeout')

  const clamped = Math.min(count, 100)
  const start = (page - 1) * clamped
  const found = corpus.search({
    engine: 'marginalia',
    text,
    start,
    count: clamped,
    now,
    hidesAdult: nsfw === 2,
    perHost,
  })
  return {
    status: 200,
    headers: {
      'api-event-type': found.total === 0 ? 'NoResults' : 'UnderLimit',
      'api-remaining-daily-capacity': '1999',
    },
    json: {
      license: 'CC-BY-NC-SA 4.0',
      page,
      pages: Math.ceil(found.total / clamped),
      query: text,
      results: found.hits.map((hit, index) => present(hit, start + index, text)),
    },
  }
}

function present(hit: CorpusHit, rank: number, text: string): unknown {
  return {
    url: hit.url,
    title: hit.title,
    description: hit.mark % 11 === 0 ? '' : hit.sentences.slice(0, 2).join(' '),
    quality: Number((1.2 + rank * 0.09).toFixed(3)),
    format: hit.mark % 13 === 0 ? 'text' : 'html',
    resultsFromDomain: hit.fromHost,
    details: [
      text
        .split(/\s+/)
        .slice(0, 4)
        .map((keyword, index) => ({
          keyword,
          count: 1 + ((hit.mark >>> (index * 3)) % 9),
          flagsUnstableAPI: index === 0 ? ['Title', 'UrlPath'] : ['Title'],
        })),
    ],
  }
}
