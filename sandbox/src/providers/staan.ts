// Staan: `/v2/search/web`, GET (200) or POST with JSON (201), bearer key. Four pages of ten and no more, `offset` in
// tens, a closed list of markets. Some addresses carry `srsltid`. It has neither safe search nor a date filter.
import type { Corpus } from '../corpus/corpus.ts'
import type { CorpusHit } from '../corpus/hits.ts'
import { defineProvider, type ProviderReply, type ProviderRequest } from './provider.ts'
import { readJsonObject } from './read-json-object.ts'
import { isoDay } from './wire-time.ts'

const KEY = 'sandbox-staan-key'
const PAGE_SIZE = 10
const MARKETS = 'fr-fr de-de en-us en-gb en-fr en-ca en-au en-in en-ie en-nz en-za en-sg'.split(' ')
const OFFSETS = ['0', '10', '20', '30']

const refusal = (status: number, code: string, headers: Record<string, string> = {}): ProviderReply => ({
  status,
  headers,
  json: { code, message: code.toLowerCase().replaceAll('_', ' ') },
})

const invalid = (message: string[]): ProviderReply => ({
  status: 400,
  json: { statusCode: 400, error: 'Bad Request', message },
})

const badKey = (): ProviderReply => refusal(401, 'INVALID_CREDENTIALS')

export const staan = defineProvider({
  slug: 'staan',
  key: KEY,
  readsHeaders: ['authorization'],
  optionalMembers: ['snippet', 'hostname', 'display_url', 'published_date', 'extra_snippets', 'full_content'],
  answer(request, corpus) {
    const { method, path, headers, query, body } = request
    if (path !== '/v2/search/web' || (method !== 'GET' && method !== 'POST')) return undefined
    if (headers.authorization !== `Bearer ${KEY}`) return badKey()
    const given = method === 'GET' ? Object.fromEntries(query) : readJsonObject(body)
    return given === undefined ? invalid(['the body must be a JSON object']) : search(request, given, corpus)
  },
  badKey,
  throttled: (_now, retryAfterSeconds) =>
    refusal(429, 'TOO_MANY_REQUESTS', { 'retry-after': String(retryAfterSeconds) }),
  failure: (_now, status) => refusal(status, 'REQUEST_FAILED'),
})

function search({ method, now }: ProviderRequest, given: Record<string, unknown>, corpus: Corpus): ProviderReply {
  const { q, market = 'fr-fr', offset = 0, count = PAGE_SIZE } = given
  const problems: string[] = []
  if (typeof q !== 'string' || q.trim() === '') problems.push('q should not be empty')
  else if (Array.from(q).length > 400) problems.push('q must be shorter than or equal to 400 characters')
  if (!MARKETS.some((known) => known === market)) problems.push(`market must be one of ${MARKETS.join(', ')}`)
  if (!OFFSETS.includes(String(offset))) problems.push('offset must be a multiple of 10 up to 30')
  if (!['10', '400'].includes(String(count))) problems.push('count must be 10 or 400')
  if (given['include_domains'] !== undefined && given['exclude_domains'] !== undefined) {
    problems.push('include_domains and exclude_domains are mutually exclusive')
  }
  for (const name of ['include_domains', 'exclude_domains']) {
    const list = given[name]
    if (list === undefined) continue
    if (method === 'GET') problems.push(`${name} is only taken by POST`)
    else if (!Array.isArray(list) || list.length > 10) problems.push(`${name} must contain no more than 10 elements`)
  }
  if (problems.length > 0) return invalid(problems)

  const text = String(q).trim()
  const start = Number(offset)
  const found = corpus.search({ engine: 'staan', text, start, count: PAGE_SIZE, now, hidesAdult: false })
  const hasSnippets = String(given['extra_snippets']) === 'true'
  return {
    status: method === 'POST' ? 201 : 200,
    json: { web: { results: found.hits.map((hit) => present(hit, hasSnippets)) } },
  }
}

const present = (hit: CorpusHit, hasSnippets: boolean) => ({
  title: hit.title,
  url:
    hit.mark % 7 === 6 ? `https://${hit.host}${new URL(hit.url).pathname}?srsltid=${hit.mark.toString(36)}` : hit.url,
  snippet: hit.sentences.slice(0, 2).join(' '),
  hostname: hit.host,
  display_url: [hit.host, ...new URL(hit.url).pathname.split('/').filter((part) => part !== '')].join(' › '),
  ...(hit.publishedAt !== undefined && { published_date: isoDay(hit.publishedAt) }),
  ...(hasSnippets && { extra_snippets: [{ chunk: hit.sentences.at(-1), score: 0.81 }] }),
})
