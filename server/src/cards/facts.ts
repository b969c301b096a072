// The facts of an article's Wikidata item, in two calls: its statements, then the labels of the items and properties in
// them, in the requested language. Dates are formatted to the precision known, numbers with their units.
import { httpAddress } from '@bowerbird/engines/parsing/http-address.ts'
import { languageTag } from '@bowerbird/engines/parsing/language-tag.ts'
import {
  MAX_IDS,
  type WikidataStatement,
  type WikidataValue,
  wikidata,
  wikidataItem,
  wikidataLabels,
} from '@bowerbird/engines/sources/wikidata.ts'
import type { Article } from '@bowerbird/engines/sources/wikipedia-articles.ts'
import { z } from 'zod'
import type { CardContext } from './card.ts'
import { FACT_PROPERTIES, isAdult, propertiesFor } from './fact-table.ts'

const MAX_FACTS = 8

export const Fact = z
  .object({
    property: z.string().describe('The property on Wikidata, such as P57.'),
    label: z.string().describe('Its name in the requested language.'),
    values: z.array(z.object({ text: z.string(), url: z.string().describe('A link for the value, or empty.') })),
  })
  .meta({ id: 'Fact' })

export interface KnownFacts {
  facts: z.output<typeof Fact>[]
  /** Wikidata classifies it as adult content. */
  isAdult: boolean
}

export const wikidataPage = (id: string): string => `https://www.wikidata.org/wiki/${id}`

/** A website links to itself, an item to its Wikidata page. */
const linkOf = ({ value }: WikidataStatement): string => {
  if (value.type === 'item') return wikidataPage(value.id)
  return value.type === 'text' ? httpAddress(value.text) : ''
}

/** In the requested language, or else in the article's. */
export async function factsOf(article: Article, context: CardContext): Promise<KnownFacts> {
  const { ask } = context
  const lang = context.lang || article.lang
  const item = await ask(wikidata, wikidataItem, { id: article.item, properties: FACT_PROPERTIES })
  if (!item) return { facts: [], isAdult: false }
  const shown = propertiesFor(item)
    .map((property) => ({ property, statements: shownStatements(property, item.statements[property] ?? []) }))
    .filter(({ statements }) => statements.length > 0)
    .slice(0, MAX_FACTS)
  const ids = [...new Set(shown.flatMap(({ property, statements }) => [property, ...itemsIn(statements)]))]
  if (ids.length === 0) return { facts: [], isAdult: isAdult(item) }
  // Sorted, so that the same set of ids has the same cache key.
  const labelQuery = { ids: ids.toSorted().slice(0, MAX_IDS), lang: languageTag(lang).base || 'en' }
  const labels = (await ask(wikidata, wikidataLabels, labelQuery)) ?? {}
  const facts = shown.map(({ property, statements }) => ({
    property,
    label: labels[property] ?? '',
    values: statements
      .map((statement) => ({ text: formatValue(statement, labels, lang), url: linkOf(statement) }))
      .filter(({ text }) => text !== ''),
  }))
  return { facts: facts.filter(({ label, values }) => label !== '' && values.length > 0), isAdult: isAdult(item) }
}

const MAX_VALUES = 3

/** Offices, capitals, currencies and so on that change over time: past values aren't shown. */
const CURRENT_ONLY = new Set('P6 P17 P35 P36 P37 P38 P39 P131 P159 P169'.split(' '))
/** Figures that are measured repeatedly: the newest is shown, with its year. */
const NEWEST_ONLY = new Set('P1082 P1128 P2131 P2139'.split(' '))

/** Units with a widely understood symbol. */
const UNIT_SIGNS: Readonly<Record<string, string>> = {
  Q11573: 'm',
  Q828224: 'km',
  Q712226: 'km²',
  Q25343: 'm²',
  Q35852: 'ha',
  Q11570: 'kg',
  Q7727: 'min',
  Q25235: 'h',
  Q4917: 'US$',
  Q4916: '€',
  Q483261: 'u',
}

const newestFirst = (statements: readonly WikidataStatement[]): WikidataStatement[] =>
  statements.toSorted((one, other) => (one.pointInTime < other.pointInTime ? 1 : -1))

/** Picks the statements to show for one property: several items, but only one date or figure. */
export function shownStatements(property: string, statements: readonly WikidataStatement[]): WikidataStatement[] {
  if (NEWEST_ONLY.has(property)) return newestFirst(statements).slice(0, 1)
  const current = CURRENT_ONLY.has(property) ? statements.filter(({ hasEnded }) => !hasEnded) : [...statements]
  const areItems = current.every(({ value }) => value.type === 'item')
  // A film is released on different days in different countries: show the earliest.
  const areDates = current[0]?.value.type === 'time'
  const ordered = areDates ? current.toSorted((one, other) => (timeIn(one) < timeIn(other) ? -1 : 1)) : current
  return ordered.slice(0, areItems ? MAX_VALUES : 1)
}

const timeIn = ({ value }: WikidataStatement): string => (value.type === 'time' ? value.time : '')

/** Items whose labels are needed to format the values. */
export const itemsIn = (statements: readonly WikidataStatement[]): string[] =>
  statements.flatMap(({ value }) => {
    if (value.type === 'item') return [value.id]
    return value.type === 'quantity' && value.unit !== '' && !(value.unit in UNIT_SIGNS) ? [value.unit] : []
  })

const localeOf = (lang: string): string => {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf([lang])[0] ?? 'en'
  } catch {
    return 'en'
  }
}

/** Wikidata's codes for the precision of a time. */
const DAY_PRECISION = 11
const MONTH_PRECISION = 10
const YEAR_PRECISION = 9

/** '' for a time that is known only to the decade or worse, or is invalid. */
function formatTime({ time, precision }: { time: string; precision: number }, locale: string): string {
  const [, sign, year, month, day] = /^([+-])0{0,12}(\d{1,5})-(\d\d)-(\d\d)T/.exec(time) ?? []
  if (year === undefined || precision < YEAR_PRECISION) return ''
  const isBce = sign === '-'
  const date = new Date(0)
  // 1 BC is year 0 for Date, 2 BC is -1, and so on.
  date.setUTCFullYear(isBce ? 1 - Number(year) : Number(year), Math.max(0, Number(month) - 1), Number(day) || 1)
  return new Intl.DateTimeFormat(locale, {
    timeZone: 'UTC',
    calendar: 'gregory',
    year: 'numeric',
    ...(precision >= MONTH_PRECISION && { month: 'long' }),
    ...(precision >= DAY_PRECISION && { day: 'numeric' }),
    ...(isBce && { era: 'short' }),
  }).format(date)
}

const SIGNIFICANT_DIGITS = 8

function formatAmount(amount: string, locale: string): string {
  const number = new Intl.NumberFormat(locale, {
    maximumFractionDigits: 5,
    maximumSignificantDigits: SIGNIFICANT_DIGITS,
  })
  return number.format(Number(amount))
}

const yearOf = (time: string): string => /^\+0{0,12}(\d{1,5})-/.exec(time)?.[1] ?? ''

/** The value as text, or '' for an item without a label or a time that is too vague. */
export function formatValue(
  { value, pointInTime }: WikidataStatement,
  labels: Readonly<Record<string, string>>,
  lang: string,
): string {
  const locale = localeOf(lang)
  const text = formatWithoutYear(value, labels, locale)
  const year = value.type === 'quantity' ? yearOf(pointInTime) : ''
  return text === '' || year === '' ? text : `${text} (${year})`
}

function formatWithoutYear(value: WikidataValue, labels: Readonly<Record<string, string>>, locale: string): string {
  if (value.type === 'item') return labels[value.id] ?? ''
  if (value.type === 'text') return value.text
  if (value.type === 'time') return formatTime(value, locale)
  const unit = UNIT_SIGNS[value.unit] ?? labels[value.unit] ?? ''
  const amount = formatAmount(value.amount, locale)
  return unit === '' ? amount : `${amount} ${unit}`
}
