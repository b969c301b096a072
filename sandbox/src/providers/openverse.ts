// Openverse: `GET /v1/images/`, keyless. An anonymous client gets at most 20 a page and 240 in all, and more than that
// is a 401, not a 400. Some pictures have no title. Our own choice: the wording of a 400, and that any Authorization
// header is refused, because the sandbox has no registered clients.
import type { Corpus } from '../corpus/corpus.ts'
import type { PictureHit } from '../corpus/hits.ts'
import { hash } from '../corpus/random.ts'
import { defineProvider, type ProviderReply, type ProviderRequest } from './provider.ts'
import { readChoice } from './read-choice.ts'
import { readInteger } from './read-integer.ts'
import { isoSeconds } from './wire-time.ts'

const MOST_PER_PAGE = 20
const DEEPEST = 240

const CHOICES: Readonly<Record<string, readonly string[]>> = {
  license_type: ['all', 'commercial', 'modification', 'all-cc'],
  category: ['photograph', 'illustration', 'digitized_artwork'],
  aspect_ratio: ['tall', 'wide', 'square'],
  size: ['small', 'medium', 'large'],
  filter_dead: ['true', 'false'],
}

const detail = (status: number, text: string, headers: Record<string, string> = {}): ProviderReply => ({
  status,
  headers,
  json: { detail: text },
})

const invalid = (field: string, text: string): ProviderReply => ({
  status: 400,
  json: { error: 'InputError', detail: text, fields: [field] },
})

export const openverse = defineProvider({
  slug: 'openverse',
  key: '',
  readsHeaders: ['authorization'],
  optionalMembers: (
    'title indexed_on url creator creator_url license_version license_url provider source category filesize filetype ' +
    'tags attribution fields_matched unstable__sensitivity height width detail_url related_url'
  ).split(' '),
  answer(request, corpus) {
    if (request.method !== 'GET' || request.path !== '/v1/images/') return undefined
    if (request.headers.authorization !== undefined) return detail(401, 'Invalid token')
    return search(request, corpus)
  },
  badKey: () => detail(401, 'Invalid token'),
  throttled: (_now, retryAfterSeconds) =>
    detail(429, `Request was throttled. Expected available in ${retryAfterSeconds} seconds.`, {
      'retry-after': String(retryAfterSeconds),
      'x-ratelimit-limit-anon_burst': '5/hour',
      'x-ratelimit-available-anon_burst': '0',
    }),
  failure: (_now, status) => detail(status, status === 404 ? 'Not found.' : 'The server could not answer.'),
})

function search({ query, now }: ProviderRequest, corpus: Corpus): ProviderReply {
  const text = query.get('q')?.trim() ?? ''
  if (text === '') return invalid('q', 'This field may not be blank.')
  if (Array.from(text).length > 200) return invalid('q', 'Ensure this field has no more than 200 characters.')
  const page = readInteger(query, 'page', { from: 1, to: 999_999, fallback: 1 })
  if (page === undefined) return invalid('page', 'A valid page number is required.')
  const pageSize = readInteger(query, 'page_size', { from: 1, to: 999_999, fallback: MOST_PER_PAGE })
  if (pageSize === undefined) return invalid('page_size', 'A valid integer is required.')
  const mature = readChoice(query, 'mature', { of: ['true', 'false'], fallback: 'false' })
  if (mature === undefined) return invalid('mature', 'Must be a valid boolean.')
  for (const [name, of] of Object.entries(CHOICES)) {
    if (readChoice(query, name, { of, fallback: '' }) === undefined) return invalid(name, 'Not a valid choice.')
  }
  if (pageSize > MOST_PER_PAGE) {
    return detail(401, `page_size may not exceed ${MOST_PER_PAGE} for anonymous requests`)
  }
  if (page * pageSize > DEEPEST) return detail(401, `Pagination depth may not exceed ${DEEPEST} results.`)

  const start = (page - 1) * pageSize
  const hidesAdult = mature === 'false'
  const found = corpus.images({ engine: 'openverse', text, start, count: pageSize, now, hidesAdult })
  const total = Math.min(found.total, DEEPEST)
  return {
    status: 200,
    headers: { 'x-ratelimit-limit-anon_burst': '5/hour', 'x-ratelimit-available-anon_burst': '4' },
    json: {
      result_count: total,
      page_count: Math.ceil(total / pageSize),
      page_size: pageSize,
      page,
      results: found.hits.map((hit) => present(hit, now)),
    },
  }
}

function present(hit: PictureHit, now: number): unknown {
  const id = `${hash(hit.host + hit.title)
    .toString(16)
    .padStart(8, '0')}-0000-4000-8000-${String(hit.mark).padStart(12, '0')}`
  const { code, version } = hit.licence
  const api = 'https://api.openverse.example/v1/images'
  const [source] = hit.host.split('.')
  return {
    id,
    title: hit.mark % 31 === 0 ? null : hit.title,
    indexed_on: isoSeconds(Math.min(now, hit.publishedAt + 3_600_000)),
    foreign_landing_url: hit.url,
    url: hit.imageUrl,
    creator: hit.creator,
    creator_url: `https://${hit.host}/people/${hit.mark % 500}`,
    license: code,
    license_version: version,
    license_url: `https://licences.example/${code}/${version}/`,
    provider: source,
    source,
    category: hit.mark % 4 === 0 ? null : 'photograph',
    filesize: hit.mark % 3 === 0 ? null : hit.bytes,
    filetype: 'jpg',
    tags: hit.tags.map((name) => ({ accuracy: null, name, unstable__provider: source })),
    attribution: `"${hit.title}" by ${hit.creator} is licensed under ${code.toUpperCase()} ${version}.`,
    fields_matched: ['title'],
    mature: hit.isAdult,
    unstable__sensitivity: hit.isAdult ? ['provider_supplied_sensitive'] : [],
    height: hit.height,
    width: hit.width,
    thumbnail: `${api}/${id}/thumb/`,
    detail_url: `${api}/${id}/`,
    related_url: `${api}/${id}/related/`,
  }
}
