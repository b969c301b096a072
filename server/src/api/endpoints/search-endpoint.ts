// What the search tabs share as endpoints: the parameters, the status headers, and how an answer becomes a reply.
// Each tab adds its own name, result shape and presenter.
import { z } from 'zod'
import type { HitOf, Tab } from '../../providers/engine.ts'
import { cacheStatusHeader, type EngineReport, engineOutcome, engineStatusHeader } from '../../search/engine-report.ts'
import { explainHit } from '../../search/explain.ts'
import type { MergedHit } from '../../search/merge.ts'
import type { SearchRequest } from '../../search/plan.ts'
import type { SearchAnswer } from '../../search/search.ts'
import type { ResultsSoFar, SearchWatcher } from '../../search/search-watcher.ts'
import { type Call, defineEndpoint, type Endpoint } from '../endpoint.ts'
import type { ReplyEvents } from '../pipeline/event-reply.ts'
import { RenderedJson } from '../rendered-json.ts'
import { contentParams, contentShape, type PageContents, requireReading } from './page-contents.ts'
import { dateParam, engineParam, includeParam, langParam, pageParam, queryParam, safeParam } from './search-params.ts'

export const SEARCH_HEADERS = {
  'Search-Status': '`complete`, `partial`, `stale` or `unsupported`: whether every engine that was queried answered.',
  'Engine-Status': 'The outcome for each engine: `engine_a;ok;n=10;ms=312, engine_b;timeout;ms=2000`.',
  'Server-Timing': 'How long the engines took.',
  'Cache-Status': 'Whether the engines had to be asked (RFC 9211); absent if there was no engine to ask.',
}

export const searchParams = (slotNames: readonly string[]) =>
  z.object({
    q: queryParam,
    engine: engineParam(slotNames),
    safe: safeParam,
    lang: langParam,
    page: pageParam,
    include: includeParam('explain'),
  })

export const datedSearchParams = (slotNames: readonly string[]) => searchParams(slotNames).extend({ date: dateParam })

const readableSearchParams = (slotNames: readonly string[]) =>
  datedSearchParams(slotNames).extend({ include: includeParam('explain', 'content'), ...contentParams })

/** Of a tab with dates, whose results can be read if this instance reads pages. */
export const paramsWithContent = (slotNames: readonly string[], contents: PageContents | undefined) =>
  contents ? readableSearchParams(slotNames) : datedSearchParams(slotNames)

/** The members before `results`, which every tab has. */
const envelope = <Name extends Tab>(tab: Name) => ({
  query: z.string(),
  tab: z.literal(tab),
  page: z.int(),
  engine: z.array(z.string()).describe('The engines whose results are included.'),
})

/** What a presenter gets besides the hit. */
export interface Presenting {
  now: number
  lang: string
}

const Explanation = z
  .object({
    score: z.number().describe('The sum of all `addition` values. Results are sorted by it.'),
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
  params: ReturnType<typeof searchParams | typeof datedSearchParams | typeof readableSearchParams>
  /** If the pages it finds can be read. Its parameters then say how many. */
  contents?: PageContents | undefined
  /** Members of the envelope that only this tab has. */
  extra?: { shape: z.ZodRawShape; present: (answer: SearchAnswer<Name>) => Record<string, unknown> }
  present: (merged: MergedHit<HitOf[Name]>, presenting: Presenting) => z.output<Result>
}

export function searchEndpoint<Name extends Tab, Result extends z.ZodObject>({
  tab,
  name,
  summary,
  result,
  params,
  contents,
  extra,
  present,
}: TabEndpoint<Name, Result>): Endpoint {
  const title = `${tab.charAt(0).toUpperCase()}${tab.slice(1)}`
  const explained = result
    .extend({
      ...(contents && contentShape),
      explain: Explanation.optional().describe('Only with `include=explain`.'),
    })
    .meta({ id: `${title}Result` })
  const reply = z
    .object({ ...envelope(tab), ...extra?.shape, results: z.array(explained) })
    .meta({ id: `${title}Reply` })
  const remember = createRendering()
  const requestOf = createRequests()
  return defineEndpoint({
    name,
    method: 'GET',
    path: `/api/v1/${tab}/`,
    summary,
    description:
      'Queries the engines and merges their results. Each engine is asked for 10 results a page, and some return more; ' +
      'the merged list is not cut. An engine that cannot honour a filter, or has no such page, is skipped, and ' +
      '`Engine-Status` says so. `Search-Status` says whether the answer is complete. With `Accept: text/event-stream` ' +
      'or `application/x-ndjson`, the reply is a stream of `StreamEvent`s that ends with `done`, which has this reply.',
    params,
    reply,
    counts: true,
    scope: 'search',
    headers: SEARCH_HEADERS,
    streams: true,
    async handle(call) {
      const { params, services, setHeader, events } = call
      const request = requestOf(params)
      const { explain: isExplained, content: hasContent } = params.include
      if (hasContent) requireReading(call)
      const watcher = events && watcherFor<Name, Result>(events, { lang: request.lang, isExplained, present })
      const { search } = services
      const answer = await (watcher ? search.search(tab, request, watcher) : search.search(tab, request))
      setSearchHeaders(answer, setHeader)
      const render = () => presentAnswer({ answer, extra: extra?.present, present })
      if (!isExplained && !hasContent) return remember(answer, render)
      const shown = isExplained ? explain(render(), answer) : render()
      if (!contents || !hasContent || !('content_results' in params)) return shown
      const addresses = answer.results.map(({ hit }) => hit.url)
      const read = await contents.readFirst(call, params, addresses)
      return { ...shown, results: shown.results.map((result, at) => ({ ...result, ...read[at] })) }
    },
  })
}

type SearchParams = z.output<ReturnType<typeof searchParams | typeof datedSearchParams | typeof readableSearchParams>>

/** The same parameters are the same request, by which the search recognises what it has prepared. */
function createRequests() {
  const known = new WeakMap<SearchParams, SearchRequest>()
  return (params: SearchParams): SearchRequest => {
    const before = known.get(params)
    if (before) return before
    const { q, engine, safe, lang, page } = params
    const request = { text: q, engines: engine, safe, lang, page, date: 'date' in params ? params.date : undefined }
    known.set(params, request)
    return request
  }
}

interface PartialResults<Name extends Tab, Result extends z.ZodObject> {
  lang: string
  isExplained: boolean
  present: TabEndpoint<Name, Result>['present']
}

/** Tells the client in the words of the reply what the search tells us. */
function watcherFor<Name extends Tab, Result extends z.ZodObject>(
  events: ReplyEvents,
  { lang, isExplained, present }: PartialResults<Name, Result>,
): SearchWatcher<Name> {
  const render = ({ results, now }: ResultsSoFar<Name>): object[] =>
    results.map((merged) => {
      const presented = present(merged, { now, lang })
      return isExplained ? { ...presented, explain: explainHit(merged) } : presented
    })
  return {
    onStart: events.start,
    onEngine: (report) => events.engine(engineOutcome(report)),
    onResults: (soFar) =>
      events.results(() => {
        const known = soFar()
        return known && render(known)
      }),
    signal: events.signal,
  }
}

const explain = <Reply extends { results: object[] }>(reply: Reply, answer: SearchAnswer<Tab>): Reply => ({
  ...reply,
  results: answer.results.map((merged, index) => ({ ...reply.results[index], explain: explainHit(merged) })),
})

const MINUTE_MS = 60_000

/**
 * An answer from memory is the same array of results as before, because it was merged from the same pages. Its JSON is
 * then the same too, as long as the query is spelled the same and no age has changed.
 */
function createRendering() {
  const rendered = new WeakMap<object, { text: string; minute: number; reply: RenderedJson }>()
  return (
    { results, isFromMemory, request: { text }, now }: SearchAnswer<Tab>,
    render: () => unknown,
  ): RenderedJson => {
    if (!isFromMemory) return new RenderedJson(render())
    const minute = Math.floor(now / MINUTE_MS)
    const known = rendered.get(results)
    if (known && known.text === text && known.minute === minute) return known.reply
    const reply = new RenderedJson(render())
    rendered.set(results, { text, minute, reply })
    return reply
  }
}

const reportTexts = new WeakMap<readonly EngineReport[], { engines: string; cache: string | undefined }>()

/** Reports that come again are those of an answer from memory. */
function textsOf({ reports, isFromMemory }: SearchAnswer<Tab>) {
  const known = reportTexts.get(reports)
  if (known) return known
  const texts = { engines: engineStatusHeader(reports), cache: cacheStatusHeader(reports) }
  if (isFromMemory) reportTexts.set(reports, texts)
  return texts
}

export function setSearchHeaders(answer: SearchAnswer<Tab>, setHeader: Call<unknown>['setHeader']): void {
  const texts = textsOf(answer)
  setHeader('Search-Status', answer.status)
  setHeader('Engine-Status', texts.engines)
  setHeader('Server-Timing', `upstream;dur=${answer.upstreamMs}`)
  if (texts.cache) setHeader('Cache-Status', texts.cache)
}

function presentAnswer<Name extends Tab, Result>(parts: {
  answer: SearchAnswer<Name>
  extra: ((answer: SearchAnswer<Name>) => Record<string, unknown>) | undefined
  present: (merged: MergedHit<HitOf[Name]>, presenting: Presenting) => Result
}) {
  const { answer, extra, present } = parts
  const { request, now, tab } = answer
  const presenting = { now, lang: request.lang }
  return {
    query: request.text,
    tab,
    page: request.page,
    engine: answer.engines,
    ...extra?.(answer),
    results: answer.results.map((merged) => present(merged, presenting)),
  }
}
