// Formats values in the reader's language: times, names of languages, labels.
import { MICROS_PER_DOLLAR } from '@bowerbird/engines/engine.ts'
import { relativeAge } from '../../text/durations.ts'
import { memoize } from '../../text/memoize.ts'
import { type Html, html } from '../http/html.ts'
import type { PageContext } from '../http/page.ts'
import type { Language, Locale } from '../i18n/messages.ts'

/** A past moment as an age, with the exact UTC time on hover. */
export const showPast = (moment: Date, { locale, clock }: Pick<PageContext, 'locale' | 'clock'>): Html =>
  html`<time datetime="${moment.toISOString()}" title="${formatExactly(moment, locale)}">${relativeAge(moment.getTime(), clock(), locale)}</time>`

/**
 * The age of something that others have dated, with the day on hover: its hour and its zone are seldom known. undefined if
 * it has no date.
 */
export function showAge(at: number | undefined, { now, locale }: { now: number; locale: Locale }): Html | undefined {
  if (at === undefined || Number.isNaN(new Date(at).getTime())) return undefined
  const moment = new Date(at)
  return html`<time datetime="${moment.toISOString()}" title="${formatLongDay(moment, locale)}">${relativeAge(at, now, locale)}</time>`
}

/** `3 May 2026`, in UTC. */
export const formatDay = (moment: Date, { locale }: Pick<PageContext, 'locale'>): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(moment)

/** `13 November 2026`, in UTC, as instant answers write it. */
export const formatLongDay = (moment: Date, locale: Locale): string => longDayFormat(locale).format(moment)

/** A page of results has a date at each, and making a format is slow. */
const longDayFormat = memoize(
  (locale: Locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }),
)

const formatExactly = (moment: Date, locale: Locale): string =>
  `${new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }).format(moment)} UTC`

const languageNames = memoize((locale: Locale) => new Intl.DisplayNames(locale, { type: 'language', fallback: 'none' }))

/** Undefined for a code that stands for no language, or that only one backend uses, such as `oci_aran`. */
export function languageName(code: string, locale: Locale): string | undefined {
  try {
    return languageNames(locale).of(code)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** The name of a language of the website in that language. */
export const interfaceLanguage = memoize((language: Language): string =>
  capitalised(languageName(language, language) ?? language, language),
)

const RIGHT_TO_LEFT = new Set(['Adlm', 'Arab', 'Aran', 'Hebr', 'Mand', 'Nkoo', 'Rohg', 'Samr', 'Syrc', 'Thaa'])

/** The writing direction of a language, for `dir`; `auto` lets the browser decide by the first letter of the text. */
export function directionOf(language: string): 'ltr' | 'rtl' | 'auto' {
  if (language === '') return 'auto'
  try {
    const { script } = new Intl.Locale(language).maximize()
    return script === undefined ? 'auto' : RIGHT_TO_LEFT.has(script) ? 'rtl' : 'ltr'
  } catch (error) {
    if (error instanceof RangeError) return 'auto'
    throw error
  }
}

/** The decimal digits of a price, which may be a fraction of a cent. */
export const PRICE_DIGITS = 6
export const dollars = (micros: number, locale: string, maxDigits = 2): string =>
  new Intl.NumberFormat(locale, { style: 'currency', currency: 'USD', maximumFractionDigits: maxDigits }).format(
    micros / MICROS_PER_DOLLAR,
  )

const compactFormat = memoize(
  (locale: Locale) => new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 }),
)

/** A number in few characters, `1.2M`, and the one whose plural form goes with it: a million, as that is what is read. */
export function compactCount(count: number, locale: Locale): { shown: string; count: number } {
  const unit = count >= 1e6 ? 1e6 : count >= 1e3 ? 1e3 : 1
  return { shown: compactFormat(locale).format(count), count: Math.floor(count / unit) * unit }
}

/** Capitalises the first letter, for third-party text that we use as a label. */
export const capitalised = (text: string, locale?: string): string =>
  text.charAt(0).toLocaleUpperCase(locale) + text.slice(1)
