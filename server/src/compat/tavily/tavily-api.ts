// The Tavily-compatible API: POST /tavily/search as Tavily's own clients send it, and the reply that they read. Also
// Open WebUI's external search, which is the same with only two fields. A filter is honoured or refused; hints about how
// to search, such as its depth, are ignored.
import type { DateRange } from '@bowerbird/engines/engine.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Call } from '../../api/endpoint.ts'
import { createPageContents, requireReadScope } from '../../api/endpoints/page-contents.ts'
import { dayText } from '../../api/endpoints/search-params.ts'
import type { PageReading } from '../../api/page-reading.ts'
import type { Admit } from '../../api/pipeline/admission.ts'
import { type FieldsToRead, readFields } from '../../api/pipeline/read-body.ts'
import { sendJson } from '../../api/pipeline/send-json.ts'
import type { Reading } from '../../api/pipeline/serve-endpoint.ts'
import type { InstantAnswers } from '../../cards/instant-answers.ts'
import { Refusal } from '../../errors.ts'
import { describeHit, publishedAtOf } from '../../search/hit-facts.ts'
import { onlyKind, pageAddress } from '../../search/merge.ts'
import { readDate, readLanguage } from '../../search/read-filters.ts'
import type { Search } from '../../search/search.ts'
import type { SearchRequest } from '../../search/search-request.ts'
import { country, domainList, notOffered, queryText } from '../compat-params.ts'
import { type CompatAnswer, noteMember, PLAIN_REQUEST, searchFor, withNote } from '../compat-search.ts'
import {
  type CompatError,
  type CompatFrame,
  ENDPOINT_OF_TAB,
  instantText,
  mountCompatRoute,
  readMembers,
} from '../mount-compat-route.ts'
import { type PageTexts, readTexts } from '../page-texts.ts'

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

interface TavilyParts {
  current: () => { search: Search; answers: InstantAnswers }
  /** undefined: this instance reads no pages. */
  reader: PageReading | undefined
  admit: Admit
}

export function mountTavily(frame: CompatFrame, { current, reader, admit }: TavilyParts): void {
  const contents = reader && {
    markdown: createPageContents(reader, admit),
    text: createPageContents(readingText(reader), admit),
  }
  const search = {
    methods: ['POST'] as const,
    scope: 'search' as const,
    countedAs: ({ tab }: TavilyParams) => ENDPOINT_OF_TAB[tab],
  }
  mountCompatRoute(frame, {
    ...search,
    path: '/tavily/search',
    fields: { names: Object.keys(TavilySchema.shape), maxBytes: MAX_BODY_BYTES },
    begin() {
      const { search, answers } = current()
      return {
        read: readRequest,
        async handle(call) {
          const { tab, request, wantsAnswer, wantsImages, rawContent } = call.params
          if (rawContent) requireReader(call, reader)
          const [found, instant, pictures] = await Promise.all([
            searchFor(call, search, tab, request),
            wantsAnswer ? instantText(call, answers, request) : '',
            wantsImages ? findPictures(call, search) : [],
          ])
          const addresses = found.results.map(pageAddress)
          const raw = contents && rawContent ? await readTexts(call, contents[rawContent], addresses) : undefined
          return tavilyReply(call.params, { found, instant, pictures, raw })
        },
      }
    },
    ...TAVILY_FORMAT,
  })
  mountCompatRoute(frame, {
    ...search,
    path: '/openwebui/search',
    fields: { names: ['query', 'count'], maxBytes: MAX_BODY_BYTES },
    begin() {
      const { search } = current()
      return {
        read: readRequest,
        async handle(call) {
          const { results } = await searchFor(call, search, call.params.tab, call.params.request)
          return results.map(({ hit }) => ({ link: hit.url, title: hit.title, snippet: describeHit(hit) }))
        },
      }
    },
    ...OPENWEBUI_FORMAT,
  })
}

/** Throws the 403 for a key that may not read, and the 400 if nobody can. */
function requireReader(call: Call<TavilyParams>, reader: PageReading | undefined): void {
  requireReadScope(call)
  if (!reader)
    throw new Refusal('parameter_invalid', { include_raw_content: ['This instance reads no pages. Leave it out.'] })
}

/** The same pages as plain text. */
const readingText = (reader: PageReading): PageReading => ({
  ...reader,
  read: (address, terms, key) => reader.read(address, { ...terms, format: 'text' }, key),
})

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
async function findPictures({ params: { request }, caller }: Call<TavilyParams>, search: Search): Promise<Picture[]> {
  const { text, safe, lang, region, includeDomains, excludeDomains } = request
  const wanted = { ...PLAIN_REQUEST, text, safe, lang, region, includeDomains, excludeDomains, limit: MAX_PICTURES }
  try {
    const { results } = await search.search({ caller, tab: 'images', request: wanted })
    return onlyKind(results, 'image').map(({ hit }) => ({ url: hit.thumbnailUrl, description: hit.title }))
  } catch (error) {
    if (error instanceof Refusal) return []
    throw error
  }
}

interface Reply {
  found: CompatAnswer
  /** '' for none. */
  instant: string
  pictures: Picture[]
  raw: PageTexts | undefined
}

function tavilyReply({ wantsFavicon, wantsDescriptions, request, note }: TavilyParams, reply: Reply) {
  const { found, instant, pictures, raw } = reply
  const { answer, results } = found
  // Tavily's scores are from 0 to 1.
  const top = results[0]?.score ?? 1
  return {
    query: request.text,
    follow_up_questions: null,
    answer: instant || null,
    images: wantsDescriptions ? pictures : pictures.map(({ url }) => url),
    results: results.map(({ hit, score }, at) => ({
      url: hit.url,
      title: hit.title,
      content: describeHit(hit),
      score: score / top,
      raw_content: raw?.texts[at] || null,
      ...(publishedAtOf(hit) !== undefined && { published_date: new Date(publishedAtOf(hit) ?? 0).toUTCString() }),
      ...(wantsFavicon && { favicon: hit.kind === 'web' ? hit.faviconUrl : '' }),
    })),
    response_time: answer.upstreamMs / 1_000,
    ...noteMember(withNote(withNote(found, raw?.note), note)),
  }
}

interface TavilyParams {
  tab: 'web' | 'news'
  request: SearchRequest
  wantsAnswer: boolean
  wantsFavicon: boolean
  wantsImages: boolean
  wantsDescriptions: boolean
  /** undefined: no text of pages. */
  rawContent: 'markdown' | 'text' | undefined
  note: string
}

const MAX_RESULTS = 20
const DEFAULT_RESULTS = 5

const RANGES: Record<string, DateRange> = { day: 'd', week: 'w', month: 'm', year: 'y' }
const RAW_CONTENT: Partial<Record<string, 'markdown' | 'text'>> = {
  true: 'markdown',
  markdown: 'markdown',
  text: 'text',
}

const TavilySchema = z.object({
  query: queryText,
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
      const name = text.toLowerCase()
      const range = Object.hasOwn(RANGES, name) ? RANGES[name] : readDate(name)
      if (range === undefined && text !== '')
        context.addIssue({ code: 'custom', message: 'Send day, week, month or year.' })
      return range
    })
    .optional(),
  days: z.coerce.number({ error: 'Send a number.' }).positive('Send 1 or more.').optional(),
  start_date: dayText('first').optional(),
  end_date: dayText('last').optional(),
  include_domains: domainList,
  exclude_domains: domainList,
  country: country('country'),
  exact_match: notOffered(),
  include_images: z.boolean().default(false),
  include_image_descriptions: z.boolean().default(false),
  include_answer: z.union([z.boolean(), z.string()]).default(false),
  include_raw_content: z
    .union([z.boolean(), z.enum(['', 'true', 'false', 'markdown', 'text'])], {
      error: 'Send true, false, markdown or text.',
    })
    .transform((wanted) => RAW_CONTENT[String(wanted)])
    .optional(),
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
    region: rest.country.region,
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
      rawContent: rest.include_raw_content,
      note: rest.country.note,
    },
  }
}
