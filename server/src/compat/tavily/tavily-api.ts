// The Tavily-compatible API: POST /tavily/search as Tavily's own clients send it, and the reply that they read. Also
// Open WebUI's external search, which is the same with only two fields.

import type { HitOf } from '@bowerbird/engines/engine.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Call } from '../../api/endpoint.ts'
import { setSearchHeaders } from '../../api/endpoints/search-endpoint.ts'
import { readFields } from '../../api/pipeline/read-body.ts'
import { sendJson } from '../../api/pipeline/send-json.ts'
import type { Reading } from '../../api/pipeline/serve-endpoint.ts'
import { Refusal } from '../../errors.ts'
import type { MergedHit } from '../../search/merge.ts'
import type { SearchAnswer } from '../../search/search.ts'
import type { DoorError } from '../compat-error.ts'
import { type DoorFrame, mountDoor } from '../mount-compat-route.ts'
import { ENDPOINT_OF_TAB } from '../tab-endpoints.ts'
import { isWanted, readTavily, type TavilyParams } from './tavily-params.ts'

const MAX_BODY_BYTES = 65_536
const TAVILY_NAMES = [
  'query',
  'max_results',
  'topic',
  'time_range',
  'days',
  'include_domains',
  'exclude_domains',
  'include_answer',
  'include_favicon',
  'safe_search',
  'language',
]

type Found = SearchAnswer<'web' | 'news'>

export function mountTavily(frame: DoorFrame): void {
  const search = {
    methods: ['POST'] as const,
    scope: 'search' as const,
    countedAs: ({ tab }: TavilyParams) => ENDPOINT_OF_TAB[tab],
  }
  mountDoor<TavilyParams>(frame, {
    ...search,
    path: '/tavily/search',
    read: (request) => readAs(request, TAVILY_NAMES),
    handle: async (call) => {
      const [{ answer, results }, instant] = await Promise.all([find(call), instantAnswer(call)])
      return tavilyReply(call.params, { answer, results, instant })
    },
    // Tavily's clients expect the request's id in the body.
    send: (reply: FastifyReply, body) => sendJson(reply, { ...Object(body), request_id: reply.request.id }),
    describeError: ({ sentence }: DoorError) => ({ detail: { error: sentence } }),
  })
  mountDoor<TavilyParams>(frame, {
    ...search,
    path: '/openwebui/search',
    read: (request) => readAs(request, ['query', 'count']),
    handle: async (call) =>
      (await find(call)).results.map(({ hit }) => ({ link: hit.url, title: hit.title, snippet: hit.description })),
    send: sendJson,
    describeError: ({ sentence }: DoorError) => ({ detail: sentence }),
  })
}

async function readAs(request: FastifyRequest, names: readonly string[]): Promise<Reading<TavilyParams>> {
  const fields = await readFields(request, { names, maxBytes: MAX_BODY_BYTES })
  if (fields instanceof Refusal) return { ok: false, refusal: fields }
  return readTavily({ ...fields, max_results: fields['max_results'] ?? fields['count'] })
}

async function find({ params, services, setHeader }: Call<TavilyParams>) {
  const answer: Found = await services.search.search(params.tab, params.request)
  setSearchHeaders(answer, setHeader)
  const results: readonly MergedHit<HitOf['web' | 'news']>[] = answer.results
  return { answer, results: results.filter(({ hit }) => isWanted(hit.url, params)).slice(0, params.most) }
}

/** Only if the client asks for one and the key has the scope. A source that fails costs the answer, not the results. */
async function instantAnswer({ params, key, client, services }: Call<TavilyParams>): Promise<string | null> {
  if (!params.wantsAnswer || !key.scopes.has('answers')) return null
  try {
    const { text, lang } = params.request
    const given = await services.answers.answer({ text, lang, client })
    return given && !given.isPersonal ? given.answer.text : null
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}

interface Reply {
  answer: Found
  results: readonly MergedHit<HitOf['web' | 'news']>[]
  instant: string | null
}

function tavilyReply({ query, wantsFavicon }: TavilyParams, { answer, results, instant }: Reply) {
  // Tavily's scores are from 0 to 1.
  const top = results[0]?.score ?? 1
  return {
    query,
    follow_up_questions: null,
    answer: instant,
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
