// What an address of the site asks for. The address wins over the reader's preferences, and what it says that cannot be
// understood is as if it had not been said: somebody followed a link, and should see results. The API is strict
// instead, but both read with `search/read-filters.ts`, so that what is understood means the same search everywhere.
import { z } from 'zod'
import { TABS, type Tab } from '../../providers/engine.ts'
import type { SearchRequest } from '../../search/plan.ts'
import { readDate, readLanguage, readPage, readSafe, readSlotNames } from '../../search/read-filters.ts'
import type { Preferences } from '../preferences.ts'

export interface SearchQuery {
  tab: Tab
  request: SearchRequest
  /** The filters that the address itself has, as they were understood: other pages of this search keep them. */
  keep: Record<string, string>
}

/** What an address of the site has to say to ask for it: nothing that goes without saying. */
export const writtenSearch = ({ tab, request: { text, page }, keep }: SearchQuery) => ({
  q: text,
  tab: tab === 'web' ? '' : tab,
  ...keep,
  page: page === 1 ? '' : page,
})

/** A parameter that was sent once, or several times, or not at all. */
export const writtenParam = z.preprocess(
  (value) => (Array.isArray(value) ? value.join(' ') : (value ?? '')),
  z.string(),
)

export const SearchParams = z.object({
  q: writtenParam,
  tab: writtenParam,
  page: writtenParam,
  date: writtenParam,
  safe: writtenParam,
  lang: writtenParam,
  engine: writtenParam,
})

/** In an address it says what an empty parameter cannot: any language, whatever the reader prefers. */
const ANY_LANGUAGE = 'auto'

export function parseSearchQuery(
  query: z.output<typeof SearchParams>,
  preferences: Preferences,
  slotNames: readonly string[],
): SearchQuery {
  const tab = TABS.find((name) => name === query.tab) ?? 'web'
  // Pictures have no date, and no engine of pictures knows one.
  const date = tab === 'images' ? undefined : readDate(query.date)
  const safe = query.safe === '' ? undefined : readSafe(query.safe)
  const lang = query.lang.trim() === '' ? undefined : readLanguage(query.lang)
  const engines = query.engine === '' ? undefined : readSlotNames(query.engine, slotNames)
  return {
    tab,
    request: {
      text: query.q.trim(),
      page: readPage(query.page) ?? 1,
      date,
      safe: safe ?? preferences.safe,
      lang: lang ?? preferences.lang,
      engines: engines ?? preferences.engines.filter((name) => slotNames.includes(name)),
    },
    keep: {
      ...(date && { date }),
      ...(safe !== undefined && { safe: safe ? 'on' : 'off' }),
      ...(lang !== undefined && { lang: lang || ANY_LANGUAGE }),
      ...(engines && { engine: engines.join(' ') || 'all' }),
    },
  }
}
