// The result filters, as plain selects in a GET form. Without JavaScript a button applies them; with it, any change
// does.
import type { Tab } from '@bowerbird/engines/engine.ts'
import type { ImageFilter, ImageFilters } from '@bowerbird/engines/image-filters.ts'
import { DATE_RANGES } from '../../search/read-filters.ts'
import { COMMON_COUNTRIES } from '../../search/regions.ts'
import type { Search } from '../../search/search.ts'
import { type Html, html } from '../http/html.ts'
import type { PageContext } from '../http/page.ts'
import type { Locale } from '../i18n/messages.ts'
import { addressOf } from '../parts/address.ts'
import { optionsOf } from '../parts/form.ts'
import { capitalised } from '../parts/formats.ts'
import { OPERATORS_PATH } from './operators-page.ts'
import type { SearchQuery } from './search-query.ts'

/** Common languages; any other tag can be set in the URL or the preferences. */
const LANGUAGES =
  'ar bg ca cs da de el en es et fa fi fr he hi hr hu id it ja ko lt lv nl no pl pt ro ru sk sl sr sv th tr uk vi zh'.split(
    ' ',
  )

interface Option {
  value: string
  label: string
}

const languagesByLocale = new Map<Locale, Option[]>()
const regionsByLocale = new Map<Locale, Option[]>()

/** Sorted by name in the reader's language; built once per language. */
export function languageOptions(locale: Locale): Option[] {
  const options = languagesByLocale.get(locale) ?? namedOptions(LANGUAGES, 'language', locale)
  languagesByLocale.set(locale, options)
  return options
}

/** The countries that an engine can favour in one of these tabs, and the chosen one. */
export function regionOptions(
  search: Search,
  { locale }: PageContext,
  { tabs, chosen }: { tabs: readonly Tab[]; chosen: string },
): Option[] {
  const options = regionsByLocale.get(locale) ?? namedOptions(COMMON_COUNTRIES, 'region', locale)
  regionsByLocale.set(locale, options)
  const taken = new Set(tabs.flatMap((tab) => search.regionsOf(tab)))
  const offered = options.filter(({ value }) => taken.has(value) || value === chosen)
  return chosen === '' || offered.some(({ value }) => value === chosen)
    ? offered
    : [...offered, ...namedOptions([chosen], 'region', locale)]
}

function namedOptions(codes: readonly string[], type: 'language' | 'region', locale: Locale): Option[] {
  const names = new Intl.DisplayNames(locale, { type })
  return codes
    .map((value) => ({ value, label: capitalised(names.of(value) ?? value, locale) }))
    .sort((one, other) => one.label.localeCompare(other.label, locale))
}

interface FilterParts {
  /** The page of the search. */
  action: string
  /** Whose engines can favour a region; without it, none can be chosen. */
  search?: Search
}

export function filters(context: PageContext, searchQuery: SearchQuery, { action, search }: FilterParts): Html {
  const { words, locale, preferences, hasPage } = context
  const { tab, written, request, keep } = searchQuery
  const { filters: labels } = words.search
  const { lang } = request
  const listed = languageOptions(locale)
  const { engine = '', ...filtersInUrl } = keep
  const isFiltered = Object.keys(filtersInUrl).length > 0
  const isListed = lang === '' || listed.some(({ value }) => value === lang)
  return html`<form class="filters" action="${action}" aria-label="${labels.label}" autocomplete="off" data-submit-on-change>
<input type="hidden" name="q" value="${written}">
${tab !== 'web' && html`<input type="hidden" name="tab" value="${tab}">`}
${engine && html`<input type="hidden" name="engine" value="${engine}">`}
${
  tab !== 'images' &&
  filter('date', labels.time, {
    options: [
      { value: '', label: labels.anyTime },
      ...DATE_RANGES.map((value) => ({ value, label: labels.ranges[value] })),
    ],
    chosen: request.date ?? '',
    preferred: '',
  })
}
${tab === 'images' && imageFilters(words.images.filters, request.image)}
${filter('safe', labels.safe, {
  options: [
    { value: 'on', label: labels.safeOn },
    { value: 'off', label: labels.safeOff },
  ],
  chosen: request.safe ? 'on' : 'off',
  preferred: preferences.safe ? 'on' : 'off',
})}
${filter('lang', labels.language, {
  options: [
    { value: 'auto', label: labels.anyLanguage },
    ...listed,
    ...(isListed ? [] : [{ value: lang, label: lang }]),
  ],
  chosen: lang || 'auto',
  preferred: preferences.lang || 'auto',
})}
${search && regionFilter(search, context, searchQuery)}
<button type="submit" class="apply">${words.frame.apply}</button>
${isFiltered && html`<a href="${addressOf(action, { q: written, tab: tab === 'web' ? '' : tab, engine })}">${words.frame.clear}</a>`}
${hasPage(OPERATORS_PATH) && html`<a class="operators" href="${OPERATORS_PATH}" aria-label="${words.finding.help}" title="${words.finding.help}" data-in-place="sheet" data-close="${words.finding.close}">?</a>`}
</form>`
}

function regionFilter(
  search: Search,
  context: PageContext,
  { tab, request: { region = '' } }: SearchQuery,
): Html | false {
  const { label, any } = context.words.region
  const options = regionOptions(search, context, { tabs: [tab], chosen: region })
  return (
    options.length > 0 &&
    filter('region', label, {
      options: [{ value: 'all', label: any }, ...options],
      chosen: region || 'all',
      preferred: context.preferences.region || 'all',
    })
  )
}

const imageFilters = (labels: PageContext['words']['images']['filters'], chosen: ImageFilters = {}): Html[] =>
  (Object.keys(labels) as ImageFilter[]).map((name) => {
    const { label, any, values } = labels[name]
    const options = Object.entries(values).map(([value, shown]) => ({ value, label: shown }))
    return filter(name, label, {
      options: [{ value: '', label: any }, ...options],
      chosen: chosen[name] ?? '',
      preferred: '',
    })
  })

interface Choice {
  options: readonly Option[]
  chosen: string
  preferred: string
}

/** The reader's preferred value is sent as '', so that the URL contains only what differs from it. */
function filter(name: string, label: string, { options, chosen, preferred }: Choice): Html {
  const paramOf = (value: string) => (value === preferred ? '' : value)
  const isOn = chosen !== preferred && html` class="on"`
  return html`<select name="${name}" aria-label="${label}"${isOn}>${optionsOf(
    options.map(({ value, label }) => ({ value: paramOf(value), label })),
    paramOf(chosen),
  )}</select>`
}
