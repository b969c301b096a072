// Writes dates, times and counts of days in the language of the answer. English without a region is written the British
// way, day before month, which can't be misread when the month is a word. Formatters are cached, because creating one
// costs more than everything else in an answer.

import type { Language, Question } from '../question.ts'
import { numberLocale } from './number-locale.ts'

const MOST_FORMATS = 300

export type CountedUnit = 'second' | 'minute' | 'hour' | 'day' | 'week' | 'month' | 'year'

const STYLES = {
  full: { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
  long: { day: 'numeric', month: 'long', year: 'numeric' },
  short: { day: 'numeric', month: 'short' },
  weekday: { weekday: 'long' },
  clock: { hour: '2-digit', minute: '2-digit' },
  seconds: { hour: '2-digit', minute: '2-digit', second: '2-digit' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>

export type DateStyle = keyof typeof STYLES

const dates = new Map<string, Intl.DateTimeFormat>()
const counts = new Map<string, Intl.NumberFormat>()

/** Always returns a locale that Intl accepts. */
export function dateLocale(question: Pick<Question, 'lang' | 'tag'>, language: Language): string {
  const locale = numberLocale(question, language)
  return locale === 'en' ? 'en-GB' : locale
}

/** `wall` is the local date, or date and time: `2026-11-15` or `2026-11-15T14:05`. */
export function writeDate(wall: string, style: DateStyle, locale: string): string {
  const time = Date.parse(wall.includes('T') ? `${wall}Z` : `${wall}T00:00:00Z`)
  const written = formatFor(style, locale)
    .format(time)
    .replace(/[\u00a0\u202f]/g, ' ')
    .replace(/^0(?=\S+ [AP]M$)/i, '')
  // French writes the first of a month as an ordinal: `1er`.
  return locale.startsWith('fr') ? written.replace(/(^| )1 (?=\p{L})/u, '$11er ') : written
}

/** Two ISO dates as one range: `9 – 15 November 2026`. */
export function writeDateRange(from: string, to: string, locale: string): string {
  const [start, end] = [Date.parse(`${from}T00:00:00Z`), Date.parse(`${to}T00:00:00Z`)]
  const written = formatFor('long', locale).formatRange(start, end).replace(/\s/gu, ' ')
  // For Italian, Intl writes `09–15 novembre`, with a leading zero that people don't use.
  return written.replace(/(^|[–-] ?)0(?=\d)/g, '$1')
}

function formatFor(style: DateStyle, locale: string): Intl.DateTimeFormat {
  const key = `${locale} ${style}`
  const known = dates.get(key)
  if (known) return known
  if (dates.size >= MOST_FORMATS) dates.clear()
  const format = new Intl.DateTimeFormat(locale, { ...STYLES[style], timeZone: 'UTC', calendar: 'gregory' })
  dates.set(key, format)
  return format
}

/** `1 day`, `30 jours`, `1.234 Tage`. */
export function writeCount(count: number, unit: CountedUnit, locale: string): string {
  const key = `${locale} ${unit}`
  let format = counts.get(key)
  if (!format) {
    if (counts.size >= MOST_FORMATS) counts.clear()
    format = new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' })
    counts.set(key, format)
  }
  return format.format(count)
}
