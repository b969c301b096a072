// Writes an exact decimal string in a locale: grouped, with its decimal mark. Whole numbers are written in full; so are
// fractions of up to 20 digits, which are usually exact; longer ones are rounded to 15 significant digits, but never
// within the whole part. Very small numbers, and large ones given with an exponent, are written as `1.5 × 10^-12`.
import { type Decimal, Exact } from './exact-decimal.ts'

const SHORT_DIGITS = 20
const ROUNDED_DIGITS = 15
const SMALLEST_EXPONENT = -9
const LARGEST_EXPONENT = 20
const MOST_FORMATS = 200
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
  const { shown, hasExponent } = shownOf(exact, rounding)
  if (!hasExponent) return grouped(shown.toFixed(), locale)
  const [mantissa = '', exponent = ''] = shown.toExponential().split('e')
  return `${grouped(mantissa, locale)} × 10^${exponent.replace('+', '')}`
}

/** Whether writing it drops digits, so that the written number isn't equal to it. */
export const isRoundedWhenWritten = (exact: string, rounding: Rounding = {}): boolean =>
  !WHOLE.test(exact) && !shownOf(exact, rounding).shown.eq(exact)

function shownOf(exact: string, { full = SHORT_DIGITS, digits = ROUNDED_DIGITS }: Rounding) {
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

function roundedFraction(value: Decimal, full: number, digits: number): Decimal {
  if (value.isInteger() || value.precision() <= full) return value
  return value.e < 0 ? value.toSignificantDigits(digits) : value.toDecimalPlaces(Math.max(0, digits - 1 - value.e))
}

function grouped(digits: string, locale: string): string {
  let format = formats.get(locale)
  if (format === undefined) {
    if (formats.size >= MOST_FORMATS) formats.clear()
    format = new Intl.NumberFormat(locale, { maximumFractionDigits: 100 })
    formats.set(locale, format)
  }
  return format.format(plainZero(digits))
}

/** Intl formats decimal strings exactly, but its type wants a template literal. Also turns -0 into 0. */
const plainZero = (digits: string): `${number}` =>
  (/^-0+(?:\.0+)?$/.test(digits) ? digits.slice(1) : digits) as `${number}`
