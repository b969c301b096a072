// Firecrawl's search. Each source is one search and counts as one; what went wrong is said in `warning`. A filter is
// honoured or refused. `country`, `lang` and `location` are wishes, which clients send without being asked. A country is
// passed on; `warning` names what has no effect although somebody has chosen it.

import type { DateRange } from '@bowerbird/engines/engine.ts'
import { z } from 'zod'
import type { Call } from '../../api/endpoint.ts'
import type { PageContents } from '../../api/endpoints/page-contents.ts'
import { setSearchHeaders } from '../../api/endpoints/search-endpoint.ts'
import type { Admission, Admit } from '../../api/pipeline/admission.ts'
import type { ReadParams } from '../../api/pipeline/read-params.ts'
import { Refusal } from '../../errors.ts'
import { READ_SCOPE } from '../../keys/scopes.ts'
import { describeHit, publicationDate } from '../../search/hit-facts.ts'
import { type MergedHit, pageAddress } from '../../search/merge.ts'
import { readDate } from '../../search/read-filters.ts'
import type { Search } from '../../search/search.ts'
import type { SearchRequest } from '../../search/search-request.ts'
import { country, domainList, queryText, readUsDay, wish } from '../compat-params.ts'
import { type CompatAnswer, PLAIN_REQUEST, searchFor } from '../compat-search.ts'
import { ENDPOINT_OF_TAB, sentenceOf } from '../mount-compat-route.ts'
import { readTexts } from '../page-texts.ts'
import { optionsNote, PageOptions, typedItems } from './firecrawl-pages.ts'

export type Version = 'v1' | 'v2'

const MAX_RESULTS = 100
const DEFAULT_RESULTS: Record<Version, number> = { v1: 5, v2: 10 }
const SOURCES = { v1: ['web'], v2: ['web', 'news', 'images'] } as const
const SOURCE_HINTS = { v1: 'Send web; v2 has more.', v2: 'Send web, news or images.' }
const CATEGORY_HINT = 'Send github or research; no other is offered here.'

interface Dates {
  date?: DateRange
  dateFrom?: number | undefined
  dateTo?: number | undefined
}

const TBS =
  'Send qdr:h, qdr:d, qdr:w, qdr:m or qdr:y, or cdr:1,cd_min:11/07/2026,cd_max:11/14/2026. Results cannot be sorted by date here.'
const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

/** Google's time filter, which Firecrawl has taken over; undefined if it can't be honoured. */
function readTbs(text: string, now: number): Dates | undefined {
  if (text.trim() === '') return {}
  const { qdr, cdr, sbd = '0', cd_min: from, cd_max: to, ...unknown } = partsOf(text)
  if (Object.keys(unknown).length > 0 || sbd !== '0') return undefined
  if (qdr !== undefined) return cdr === undefined ? readAge(qdr, now) : undefined
  const dates = {
    dateFrom: from === undefined ? undefined : readUsDay(from, 'first'),
    dateTo: to === undefined ? undefined : readUsDay(to, 'last'),
  }
  const isRead =
    (from === undefined || dates.dateFrom !== undefined) && (to === undefined || dates.dateTo !== undefined)
  return cdr === '1' && isRead && (from ?? to) !== undefined ? dates : undefined
}

const partsOf = (text: string): Partial<Record<string, string>> =>
  Object.fromEntries(
    text.split(',').map((part) => {
      const [name = '', value = ''] = part.split(':', 2)
      return [name.trim(), value.trim()]
    }),
  )

/** The last hour begins at a full minute, so that the same search within it is found in the cache. */
function readAge(age: string, now: number): Dates | undefined {
  if (age === 'h') return { date: 'd', dateFrom: Math.floor(now / MINUTE_MS) * MINUTE_MS - HOUR_MS }
  const date = readDate(age)
  return date && { date }
}

export const searchSchema = (version: Version, clock: () => number) => {
  const tbs = z
    .string({ error: TBS })
    .max(100, TBS)
    .transform((text, context) => {
      const dates = readTbs(text, clock())
      if (!dates) context.addIssue({ code: 'custom', message: TBS })
      return dates
    })
    .nullish()
  const error = SOURCE_HINTS[version]
  return z.object({
    query: queryText,
    limit: z.coerce
      .number({ error: 'Send a number.' })
      .int('Send a whole number.')
      .min(1, 'Send 1 or more.')
      .transform((count) => Math.min(count, MAX_RESULTS))
      .default(DEFAULT_RESULTS[version]),
    sources: typedItems(z.object({ type: z.enum(SOURCES[version], { error }), tbs }, { error }), error).optional(),
    categories: typedItems(
      z.object({ type: z.enum(['github', 'research'], { error: CATEGORY_HINT }) }, { error: CATEGORY_HINT }),
      CATEGORY_HINT,
    ).optional(),
    includeDomains: domainList,
    excludeDomains: domainList,
    tbs,
    country: country('country'),
    lang: wish('lang'),
    location: country('location'),
    safe: z.boolean({ error: 'Send true or false.' }).default(true),
    scrapeOptions: PageOptions.optional(),
  })
}

interface Source {
  /** The member of the reply that has its results. */
  name: 'web' | 'news' | 'images'
  tab: 'web' | 'science' | 'news' | 'images'
  category?: 'github' | 'research'
  request: SearchRequest
}

export interface FirecrawlSearch {
  version: Version
  sources: Source[]
  wantsText: boolean
  note: string
}

type SearchMembers = z.output<ReturnType<typeof searchSchema>>

/** Refuses members that can't be honoured together. */
export function searchOf(version: Version, members: SearchMembers): ReadParams<FirecrawlSearch> {
  const { query, limit, safe, includeDomains, excludeDomains, scrapeOptions, categories = [] } = members
  const named = members.sources?.length ? members.sources : [{ type: 'web' as const, tbs: null }]
  const wanted = new Map(named.map((source) => [source.type, source]))
  const kinds = [...new Set(categories.map(({ type }) => type))]
  if (kinds.length > 0 && !wanted.has('web'))
    return { ok: false, messages: { categories: ['Send these with the source web.'] } }
  if (kinds.includes('github') && includeDomains)
    return { ok: false, messages: { includeDomains: ['Leave this out with the category github.'] } }
  const sources = [...wanted.values()].flatMap(({ type: name, tbs }): Source[] => {
    const request = {
      ...PLAIN_REQUEST,
      ...(tbs ?? members.tbs),
      text: query,
      safe,
      includeDomains,
      excludeDomains,
      region: members.country.region ?? members.location.region,
      limit,
    }
    if (name !== 'web' || kinds.length === 0) return [{ name, tab: name, request }]
    const share = Math.ceil(limit / kinds.length)
    return kinds.map((category) =>
      category === 'github'
        ? { name, tab: 'web', category, request: { ...request, limit: share, includeDomains: ['github.com'] } }
        : { name, tab: 'science', category, request: { ...request, limit: share } },
    )
  })
  // Several clients send an empty list of formats, or none, with every search.
  const wantsText = (scrapeOptions?.formats ?? []).length > 0
  const wishes = [members.country.note, members.lang, members.location.note]
  const note = [...wishes, scrapeOptions && wantsText && optionsNote(scrapeOptions)].filter(Boolean).join(' ')
  return { ok: true, params: { version, sources, wantsText, note } }
}

export const countedAs = ({ sources: [first] }: FirecrawlSearch): string => ENDPOINT_OF_TAB[first?.tab ?? 'web']

type Found = CompatAnswer

interface Answered {
  source: Source
  found: Found
}
type Outcome = Answered | { source: Source; refusal: Refusal }

/** What a search uses besides the service that changes with the settings. */
export interface SearchParts {
  admit: Admit
  /** undefined: this instance reads no pages. */
  contents: PageContents | undefined
}

export async function runSearch(
  call: Call<unknown>,
  wanted: FirecrawlSearch,
  search: Search,
  { admit, contents }: SearchParts,
) {
  const { version, sources, wantsText } = wanted
  // The request itself stands for the first source.
  const outcomes = await Promise.all(
    sources.map((source, at) => searchSource(call, source, search, at === 0 ? undefined : admit)),
  )
  const answered = outcomes.filter((outcome) => 'found' in outcome)
  const failed = outcomes.filter((outcome) => 'refusal' in outcome)
  const [first] = answered
  if (!first) throw failed[0]?.refusal
  if (failed[0]?.source === sources[0]) call.admission.giveBack()
  const incomplete = answered.find(({ found }) => found.answer.status !== 'complete')
  setSearchHeaders((incomplete ?? first).found.answer, call.setHeader)
  if (failed.length > 0) call.setHeader('Search-Status', 'partial')

  const { texts, note } = wantsText ? await textsOf(call, contents, pagesIn(answered)) : NO_TEXTS
  const data = dataOf(answered, texts)
  const isSingle = sources.length === 1
  const warning = [
    ...answered.map(({ source, found }) => found.note && (isSingle ? found.note : `${source.name}: ${found.note}`)),
    ...failed.map(({ source, refusal }) => `${source.name}: ${sentenceOf(refusal.body)}`),
    wanted.note,
    note,
  ]
    .filter(Boolean)
    .join(' ')
  return {
    success: true,
    ...(warning !== '' && { warning }),
    creditsUsed: answered.length + texts.size,
    data: version === 'v1' ? data.web : data,
  }
}

/** `admit`: of a source that is a request of its own. */
async function searchSource(
  { key, caller, setHeader }: Call<unknown>,
  source: Source,
  search: Search,
  admit: Admit | undefined,
): Promise<Outcome> {
  let admission: Admission | undefined
  try {
    if (admit) admission = await admit(key, { header: setHeader }, ENDPOINT_OF_TAB[source.tab])
    const found = await searchFor({ caller, setHeader: () => undefined }, search, source.tab, source.request)
    admission?.count()
    return { source, found }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    admission?.giveBack()
    return { source, refusal: error }
  }
}

/** Each address once: web and news may find the same page. */
const pagesIn = (answered: readonly Answered[]): string[] => [
  ...new Set(
    answered.filter(({ source }) => source.name !== 'images').flatMap(({ found }) => found.results.map(pageAddress)),
  ),
]

interface Texts {
  /** By address; without those that have none. */
  texts: ReadonlyMap<string, string>
  note: string
}

const noTexts = (note: string): Texts => ({ texts: new Map(), note })
const NO_TEXTS = noTexts('')

/** LiteLLM and Cherry Studio ask for text with every search, so a key that can't read gets results without it. */
async function textsOf(call: Call<unknown>, contents: PageContents | undefined, pages: string[]): Promise<Texts> {
  if (!contents) return noTexts('No page was read: this instance reads none.')
  if (!call.key.scopes.has(READ_SCOPE))
    return noTexts(`No page was read: this API key does not have the ${READ_SCOPE} scope.`)
  const { texts, note } = await readTexts(call, contents, pages)
  const read = pages.map((page, at) => [page, texts[at] ?? ''] as const).filter(([, text]) => text !== '')
  return { texts: new Map(read), note }
}

/** A member for each source that was asked and has answered. */
function dataOf(answered: readonly Answered[], texts: Texts['texts']): Partial<Record<Source['name'], object[]>> {
  const data: Partial<Record<Source['name'], object[]>> = {}
  for (const { source, found } of answered) {
    const items = data[source.name] ?? []
    data[source.name] = items
    for (const result of found.results)
      items.push(itemOf(result, { source, text: texts.get(pageAddress(result)), position: items.length + 1 }))
  }
  return data
}

interface Place {
  source: Source
  text: string | undefined
  position: number
}

/** For Firecrawl's own clients, a result with `markdown` is a page that was read. */
function itemOf({ hit }: MergedHit, { source: { category }, text, position }: Place) {
  const { url, title } = hit
  if (hit.kind === 'image') {
    const { thumbnailUrl, imageUrl = thumbnailUrl, width, height } = hit
    return { url, title, imageUrl, ...(width && { imageWidth: width, imageHeight: height }), position }
  }
  const date = publicationDate(hit)
  const page = text === undefined ? {} : { markdown: text, metadata: { title, sourceURL: url, url, statusCode: 200 } }
  if (hit.kind === 'news')
    return {
      url,
      title,
      snippet: hit.description,
      ...(date && { date: date.slice(0, 10) }),
      ...(hit.thumbnailUrl && { imageUrl: hit.thumbnailUrl }),
      position,
      ...page,
    }
  return {
    url,
    title,
    description: describeHit(hit),
    // OpenClaw reads it.
    ...(date && { publishedDate: date }),
    position,
    ...(category && { category }),
    ...page,
  }
}
