// Translates a SearXNG client's request into one of our searches. Clients send names of engines and categories that
// only other instances have, so an unknown name never leads to an empty search: it is ignored, or hints at the tab. An
// invalid page, format, time range or level of safe search is refused rather than ignored.

import type { DateRange, Tab } from '@bowerbird/engines/engine.ts'
import { languageTag } from '@bowerbird/engines/parsing/language-tag.ts'
import type { FastifyRequest } from 'fastify'
import { type FieldsToRead, readFields } from '../../api/pipeline/read-body.ts'
import type { Reading } from '../../api/pipeline/serve-endpoint.ts'
import { Refusal } from '../../errors.ts'
import { isTooLong, LAST_PAGE, MAX_QUERY_LENGTH, readLanguage } from '../../search/read-filters.ts'
import { readRegion } from '../../search/regions.ts'
import type { SearchRequest } from '../../search/search-request.ts'
import { readWholeNumber } from '../../text/query-params.ts'
import { isOffered, type SearxngEngines, TAB_BY_CATEGORY } from './searxng-engines.ts'

export type SearxngFormat = 'json' | 'rss' | 'html'

/** The search of one category. */
export interface CategorySearch {
  tab: Tab
  request: SearchRequest
}

export interface SearxngParams {
  /** The query without its modifiers. */
  text: string
  /** One for each category. */
  searches: readonly [CategorySearch, ...CategorySearch[]]
  /** Past the last page the reply is empty, and no engine is queried. */
  isPastTheEnd: boolean
  format: SearxngFormat
  /** The client's limit, if it sent one. */
  maxResults: number | undefined
}

const NAMES = [
  'q',
  'format',
  'categories',
  'engines',
  'pageno',
  'pageNumber',
  'time_range',
  'safesearch',
  'language',
  'lang',
  'numResults',
] as const
type Name = (typeof NAMES)[number]
type RawParams = Record<Name, string>

export const SEARXNG_FIELDS: FieldsToRead = { names: NAMES, maxBytes: 16_384 }

const TIME_RANGES = new Map<string, DateRange | undefined>([
  ['day', 'd'],
  ['week', 'w'],
  ['month', 'm'],
  ['year', 'y'],
  ['', undefined],
  ['none', undefined],
  ['anytime', undefined],
])

/** Reads the query string and the body of a POST. A parameter that is in both comes from the body. */
export const readSearxngParams = async (
  request: FastifyRequest,
  fields: FieldsToRead,
  engines: SearxngEngines,
): Promise<Reading<SearxngParams>> =>
  parseOrRefuse(await readRawParams(request, fields), (raw) => toParams(raw, engines))

/** Returns the refusal that `parse` throws, if it throws one. */
export function parseOrRefuse<Params>(
  raw: RawParams | Refusal,
  parse: (raw: RawParams) => Params,
): { ok: true; params: Params } | { ok: false; refusal: Refusal } {
  try {
    return raw instanceof Refusal ? { ok: false, refusal: raw } : { ok: true, params: parse(raw) }
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, refusal: error }
    throw error
  }
}

export async function readRawParams(request: FastifyRequest, fields: FieldsToRead): Promise<RawParams | Refusal> {
  const isPost = request.method === 'POST'
  const body = isPost ? await readFields(request, fields) : {}
  return body instanceof Refusal ? body : rawParamsOf(request, body)
}

function rawParamsOf(request: FastifyRequest, body: Record<string, unknown>): RawParams {
  // Fastify types the parsed query as unknown; its parser always gives an object.
  const query = request.query as Record<string, unknown>
  const raw = NAMES.map((name) => [name, textOf(body[name] ?? query[name], name)])
  // The list has every name.
  return Object.fromEntries(raw) as RawParams
}

/** Lists may be repeated; for any other parameter, the first value counts. */
function textOf(value: unknown, name: Name): string {
  if (Array.isArray(value))
    return name === 'engines' || name === 'categories' ? value.join(',') : textOf(value[0], name)
  return typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : ''
}

function toParams(raw: RawParams, engines: SearxngEngines): SearxngParams {
  const { text, categories, names, language } = withoutModifiers(requireQuery(raw.q), engines)
  requireQuery(text)
  const page = readPage(raw.pageno || raw.pageNumber)
  const isModified = categories.length > 0 || names.length > 0
  const wanted = isModified ? names : namesIn(raw.engines)
  const tabs = tabsOf(isModified ? categories : namesIn(raw.categories), engines)
  const date = readTimeRange(raw.time_range)
  const searchOf = (tab: Tab): CategorySearch => ({
    tab,
    request: {
      text,
      page: Math.min(page, LAST_PAGE),
      engines: engines.slotsOf(wanted, tab),
      safe: readSafeSearch(raw.safesearch),
      // Images have no date, and no image engine knows one.
      date: tab === 'images' ? undefined : date,
      ...placeOf(language ?? readLanguage(raw.language || raw.lang) ?? ''),
    },
  })
  const [first = engines.tabOf(wanted), ...others] = tabs
  return {
    text,
    searches: [searchOf(first), ...others.map(searchOf)],
    isPastTheEnd: page > LAST_PAGE,
    format: readFormat(raw.format),
    maxResults: readWholeNumber(raw.numResults),
  }
}

/** The region of a language is one by itself: `de-CH`. */
function placeOf(lang: string): Pick<SearchRequest, 'lang' | 'region'> {
  const region = readRegion(languageTag(lang).region)
  return region ? { lang, region } : { lang }
}

/** The tabs of the categories, each once. */
const tabsOf = (categories: readonly string[], engines: SearxngEngines): Tab[] => [
  ...new Set(categories.flatMap((name) => TAB_BY_CATEGORY.get(name) ?? []).filter((tab) => isOffered(tab, engines))),
]

interface Modified {
  text: string
  categories: string[]
  /** Of engines. */
  names: string[]
  language: string | undefined
}

const MAX_MODIFIERS = 10
const LANGUAGE_MODIFIER = /^:([a-z]{2}(?:[-_][a-z]{2})?|all|auto)$/i

/**
 * Reads what SearXNG's users write before a query: `!images climate`, `!engine_b climate`, `:de climate`. What names
 * nothing here is part of the query, as it is there.
 */
function withoutModifiers(query: string, engines: SearxngEngines): Modified {
  const read: Modified = { text: query, categories: [], names: [], language: undefined }
  for (let count = 0; count < MAX_MODIFIERS; count++) {
    const word = read.text.split(/\s/, 1)[0] ?? ''
    if (!/^[!:]./.test(word)) break
    const language = LANGUAGE_MODIFIER.exec(word)?.[1]
    const name = word.startsWith('!') ? word.slice(1).toLowerCase() : ''
    const engine = name && [name, name.replaceAll('_', ' '), `engine_${name}`].find((one) => engines.has(one))
    if (language !== undefined) read.language = readLanguage(language)
    else if (TAB_BY_CATEGORY.has(name)) read.categories.push(name)
    else if (engine) read.names.push(engine)
    else break
    read.text = read.text.slice(word.length).trimStart()
  }
  return read
}

export function requireQuery(text: string): string {
  if (text === '') throw new Refusal('parameter_invalid', 'No query')
  if (isTooLong(text))
    throw new Refusal('parameter_invalid', `The query is too long. Send at most ${MAX_QUERY_LENGTH} characters.`)
  return text
}

function readFormat(text: string): SearxngFormat {
  if (text === '' || text === 'json') return 'json'
  if (text === 'rss' || text === 'html') return text
  throw new Refusal('parameter_invalid', 'Unknown format. Use json, rss or html.')
}

function readPage(text: string): number {
  if (text === '') return 1
  const page = readWholeNumber(text)
  if (page === undefined || page < 1) throw new Refusal('parameter_invalid', 'Send a whole number from 1 in pageno.')
  return page
}

function readSafeSearch(text: string): boolean {
  if (text === '0') return false
  if (text === '' || text === '1' || text === '2' || text.toLowerCase() === 'none') return true
  throw new Refusal('parameter_invalid', 'Send 0, 1 or 2 in safesearch.')
}

function readTimeRange(text: string): DateRange | undefined {
  const name = text.toLowerCase()
  if (TIME_RANGES.has(name)) return TIME_RANGES.get(name)
  throw new Refusal('parameter_invalid', 'Send day, week, month or year in time_range.')
}

const namesIn = (text: string): string[] =>
  text
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)
