// The tools that search, read a page that was found, and complete a query. Search results are numbered, and their text
// is indented below the number and title. The last line says which engines failed, so that a model does not mistake an
// outage for an empty web.
import { type DateRange, TABS } from '@bowerbird/engines/engine.ts'
import { httpAddress } from '@bowerbird/engines/parsing/http-address.ts'
import { markdownWindowOf } from '@bowerbird/reader/text-window.ts'
import { z } from 'zod'
import type { Call } from '../../api/endpoint.ts'
import { type PageContents, requireReadScope } from '../../api/endpoints/page-contents.ts'
import {
  INVALID_PAGE_URL,
  MAX_PAGE_CHARACTERS,
  readOrRefuse,
  requireReadablePage,
} from '../../api/endpoints/read-endpoint.ts'
import { setSearchHeaders } from '../../api/endpoints/search-endpoint.ts'
import type { PageReading } from '../../api/page-reading.ts'
import { Refusal } from '../../errors.ts'
import { describeHit, publicationDate, publishedAtOf } from '../../search/hit-facts.ts'
import { type MergedHit, pageAddress } from '../../search/merge.ts'
import { LAST_PAGE, MAX_LIMIT } from '../../search/read-filters.ts'
import type { Search, SearchAnswer } from '../../search/search.ts'
import type { SearchRequest } from '../../search/search-request.ts'
import type { Suggest } from '../../search/suggest.ts'
import { clockDuration, relativeAge } from '../../text/durations.ts'
import { queryText } from '../compat-params.ts'
import { ENDPOINT_OF_TAB } from '../mount-compat-route.ts'
import { missingEngines, searchNote } from '../search-note.ts'
import { namingFailures } from './naming-failures.ts'
import { defineTool, oneLine } from './tool.ts'
import {
  countryCode,
  dayOf,
  domainList,
  languageTag,
  oneOf,
  optional,
  trueOrFalse,
  wholeNumber,
} from './tool-params.ts'

const RANGES: Record<'day' | 'week' | 'month' | 'year', DateRange> = { day: 'd', week: 'w', month: 'm', year: 'y' }

const MAX_PASSAGE_TOKENS = 32_000

export const SearchMembers = z.object({
  query: queryText.describe('What to search for.'),
  tab: oneOf(TABS).describe('What to find; web by default.'),
  time_range: oneOf(['day', 'week', 'month', 'year']).describe('Only results from the last day, week, month or year.'),
  date_from: dayOf('first').describe('Only results published on this day or later, such as 2026-11-07.'),
  date_to: dayOf('last').describe('Only results published on this day or earlier.'),
  include_domains: domainList.describe('Only results of these domains, such as example.org.'),
  exclude_domains: domainList.describe('No results of these domains.'),
  prefer_domains: domainList.describe('Results of these domains rank higher.'),
  language: languageTag,
  region: countryCode.describe('Country to favour, such as DE.'),
  page: wholeNumber(LAST_PAGE).describe('Page of results, from 1.'),
  limit: wholeNumber(MAX_LIMIT).describe('How many results of the page to return; all by default.'),
  safe: trueOrFalse.describe('Safe search; true by default.'),
  content_tokens: wholeNumber(MAX_PASSAGE_TOKENS).describe(
    'Also read the first pages, and return the passages that fit the query, up to about so many tokens in all.',
  ),
})

/** No image engine knows a date. */
export function refuseDatesOfImages(
  params: Pick<z.output<typeof SearchMembers>, 'tab' | 'time_range' | 'date_from' | 'date_to'>,
  context: z.RefinementCtx,
): void {
  if (params.tab !== 'images') return
  for (const name of ['time_range', 'date_from', 'date_to'] as const) {
    if (params[name] !== undefined)
      context.addIssue({ code: 'custom', path: [name], message: 'Images have no dates. Leave this out.' })
  }
}

const SearchParams = SearchMembers.superRefine(refuseDatesOfImages).superRefine(
  ({ content_tokens, tab = 'web' }, context) => {
    // Only pages of text can be read.
    if (content_tokens !== undefined && tab !== 'web' && tab !== 'news')
      context.addIssue({ code: 'custom', path: ['content_tokens'], message: 'Send this with the tab web or news.' })
  },
)

const SearchResult = z.object({
  title: z.string(),
  url: z.string(),
  description: z.string(),
  age: z.string(),
  /** In UTC; '' if the date isn't known. */
  date: z.string(),
  /** The address of the picture, or of a picture of the video; '' if there is none. */
  image: z.string(),
  duration: z.string(),
  sources: z.array(z.string()),
  /** Only with `content_tokens`. */
  passages: z.array(z.object({ start: z.int(), heading: z.string(), text: z.string() })).optional(),
})

export const searchTool = (contents: PageContents | undefined) =>
  defineTool({
    name: 'search',
    title: 'Search the web',
    description:
      'Search the web, images, news, videos, scientific papers or code with several search engines at once. Returns titles, URLs and snippets.',
    params: SearchParams,
    reply: z.object({
      query: z.string(),
      tab: z.enum(TABS),
      page: z.int(),
      status: z.string(),
      correction: z.string(),
      results: z.array(SearchResult),
      engines_failed: z.array(z.object({ engine: z.string(), reason: z.string() })),
    }),
    scope: 'search',
    countedAs: ({ tab = 'web' }) => ENDPOINT_OF_TAB[tab],
    async run(call, { search }: { search: Search }) {
      const { params, caller, setHeader } = call
      const { query, tab = 'web', page = 1, content_tokens } = params
      if (content_tokens !== undefined) requireReadScope(call)
      const nameOf = (slot: string) => search.labelOf(slot, tab)
      const answer: SearchAnswer = await namingFailures(
        search.search({ caller, tab, request: requestOf(params) }),
        nameOf,
      )
      setSearchHeaders(answer, setHeader)
      const passages = content_tokens === undefined ? [] : await passagesIn(call, contents, answer, content_tokens)
      const results = answer.results.map((merged, at) => ({
        ...presentHit(merged, answer, nameOf),
        ...(passages[at] && { passages: passages[at] }),
      }))
      const { status, correction, reports } = answer
      const engines_failed = missingEngines(reports, nameOf).map(({ engine, reason }) => ({ engine, reason }))
      return {
        text: [...headOf(answer), ...results.flatMap(linesOf), '', tailOf(answer, nameOf)].join('\n'),
        structured: { query, tab, page, status, correction, results, engines_failed },
      }
    },
  })

type Wanted = Partial<z.output<typeof SearchParams>> & { query: string }

/** The search that a model asks for. */
export function requestOf(params: Wanted): SearchRequest {
  const { query, time_range, language = '', region, page = 1, limit, safe = true } = params
  const { date_from: dateFrom, date_to: dateTo, include_domains: includeDomains } = params
  const { exclude_domains: excludeDomains, prefer_domains: preferDomains } = params
  const bounds = { dateFrom, dateTo, includeDomains, excludeDomains, preferDomains }
  const date = time_range && RANGES[time_range]
  return { text: query, engines: [], safe, lang: language, region, page, date, limit, ...bounds }
}

/** As many as `include=content` reads unless it is told otherwise. */
const PAGES_TO_READ = 3

type Passages = NonNullable<z.output<typeof SearchResult>['passages']>

/** Of the first pages, as with `include=content`: each page that was read counts as a request to `read/`. */
async function passagesIn(
  { key, setHeader }: Pick<Call<unknown>, 'key' | 'setHeader'>,
  contents: PageContents | undefined,
  { results, request: { text } }: SearchAnswer,
  content_tokens: number,
): Promise<Passages[]> {
  if (!contents) throw new Refusal('not_found', 'Reading pages is turned off on this instance.')
  const addresses = results.slice(0, PAGES_TO_READ).map(pageAddress)
  const wanted = { content_results: PAGES_TO_READ, content_length: 0, content_tokens, text, addresses }
  const pages = await contents.readFirst({ key, setHeader }, wanted)
  return pages.map(({ passages = [] }) =>
    passages.map(({ start, heading, text: passage }) => ({ start, heading: oneLine(heading), text: oneLine(passage) })),
  )
}

type Result = z.output<typeof SearchResult>

function presentHit(
  { hit, slots }: MergedHit,
  { now, request }: SearchAnswer,
  nameOf: (slot: string) => string,
): Result {
  return {
    title: oneLine(hit.title),
    url: oneLine(hit.url),
    description: oneLine(describeHit(hit)),
    age: relativeAge(publishedAtOf(hit), now, request.lang),
    date: publicationDate(hit),
    image: hit.kind === 'web' ? '' : hit.thumbnailUrl,
    duration: hit.kind === 'video' ? clockDuration(hit.durationSeconds) : '',
    sources: slots.map(nameOf),
  }
}

function headOf({ request, tab, status, results, cut, correction }: SearchAnswer): string[] {
  const total = results.length + cut
  const count = total === 1 ? '1 result' : `${total} results`
  const first = cut > 0 ? `the first ${results.length} of ` : ''
  const page = request.page === 1 ? '' : ` · page ${request.page}`
  return [
    `${first}${count} for "${oneLine(request.text)}" · ${tab}${page} · ${status}`,
    ...(correction === '' ? [] : [`Did you mean "${oneLine(correction)}"?`]),
  ]
}

function linesOf(result: Result, index: number): string[] {
  const { title, url, description, date, image, duration, sources, passages = [] } = result
  const facts = [url, date.slice(0, 10), duration, sources.join(', ')].filter(Boolean).join(' · ')
  return [
    `[${index + 1}] ${title || 'Without a title'}`,
    `    ${facts}`,
    ...(image === '' ? [] : [`    Picture: ${image}`]),
    ...(description === '' ? [] : [`    ${description}`]),
    ...passages.map(({ start, heading, text }) => `    From ${start}${heading && ` (${heading})`}: ${text}`),
  ]
}

const tailOf = (answer: SearchAnswer, nameOf: (slot: string) => string): string =>
  `Engines: ${searchNote(answer, nameOf) || 'all answered.'}`

const READ_LENGTH = 8_000

/** Reads a page as `GET /api/v1/read/` does, in pieces that a model can afford. */
export const readTool = (reader: PageReading | undefined) =>
  defineTool({
    name: 'read',
    title: 'Read a page',
    description:
      'The main text of a page that a search has returned, as Markdown, 8,000 characters at a time. Some keys also read what such a page links to.',
    params: z.object({
      url: z
        .string({ error: 'Send the URL of a page.' })
        .trim()
        .refine((text) => httpAddress(text) !== '', INVALID_PAGE_URL)
        .describe('The URL, as a search returned it.'),
      start: optional(
        z.coerce
          .number({ error: 'Send a whole number.' })
          .int('Send a whole number.')
          .min(0, 'Send a whole number from 0.')
          .max(MAX_PAGE_CHARACTERS, `Send at most ${MAX_PAGE_CHARACTERS}.`),
      ).describe('Where to go on, in characters; 0 by default.'),
    }),
    reply: z.object({
      url: z.string(),
      title: z.string(),
      published: z.string(),
      content: z.string(),
      start: z.number(),
      total: z.number(),
    }),
    scope: 'read',
    countedAs: () => 'read',
    async run({ params: { url, start = 0 }, key }) {
      if (!reader) throw new Refusal('not_found', 'Reading pages is turned off on this instance.')
      const { page } = await readOrRefuse(await requireReadablePage(reader, key, url), 'markdown')
      const { content, length } = markdownWindowOf(page.content, start, READ_LENGTH)
      const total = page.content.length
      const end = start + length
      const title = oneLine(page.title)
      const facts = [url, oneLine(page.byline), page.published.slice(0, 10)].filter(Boolean).join(' · ')
      return {
        // Everything after the empty line comes from the page; everything before it is ours.
        text: [title, facts, partOf({ start, end, total }), '', content].join('\n'),
        structured: { url, title, published: page.published, content, start, total },
      }
    },
  })

/** Which part of the page follows. */
function partOf({ start, end, total }: { start: number; end: number; total: number }): string {
  if (start >= total && total > 0) return `The page has only ${total} characters: nothing begins at ${start}.`
  if (end < total) return `Characters ${start} to ${end} of ${total} follow. Go on with start ${end}.`
  return start === 0 ? 'The whole page follows.' : `The rest of the page follows, from character ${start} of ${total}.`
}

export const suggestTool = defineTool({
  name: 'suggest',
  title: 'Query suggestions',
  description: 'How a query that has been begun may go on.',
  params: z.object({ query: queryText.describe('The beginning of a query.'), language: languageTag }),
  reply: z.object({ query: z.string(), suggestions: z.array(z.string()) }),
  scope: 'search',
  countedAs: () => 'suggest',
  async run({ params: { query, language = '' }, caller, setHeader }, { suggest }: { suggest: Suggest }) {
    const { suggestions, status } = await suggest.suggest(caller, { text: query, lang: language })
    setHeader('Search-Status', status)
    const text = suggestions.map(oneLine).join('\n') || 'No suggestions for this.'
    return { text, structured: { query, suggestions } }
  },
})
