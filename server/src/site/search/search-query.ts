// Parses a search URL. The URL overrides the reader's preferences, and anything invalid in it is ignored, so that readers
// who follow a link see results. The API is strict instead, but both parse with `search/read-filters.ts`, so that a
// valid filter means the same everywhere.

import { hash } from 'node:crypto'
import { TABS, type Tab } from '@bowerbird/engines/engine.ts'
import { z } from 'zod'
import { readImageFilters } from '../../search/filter-images.ts'
import { readDate, readLanguage, readPage, readSafe, readSlotNames } from '../../search/read-filters.ts'
import { readRegion } from '../../search/regions.ts'
import type { SearchRequest } from '../../search/search-request.ts'
import type { Preferences } from '../preferences.ts'
import { readOperators } from './read-operators.ts'

export interface SearchQuery {
  tab: Tab
  /** As the reader wrote it, with operators. */
  written: string
  /** Its text is without the operators, which limit it in other ways. */
  request: SearchRequest
  /** See `read-operators.ts`. */
  operators: readonly string[]
  notUnderstood: readonly string[]
  /**
   * The filters in the URL, as understood, whether it was allowed to send the text, and whether results are wanted
   * besides an answer; other pages of this search keep them.
   */
  keep: Record<string, string>
  /** The kinds of secrets that were taken out of the text. */
  removed: string
}

/** The URL parameters of a search, without defaults. */
export const searchParamsOf = ({ tab, written, request: { page }, keep }: SearchQuery) => ({
  q: written,
  tab: tab === 'web' ? '' : tab,
  ...keep,
  page: page === 1 ? '' : page,
})

/** A parameter that was sent once, several times or not at all. */
export const textParam = z.preprocess((value) => (Array.isArray(value) ? value.join(' ') : (value ?? '')), z.string())

export const SearchParams = z.object({
  q: textParam,
  tab: textParam,
  page: textParam,
  date: textParam,
  safe: textParam,
  lang: textParam,
  region: textParam,
  engine: textParam,
  size: textParam,
  shape: textParam,
  licence: textParam,
  color: textParam,
  kind: textParam,
  sure: textParam,
  results: textParam,
  removed: textParam,
})

/** The value of `sure` in a URL that allows sending a text with a secret in it: `guard-page.ts` asks. It fits no other text. */
export const sureOf = (text: string): string => hash('sha256', text, 'base64url').slice(0, 11)

/** Means any language, whatever the reader prefers; an empty parameter means the reader's preference. */
const ANY_LANGUAGE = 'auto'

/** The same for a region. */
const ANY_REGION = 'all'

export function parseSearchQuery(
  query: z.output<typeof SearchParams>,
  preferences: Preferences,
  slotNames: readonly string[],
): SearchQuery {
  const tab = TABS.find((name) => name === query.tab) ?? 'web'
  // Image searches have no date filter.
  const date = tab === 'images' ? undefined : readDate(query.date)
  const safe = query.safe === '' ? undefined : readSafe(query.safe)
  const lang = query.lang.trim() === '' ? undefined : readLanguage(query.lang)
  const region = query.region.trim() === '' ? undefined : readRegion(query.region)
  const written = query.q.trim()
  const { text, bounds, operators, notUnderstood } = readOperators(written)
  const image = tab === 'images' ? readImageFilters((name) => query[name]) : undefined
  const engines = query.engine === '' ? undefined : readSlotNames(query.engine, slotNames)
  return {
    tab,
    written,
    request: {
      ...bounds,
      ...(image && { image }),
      text,
      page: readPage(query.page) ?? 1,
      date,
      safe: safe ?? preferences.safe,
      lang: lang ?? preferences.lang,
      region: (region ?? preferences.region) || undefined,
      engines: engines ?? preferences.engines.filter((name) => slotNames.includes(name)),
    },
    keep: {
      ...(date && { date }),
      ...image,
      ...(safe !== undefined && { safe: safe ? 'on' : 'off' }),
      ...(lang !== undefined && { lang: lang || ANY_LANGUAGE }),
      ...(region !== undefined && { region: region || ANY_REGION }),
      ...(engines && { engine: engines.join(' ') || 'all' }),
      ...(query.results !== '' && { results: 'on' }),
      ...(query.sure !== '' && query.sure === sureOf(written) && { sure: query.sure }),
    },
    removed: query.removed,
    operators,
    notUnderstood,
  }
}
