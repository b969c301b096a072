// Kagi, v1: `POST /api/v1/search` with a JSON body and a bearer key. The results are under a name that depends on the
// workflow and is absent when there are none. Text carries markup. Images are not paged; `limit` only cuts a page
// short. Our own choice: twenty results a page, fifty images, safe search unless switched off.
import type { Corpus } from '../corpus/corpus.ts'
import { isRecord } from '../is-record.ts'
import { findKagiResults, KAGI_WORKFLOWS } from './kagi-results.ts'
import { defineProvider, type ProviderReply, type ProviderRequest } from './provider.ts'
import { readJsonObject } from './read-json-object.ts'
import { MS_A_DAY } from './wire-time.ts'

const KEY = 'sandbox-kagi-key'
const PAGE_SIZE = 20
const IMAGES = 50
const LAST_PAGE = 10
const META = { trace: '4bf92f3577b34da6a3ce929d0e0e4736', node: 'sandbox', ms: 210 }

interface Refusal {
  code: string
  message: string
  location?: string
}

const refusal = (status: number, error: Refusal, headers: Record<string, string> = {}): ProviderReply => ({
  status,
  headers,
  json: { meta: META, data: null, error: [{ url: 'https://docs.example/errors', location: '', ...error }] },
})

const badKey = (): ProviderReply => refusal(401, { code: 'auth.invalid_key', message: 'The API key is not valid.' })

export const kagi = defineProvider({
  slug: 'kagi',
  key: KEY,
  readsHeaders: ['authorization'],
  optionalMembers: 'snippet time thumbnail duration creator_name source related_search trace node ms'.split(' '),
  answer(request, corpus) {
    if (request.method !== 'POST' || request.path !== '/api/v1/search') return undefined
    return request.headers.authorization === `Bearer ${KEY}` ? search(request, corpus) : badKey()
  },
  badKey,
  throttled: (_now, retryAfterSeconds) =>
    refusal(429, { code: 'rate.limited', message: 'Too many requests.' }, { 'retry-after': String(retryAfterSeconds) }),
  failure: (_now, status) => refusal(status, { code: 'server.error', message: 'The request failed.' }),
})

function search({ body, now }: ProviderRequest, corpus: Corpus): ProviderReply {
  const given = readJsonObject(body)
  if (given === undefined) return refusal(400, { code: 'request.malformed', message: 'The body is no JSON object.' })
  const wrong = findWrongMember(given)
  if (wrong !== undefined) {
    return refusal(400, { code: 'request.invalid', message: `${wrong} is not valid.`, location: wrong })
  }
  const filters = isRecord(given['filters']) ? given['filters'] : {}
  const workflow = KAGI_WORKFLOWS.find((known) => known === given['workflow']) ?? 'search'
  const isPaged = workflow !== 'images'
  const page = Number(given['page'] ?? 1)
  const size = isPaged ? PAGE_SIZE : IMAGES
  const text = String(given['query']).trim()
  const data = findKagiResults(workflow, corpus, {
    engine: 'kagi',
    text,
    start: isPaged ? (page - 1) * size : 0,
    count: Math.min(size, Number(given['limit'] ?? size)),
    now,
    hidesAdult: given['safe_search'] !== false,
    after: dayOf(filters['after']),
    before: dayOf(filters['before'], MS_A_DAY),
  })
  const related = corpus.suggest({ engine: 'kagi', text, count: 3 })
  const relatedSearch = related.map((title) => ({ url: `https://kagi.example/search?q=${title}`, title }))
  return {
    status: 200,
    json: { meta: META, data: { ...data, ...(related.length > 0 && { related_search: relatedSearch }) } },
  }
}

/** The name of the first member that breaks a rule. */
function findWrongMember(given: Record<string, unknown>): string | undefined {
  const rules: Readonly<Record<string, (value: unknown) => boolean>> = {
    query: (value) => typeof value === 'string' && value.trim() !== '',
    workflow: (value) => value === undefined || value === 'podcasts' || KAGI_WORKFLOWS.some((known) => known === value),
    format: (value) => value === undefined || value === 'json',
    page: (value) => isWithin(value, LAST_PAGE),
    limit: (value) => isWithin(value, 1024),
    safe_search: (value) => value === undefined || typeof value === 'boolean',
    filters: (value) => value === undefined || (isRecord(value) && areFiltersRight(value)),
  }
  return Object.keys(rules).find((name) => rules[name]?.(given[name]) === false)
}

const isWithin = (value: unknown, most: number): boolean =>
  value === undefined || (Number.isInteger(value) && Number(value) >= 1 && Number(value) <= most)

function areFiltersRight({ region, after, before }: Record<string, unknown>): boolean {
  const isDay = (value: unknown) => value === undefined || !Number.isNaN(dayOf(value) ?? Number.NaN)
  const isRegion = region === undefined || (typeof region === 'string' && /^([A-Za-z]{2}|no_region)$/.test(region))
  return isRegion && isDay(after) && isDay(before)
}

/** `undefined`: not given or not a day. */
const dayOf = (value: unknown, plus = 0): number | undefined =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) ? Date.parse(`${value}T00:00:00Z`) + plus : undefined
