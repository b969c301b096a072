// Brave Search API: `GET /res/v1/<vertical>/search` with an `X-Subscription-Token` header. A bad key is a 422, not a
// 401, and is checked before the parameters. `offset` counts pages. `safesearch=moderate` keeps adult pages.
import type { Corpus } from '../corpus/corpus.ts'
import { hash } from '../corpus/random.ts'
import type { CorpusSearch } from '../corpus/ranking.ts'
import { correctSpelling } from '../corpus/spelling.ts'
import { presentBraveImages, presentBraveNews, presentBraveSuggestions, presentBraveVideos } from './brave-media.ts'
import { presentBravePage } from './brave-page.ts'
import { type BraveParameters, type BraveProblem, type BraveVertical, readBraveParameters } from './brave-parameters.ts'
import { defineProvider, type ProviderReply, type ProviderRequest } from './provider.ts'

const KEY = 'sandbox-brave-key'

const VERTICALS: Readonly<Record<string, BraveVertical>> = {
  '/res/v1/web/search': 'web',
  '/res/v1/images/search': 'images',
  '/res/v1/news/search': 'news',
  '/res/v1/videos/search': 'videos',
  '/res/v1/suggest/search': 'suggest',
}

const CODES: Readonly<Record<number, string>> = {
  404: 'SUBSCRIPTION_NOT_FOUND',
  422: 'VALIDATION',
  429: 'QUOTA_LIMITED',
}

const RATE_LIMIT_HEADERS: Readonly<Record<string, string>> = {
  'x-ratelimit-limit': '50, 0',
  'x-ratelimit-policy': '50;w=1, 0;w=2592000',
  'x-ratelimit-remaining': '49, 0',
  'x-ratelimit-reset': '1, 1419704',
}

export const brave = defineProvider({
  slug: 'brave',
  key: KEY,
  readsHeaders: ['x-subscription-token'],
  optionalMembers: (
    'mixed altered description age page_age page_fetched language content_type profile meta_url thumbnail ' +
    'deep_results extra_snippets search_operators width height placeholder confidence breaking extra video'
  ).split(' '),
  answer(request, corpus) {
    const vertical = VERTICALS[request.path]
    if (request.method !== 'GET' || vertical === undefined) return undefined
    const token = request.headers['x-subscription-token']
    if (token === undefined) {
      const loc = ['header', 'x-subscription-token']
      return invalid(request.now, [{ type: 'missing', loc, msg: 'Field required', input: null }])
    }
    if (token !== KEY) return badKey(request.now)
    const read = readBraveParameters(vertical, request.query, request.now)
    return read.ok
      ? search(request, { vertical, parameters: read.parameters }, corpus)
      : invalid(request.now, read.problems)
  },
  badKey,
  throttled: (now, retryAfterSeconds) => {
    const meta = { plan: 'Search', rate_limit: 50, rate_current: 51, quota_limit: 0, quota_current: 1204 }
    const detail = 'Request rate limit exceeded for plan'
    const reply = failure(now, {
      status: 429,
      code: 'RATE_LIMITED',
      detail,
      meta: { ...meta, component: 'rate_limiter' },
    })
    const headers = { ...RATE_LIMIT_HEADERS, 'x-ratelimit-remaining': '0, 0', 'retry-after': String(retryAfterSeconds) }
    return { ...reply, headers }
  },
  failure: (now, status) =>
    failure(now, { status, code: CODES[status] ?? 'INTERNAL', detail: 'The request failed', meta: {} }),
})

function badKey(now: number): ProviderReply {
  const detail = 'The provided subscription token is invalid.'
  return failure(now, {
    status: 422,
    code: 'SUBSCRIPTION_TOKEN_INVALID',
    detail,
    meta: { component: 'authentication' },
  })
}

const invalid = (now: number, errors: readonly BraveProblem[]): ProviderReply =>
  failure(now, { status: 422, code: 'VALIDATION', detail: 'Unable to validate request parameter(s)', meta: { errors } })

interface BraveError {
  status: number
  code: string
  detail: string
  meta: Record<string, unknown>
}

function failure(now: number, error: BraveError): ProviderReply {
  const digits = hash(error.code).toString(16).padStart(8, '0')
  const json = {
    type: 'ErrorResponse',
    error: { id: `${digits}-0000-4000-8000-000000000000`, ...error },
    time: Math.floor(now / 1000),
  }
  return { status: error.status, json }
}

interface Search {
  vertical: BraveVertical
  parameters: BraveParameters
}

const search = ({ now }: ProviderRequest, { vertical, parameters }: Search, corpus: Corpus): ProviderReply => ({
  status: 200,
  headers: RATE_LIMIT_HEADERS,
  json: FINDERS[vertical](parameters, corpus, now),
})

type Find = (parameters: BraveParameters, corpus: Corpus, now: number) => unknown

const FINDERS: Readonly<Record<BraveVertical, Find>> = {
  web(parameters, corpus, now) {
    const { altered, search } = interpret(parameters, now)
    return presentBravePage({ parameters, altered, now, text: search.text, found: corpus.search(search) })
  },
  images(parameters, corpus, now) {
    const { altered, search } = interpret(parameters, now)
    return presentBraveImages({ parameters, altered, now }, corpus.images(search))
  },
  news(parameters, corpus, now) {
    const { altered, search } = interpret(parameters, now)
    return presentBraveNews({ parameters, altered, now }, corpus.news(search))
  },
  videos(parameters, corpus, now) {
    const { altered, search } = interpret(parameters, now)
    return presentBraveVideos({ parameters, altered, now }, corpus.videos(search))
  },
  suggest(parameters, corpus) {
    const { q, count } = parameters
    return presentBraveSuggestions(parameters, corpus.suggest({ engine: 'brave', text: q, count }))
  },
}

/** The query to search: corrected, unless spellcheck is off. */
function interpret(parameters: BraveParameters, now: number): { altered: string | undefined; search: CorpusSearch } {
  const { q, count, offset, safesearch, after, before } = parameters
  const altered = parameters.spellcheck ? correctSpelling(q) : undefined
  const text = altered ?? q
  const hidesAdult = safesearch === 'strict'
  return {
    altered,
    search: { engine: 'brave', text, start: offset * count, count, now, hidesAdult, after, before },
  }
}
