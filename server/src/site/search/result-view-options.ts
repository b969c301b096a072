// What the parts of a results page need besides the results: the engines, the language, and how to make links and
// pictures.
import type { Tab } from '@bowerbird/engines/engine.ts'
import { httpAddress } from '@bowerbird/engines/parsing/http-address.ts'
import type { SearchAnswer } from '../../search/search.ts'
import { type Html, html } from '../http/html.ts'
import type { PageContext } from '../http/page.ts'
import type { ReadingWords, SearchWords } from '../i18n/en/search.ts'
import type { Locale } from '../i18n/messages.ts'
import type { SiteServices } from '../site-services.ts'

export interface Presenting {
  words: SearchWords
  reading: ReadingWords
  locale: Locale
  now: number
  /** The slots that serve this tab, with the names of their providers, in order. */
  engines: readonly { slot: string; name: string }[]
  pictures: SiteServices['pictures']
  showsIcons: boolean
  newTab: boolean
  /** The Read link of a page; '' if there is none. */
  toRead: (address: string) => string
}

export function presentingOf(context: PageContext, { tab, now }: Pick<SearchAnswer<Tab>, 'tab' | 'now'>): Presenting {
  const { words, locale, services, preferences } = context
  return {
    words: words.search,
    reading: words.reading,
    locale,
    now,
    engines: enginesOf(services, tab),
    pictures: services.pictures,
    showsIcons: services.showsIcons,
    newTab: preferences.newTab,
    toRead: () => '',
  }
}

export const enginesOf = ({ search }: SiteServices, tab: Tab): { slot: string; name: string }[] =>
  search.slotNames.map((slot) => ({ slot, name: search.labelOf(slot, tab) })).filter(({ name }) => name !== '')

/**
 * The attributes of a link to a third-party page. Adapters already let only http(s) through; this is the second check.
 * The headers keep the page from learning where its reader came from.
 */
export const outward = (address: string, { newTab }: Pick<Presenting, 'newTab'>): Html =>
  html`href="${httpAddress(address) || '#'}"${newTab && html` target="_blank" rel="noopener"`}`

const lists = new Map<Locale, Intl.ListFormat>()

/** Joins names as the language does: `Brave, Mojeek and Marginalia`. */
export function listed(names: readonly string[], locale: Locale): string {
  const format = lists.get(locale) ?? new Intl.ListFormat(locale)
  lists.set(locale, format)
  return format.format(names)
}
