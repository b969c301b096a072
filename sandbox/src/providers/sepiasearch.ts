// SepiaSearch, the index of PeerTube: `GET /api/v1/search/videos`, keyless. Durations are seconds, descriptions may be
// null, and everything adult is shown unless `nsfw=false`. Errors follow RFC 7807.
import type { Corpus } from '../corpus/corpus.ts'
import type { VideoHit } from '../corpus/hits.ts'
import { hash } from '../corpus/random.ts'
import { defineProvider, type ProviderReply, type ProviderRequest } from './provider.ts'
import { readChoice } from './read-choice.ts'
import { readInteger } from './read-integer.ts'

const SORTS = ['-match', '-publishedAt', 'publishedAt', '-views', '-createdAt'] as const

const problem = (status: number, detail: string, headers: Record<string, string> = {}): ProviderReply => ({
  status,
  headers: { 'content-type': 'application/problem+json; charset=utf-8', ...headers },
  json: { type: `https://docs.example/errors/${status}`, detail, status, error: detail },
})

export const sepiasearch = defineProvider({
  slug: 'sepiasearch',
  key: '',
  readsHeaders: [],
  optionalMembers: (
    'description truncatedDescription duration publishedAt originallyPublishedAt embedUrl embedPath thumbnailUrl ' +
    'previewUrl thumbnailPath previewPath thumbnails views likes dislikes language tags account channel shortUUID'
  ).split(' '),
  answer(request, corpus) {
    if (request.method !== 'GET' || request.path !== '/api/v1/search/videos') return undefined
    return search(request, corpus)
  },
  badKey: () => problem(401, 'Unauthorized'),
  throttled: (_now, retryAfterSeconds) =>
    problem(429, 'Too many requests, please try again later.', {
      'retry-after': String(retryAfterSeconds),
      'x-ratelimit-limit': '50',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': String(retryAfterSeconds),
    }),
  failure: (_now, status) => problem(status, 'The request failed.'),
})

function search({ query, now }: ProviderRequest, corpus: Corpus): ProviderReply {
  const incorrect = (name: string) => problem(400, `Incorrect request parameters: ${name}`)
  const text = query.get('search')?.trim() ?? ''
  if (text === '') return incorrect('search')
  const start = readInteger(query, 'start', { from: 0, to: 999_999, fallback: 0 })
  if (start === undefined) return incorrect('start')
  const count = readInteger(query, 'count', { from: 1, to: 100, fallback: 15 })
  if (count === undefined) return incorrect('count')
  const nsfw = readChoice(query, 'nsfw', { of: ['false', 'true', 'both'], fallback: 'both' })
  if (nsfw === undefined) return incorrect('nsfw')
  const sort = readChoice(query, 'sort', { of: SORTS, fallback: '-match' })
  if (sort === undefined) return incorrect('sort')
  const after = readDate(query.get('startDate'))
  const before = readDate(query.get('endDate'))
  if (Number.isNaN(after) || Number.isNaN(before)) return incorrect('startDate')
  const languages = [...query.getAll('languageOneOf[]'), ...query.getAll('languageOneOf')]
  if (languages.some((language) => !/^[a-z]{2,3}$|^_unknown$/.test(language))) return incorrect('languageOneOf')

  const found = corpus.videos({
    engine: 'sepiasearch',
    text,
    start,
    count,
    now,
    hidesAdult: nsfw === 'false',
    after,
    before,
    order: orderOf(sort),
  })
  const language = languages[0] ?? 'en'
  return {
    status: 200,
    headers: { 'x-ratelimit-limit': '50', 'x-ratelimit-remaining': '49' },
    json: { total: found.total, data: found.hits.map((hit) => present(hit, language)) },
  }
}

function orderOf(sort: (typeof SORTS)[number]): 'best' | 'newest' | 'oldest' {
  if (sort === '-publishedAt' || sort === '-createdAt') return 'newest'
  return sort === 'publishedAt' ? 'oldest' : 'best'
}

/** `undefined`: not given. NaN: given and not understood. */
const readDate = (given: string | null): number | undefined => (given === null ? undefined : Date.parse(given))

const wider = (picture: string): string => picture.replace(/-320\.jpg$/, '-850.jpg')

function present(hit: VideoHit, language: string): unknown {
  const uuid = `${hash(hit.host + hit.title)
    .toString(16)
    .padStart(8, '0')}-0000-4000-9000-${String(hit.mark).padStart(12, '0')}`
  const shortUUID = hit.mark.toString(36)
  const name = hit.channel.toLowerCase().replace(/\W+/g, '_')
  return {
    uuid,
    shortUUID,
    name: hit.title,
    description: hit.mark % 4 === 0 ? null : hit.sentences.join(' '),
    truncatedDescription: hit.sentences[0],
    duration: hit.seconds,
    publishedAt: new Date(hit.publishedAt).toISOString(),
    originallyPublishedAt: null,
    url: hit.url,
    embedUrl: `https://${hit.host}/videos/embed/${uuid}`,
    embedPath: `/videos/embed/${uuid}`,
    // Older instances send the first, newer ones the last; all send the path.
    ...(hit.mark % 3 !== 0 && { thumbnailUrl: hit.thumbnailUrl, previewUrl: wider(hit.thumbnailUrl) }),
    thumbnailPath: `/lazy-static/thumbnails/${uuid}.jpg`,
    ...(hit.mark % 3 !== 1 && {
      thumbnails: [
        { fileUrl: hit.thumbnailUrl, width: 280, height: 157, aspectRatio: '16:9' },
        { fileUrl: wider(hit.thumbnailUrl), width: 850, height: 480, aspectRatio: '16:9' },
      ],
    }),
    views: hit.views,
    nsfw: hit.isAdult,
    language: { id: language, label: language === 'en' ? 'English' : language },
    tags: [],
    account: { name, displayName: hit.channel, host: hit.host },
    channel: { name: `${name}_channel`, displayName: hit.channel, host: hit.host },
  }
}
