// What the four search tabs have in common as endpoints: the shared parameters, the honest headers, and the way an
// answer becomes a reply. Each tab adds its own name, result shape and presenter.
import { z } from 'zod'
import type { HitOf, Tab } from '../../providers/engine.ts'
import { cacheStatusHeader, engineStatusHeader } from '../../search/engine-report.ts'
import { explainHit } from '../../search/explain.ts'
import type { MergedHit } from '../../search/merge.ts'
import type { Search, SearchAnswer } from '../../search/search.ts'
import { type Call, defineEndpoint, type Endpoint, RenderedJson } from '../endpoint.ts'
import { dateParam, engineParam, includeParam, langParam, pageParam, queryParam, safeParam } from './search-params.ts'

export const SEARCH_HEADERS = {
  'Search-Status': '`complete`, `partial`, `stale` or `unsupported`: whether every engine asked has answered.',
  'Engine-Status': 'What became of each engine: `engine_a;ok;n=10;ms=312, engine_b;timeout;ms=2000`.',
  'Server-Timing': 'How long the engines took.',
  'Cache-Status': 'Whether the engines had to be asked (RFC 9211).',
}

export const searchParams = (slotNames: readonly string[]) =>
  z.object({
    q: queryParam,
    engine: engineParam(slotNames),
    safe: safeParam,
    lang: langParam,
    page: pageParam,
    include: includeParam,
  })

export const datedSearchParams = (slotNames: readonly string[]) => searchParams(slotNames).extend({ date: dateParam })

/** How the members before `results` are documented; every tab has these. */
const envelope = <Name extends Tab>(tab: Name) => ({
  query: z.string(),
  tab: z.literal(tab),
  page: z.int(),
  engine: z.array(z.string()).describe('The engines whose answers are in it.'),
})

/** What a presenter knows besides the hit. */
export interface Presenting {
  now: number
  lang: string
  labelOf: (slot: string) => string
}

const Explanation = z
  .object({
    score: z.number().describe('The sum of the additions; results are sorted by it.'),
    engines: z.array(
      z.object({ engine: z.string(), rank: z.int(), weight: z.number(), addition: z.number(), url: z.string() }),
    ),
  })
  .meta({ id: 'Explanation' })

interface TabEndpoint<Name extends Tab, Result extends z.ZodObject> {
  tab: Name
  name: string
  summary: string
  result: Result
  params: ReturnType<typeof searchParams> | ReturnType<typeof datedSearchParams>
  /** Members of the envelope that only this tab has. */
  extra?: { shape: z.ZodRawShape; present: (answer: SearchAnswer<Name>) => Record<string, unknown> }
  present: (merged: MergedHit<HitOf[Name]>, presenting: Presenting) => z.output<Result>
}

export function searchEndpoint<Name extends Tab, Result extends z.ZodObject>(
  search: Search,
  { tab, name, summary, result, params, extra, present }: TabEndpoint<Name, Result>,
): Endpoint {
  const title = `${tab.charAt(0).toUpperCase()}${tab.slice(1)}`
  const explained = result
    .extend({ explain: Explanation.optional().describe('Only with `include=explain`.') })
    .meta({ id: `${title}Result` })
  const reply = z
    .object({ ...envelope(tab), ...extra?.shape, results: z.array(explained) })
    .meta({ id: `${title}Reply` })
  const remember = createRendering()
  return defineEndpoint({
    name,
    method: 'GET',
    path: `/api/v1/${tab}/`,
    summary,
    description: 'Asks the engines, merges what they return, and says in Search-Status whether the answer is complete.',
    params,
    reply,
    counts: true,
    scope: 'search',
    headers: SEARCH_HEADERS,
    async handle({ params: { q, engine, include, ...filters }, setHeader }) {
      const answer = await search.search(tab, { text: q, engines: engine, date: undefined, ...filters })
      setSearchHeaders(answer, setHeader)
      const render = () => presentAnswer({ answer, search, extra: extra?.present, present })
      return include.explain ? explain(render(), answer) : remember(answer, render)
    },
  })
}

const explain = <Reply extends { results: object[] }>(reply: Reply, answer: SearchAnswer<Tab>): Reply => ({
  ...reply,
  results: answer.results.map((merged, index) => ({ ...reply.results[index], explain: explainHit(merged) })),
})

const MINUTE_MS = 60_000

/**
 * An answer from memory is merged from the same pages as before, and comes as the same array of results. What was made of
 * it is then the same as well, as long as the query is written alike and no age has changed.
 */
function createRendering() {
  const rendered = new WeakMap<object, { text: string; minute: number; reply: RenderedJson }>()
  return ({ results, request: { text }, now }: SearchAnswer<Tab>, render: () => unknown): RenderedJson => {
    const minute = Math.floor(now / MINUTE_MS)
    const known = rendered.get(results)
    if (known && known.text === text && known.minute === minute) return known.reply
    const reply = new RenderedJson(render())
    rendered.set(results, { text, minute, reply })
    return reply
  }
}

export function setSearchHeaders(answer: SearchAnswer<Tab>, setHeader: Call<unknown>['setHeader']): void {
  setHeader('Search-Status', answer.status)
  setHeader('Engine-Status', engineStatusHeader(answer.reports))
  setHeader('Server-Timing', `upstream;dur=${answer.upstreamMs}`)
  setHeader('Cache-Status', cacheStatusHeader(answer.reports))
}

function presentAnswer<Name extends Tab, Result>(parts: {
  answer: SearchAnswer<Name>
  search: Search
  extra: ((answer: SearchAnswer<Name>) => Record<string, unknown>) | undefined
  present: (merged: MergedHit<HitOf[Name]>, presenting: Presenting) => Result
}) {
  const { answer, search, extra, present } = parts
  const { request, now, tab } = answer
  const presenting = { now, lang: request.lang, labelOf: (slot: string) => search.labelOf(slot, tab) }
  return {
    query: request.text,
    tab,
    page: request.page,
    engine: answer.engines,
    ...extra?.(answer),
    results: answer.results.map((merged) => present(merged, presenting)),
  }
}
