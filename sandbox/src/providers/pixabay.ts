// Pixabay: `GET /api/` with the key in the query string. Pictures have no title, only tags; errors are plain text, and
// a wrong key or a page past the last is a 400. Safe search is off by default.
import type { Corpus } from '../corpus/corpus.ts'
import type { PictureHit } from '../corpus/hits.ts'
import { defineProvider, type ProviderReply, type ProviderRequest } from './provider.ts'
import { readChoice } from './read-choice.ts'
import { readInteger } from './read-integer.ts'

const KEY = 'sandbox-pixabay-key'
const DEEPEST = 500
const LANGUAGES = 'cs da de en es fr id it hu nl no pl pt ro sk fi sv tr vi th bg ru el ja ko zh'.split(' ')

const CHOICES: Readonly<Record<string, readonly string[]>> = {
  lang: LANGUAGES,
  image_type: ['all', 'photo', 'illustration', 'vector'],
  orientation: ['all', 'horizontal', 'vertical'],
  order: ['popular', 'latest'],
  editors_choice: ['true', 'false'],
}

const RATE_LIMIT_HEADERS = { 'x-ratelimit-limit': '100', 'x-ratelimit-remaining': '99', 'x-ratelimit-reset': '60' }

const error = (status: number, text: string, headers: Record<string, string> = {}): ProviderReply => ({
  status,
  headers,
  text: `[ERROR ${status}] ${text}`,
  contentType: 'text/plain; charset=utf-8',
})

const badKey = (): ProviderReply => error(400, 'Invalid or missing API key.')

export const pixabay = defineProvider({
  slug: 'pixabay',
  key: KEY,
  readsHeaders: [],
  optionalMembers: (
    'type tags previewURL previewWidth previewHeight webformatWidth webformatHeight largeImageURL imageWidth ' +
    'imageHeight imageSize user user_id userImageURL views downloads likes comments'
  ).split(' '),
  answer(request, corpus) {
    if (request.method !== 'GET' || request.path !== '/api/') return undefined
    return request.query.get('key') === KEY ? search(request, corpus) : badKey()
  },
  badKey,
  throttled: (_now, retryAfterSeconds) =>
    error(429, 'API rate limit exceeded.', {
      ...RATE_LIMIT_HEADERS,
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': String(retryAfterSeconds),
      'retry-after': String(retryAfterSeconds),
    }),
  failure: (_now, status) => error(status, 'The request failed.'),
})

function search({ query, now }: ProviderRequest, corpus: Corpus): ProviderReply {
  const outOfRange = (name: string) => error(400, `"${name}" is out of valid range.`)
  const text = query.get('q')?.trim() ?? ''
  if (Array.from(text).length > 100) return error(400, '"q" must not be longer than 100 characters.')
  const count = readInteger(query, 'per_page', { from: 3, to: 200, fallback: 20 })
  if (count === undefined) return outOfRange('per_page')
  const page = readInteger(query, 'page', { from: 1, to: 999_999, fallback: 1 })
  if (page === undefined) return outOfRange('page')
  const safesearch = readChoice(query, 'safesearch', { of: ['true', 'false'], fallback: 'false' })
  if (safesearch === undefined) return outOfRange('safesearch')
  for (const [name, of] of Object.entries(CHOICES)) {
    if (readChoice(query, name, { of, fallback: '' }) === undefined) return outOfRange(name)
  }

  const start = (page - 1) * count
  const hidesAdult = safesearch === 'true'
  const order = query.get('order') === 'latest' ? 'newest' : 'best'
  const found = corpus.images({ engine: 'pixabay', text, start, count, now, hidesAdult, order })
  const totalHits = Math.min(found.total, DEEPEST)
  if (page > 1 && start >= totalHits) return outOfRange('page')
  return {
    status: 200,
    headers: RATE_LIMIT_HEADERS,
    json: { total: found.total, totalHits, hits: found.hits.map((hit) => present(hit)) },
  }
}

const present = (hit: PictureHit) => ({
  id: hit.mark,
  pageURL: hit.url,
  type: 'photo',
  // It has only tags for a title, so the sandbox puts the title among them.
  tags: [hit.title.toLowerCase(), ...hit.tags].join(', '),
  previewURL: hit.thumbnail.url.replace('-320.', '-150.'),
  previewWidth: 150,
  previewHeight: Math.round((hit.height * 150) / hit.width),
  webformatURL: hit.thumbnail.url.replace('-320.', '-640.'),
  webformatWidth: 640,
  webformatHeight: Math.round((hit.height * 640) / hit.width),
  largeImageURL: hit.imageUrl,
  imageWidth: hit.width,
  imageHeight: hit.height,
  imageSize: hit.bytes,
  views: 100 + (hit.mark % 90_000),
  downloads: hit.mark % 9_000,
  likes: hit.mark % 900,
  comments: hit.mark % 90,
  user_id: hit.mark % 50_000,
  user: hit.creator,
  userImageURL: `https://files.${hit.host}/people/${hit.mark % 500}.jpg`,
})
