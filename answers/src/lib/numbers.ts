// Numbers: exact arithmetic, and reading and writing them as people do in seven languages.
//
// A number is read into an exact decimal string: `1,234.5`, `1.234,5`, `1 234,5`, `1'234.5`, `12,34,567`, `2e6`. If both
// a comma and a point occur, the last one is the decimal mark. A single one before exactly three digits is ambiguous:
// the locale decides, so answers always show which number they understood.
import { Decimal } from 'decimal.js'
import type { Language, Question } from '../question.ts'
import { cached } from './cached.ts'

export type { Decimal } from 'decimal.js'

/** 40 digits, rounding halves away from zero as people do. A clone, so other users of the library can't change it. */
export const Exact = Decimal.clone({ defaults: true, precision: 40, rounding: Decimal.ROUND_HALF_UP })

const REGION = /-([a-z]{2}|\d{3})(?=-|$)/i

/**
 * The locale in which an answer reads and writes numbers: the requested language with its region (`de-CH`, `en-IN` and
 * `es-MX` differ from their languages), else the language of the query's words, else English. Intl accepts it: only the
 * region of the requested tag is used.
 */
export function numberLocale({ lang, tag }: Pick<Question, 'lang' | 'tag'>, spoken: Language | '' = ''): string {
  if (lang === '') return spoken || 'en'
  const region = REGION.exec(tag)?.[1]
  return region === undefined ? lang : `${lang}-${region.toUpperCase()}`
}

/** The language of a locale from `numberLocale`, which begins with it. */
export const languageOf = (locale: string): Language => locale.slice(0, 2) as Language

const MAX_NUMBER_LENGTH = 60
const ONLY_NUMBER = /^[-+−]?([\d.,'’_ \u00a0\u2009\u202f]{1,60})(?:e([-+]?\d{1,4}))?$/i
const THOUSANDS = /^\d{1,3}(?:\D\d{3})+$/
const INDIAN = /^\d{1,2}(?:,\d{2})+,\d{3}$/
const DOTTED_QUAD = /^\d{1,3}(?:\.\d{1,3}){3}$/
/** Languages in which a single point groups thousands. Not French, where it is a borrowed decimal mark. */
const POINT_GROUPS: ReadonlySet<string> = new Set(['de', 'es', 'it', 'pt', 'nl'])

const decimalMarks = new Map<string, ',' | '.'>()

const decimalMark = (locale: string): ',' | '.' =>
  cached(decimalMarks, locale, () => (new Intl.NumberFormat(locale).format(0.5).includes(',') ? ',' : '.'))

/** Returns what Decimal accepts (`-1234.5`), and BigInt too if it has only digits. `undefined`: not one number. */
export function readNumber(text: string, locale: string): string | undefined {
  if (text.length > MAX_NUMBER_LENGTH) return undefined
  const found = ONLY_NUMBER.exec(text)
  if (found === null) return undefined
  const digits = plainDigits(found[1] ?? '', locale)
  if (digits === undefined) return undefined
  const sign = text.startsWith('-') || text.startsWith('−') ? '-' : ''
  return `${sign}${digits}${found[2] === undefined ? '' : `e${found[2]}`}`
}

function plainDigits(written: string, locale: string): string | undefined {
  const mark = decimalMarkIn(written, locale)
  if (mark === undefined) return undefined
  const at = mark === '' ? -1 : written.lastIndexOf(mark)
  const whole = at < 0 ? written : written.slice(0, at)
  const fraction = at < 0 ? '' : written.slice(at + 1)
  if (at >= 0 && !/^\d+$/.test(fraction)) return undefined
  const integer = whole === '' && at >= 0 ? '0' : ungrouped(whole)
  if (integer === undefined) return undefined
  return fraction === '' ? integer : `${integer}.${fraction}`
}

/** Returns the decimal mark of a number, '' if it has none, `undefined` if it isn't a plausible number. */
function decimalMarkIn(written: string, locale: string): ',' | '.' | '' | undefined {
  const points = written.split('.').length - 1
  const commas = written.split(',').length - 1
  if (points === 0 && commas === 0) return ''
  if (points > 0 && commas > 0) {
    const last = written.lastIndexOf(',') > written.lastIndexOf('.') ? ',' : '.'
    return (last === ',' ? commas : points) === 1 ? last : undefined
  }
  if (points + commas > 1) return ''
  const mark = points === 1 ? '.' : ','
  return isGrouping(written, mark, locale) ? '' : mark
}

/** `1,234` or `1.234`, with nothing else to show what its mark means. */
function isGrouping(written: string, mark: ',' | '.', locale: string): boolean {
  if (!/^[1-9]\d{0,2}[.,]\d{3}$/.test(written)) return false
  if (mark === decimalMark(locale)) return false
  return mark === ',' || POINT_GROUPS.has(locale.slice(0, 2))
}

function ungrouped(whole: string): string | undefined {
  if (/^\d+$/.test(whole)) return whole
  const marks = new Set(whole.match(/\D/g))
  // A number uses one kind of grouping mark; a mixture is something else.
  if (marks.size !== 1) return undefined
  if (DOTTED_QUAD.test(whole) && whole.split('.').every((part) => Number(part) < 256)) return undefined
  return THOUSANDS.test(whole) || INDIAN.test(whole) ? whole.replace(/\D/g, '') : undefined
}

// An amount in a conversion is read by the language of the words around it. `1.500` is one and a half in English and
// fifteen hundred in German: off by a thousand, in an answer that looks right. So a point before exactly three digits is
// only read if all the languages the words may belong to agree on it.
//
// In French a point is ambiguous: people type it for a comma, and copy it as a thousands separator. A trailing zero
// decides, since people don't write one after a decimal mark. A comma before three digits isn't ambiguous: amounts with
// three decimals are rare, `5,280 ft` is not.

const AMBIGUOUS_POINT = /^[-+−]?[1-9]\d{0,2}\.\d{3}$/
const FRENCH = /^fr(?!-CH)/
const POINT_GROUPING_LOCALE = 'de'

/** `1.500`, with nothing else to show what its point means. */
export const hasAmbiguousPoint = (text: string): boolean => AMBIGUOUS_POINT.test(text)

export interface AmountLocales {
  /** The locale for writing the answer. */
  written: string
  /** The locales the number may be written in, the likeliest first. */
  read: readonly string[]
}

/** `languages`: those the words may belong to. People who request English may still use words of another. */
export function amountLocales(question: Question, languages: readonly Language[]): AmountLocales {
  const [first = 'en'] = languages
  const spoken = languages.includes('en') ? 'en' : first
  const written = numberLocale(question, spoken)
  if (question.lang !== '' && (question.lang !== 'en' || spoken === 'en')) return { written, read: [written] }
  return { written, read: [spoken, ...languages.filter((language) => language !== spoken)] }
}

/** `undefined`: not a single number, or an ambiguous one. */
export function readAmount(text: string, { read }: Pick<AmountLocales, 'read'>): string | undefined {
  const [first = 'en'] = read
  if (!hasAmbiguousPoint(text)) return readNumber(text, first)
  const readings = new Set(read.map((locale) => readAmbiguousPoint(text, locale)))
  const [only] = readings
  return readings.size === 1 ? only : undefined
}

function readAmbiguousPoint(text: string, locale: string): string | undefined {
  if (!FRENCH.test(locale)) return readNumber(text, locale)
  return text.endsWith('0') ? readNumber(text, POINT_GROUPING_LOCALE) : undefined
}

// Numbers are written grouped, with the locale's decimal mark. Whole numbers are written in full; so are fractions of up
// to 20 digits, which are usually exact; longer ones are rounded to 15 significant digits, but never within the whole
// part. Very small numbers, and large ones given with an exponent, are written as `1.5 × 10^-12`.

const SHORT_DIGITS = 20
const ROUNDED_DIGITS = 15
const SMALLEST_EXPONENT = -9
const LARGEST_EXPONENT = 20
const WHOLE = /^-?\d+$/

const formats = new Map<string, Intl.NumberFormat>()

interface Rounding {
  /** Fractions with at most this many digits are written in full. */
  full?: number
  /** Significant digits of longer ones. */
  digits?: number
}

/** `exact` is digits with an optional sign, point and exponent, as returned by `readNumber` and Decimal. */
export function writeNumber(exact: string, locale: string, rounding: Rounding = {}): string {
  if (WHOLE.test(exact)) return grouped(exact, locale)
  const { shown, hasExponent } = roundForWriting(exact, rounding)
  if (!hasExponent) return grouped(shown.toFixed(), locale)
  const [mantissa = '', exponent = ''] = shown.toExponential().split('e')
  return `${grouped(mantissa, locale)} × 10^${exponent.replace('+', '')}`
}

/** Whether writing it drops digits, so that the written number isn't equal to it. */
export const isRoundedWhenWritten = (exact: string, rounding: Rounding = {}): boolean =>
  !WHOLE.test(exact) && !roundForWriting(exact, rounding).shown.eq(exact)

function roundForWriting(exact: string, { full = SHORT_DIGITS, digits = ROUNDED_DIGITS }: Rounding) {
  const value = new Exact(exact)
  const hasExponent = value.e < SMALLEST_EXPONENT || (exact.includes('e') && value.e > LARGEST_EXPONENT)
  if (!hasExponent) return { shown: roundedFraction(value, full, digits), hasExponent }
  return { shown: value.precision() <= full ? value : value.toSignificantDigits(digits), hasExponent }
}

/** Writes an amount of money, always with this many decimals. */
export function writeAmount(exact: string, locale: string, decimals: number): string {
  const rounded = new Exact(exact).toFixed(decimals)
  const format = new Intl.NumberFormat(locale, { minimumFractionDigits: decimals, maximumFractionDigits: decimals })
  return format.format(plainZero(rounded))
}

/** The same, marked with ≈ if rounding changed it. */
export const writeRounded = (value: Decimal, locale: string, decimals: number): string =>
  `${value.decimalPlaces() > decimals ? '≈ ' : ''}${writeAmount(value.toFixed(), locale, decimals)}`

function roundedFraction(value: Decimal, full: number, digits: number): Decimal {
  if (value.isInteger() || value.precision() <= full) return value
  return value.e < 0 ? value.toSignificantDigits(digits) : value.toDecimalPlaces(Math.max(0, digits - 1 - value.e))
}

function grouped(digits: string, locale: string): string {
  const format = cached(formats, locale, () => new Intl.NumberFormat(locale, { maximumFractionDigits: 100 }))
  return format.format(plainZero(digits))
}

/** Intl formats decimal strings exactly, but its type wants a template literal. Also turns -0 into 0. */
const plainZero = (digits: string): `${number}` =>
  (/^-0+(?:\.0+)?$/.test(digits) ? digits.slice(1) : digits) as `${number}`
