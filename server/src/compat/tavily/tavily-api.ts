// The Tavily-compatible API: POST /tavily/search as Tavily's own clients send it, and the reply that they read. Also
// Open WebUI's external search, which is the same with only two fields. A filter is honoured or refused; hints about how
// to search, such as its depth, are ignored.
import type { DateRange } from '@bowerbird/engines/engine.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Call } from '../../api/endpoint.ts'
import { type FieldsToRead, readFields } from '../../api/pipeline/read-body.ts'
import { sendJson } from '../../api/pipeline/send-json.ts'
import type { Reading } from '../../api/pipeline/serve-endpoint.ts'
import { Refusal } from '../../errors.ts'
import type { SearchRequest } from '../../search/plan.ts'
import {
  isTooLong,
  MAX_DOMAINS,
  MAX_QUERY_LENGTH,
  readDay,
  readDomains,
  readLanguage,
} from '../../search/read-filters.ts'
import { type CompatAnswer, noteMember, PLAIN_REQUEST, searchFor } from '../compat-search.ts'
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

type TavilyAnswer = CompatAnswer<'web' | 'news'>

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
      const { tab, request, wantsAnswer, wantsImages } = call.params
      const [found, instant, pictures] = await Promise.all([
        searchFor(call, tab, request),
        wantsAnswer ? instantText(call, request) : '',
        wantsImages ? findPictures(call) : [],
      ])
      return tavilyReply(call.params, { found, instant, pictures })
    },
    ...TAVILY_FORMAT,
  })
  mountCompatRoute<TavilyParams>(frame, {
    ...search,
    path: '/openwebui/search',
    fields: { names: ['query', 'count'], maxBytes: MAX_BODY_BYTES },
    handle: async (call) =>
      (await searchFor(call, call.params.tab, call.params.request)).results.map(({ hit }) => ({
        link: hit.url,
        title: hit.title,
        snippet: hit.description,
      })),
    ...OPENWEBUI_FORMAT,
  })
}

async function readRequest(request: FastifyRequest, fields: FieldsToRead): Promise<Reading<TavilyParams>> {
  const given = await readFields(request, fields)
  if (given instanceof Refusal) return { ok: false, refusal: given }
  return readTavily({ ...given, max_results: given['max_results'] ?? given['count'] })
}

interface Picture {
  url: string
  description: string
}

const MAX_PICTURES = 5

/** Without pictures the answer is still one, so a failure only leaves them out. */
async function findPictures({ params: { request }, services: { search } }: Call<TavilyParams>): Promise<Picture[]> {
  const { text, safe, lang, includeDomains, excludeDomains } = request
  const wanted = { ...PLAIN_REQUEST, text, safe, lang, includeDomains, excludeDomains, limit: MAX_PICTURES }
  try {
    const { results } = await search.search('images', wanted)
    return results.map(({ hit }) => ({ url: hit.thumbnailUrl, description: hit.title }))
  } catch (error) {
    if (error instanceof Refusal) return []
    throw error
  }
}

interface Reply {
  found: TavilyAnswer
  /** '' for none. */
  instant: string
  pictures: Picture[]
}

function tavilyReply({ wantsFavicon, wantsDescriptions, request }: TavilyParams, { found, instant, pictures }: Reply) {
  const { answer, results } = found
  // Tavily's scores are from 0 to 1.
  const top = results[0]?.score ?? 1
  return {
    query: request.text,
    follow_up_questions: null,
    answer: instant || null,
    images: wantsDescriptions ? pictures : pictures.map(({ url }) => url),
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
    ...noteMember(found),
  }
}

interface TavilyParams {
  tab: 'web' | 'news'
  request: SearchRequest
  wantsAnswer: boolean
  wantsFavicon: boolean
  wantsImages: boolean
  wantsDescriptions: boolean
}

const MAX_RESULTS = 20
const DEFAULT_RESULTS = 5

const RANGES: Record<string, DateRange> = { day: 'd', week: 'w', month: 'm', year: 'y', d: 'd', w: 'w', m: 'm', y: 'y' }
const DOMAINS = `Send at most ${MAX_DOMAINS} domains such as example.org.`
const DAY = 'Send a day such as 2026-11-07.'

const domains = z
  .preprocess((value) => (typeof value === 'string' ? [value] : value), z.array(z.string(), { error: DOMAINS }))
  .transform((texts, context) => {
    const names = texts.length > MAX_DOMAINS ? undefined : readDomains(texts)
    if (!names) context.addIssue({ code: 'custom', message: DOMAINS })
    return names?.length ? names : undefined
  })
  .optional()

const day = (edge: 'first' | 'last') =>
  z
    .string({ error: DAY })
    .transform((text, context) => {
      const time = text === '' ? undefined : readDay(text, edge)
      if (time === undefined && text !== '') context.addIssue({ code: 'custom', message: DAY })
      return time
    })
    .optional()

/** A filter that isn't offered is refused unless it filters nothing. */
const notOffered = z
  .unknown()
  .refine((value) => value === undefined || value === false || value === '', 'This is not offered here. Leave it out.')
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
  topic: z.enum(['general', 'news'], { error: 'Send general or news.' }).default('general'),
  time_range: z
    .string()
    .transform((text, context) => {
      const range = RANGES[text.toLowerCase()]
      if (range === undefined && text !== '')
        context.addIssue({ code: 'custom', message: 'Send day, week, month or year.' })
      return range
    })
    .optional(),
  days: z.coerce.number({ error: 'Send a number.' }).positive('Send 1 or more.').optional(),
  start_date: day('first'),
  end_date: day('last'),
  include_domains: domains,
  exclude_domains: domains,
  country: notOffered,
  exact_match: notOffered,
  include_images: z.boolean().default(false),
  include_image_descriptions: z.boolean().default(false),
  include_answer: z.union([z.boolean(), z.string()]).default(false),
  include_favicon: z.boolean().default(false),
  safe_search: z.boolean().default(true),
  language: z.string().default(''),
})

function readTavily(fields: Record<string, unknown>): Reading<TavilyParams> {
  const read = readMembers(TavilySchema, fields)
  if (!read.ok) return read
  const { query, max_results, topic, time_range: date, start_date, end_date: dateTo, ...rest } = read.params
  // Only of news, as Tavily has it; its own clients send it with every search.
  const since = topic === 'news' && rest.days !== undefined ? Date.now() - rest.days * 86_400_000 : undefined
  const request: SearchRequest = {
    ...PLAIN_REQUEST,
    text: query,
    safe: rest.safe_search,
    lang: readLanguage(rest.language) ?? '',
    date,
    dateFrom: start_date ?? since,
    dateTo,
    includeDomains: rest.include_domains,
    excludeDomains: rest.exclude_domains,
    limit: max_results,
  }
  return {
    ok: true,
    params: {
      tab: topic === 'news' ? 'news' : 'web',
      request,
      wantsAnswer: rest.include_answer !== false && rest.include_answer !== 'false',
      wantsFavicon: rest.include_favicon,
      wantsImages: rest.include_images,
      wantsDescriptions: rest.include_image_descriptions,
    },
  }
}
