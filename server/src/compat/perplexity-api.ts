// The Perplexity-compatible search API: POST /perplexity/search as Perplexity's own client, Open WebUI, Hermes and LiteLLM
// send it. Several queries are one flat list, as the client expects: each counts as a search, and an address is listed
// once. Snippets are ours, however long a text was wanted; everything that needs a language model is a 404.
import type { DateRange } from '@bowerbird/engines/engine.ts'
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import type { Call } from '../api/endpoint.ts'
import { dayText } from '../api/endpoints/search-params.ts'
import type { Admission } from '../api/pipeline/admission.ts'
import { readFields } from '../api/pipeline/read-body.ts'
import { sendJson } from '../api/pipeline/send-json.ts'
import { Refusal } from '../errors.ts'
import type { SearchRequest } from '../search/plan.ts'
import { readDomains } from '../search/read-filters.ts'
import { country, language, notOffered, queryText, readUsDay, resultCount, shortList } from './compat-params.ts'
import { type CompatAnswer, noteMember, PLAIN_REQUEST, searchFor, withNote } from './compat-search.ts'
import {
  type CompatError,
  type CompatFrame,
  ENDPOINT_OF_TAB,
  mountCompatRoute,
  mountNotFound,
  readMembers,
} from './mount-compat-route.ts'

const MAX_BODY_BYTES = 65_536
const MAX_QUERIES = 5

const TYPES: Record<number, string> = {
  400: 'invalid_request',
  401: 'authentication_error',
  403: 'permission_denied',
  404: 'not_found',
  429: 'rate_limit_exceeded',
}

/** The client shows a `message` at the top, or else the whole body. */
const describeError = ({ status, sentence }: CompatError) => ({
  error: { message: sentence, type: TYPES[status] ?? 'server_error', code: status },
  message: sentence,
})

export function mountPerplexity(frame: CompatFrame): void {
  mountCompatRoute<PerplexityParams>(frame, {
    path: '/perplexity/search',
    methods: ['POST'],
    scope: 'search',
    countedAs: ({ tab }) => ENDPOINT_OF_TAB[tab],
    fields: { names: [...Object.keys(PerplexitySchema.shape), ...HINTS], maxBytes: MAX_BODY_BYTES },
    read: async (request, fields) => {
      const given = await readFields(request, fields)
      if (given instanceof Refusal) return { ok: false, refusal: given }
      const read = readMembers(PerplexitySchema, given)
      const ignored = HINTS.filter((name) => given[name] !== undefined).join(', ')
      return read.ok ? { ok: true, params: toParams(read.params), ignored } : read
    },
    handle: (call) => searchAll(call, frame),
    send: (reply: FastifyReply, body) => sendJson(reply, { id: reply.request.id, ...Object(body) }),
    describeError,
  })
  mountNotFound(frame, {
    path: '/perplexity/*',
    describeError,
    sentence: 'This is not offered here: everything but POST /perplexity/search needs a language model.',
  })
}

type Found = CompatAnswer<'web' | 'science'>

/** The first query is the request itself; each of the others is admitted, and counted, as one more. */
async function searchAll(call: Call<PerplexityParams>, { services: { admit } }: CompatFrame) {
  const { tab, requests, note } = call.params
  const others: Admission[] = []
  try {
    for (const _ of requests.slice(1)) {
      others.push(await admit(call.key, { header: call.setHeader }, ENDPOINT_OF_TAB[tab]))
    }
    const found = await Promise.all(requests.map((request) => searchFor<'web' | 'science'>(call, tab, request)))
    for (const admission of others) admission.count()
    const told = found.map((one) => withNote(one, note)).find((one) => one.note !== '')
    return { server_time: null, results: resultsOf(found), ...(told && noteMember(told)) }
  } catch (error) {
    for (const admission of others) admission.giveBack()
    throw error
  }
}

/** The best of each query, then the second best, and so on; an address that several have found is listed once. */
function resultsOf(found: readonly Found[]) {
  const longest = Math.max(...found.map(({ results }) => results.length))
  const hits = Array.from({ length: longest }, (_, at) => found.flatMap(({ results }) => results[at]?.hit ?? [])).flat()
  const byAddress = new Map(hits.map((hit) => [hit.url, hit]))
  return [...byAddress.values()].map(({ title, url, description, publishedAt }) => ({
    title,
    url,
    snippet: description,
    date: publishedAt === undefined ? null : new Date(publishedAt).toISOString().slice(0, 10),
    last_updated: null,
  }))
}

interface PerplexityParams {
  tab: 'web' | 'science'
  requests: readonly SearchRequest[]
  note: string
}

/** Of the last hour, what is of the last day and has a date that says so. */
const RANGES: Record<string, DateRange> = { hour: 'd', day: 'd', week: 'w', month: 'm', year: 'y' }
const MAX_DOMAINS = 20
const DOMAINS = `Send at most ${MAX_DOMAINS} domains such as example.org, or -example.org to leave one out.`
const DAY = 'Send a day such as 11/07/2026.'
/** Not filters; and no result here is as long as any limit of its text. */
const HINTS = ['max_tokens', 'max_tokens_per_page', 'search_context_size', 'display_server_time'] as const

const day = (edge: 'first' | 'last') => dayText(edge, { hint: DAY, read: readUsDay }).optional()

const PerplexitySchema = z.object({
  query: z
    .custom<string | string[]>(
      (value) =>
        typeof value === 'string' || (Array.isArray(value) && value.length >= 1 && value.length <= MAX_QUERIES),
      `Send a query, or a list of 1 to ${MAX_QUERIES}.`,
    )
    .transform((value) => [value].flat())
    .pipe(z.array(queryText)),
  max_results: resultCount(20, 10),
  search_domain_filter: shortList(MAX_DOMAINS, DOMAINS)
    .transform((texts, context) => {
      const isDenied = (text: string) => text.trim().startsWith('-')
      const wanted = readDomains(texts.filter((text) => !isDenied(text)))
      const denied = readDomains(texts.filter(isDenied).map((text) => text.trim().slice(1)))
      if (!wanted || !denied) context.addIssue({ code: 'custom', message: DOMAINS })
      return {
        includeDomains: wanted?.length ? wanted : undefined,
        excludeDomains: denied?.length ? denied : undefined,
      }
    })
    .optional(),
  search_language_filter: shortList(1, 'Send a list of one language.')
    .transform(([tag = '']) => tag)
    .pipe(language().unwrap())
    .optional(),
  search_recency_filter: z
    .enum(['', 'hour', 'day', 'week', 'month', 'year'], { error: 'Send hour, day, week, month or year.' })
    .optional(),
  search_after_date_filter: day('first'),
  search_before_date_filter: day('last'),
  last_updated_after_filter: notOffered(),
  last_updated_before_filter: notOffered(),
  country: country('country'),
  search_mode: z.enum(['web', 'academic'], { error: 'Send web or academic.' }).default('web'),
  // Hermes sends fast.
  search_type: z.enum(['web', 'fast'], { error: 'Send web.' }).optional(),
})

function toParams(params: z.output<typeof PerplexitySchema>): PerplexityParams {
  const { query, max_results: limit, search_domain_filter: domains, search_recency_filter: recency = '' } = params
  const anHourAgo = recency === 'hour' ? Date.now() - 3_600_000 : undefined
  const request: Omit<SearchRequest, 'text'> = {
    ...PLAIN_REQUEST,
    lang: params.search_language_filter ?? '',
    region: params.country.region,
    date: RANGES[recency],
    dateFrom: anHourAgo ?? params.search_after_date_filter,
    dateTo: params.search_before_date_filter,
    ...domains,
    limit,
  }
  return {
    tab: params.search_mode === 'academic' ? 'science' : 'web',
    requests: query.map((text) => ({ ...request, text })),
    note: params.country.note,
  }
}
