// The SearXNG-compatible API: SearXNG's `/search`, `/config`, `/autocompleter` and `/healthz`, under `/searxng`. Unlike
// SearXNG, JSON is always on, every request except for `/healthz` needs a key, and a search that no engine answered is
// a 503 and not an empty list.
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import type { Call } from '../../api/endpoint.ts'
import { setSearchHeaders } from '../../api/endpoints/search-endpoint.ts'
import { sendText } from '../../api/pipeline/send-json.ts'
import { readLanguage } from '../../search/read-filters.ts'
import { OPEN } from '../../text/surface.ts'
import {
  type CompatError,
  type CompatFrame,
  ENDPOINT_OF_TAB,
  instantText,
  mountCompatRoute,
  mountNotFound,
} from '../mount-compat-route.ts'
import { createSearxngEngines, searxngConfig } from './searxng-engines.ts'
import {
  createSearxngReader,
  parseOrRefuse,
  readRawParams,
  requireQuery,
  SEARXNG_FIELDS,
  type SearxngParams,
} from './searxng-params.ts'
import { emptyReply, searxngReply, searxngRss } from './searxng-reply.ts'

const JSON_TYPE = 'application/json'
const RSS_TYPE = 'application/rss+xml; charset=utf-8'
/** Finished results wait at most this long for an instant answer. */
const MAX_ANSWER_WAIT_MS = 300

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

export function mountSearxng(frame: CompatFrame): void {
  const engines = createSearxngEngines(frame.services.search)
  const search = {
    methods: ['GET', 'POST'] as const,
    scope: 'search' as const,
    countedAs: ({ tab }: SearxngParams) => ENDPOINT_OF_TAB[tab],
    fields: SEARXNG_FIELDS,
    read: createSearxngReader(engines),
    handle: async (call: Call<SearxngParams>): Promise<Content> => {
      const { tab, request, format, maxResults, isPastTheEnd } = call.params
      const finishAnswer = startAnswer(call)
      const answer = isPastTheEnd ? undefined : await call.services.search.search(tab, request)
      if (answer) setSearchHeaders(answer, call.setHeader)
      if (format === 'rss')
        return { type: RSS_TYPE, body: searxngRss({ answer, query: request.text, baseUrl: call.baseUrl }) }
      const nameOf = (slot: string) => engines.nameOf(slot, tab)
      const reply = answer
        ? searxngReply({ answer, nameOf, instant: await finishAnswer(), maxResults })
        : emptyReply(request.text)
      return { type: JSON_TYPE, body: JSON.stringify(reply) }
    },
    send,
    describeError,
  }
  mountCompatRoute(frame, { ...search, path: '/searxng' })
  mountCompatRoute(frame, { ...search, path: '/searxng/search' })
  mountAutocompleter(frame)
  const config = JSON.stringify(searxngConfig(engines))
  mountCompatRoute(frame, {
    path: '/searxng/config',
    methods: ['GET'],
    scope: undefined,
    countedAs: () => undefined,
    fields: { names: [], maxBytes: SEARXNG_FIELDS.maxBytes },
    read: () => ({ ok: true, params: undefined }),
    handle: (): Content => ({ type: JSON_TYPE, body: config }),
    send,
    describeError,
  })
  // Needs no key.
  frame.http.get('/searxng/healthz', { config: { surface: OPEN } }, (_request, reply) =>
    reply.type('text/plain; charset=utf-8').send('OK'),
  )
  mountNotFound(frame, { path: '/searxng/*', describeError })
}

/** Starts computing an instant answer. The returned function waits for it only briefly, and gives '' if it is late. */
function startAnswer(call: Call<SearxngParams>): () => Promise<string> {
  const { tab, request } = call.params
  if (tab !== 'web' || request.page !== 1) return async () => ''
  const answer = instantText(call, request).catch((error: unknown) => {
    call.services.log.error({ err: error }, 'an answer failed; sending results without it')
    return ''
  })
  return () => Promise.race([answer, sleep(MAX_ANSWER_WAIT_MS, '', { ref: false })])
}

const SUGGESTIONS_TYPE = 'application/x-suggestions+json; charset=utf-8'
const FIRST_RELEVANCE = 1_300

function mountAutocompleter(frame: CompatFrame): void {
  mountCompatRoute<{ text: string; lang: string; isScript: boolean }>(frame, {
    path: '/searxng/autocompleter',
    methods: ['GET', 'POST'],
    scope: 'search',
    countedAs: () => 'suggest',
    fields: SEARXNG_FIELDS,
    read: async (request, fields) =>
      parseOrRefuse(await readRawParams(request, fields), ({ q, language, lang }) => ({
        text: requireQuery(q),
        lang: readLanguage(language || lang) ?? '',
        isScript: request.headers['x-requested-with'] === 'XMLHttpRequest',
      })),
    async handle({ params: { text, lang, isScript }, services, setHeader }): Promise<Content> {
      const { suggestions, status } = await services.suggest.suggest({ text, lang })
      setHeader('Search-Status', status)
      const relevance = suggestions.map((_, index) => FIRST_RELEVANCE - index)
      return isScript
        ? { type: JSON_TYPE, body: JSON.stringify(suggestions) }
        : {
            type: SUGGESTIONS_TYPE,
            body: JSON.stringify([text, suggestions, [], [], { 'google:suggestrelevance': relevance }]),
          }
    },
    send,
    describeError,
  })
}
