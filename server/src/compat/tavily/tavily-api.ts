// The Tavily-compatible API: POST /tavily/search as Tavily's own clients send it, and the reply that they read. Also
// Open WebUI's external search, which is the same with only two fields. What we don't have (images, page text) is empty
// or null in the reply, as its clients expect; unknown members of a request are ignored, as Tavily ignores them.
import type { DateRange, HitOf } from '@bowerbird/engines/engine.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Call } from '../../api/endpoint.ts'
import { setSearchHeaders } from '../../api/endpoints/search-endpoint.ts'
import { type FieldsToRead, readFields } from '../../api/pipeline/read-body.ts'
import { sendJson } from '../../api/pipeline/send-json.ts'
import type { Reading } from '../../api/pipeline/serve-endpoint.ts'
import { Refusal } from '../../errors.ts'
import type { MergedHit } from '../../search/merge.ts'
import type { SearchRequest } from '../../search/plan.ts'
import { isTooLong, MAX_QUERY_LENGTH, readLanguage } from '../../search/read-filters.ts'
import type { SearchAnswer } from '../../search/search.ts'
import {
  type CompatError,
  type CompatFrame,
  ENDPOINT_OF_TAB,
  instantText,
  mountCompatRoute,
  readMembers,
} from '../mount-compat-route.ts'

export const MAX_BODY_BYTES = 65_536

/** Tavily's clients expect the request's id in the body. */
export const TAVILY_FORMAT = {
  send: (reply: FastifyReply, body: unknown) => sendJson(reply, { ...Object(body), request_id: reply.request.id }),
  describeError: ({ sentence }: CompatError) => ({ detail: { error: sentence } }),
}

export const OPENWEBUI_FORMAT = {
  send: sendJson,
  describeError: ({ sentence }: CompatError) => ({ detail: sentence }),
}

type TavilyAnswer = SearchAnswer<'web' | 'news'>

export function mountTavily(frame: CompatFrame): void {
  const search = {
    methods: ['POST'] as const,
    scope: 'search' as const,
    countedAs: ({ tab }: TavilyParams) => ENDPOINT_OF_TAB[tab],
    read: readRequest,
  }
  mountCompatRoute<TavilyParams>(frame, {
    ...search,
    path: '/tavily/search',
    fields: { names: Object.keys(TavilySchema.shape), maxBytes: MAX_BODY_BYTES },
    handle: async (call) => {
      const [{ answer, results }, instant] = await Promise.all([
        find(call),
        call.params.wantsAnswer ? instantText(call, call.params.request) : '',
      ])
      return tavilyReply(call.params, { answer, results, instant })
    },
    ...TAVILY_FORMAT,
  })
  mountCompatRoute<TavilyParams>(frame, {
    ...search,
    path: '/openwebui/search',
    fields: { names: ['query', 'count'], maxBytes: MAX_BODY_BYTES },
    handle: async (call) =>
      (await find(call)).results.map(({ hit }) => ({ link: hit.url, title: hit.title, snippet: hit.description })),
    ...OPENWEBUI_FORMAT,
  })
}

async function readRequest(request: FastifyRequest, fields: FieldsToRead): Promise<Reading<TavilyParams>> {
  const given = await readFields(request, fields)
  if (given instanceof Refusal) return { ok: false, refusal: given }
  return readTavily({ ...given, max_results: given['max_results'] ?? given['count'] })
}

async function find({ params, services, setHeader }: Call<TavilyParams>) {
  const answer: TavilyAnswer = await services.search.search(params.tab, params.request)
  setSearchHeaders(answer, setHeader)
  const results: readonly MergedHit<HitOf['web' | 'news']>[] = answer.results
  return { answer, results: results.filter(({ hit }) => isWanted(hit.url, params)).slice(0, params.maxResults) }
}

interface Reply {
  answer: TavilyAnswer
  results: readonly MergedHit<HitOf['web' | 'news']>[]
  /** '' for none. */
  instant: string
}

function tavilyReply({ query, wantsFavicon }: TavilyParams, { answer, results, instant }: Reply) {
  // Tavily's scores are from 0 to 1.
  const top = results[0]?.score ?? 1
  return {
    query,
    follow_up_questions: null,
    answer: instant || null,
    images: [],
    results: results.map(({ hit, score }) => ({
      url: hit.url,
      title: hit.title,
      content: hit.description,
      score: score / top,
      raw_content: null,
      ...(hit.publishedAt !== undefined && { published_date: new Date(hit.publishedAt).toUTCString() }),
      ...(wantsFavicon && { favicon: 'faviconUrl' in hit ? hit.faviconUrl : '' }),
    })),
    response_time: answer.upstreamMs / 1_000,
  }
}

interface TavilyParams {
  tab: 'web' | 'news'
  /** As the client wrote it, without the site operators that we add. */
  query: string
  request: SearchRequest
  maxResults: number
  includedHosts: readonly string[]
  excludedHosts: readonly string[]
  wantsAnswer: boolean
  wantsFavicon: boolean
}

const MAX_RESULTS = 20
const DEFAULT_RESULTS = 5
const MAX_HOSTS = 20

const RANGES: Record<string, DateRange> = { day: 'd', week: 'w', month: 'm', year: 'y', d: 'd', w: 'w', m: 'm', y: 'y' }
/** The largest number of days that each range covers; a longer time is a year. */
const RANGES_BY_MAX_DAYS: readonly [number, DateRange][] = [
  [1, 'd'],
  [7, 'w'],
  [31, 'm'],
]

const HOST = /^(?:\*\.)?([a-z\d-]{1,63}(?:\.[a-z\d-]{1,63}){0,10})$/i

/** `example.org`, also as a URL or with a path, as people write it. */
const host = z.string().transform((text, context) => {
  const [written = ''] = text
    .trim()
    .replace(/^https?:\/\//i, '')
    .split(/[/?#]/, 1)
  const name = HOST.exec(written)?.[1]
  if (name === undefined) context.addIssue({ code: 'custom', message: 'Send host names such as example.org.' })
  return (name ?? '').toLowerCase().replace(/^www\./, '')
})
const hosts = z
  .preprocess((value) => (typeof value === 'string' ? [value] : value), z.array(host).max(MAX_HOSTS))
  .optional()

const TavilySchema = z.object({
  query: z
    .string({ error: 'Send a query.' })
    .trim()
    .min(1, 'Send a query.')
    .refine((text) => !isTooLong(text), `Send at most ${MAX_QUERY_LENGTH} characters.`),
  max_results: z.coerce
    .number({ error: 'Send a number.' })
    .int('Send a whole number.')
    .min(0, 'Send 0 or more.')
    .transform((count) => Math.min(count, MAX_RESULTS))
    .default(DEFAULT_RESULTS),
  topic: z.string().default('general'),
  time_range: z
    .string()
    .transform((text, context) => {
      const range = RANGES[text.toLowerCase()]
      if (range === undefined && text !== '')
        context.addIssue({ code: 'custom', message: 'Send day, week, month or year.' })
      return range
    })
    .optional(),
  days: z.coerce.number({ error: 'Send a number.' }).optional(),
  include_domains: hosts,
  exclude_domains: hosts,
  include_answer: z.union([z.boolean(), z.string()]).default(false),
  include_favicon: z.boolean().default(false),
  safe_search: z.boolean().default(true),
  language: z.string().default(''),
})

function readTavily(fields: Record<string, unknown>): Reading<TavilyParams> {
  const read = readMembers(TavilySchema, fields)
  if (!read.ok) return read
  const { query, max_results, topic, include_domains = [], exclude_domains = [], ...rest } = read.params
  const tab = topic === 'news' ? 'news' : 'web'
  const text = withHosts(query, include_domains, exclude_domains)
  if (isTooLong(text)) {
    return {
      ok: false,
      refusal: new Refusal('parameter_invalid', 'The query and its domains are too long together. Send fewer domains.'),
    }
  }
  const date = rest.time_range ?? (tab === 'news' && rest.days !== undefined ? rangeOf(rest.days) : undefined)
  return {
    ok: true,
    params: {
      tab,
      query,
      request: { text, page: 1, engines: [], safe: rest.safe_search, date, lang: readLanguage(rest.language) ?? '' },
      maxResults: max_results,
      includedHosts: include_domains,
      excludedHosts: exclude_domains,
      wantsAnswer: rest.include_answer !== false && rest.include_answer !== 'false',
      wantsFavicon: rest.include_favicon,
    },
  }
}

const rangeOf = (days: number): DateRange => RANGES_BY_MAX_DAYS.find(([maxDays]) => days <= maxDays)?.[1] ?? 'y'

/** Adds site operators, which most engines understand; results are filtered again because of those that don't. */
function withHosts(query: string, included: readonly string[], excluded: readonly string[]): string {
  const wanted = included.map((name) => `site:${name}`).join(' OR ')
  const parts = [query, included.length > 1 ? `(${wanted})` : wanted, ...excluded.map((name) => `-site:${name}`)]
  return parts.filter(Boolean).join(' ')
}

function isWanted(address: string, { includedHosts, excludedHosts }: TavilyParams): boolean {
  if (includedHosts.length === 0 && excludedHosts.length === 0) return true
  const name = URL.parse(address)?.hostname ?? ''
  const isAmong = (hostNames: readonly string[]) =>
    hostNames.some((hostName) => name === hostName || name.endsWith(`.${hostName}`))
  return !isAmong(excludedHosts) && (includedHosts.length === 0 || isAmong(includedHosts))
}
