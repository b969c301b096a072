// The SearXNG-compatible API: SearXNG's `/search`, `/config`, `/autocompleter` and `/healthz`, under `/searxng`. Unlike
// SearXNG, JSON is always on, every request except for `/healthz` needs a key, and a search that no engine answered is
// a 503 and not an empty list.
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Call } from '../../api/endpoint.ts'
import { setSearchHeaders } from '../../api/endpoints/search-endpoint.ts'
import type { Admission, Admit } from '../../api/pipeline/admission.ts'
import type { FieldsToRead } from '../../api/pipeline/read-body.ts'
import { sendText } from '../../api/pipeline/send-json.ts'
import type { Cards } from '../../cards/cards.ts'
import type { InstantAnswers } from '../../cards/instant-answers.ts'
import { Refusal } from '../../errors.ts'
import type { Log } from '../../log.ts'
import { searchStatus } from '../../search/engine-report.ts'
import { readLanguage } from '../../search/read-filters.ts'
import type { Search, SearchAnswer } from '../../search/search.ts'
import type { Suggest } from '../../search/suggest.ts'
import { OPEN } from '../../text/surface.ts'
import {
  type CompatError,
  type CompatFrame,
  ENDPOINT_OF_TAB,
  instantText,
  mountCompatRoute,
  mountNotFound,
  sentenceOf,
} from '../mount-compat-route.ts'
import { CATEGORIES, createSearxngEngines, searxngConfig } from './searxng-engines.ts'
import {
  type CategorySearch,
  parseOrRefuse,
  readRawParams,
  readSearxngParams,
  requireQuery,
  SEARXNG_FIELDS,
  type SearxngParams,
} from './searxng-params.ts'
import {
  type Extras,
  emptyReply,
  infoboxesOf,
  NO_EXTRAS,
  searxngHtml,
  searxngReply,
  searxngRss,
} from './searxng-reply.ts'

const JSON_TYPE = 'application/json'
const HTML_TYPE = 'text/html; charset=utf-8'
const RSS_TYPE = 'application/rss+xml; charset=utf-8'
/** Finished results wait at most this long for what stands beside them. */
const MAX_EXTRAS_WAIT_MS = 300

interface Content {
  type: string
  body: string
}

const describeError = ({ sentence }: CompatError) => ({ error: sentence, detail: sentence })

const send = (reply: FastifyReply, content: unknown) => {
  // All handlers below return a `Content`.
  const { type, body } = content as Content
  return sendText(reply.header('Content-Type', type), body)
}

interface SearxngServices {
  search: Search
  suggest: Suggest
  answers: InstantAnswers
  cards: Cards
}

interface SearxngParts {
  current: () => SearxngServices
  admit: Admit
  log: Log
}

export function mountSearxng(frame: CompatFrame, { current, admit, log }: SearxngParts): void {
  const answer = async (
    call: Call<SearxngParams>,
    services: SearxngServices,
    { nameOf }: ReturnType<typeof createSearxngEngines>,
  ): Promise<Content> => {
    const { text, format, maxResults, isPastTheEnd } = call.params
    const finishExtras = format === 'json' && !isPastTheEnd ? startExtras(call, services, log) : undefined
    const { answers, failed } = isPastTheEnd
      ? { answers: [], failed: [] }
      : await searchAll(call, services.search, admit)
    if (format === 'rss')
      return { type: RSS_TYPE, body: searxngRss({ text, answers, maxResults, baseUrl: call.baseUrl }) }
    if (format === 'html') return { type: HTML_TYPE, body: searxngHtml({ text, answers, maxResults }) }
    const reply = finishExtras
      ? searxngReply({ text, answers, failed, nameOf, maxResults, ...(await finishExtras()) })
      : emptyReply(text)
    return { type: JSON_TYPE, body: JSON.stringify(reply) }
  }
  const search = {
    methods: ['GET', 'POST'] as const,
    scope: 'search' as const,
    countedAs: ({ searches: [{ tab }] }: SearxngParams) => ENDPOINT_OF_TAB[tab],
    fields: SEARXNG_FIELDS,
    begin() {
      const services = current()
      const engines = createSearxngEngines(services.search)
      return {
        read: (request: FastifyRequest, fields: FieldsToRead) => readSearxngParams(request, fields, engines),
        handle: (call: Call<SearxngParams>) => answer(call, services, engines),
      }
    },
    send,
    describeError,
  }
  mountCompatRoute(frame, { ...search, path: '/searxng' })
  mountCompatRoute(frame, { ...search, path: '/searxng/search' })
  mountAutocompleter(frame, '/searxng/autocompleter', current)
  // Some programs drop the path of the address they are configured with.
  mountAutocompleter(frame, '/autocompleter', current)
  mountCompatRoute(frame, {
    path: '/searxng/config',
    methods: ['GET'],
    scope: undefined,
    countedAs: () => undefined,
    fields: { names: [], maxBytes: SEARXNG_FIELDS.maxBytes },
    begin() {
      const { search } = current()
      return {
        read: () => ({ ok: true, params: undefined }),
        handle: (): Content => ({
          type: JSON_TYPE,
          body: JSON.stringify(searxngConfig(createSearxngEngines(search))),
        }),
      }
    },
    send,
    describeError,
  })
  // Needs no key.
  frame.http.get('/searxng/healthz', { config: { surface: OPEN } }, (_request, reply) =>
    reply.type('text/plain; charset=utf-8').send('OK'),
  )
  mountNotFound(frame, { path: '/searxng/*', describeError })
}

interface FoundByCategory {
  answers: SearchAnswer[]
  failed: [category: string, reason: string][]
}

/**
 * Searches every category. The first is the request itself, and each of the others is admitted and counted as one more. If
 * one of several fails, the reply names it; if all do, they are refused like one.
 */
async function searchAll(
  { params, key, caller, admission, setHeader }: Call<SearxngParams>,
  search: Search,
  admit: Admit,
): Promise<FoundByCategory> {
  const searchOne = async ({ tab, request }: CategorySearch, at: number) => {
    let admission: Admission | undefined
    try {
      if (at > 0) admission = await admit(key, { header: setHeader }, ENDPOINT_OF_TAB[tab])
      const answer = await search.search({ caller, tab, request })
      admission?.count()
      return { tab, answer }
    } catch (error) {
      admission?.giveBack()
      if (!(error instanceof Refusal)) throw error
      return { tab, refusal: error }
    }
  }
  const outcomes = await Promise.all(params.searches.map(searchOne))
  const answers = outcomes.flatMap(({ answer }) => answer ?? [])
  const failed = outcomes.filter(({ refusal }) => refusal !== undefined)
  const [first] = answers
  if (!first) throw failed[0]?.refusal
  if (outcomes[0]?.refusal) admission.giveBack()
  const reports = answers.flatMap((answer) => answer.reports)
  const status = failed.length > 0 ? 'partial' : answers.length === 1 ? first.status : searchStatus(reports)
  setSearchHeaders({ ...first, reports, status }, setHeader)
  const reasonOf = ({ refusal }: { refusal?: Refusal }) => (refusal ? sentenceOf(refusal.body) : '')
  return { answers, failed: failed.map((outcome) => [CATEGORIES[outcome.tab][0], reasonOf(outcome)]) }
}

/**
 * Starts what stands beside the results of a first page: the instant answer and the article, for a key that may have them,
 * and related queries. The returned function waits for each only briefly, and leaves out what is late.
 */
function startExtras(
  call: Call<SearxngParams>,
  { answers, cards, suggest }: SearxngServices,
  log: Log,
): () => Promise<Extras> {
  const { key, caller, params } = call
  const [{ tab, request }] = params.searches
  if (tab !== 'web' || request.page !== 1) return async () => NO_EXTRAS
  const { text, lang, safe } = request
  const hasAnswers = key.scopes.has('answers')
  const started = [
    soon(instantText(call, answers, request), '', log),
    soon(hasAnswers && cards.cards(caller, { text, lang, safe }), undefined, log),
    soon(suggest.providerNames.length > 0 && suggest.suggest(caller, { text, lang }), undefined, log),
  ] as const
  return async () => {
    const [instant, found, related] = await Promise.all([started[0](), started[1](), started[2]()])
    return { instant, infoboxes: infoboxesOf(found?.cards), suggestions: related?.suggestions ?? [] }
  }
}

/** Waits for something that was started with the search, but not much longer than for the search. */
function soon<Value, Fallback>(
  started: Promise<Value> | false,
  fallback: Fallback,
  log: Log,
): () => Promise<Value | Fallback> {
  if (!started) return async () => fallback
  const settled = started.catch((error: unknown) => {
    if (!(error instanceof Refusal))
      log.error({ err: error }, 'what stands beside the results failed; sending them without it')
    return fallback
  })
  return () => Promise.race([settled, sleep(MAX_EXTRAS_WAIT_MS, fallback, { ref: false })])
}

const SUGGESTIONS_TYPE = 'application/x-suggestions+json; charset=utf-8'
const FIRST_RELEVANCE = 1_300

function mountAutocompleter(frame: CompatFrame, path: string, current: () => Pick<SearxngServices, 'suggest'>): void {
  mountCompatRoute(frame, {
    path,
    methods: ['GET', 'POST'],
    scope: 'search',
    countedAs: () => 'suggest',
    fields: SEARXNG_FIELDS,
    begin() {
      const { suggest } = current()
      return {
        read: async (request, fields) =>
          parseOrRefuse(await readRawParams(request, fields), ({ q, language, lang }) => ({
            text: requireQuery(q),
            lang: readLanguage(language || lang) ?? '',
            isScript: request.headers['x-requested-with'] === 'XMLHttpRequest',
          })),
        async handle({ params: { text, lang, isScript }, caller, setHeader }): Promise<Content> {
          const { suggestions, status } = await suggest.suggest(caller, { text, lang })
          setHeader('Search-Status', status)
          if (isScript) return { type: JSON_TYPE, body: JSON.stringify(suggestions) }
          const relevance = suggestions.map((_, index) => FIRST_RELEVANCE - index)
          const body = [text, suggestions, [], [], { 'google:suggestrelevance': relevance }]
          return { type: SUGGESTIONS_TYPE, body: JSON.stringify(body) }
        },
      }
    },
    send,
    describeError,
  })
}
