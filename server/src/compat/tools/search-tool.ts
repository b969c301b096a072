// The `search` tool. Results are numbered, and their text is indented below the number and title. The last line says
// which engines failed, so that a model does not mistake an outage for an empty web.

import type { DateRange, HitOf, Tab } from '@bowerbird/engines/engine.ts'
import { TABS } from '@bowerbird/engines/engine.ts'
import { z } from 'zod'
import { setSearchHeaders } from '../../api/endpoints/search-endpoint.ts'
import type { EngineReport } from '../../search/engine-report.ts'
import type { MergedHit } from '../../search/merge.ts'
import { isTooLong, LAST_PAGE, LONGEST_QUERY, readLanguage } from '../../search/read-filters.ts'
import type { SearchAnswer } from '../../search/search.ts'
import { relativeAge } from '../../text/durations.ts'
import { ENDPOINT_OF_TAB } from '../tab-endpoints.ts'
import { oneLine } from './one-line.ts'
import { defineTool } from './tool.ts'

const RANGES: Record<'day' | 'week' | 'month' | 'year', DateRange> = { day: 'd', week: 'w', month: 'm', year: 'y' }

/** Models send null or '' for a parameter that they don't use. */
const blankAsMissing = (value: unknown) => (value === null || value === '' ? undefined : value)

export const queryText = z
  .string({ error: 'Send a text.' })
  .trim()
  .min(1, 'Send a text.')
  .refine((text) => !isTooLong(text), `Send at most ${LONGEST_QUERY} characters.`)

export const languageTag = z
  .preprocess(
    blankAsMissing,
    z
      .string()
      .refine((text) => readLanguage(text) !== undefined, 'Send a language tag such as en, de or pt-BR.')
      .transform((text) => readLanguage(text) ?? '')
      .optional(),
  )
  .describe('Language tag, such as en or de. Omit for any language.')

/** Models sometimes send numbers as strings. */
export const wholeNumber = (most: number) =>
  z.preprocess(
    (value) => (typeof value === 'string' && /^\d{1,4}$/.test(value.trim()) ? Number(value) : blankAsMissing(value)),
    z
      .int({ error: `Send a whole number from 1 to ${most}.` })
      .min(1)
      .max(most)
      .optional(),
  )

const SearchParams = z.object({
  query: queryText.describe('What to search for.'),
  tab: z.preprocess(blankAsMissing, z.enum(TABS).optional()).describe('What to find; web by default.'),
  time_range: z
    .preprocess(blankAsMissing, z.enum(['day', 'week', 'month', 'year']).optional())
    .describe('Only results from the last day, week, month or year.'),
  language: languageTag,
  page: wholeNumber(LAST_PAGE).describe('Page of results, from 1.'),
  safe: z.preprocess(blankAsMissing, z.boolean().optional()).describe('Safe search; true by default.'),
})

const SearchResult = z.object({
  title: z.string(),
  url: z.string(),
  description: z.string(),
  age: z.string(),
  sources: z.array(z.string()),
})

export const searchTool = defineTool({
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
    results: z.array(SearchResult),
    engines_failed: z.array(z.object({ engine: z.string(), reason: z.string() })),
  }),
  scope: 'search',
  countedAs: ({ tab = 'web' }) => ENDPOINT_OF_TAB[tab],
  async run({
    params: { query, tab = 'web', time_range, language = '', page = 1, safe = true },
    services: { search },
    setHeader,
  }) {
    // Images have no date, and no image engine knows one.
    const date = time_range === undefined || tab === 'images' ? undefined : RANGES[time_range]
    const answer: SearchAnswer<Tab> = await search.search(tab, {
      text: query,
      engines: [],
      safe,
      lang: language,
      page,
      date,
    })
    setSearchHeaders(answer, setHeader)
    const nameOf = (slot: string) => search.labelOf(slot, tab)
    const results = answer.results.map((merged) => presentHit(merged, answer, nameOf))
    const failed = failedOf(answer.reports, nameOf)
    return {
      text: [headOf(answer), ...results.flatMap(linesOf), '', tailOf(failed)].join('\n'),
      structured: { query, tab, page, status: answer.status, results, engines_failed: failed },
    }
  },
})

type Result = z.output<typeof SearchResult>

function presentHit(
  { hit, slots }: MergedHit<HitOf[Tab]>,
  { now, request }: SearchAnswer<Tab>,
  nameOf: (slot: string) => string,
): Result {
  return {
    title: oneLine(hit.title),
    url: oneLine(hit.url),
    description: oneLine('description' in hit ? hit.description : 'publisher' in hit ? hit.publisher : ''),
    age: 'publishedAt' in hit ? relativeAge(hit.publishedAt, now, request.lang) : '',
    sources: slots.map(nameOf),
  }
}

type Failed = { engine: string; reason: string }

const REASONS: Partial<Record<string, string>> = { overBudget: 'budget used up', open: 'keeps failing' }

const failedOf = (reports: readonly EngineReport[], nameOf: (slot: string) => string): Failed[] =>
  reports.flatMap((report) => {
    if (report.outcome === 'ok' || (report.outcome === 'skipped' && report.reason === 'page')) return []
    const reason =
      report.outcome === 'failed' ? (REASONS[report.kind] ?? report.kind) : `cannot filter by ${report.reason}`
    return [{ engine: nameOf(report.slot), reason }]
  })

function headOf({ request, tab, status, results }: SearchAnswer<Tab>): string {
  const count = results.length === 1 ? '1 result' : `${results.length} results`
  const page = request.page === 1 ? '' : ` · page ${request.page}`
  return `${count} for "${oneLine(request.text)}" · ${tab}${page} · ${status}`
}

function linesOf({ title, url, description, age, sources }: Result, index: number): string[] {
  const lines = [`[${index + 1}] ${title}`, `    ${[url, age, sources.join(', ')].filter(Boolean).join(' · ')}`]
  return description === '' ? lines : [...lines, `    ${description}`]
}

function tailOf(failed: readonly Failed[]): string {
  const who = failed.map(({ engine, reason }) => `${engine} (${reason})`).join(', ')
  return who === '' ? 'Engines: all answered.' : `Engines: no results from ${who}; results may be incomplete.`
}
