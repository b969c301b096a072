// Mojeek: `GET /search` with the key in the query string. Every error is an HTTP 200 whose `response.status` is not
// "OK", and the format is XML unless `fmt=json` is sent. Its time filters have no week.
// Our own choice: the wording of errors other than "Daily Limit Reached", and that an invalid parameter is one.
import type { Corpus } from '../corpus/corpus.ts'
import type { CorpusHit } from '../corpus/hits.ts'
import { escapeHtml } from './escape-html.ts'
import { defineProvider, type ProviderReply, type ProviderRequest } from './provider.ts'
import { readInteger } from './read-integer.ts'

const KEY = 'sandbox-mojeek-key'
const MS_A_DAY = 86_400_000
const DAYS: Readonly<Record<string, number>> = { day: 1, month: 31, year: 365 }

const error = (message: string, headers: Record<string, string> = {}, status = 200): ProviderReply => ({
  status,
  headers,
  json: { response: { status: `ERROR: ${message}` } },
})

export const mojeek = defineProvider({
  slug: 'mojeek',
  key: KEY,
  readsHeaders: [],
  optionalMembers: ['mres', 'cats', 'date', 'timestamp', 'cdatetimestamp', 'pdate', 'size', 'image'],
  answer(request, corpus) {
    if (request.method !== 'GET' || request.path !== '/search') return undefined
    if (request.query.get('api_key') !== KEY) return error('Invalid API Key')
    const reply = search(request, corpus)
    return request.query.get('fmt') === 'json' ? reply : XML_REPLY
  },
  badKey: () => error('Invalid API Key'),
  throttled: (_now, retryAfterSeconds) => error('Daily Limit Reached', { 'retry-after': String(retryAfterSeconds) }),
  failure: (_now, status) => error('Service Unavailable', {}, status),
})

/** Just enough for an adapter that forgot `fmt=json` to notice. */
const XML_REPLY: ProviderReply = {
  status: 200,
  text: '<?xml version="1.0" encoding="UTF-8"?>\n<response><status>OK</status></response>\n',
  contentType: 'text/xml; charset=utf-8',
}

function search({ query, now }: ProviderRequest, corpus: Corpus): ProviderReply {
  const text = query.get('q')?.trim() ?? ''
  const start = readInteger(query, 's', { from: 1, to: 999_999, fallback: 1 })
  const count = readInteger(query, 't', { from: 1, to: 40, fallback: 10 })
  const safe = readInteger(query, 'safe', { from: 0, to: 1, fallback: 1 })
  const after = readTime(query.get('since'), now)
  const before = readTime(query.get('before'), now)
  if (text === '') return error('No query')
  if (start === undefined) return error('Invalid s')
  if (count === undefined) return error('Invalid t')
  if (safe === undefined) return error('Invalid safe')
  if (after === null) return error('Invalid since')
  if (before === null) return error('Invalid before')
  for (const weight of ['lbb', 'rbb']) {
    if (readInteger(query, weight, { from: 1, to: 100, fallback: 1 }) === undefined) return error(`Invalid ${weight}`)
  }

  const found = corpus.search({
    engine: 'mojeek',
    text,
    start: start - 1,
    count,
    now,
    hidesAdult: safe === 1,
    after,
    before,
  })
  return { status: 200, json: { response: { status: 'OK', ...page({ text, start, now }, found) } } }
}

function page(asked: { text: string; start: number; now: number }, found: { total: number; hits: CorpusHit[] }) {
  const words = asked.text.split(/\s+/)
  return {
    head: {
      query: asked.text,
      nword: words.length,
      words: words.map((full) => ({ full, stem: full.replace(/s$/, ''), plus: 1, hits: full.length * 137 })),
      timer: 0.21,
      start: asked.start,
      return: found.hits.length,
      exact: false,
      results: found.total,
      rankm: 169,
      dups: 0,
      more: Math.max(0, found.total - asked.start + 1 - found.hits.length),
    },
    results: found.hits.map((hit) => present(hit, asked.now)),
  }
}

/** `undefined`: not given. `null`: given and not understood. */
function readTime(given: string | null, now: number): number | undefined | null {
  if (given === null) return undefined
  const days = Object.hasOwn(DAYS, given) ? DAYS[given] : undefined
  if (days !== undefined) return now - days * MS_A_DAY
  if (!/^\d{8}$/.test(given)) return null
  const time = Date.parse(`${given.slice(0, 4)}-${given.slice(4, 6)}-${given.slice(6)}T00:00:00Z`)
  return Number.isNaN(time) ? null : time
}

function present(hit: CorpusHit, now: number): unknown {
  const published = hit.publishedAt
  const seconds = published === undefined ? undefined : Math.floor(published / 1000)
  return {
    url: hit.url,
    title: escapeHtml(hit.title),
    desc: `${escapeHtml(hit.sentences.join(' '))} ...`,
    mres: 1 + (hit.mark % 3),
    cats: 'society|general',
    ...(published !== undefined && { date: new Date(published).toISOString().slice(0, 10), timestamp: seconds }),
    ...(hit.mark % 2 === 0 && seconds !== undefined && { pdate: seconds }),
    cdatetimestamp: Math.floor(now / 1000) - (hit.mark % 86_400),
    size: `${12 + (hit.mark % 80)}k`,
    ...(hit.mark % 3 === 0 && { image: { url: `https://${hit.host}/cover.jpg`, width: 640, height: 360 } }),
  }
}
