// Hacker News by Algolia: `GET /api/v1/search` (best first) and `/api/v1/search_by_date` (newest first), keyless. Pages
// count from 0. Stories that ask a question have no URL: `url` is null. Its content is moderated, so nothing in it is
// adult. Our own choice: that only `story` and `comment` tags are known, and that comments find nothing.
import type { Corpus } from '../corpus/corpus.ts'
import type { StoryHit } from '../corpus/hits.ts'
import { escapeHtml } from './escape-html.ts'
import { defineProvider, type ProviderReply, type ProviderRequest } from './provider.ts'
import { readInteger } from './read-integer.ts'
import { isoSeconds } from './wire-time.ts'

const DEEPEST = 1_000

const refusal = (status: number, message: string, headers: Record<string, string> = {}): ProviderReply => ({
  status,
  headers,
  json: { message, status },
})

export const hackernews = defineProvider({
  slug: 'hackernews',
  key: '',
  readsHeaders: [],
  optionalMembers: (
    'author points num_comments story_text created_at created_at_i updated_at children story_id _highlightResult ' +
    '_tags exhaustive exhaustiveNbHits params processingTimeMS query'
  ).split(' '),
  answer(request, corpus) {
    const isByDate = request.path === '/api/v1/search_by_date'
    if (request.method !== 'GET' || (request.path !== '/api/v1/search' && !isByDate)) return undefined
    return search(request, isByDate, corpus)
  },
  badKey: () => refusal(403, 'Invalid Application-ID or API key'),
  throttled: (_now, retryAfterSeconds) =>
    refusal(429, 'Too Many Requests', { 'retry-after': String(retryAfterSeconds) }),
  failure: (_now, status) => refusal(status, 'The request failed'),
})

function search({ query, now }: ProviderRequest, isByDate: boolean, corpus: Corpus): ProviderReply {
  const page = readInteger(query, 'page', { from: 0, to: 999_999, fallback: 0 })
  if (page === undefined) return refusal(400, 'invalid page: must be a positive number')
  const count = readInteger(query, 'hitsPerPage', { from: 1, to: DEEPEST, fallback: 20 })
  if (count === undefined) return refusal(400, 'invalid hitsPerPage: must be between 1 and 1000')
  const span = readNumericFilters(query.get('numericFilters'))
  if (span === undefined) return refusal(400, 'invalid numeric filter')
  const text = query.get('query')?.trim() ?? ''
  const tags = (query.get('tags') ?? 'story').split(/[,()]+/)

  const start = page * count
  const found = tags.includes('comment')
    ? { total: 0, hits: [] }
    : corpus.news({
        engine: 'hackernews',
        text,
        start,
        count: Math.max(0, Math.min(count, DEEPEST - start)),
        now,
        hidesAdult: true,
        order: isByDate ? 'newest' : 'best',
        ...span,
      })
  return {
    status: 200,
    json: {
      exhaustive: { nbHits: true, typo: true },
      exhaustiveNbHits: true,
      hits: found.hits.map((hit) => present(hit, text)),
      hitsPerPage: count,
      nbHits: found.total,
      nbPages: Math.ceil(Math.min(found.total, DEEPEST) / count),
      page,
      params: query.toString(),
      processingTimeMS: 4,
      query: text,
    },
  }
}

interface Span {
  after?: number
  before?: number
}

/** `undefined`: not understood. */
function readNumericFilters(given: string | null): Span | undefined {
  const span: Span = {}
  if (given === null || given === '') return span
  for (const filter of given.split(',')) {
    const [, name, sign, digits] =
      /^(created_at_i|points|num_comments)(>=|<=|>|<|=)(\d{1,12})$/.exec(filter.trim()) ?? []
    if (name === undefined || sign === undefined) return undefined
    if (name !== 'created_at_i') continue
    const time = Number(digits) * 1000
    if (sign !== '<' && sign !== '<=') span.after = sign === '>' ? time + 1000 : time
    if (sign !== '>' && sign !== '>=') span.before = sign === '<' ? time : time + 1000
  }
  return span
}

function present(hit: StoryHit, text: string): unknown {
  const isQuestion = /questions|letters/.test(hit.title)
  const id = 40_000_000 + (hit.mark % 5_000_000)
  const seconds = Math.floor(hit.publishedAt / 1000)
  const title = isQuestion ? `Ask HN: ${hit.title}` : hit.title
  return {
    _highlightResult: {
      title: {
        matchLevel: 'full',
        matchedWords: text.toLowerCase().split(/\s+/),
        value: `<em>${escapeHtml(title)}</em>`,
      },
    },
    _tags: ['story', `author_${hit.mark % 5_000}`, `story_${id}`, ...(isQuestion ? ['ask_hn'] : [])],
    author: hit.author.toLowerCase().replace(/\W+/g, ''),
    children: [id + 1, id + 2],
    created_at: isoSeconds(hit.publishedAt),
    created_at_i: seconds,
    num_comments: hit.mark % 400,
    objectID: String(id),
    points: 1 + (hit.mark % 900),
    story_id: id,
    story_text: isQuestion ? `<p>${escapeHtml(hit.sentences.join(' '))}</p>` : null,
    title,
    updated_at: isoSeconds(hit.publishedAt),
    url: isQuestion ? null : hit.url,
  }
}
