// GDELT DOC 2.0: `GET /api/v2/doc/doc?mode=artlist&format=json`, keyless. A rejected query is an HTTP 200 with a
// sentence; too many requests is a 429 with another. Its JSON is invalid: apostrophes are escaped. Titles have spaces
// around punctuation. No results is `{}`. It has no safe filter and reaches three months back. Our own choice: a word
// of one or two letters is too short, and an invalid parameter is answered with a sentence.
import type { Corpus } from '../corpus/corpus.ts'
import type { StoryHit } from '../corpus/hits.ts'
import { capitalised } from '../corpus/phrasing.ts'
import { defineProvider, type ProviderReply, type ProviderRequest } from './provider.ts'
import { readInteger } from './read-integer.ts'
import { compactSeconds, MS_A_DAY, MS_AN_HOUR } from './wire-time.ts'

const SHORTEST_WORD = 3
const DAYS_BACK = 91
const UNIT_MS: Readonly<Record<string, number>> = {
  min: 60_000,
  h: MS_AN_HOUR,
  d: MS_A_DAY,
  w: 7 * MS_A_DAY,
  m: 30.5 * MS_A_DAY,
}
const ORDERS: Readonly<Record<string, 'best' | 'newest' | 'oldest'>> = {
  datedesc: 'newest',
  dateasc: 'oldest',
  hybridrel: 'best',
  tonedesc: 'best',
  toneasc: 'best',
}
const OPERATOR =
  /-?\b(?:sourcelang|sourcecountry|domain|domainis|theme|near\d+|repeat\d+|tone|imagetag):("[^"]*"|\S+)/gi

const sentence = (status: number, text: string, headers: Record<string, string> = {}): ProviderReply => ({
  status,
  headers,
  text,
  contentType: 'text/html; charset=utf-8',
})

export const gdelt = defineProvider({
  slug: 'gdelt',
  key: '',
  readsHeaders: [],
  optionalMembers: ['url_mobile', 'seendate', 'socialimage', 'domain', 'language', 'sourcecountry'],
  writeJson: (json) => JSON.stringify(json).replaceAll("'", "\\'"),
  answer(request, corpus) {
    if (request.method !== 'GET' || request.path !== '/api/v2/doc/doc') return undefined
    return search(request, corpus)
  },
  badKey: () => sentence(403, 'Forbidden'),
  throttled: (_now, retryAfterSeconds) =>
    sentence(429, 'Please limit requests to one every 5 seconds or contact the operator for larger queries.', {
      'retry-after': String(retryAfterSeconds),
    }),
  failure: (_now, status) => sentence(status, 'The request failed.'),
})

function search({ query, now }: ProviderRequest, corpus: Corpus): ProviderReply {
  const asked = query.get('query')?.trim() ?? ''
  const refused = refusalOf(asked)
  if (refused !== undefined) return sentence(200, refused)
  if (query.get('mode')?.toLowerCase() !== 'artlist') return sentence(200, 'Invalid mode.')
  const count = readInteger(query, 'maxrecords', { from: 1, to: 250, fallback: 75 })
  if (count === undefined) return sentence(200, 'Invalid number of records.')
  const given = query.get('sort')?.toLowerCase() ?? 'hybridrel'
  const order = Object.hasOwn(ORDERS, given) ? ORDERS[given] : undefined
  if (order === undefined) return sentence(200, 'Invalid sort.')
  const span = readSpan(query, now)
  if (span === undefined) return sentence(200, 'Timespan is invalid.')
  if (query.get('format')?.toLowerCase() !== 'json') return sentence(200, '<!doctype html><html><body></body></html>')

  const text = asked.replace(OPERATOR, ' ').replace(/["()]/g, ' ').trim()
  const [, language = 'english'] = /\bsourcelang:"?(\w+)/i.exec(asked) ?? []
  const found = corpus.news({ engine: 'gdelt', text, start: 0, count, now, hidesAdult: false, order, ...span })
  if (found.hits.length === 0) return { status: 200, json: {} }
  return { status: 200, json: { articles: found.hits.map((hit) => present(hit, capitalised(language.toLowerCase()))) } }
}

/** GDELT's reply to a query it rejects, or `undefined`. */
function refusalOf(asked: string): string | undefined {
  if (asked === '') return 'Your query was too short or too long.'
  const bare = asked.replace(OPERATOR, ' ')
  const phrases = bare.match(/"[^"]*"/g) ?? []
  if (phrases.some((phrase) => Array.from(phrase).length - 2 < SHORTEST_WORD)) {
    return 'The specified phrase is too short.'
  }
  const loose = bare.replace(/"[^"]*"/g, ' phrase ')
  if (/\bOR\b/.test(loose.replace(/\([^()]*\)/g, ' '))) {
    return "Queries containing OR'd terms must be surrounded by ()."
  }
  const words = loose.split(/[\s()]+/).filter((word) => word !== '' && word !== 'OR' && word !== 'AND')
  if (words.length === 0) return 'Your query was too short or too long.'
  if (words.some((word) => Array.from(word.replace(/^-/, '')).length < SHORTEST_WORD)) {
    return 'One or more of your keywords were too short, too long or too common.'
  }
  return undefined
}

/** `undefined`: not understood. */
function readSpan(query: URLSearchParams, now: number): { after: number; before?: number } | undefined {
  const earliest = now - DAYS_BACK * MS_A_DAY
  const timespan = query.get('timespan')
  if (timespan !== null) {
    const [, digits, unit = ''] = /^(\d{1,4})(min|h|d|w|m)[a-z]*$/i.exec(timespan) ?? []
    const unitMs = UNIT_MS[unit.toLowerCase()]
    return unitMs === undefined ? undefined : { after: Math.max(earliest, now - Number(digits) * unitMs) }
  }
  const from = readMoment(query.get('startdatetime'))
  const to = readMoment(query.get('enddatetime'))
  if (Number.isNaN(from) || Number.isNaN(to)) return undefined
  return { after: Math.max(earliest, from ?? earliest), ...(to !== undefined && { before: to }) }
}

/** `undefined`: not given. NaN: given and not understood. */
function readMoment(given: string | null): number | undefined {
  if (given === null) return undefined
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(given) ?? []
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
}

function present(hit: StoryHit, language: string): unknown {
  const seen = compactSeconds(hit.publishedAt)
  return {
    url: hit.url,
    url_mobile: '',
    title: hit.title.replace(/ ?([,:?]) ?/g, ' $1 ').trim(),
    seendate: `${seen.slice(0, 8)}T${seen.slice(8)}Z`,
    socialimage: hit.mark % 5 === 0 ? '' : hit.thumbnailUrl,
    domain: hit.host,
    language,
    sourcecountry: ['United Kingdom', 'United States', 'Ireland'][hit.mark % 3],
  }
}
