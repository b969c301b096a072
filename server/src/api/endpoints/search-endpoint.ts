// Shared by the endpoints of all search tabs: the parameters, the status headers, and how an answer becomes a reply.
// Each tab adds its own name, result shape and presenter.

import type { ImageHit, Tab } from '@bowerbird/engines/engine.ts'
import { z } from 'zod'
import { Refusal } from '../../errors.ts'
import { MINE_SCOPE } from '../../keys/scopes.ts'
import { cacheStatusHeader, engineOutcome, engineStatusHeader } from '../../search/engine-report.ts'
import { explainHit } from '../../search/explain-hit.ts'
import { readImageFilters } from '../../search/filter-images.ts'
import { publicationDate } from '../../search/hit-facts.ts'
import { type HitKind, type HitOfKind, type MergedHit, onlyKind, pageAddress } from '../../search/merge.ts'
import { GUARD_HEADER } from '../../search/query-guard.ts'
import { listPageUrls, type Search, type SearchAnswer } from '../../search/search.ts'
import type { SearchRequest } from '../../search/search-request.ts'
import type { ResultsSoFar, SearchWatcher } from '../../search/search-watcher.ts'
import { type Call, defineEndpoint, type Endpoint } from '../endpoint.ts'
import { CacheableAnswer } from '../pipeline/answer-cache.ts'
import type { ReplyEvents } from '../pipeline/event-reply.ts'
import { contentParams, contentShape, type PageContents, requireReadScope } from './page-contents.ts'
import {
  dateFromParam,
  dateParam,
  dateToParam,
  engineParam,
  excludeDomainsParam,
  imageParams,
  includeDomainsParam,
  includeParam,
  langParam,
  limitParam,
  ownEngineParam,
  pageParam,
  preferDomainsParam,
  queryParam,
  regionParam,
  type SlotList,
  safeParam,
  unknownEngine,
} from './search-params.ts'

export const SEARCH_HEADERS = {
  ...GUARD_HEADER,
  'Search-Status':
    '`complete`: every engine answered. `partial`: some did not. `stale`: all results are from an expired cache. `unsupported`: no engine can honour the filters, so none was queried.',
  'Engine-Status':
    'The outcome for each engine: `engine_a;ok;n=10;ms=312, engine_b;timeout;ms=2000`. `filtered=3`: three of its results were left out here because of `include_domains`, `exclude_domains`, `date_from`, `date_to` or a filter for images; the next page may have more. `region=ignored`: it cannot favour the `region`, and its results are those for any.',
  'Rules-Status':
    'Only if rules for sites left something out: `blocked=3` means that three results were left out because rules of the instance or the key block their sites.',
  'Server-Timing': 'How long the engines took.',
  'Cache-Status': 'Whether the engines had to be asked (RFC 9211); absent if there was no engine to ask.',
}

export const searchParams = (slots: SlotList) =>
  z.object({
    q: queryParam,
    engine: engineParam(slots),
    safe: safeParam,
    lang: langParam,
    region: regionParam,
    page: pageParam,
    limit: limitParam,
    include_domains: includeDomainsParam,
    exclude_domains: excludeDomainsParam,
    prefer_domains: preferDomainsParam,
    include: includeParam('explain'),
  })

export const imageSearchParams = (slots: SlotList) =>
  searchParams(slots).extend({ ...imageParams, include: includeParam('explain', 'image') })

export const datedSearchParams = (slots: SlotList) =>
  searchParams(slots).extend({
    date: dateParam,
    date_from: dateFromParam,
    date_to: dateToParam,
    include: includeParam('explain', 'date'),
  })

const readableSearchParams = (slots: SlotList) =>
  datedSearchParams(slots).extend({ include: includeParam('explain', 'content', 'date'), ...contentParams })

/** The parameters of a tab with dates, and those of `include=content` if this instance reads pages. */
export const paramsWithContent = (slots: SlotList, contents: PageContents | undefined) =>
  contents ? readableSearchParams(slots) : datedSearchParams(slots)

export const mineParams = datedSearchParams([]).extend({ engine: ownEngineParam })

/** The members before `results`, which every tab has. */
const commonMembers = (tab: Tab | 'mine') => ({
  query: z.string(),
  tab: z.literal(tab),
  page: z.int(),
  engine: z.array(z.string()).describe('The engines whose results are included.'),
})

/** Passed to a presenter besides the hit. */
export interface PresentContext {
  now: number
  lang: string
}

const Explanation = z
  .object({
    score: z.number().describe('The sum of all `addition` values. Results are sorted by it.'),
    engines: z.array(
      z.object({
        engine: z.string(),
        index: z.string().describe('Whose index it shows; `unknown` if it does not say, or mixes several.'),
        rank: z.int(),
        weight: z.number(),
        weight_from: z
          .enum(['default', 'setting', 'calibration'])
          .describe('Where the weight comes from: nobody chose one, a setting has it, or graded searches gave it.'),
        addition: z.number(),
        url: z.string(),
      }),
    ),
    adjustments: z
      .array(
        z.object({
          by: z.enum(['rule', 'prefer_domains']),
          action: z.enum(['raise', 'lower', 'pin', 'prefer']),
          pattern: z.string(),
          owner: z.enum(['instance', 'person', 'key']).optional(),
          addition: z.number(),
        }),
      )
      .optional()
      .describe('What rules for sites and `prefer_domains` added, after the engines; left out if nothing.'),
  })
  .meta({ id: 'Explanation' })

const DESCRIPTION =
  'Queries the engines and merges their results. Each engine is asked for 10 results a page, and some return more; ' +
  'the merged list is cut only by `limit`. An engine that cannot honour a filter, or has no such page, is skipped, and ' +
  '`Engine-Status` says so. `Search-Status` says whether the answer is complete. With `Accept: text/event-stream` ' +
  'or `application/x-ndjson`, the reply is a stream of `StreamEvent`s that ends with `done`, which has this reply.'

const PRIVATE =
  "Searches the instance's private engines. They find " +
  'bookmarks, documents and the like. Their results are in no other reply, and only keys with the scope `mine` get them. ' +
  '404 if there are none. '

const ImageFacts = z
  .object({
    url: z.string().describe('The picture itself, or the largest version that is known; empty if only a small one is.'),
    width: z.int().nullable().describe('In pixels; null if unknown.'),
    height: z.int().nullable(),
    creator: z.string().describe('Who made it, or empty.'),
    licence: z.string().describe('The name of its licence, or empty.'),
    licence_url: z.string().describe('The text of the licence, or empty.'),
  })
  .meta({ id: 'ImageFacts' })

const DATE = 'When it was published (RFC 3339, in UTC), or empty. Only with `include=date`.'

type AnySearchParams =
  | typeof searchParams
  | typeof imageSearchParams
  | typeof datedSearchParams
  | typeof readableSearchParams

export interface TabEndpoint<Kind extends HitKind, Result extends z.ZodObject> {
  search: Search
  tab: Tab
  /** Of the hits that the tab finds. */
  kind: Kind
  name: string
  summary: string
  result: Result
  params: ReturnType<AnySearchParams>
  /** Set if the tab supports `include=content`; `params` then has its parameters. */
  contents?: PageContents | undefined
  /** `search` has the private engines, which have this endpoint instead of a part in the tab. */
  isMine?: true
  /** Members of the envelope that only this tab has. */
  extra?: { shape: z.ZodRawShape; present: (answer: SearchAnswer) => Record<string, unknown> }
  present: (merged: MergedHit<HitOfKind<Kind>>, context: PresentContext) => z.output<Result>
}

export function searchEndpoint<Kind extends HitKind, Result extends z.ZodObject>({
  search,
  tab,
  kind,
  name,
  summary,
  result,
  params,
  contents,
  isMine,
  extra,
  present,
}: TabEndpoint<Kind, Result>): Endpoint {
  const shownTab: Tab | 'mine' = isMine ? 'mine' : tab
  const title = `${shownTab.charAt(0).toUpperCase()}${shownTab.slice(1)}`
  const explained = result
    .extend({
      ...('date' in params.shape && { date: z.string().optional().describe(DATE) }),
      ...(contents && contentShape),
      ...('image_size' in params.shape && { image: ImageFacts.optional().describe('Only with `include=image`.') }),
      explain: Explanation.optional().describe('Only with `include=explain`.'),
    })
    .meta({ id: `${title}Result` })
  const reply = z
    .object({ ...commonMembers(shownTab), ...extra?.shape, results: z.array(explained) })
    .meta({ id: `${title}Reply` })
  return defineEndpoint({
    name,
    method: 'GET',
    path: `/api/v1/${shownTab}/`,
    summary,
    description: `${isMine ? PRIVATE : ''}${DESCRIPTION}`,
    params,
    reply,
    counts: true,
    scope: isMine ? MINE_SCOPE : 'search',
    headers: SEARCH_HEADERS,
    ...(isMine && { errors: [404] }),
    streams: true,
    async handle(call) {
      const { params, caller, setHeader, events } = call
      const request = requestOf(params)
      const { include } = params
      if (include.content) requireReadScope(call)
      if (isMine) requireOwnEngines(search, request)
      const includesMore = include.explain || include.date || include.image
      const presentResults = ({ results, now }: ResultsSoFar) =>
        onlyKind(results, kind).map((merged) => {
          const result = present(merged, { now, lang: request.lang })
          return includesMore ? { ...result, ...includedIn(merged, include) } : result
        })
      const watcher = events && watcherFor(events, presentResults)
      const answer = await search.search({ caller, tab, request }, watcher)
      setSearchHeaders(answer, setHeader)
      const body = {
        query: answer.request.text,
        tab: shownTab,
        page: answer.request.page,
        engine: answer.engines,
        ...extra?.present(answer),
        results: presentResults(answer),
      }
      const addresses = answer.results.map(pageAddress)
      if (contents && include.content && 'content_results' in params) {
        const read = await contents.readFirst(call, { ...params, text: request.text, addresses })
        return { ...body, results: body.results.map((result, at) => ({ ...result, ...read[at] })) }
      }
      const { isCurrent } = answer
      // A cached answer would be remembered by its URL alone, and its addresses as ones that the key may read.
      if (!isCurrent || events || isMine) return body
      return new CacheableAnswer({
        headers: searchHeaders(answer),
        body,
        addresses: listPageUrls(answer.results),
        isCurrent,
      })
    },
  })
}

/** Throws if there are no private engines, or not those that are asked for. */
function requireOwnEngines({ slotNames }: Search, { engines }: SearchRequest): void {
  if (slotNames.length === 0) throw new Refusal('not_found', 'This instance has no private engines.')
  if (!engines.every((name) => slotNames.includes(name)))
    throw new Refusal('parameter_invalid', { engine: [unknownEngine(slotNames)] })
}

type SearchParams = z.output<ReturnType<AnySearchParams>>
type WithoutInclude<Params> = Params extends unknown ? Omit<Params, 'include'> : never
type QueryParams = WithoutInclude<SearchParams>

const NO_DATES = { date: undefined, date_from: undefined, date_to: undefined }

export const requestOf = (params: QueryParams): SearchRequest => {
  const {
    q,
    engine,
    safe,
    lang,
    region,
    page,
    limit,
    include_domains: includeDomains,
    exclude_domains: excludeDomains,
    prefer_domains: preferDomains,
  } = params
  const { date, date_from: dateFrom, date_to: dateTo } = 'date' in params ? params : NO_DATES
  const bounds = {
    includeDomains,
    excludeDomains,
    dateFrom,
    dateTo,
    ...('image_size' in params && imageBounds(params)),
  }
  const wishes = {
    limit,
    preferDomains,
    ...(region !== undefined && { region }),
  }
  return { text: q, engines: engine, safe, lang, page, date, ...bounds, ...wishes }
}

/** Nothing without a filter, so that a search without any is the same search. */
export function imageBounds(params: z.output<z.ZodObject<typeof imageParams>>): Pick<SearchRequest, 'image'> {
  const image = readImageFilters((name) => params[`image_${name}`])
  return image ? { image } : {}
}

/** Sends the progress of the search to the client, in the form of the reply. */
const watcherFor = (events: ReplyEvents, presentResults: (soFar: ResultsSoFar) => object[]): SearchWatcher => ({
  onStart: events.start,
  onEngine: (report) => events.engine(engineOutcome(report)),
  onResults: (soFar) => events.results(() => presentResults(soFar())),
  signal: events.signal,
})

/** The extra members that the request asks for. */
type Included = Pick<SearchParams['include'], 'explain' | 'date' | 'image'>

const includedIn = (merged: MergedHit, { explain, date, image }: Included): object => ({
  ...(date && { date: publicationDate(merged.hit) }),
  ...(image && merged.hit.kind === 'image' && { image: imageFacts(merged.hit) }),
  ...(explain && { explain: explainHit(merged) }),
})

const imageFacts = (hit: ImageHit): z.output<typeof ImageFacts> => ({
  url: hit.imageUrl ?? '',
  width: hit.width ?? null,
  height: hit.height ?? null,
  creator: hit.creator ?? '',
  licence: hit.licence?.name ?? '',
  licence_url: hit.licence?.url ?? '',
})

function searchHeaders({ status, reports, blocked, upstreamMs }: SearchAnswer): Record<string, string> {
  const cacheStatus = cacheStatusHeader(reports)
  return {
    'Search-Status': status,
    'Engine-Status': engineStatusHeader(reports),
    ...(blocked > 0 && { 'Rules-Status': `blocked=${blocked}` }),
    'Server-Timing': `upstream;dur=${upstreamMs}`,
    ...(cacheStatus !== undefined && { 'Cache-Status': cacheStatus }),
  }
}

export function setSearchHeaders(answer: SearchAnswer, setHeader: Call<unknown>['setHeader']): void {
  for (const [name, value] of Object.entries(searchHeaders(answer))) setHeader(name, value)
}
