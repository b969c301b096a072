// An exact decimal string as people write numbers in a locale: grouped, with its decimal mark. Whole numbers are
// written in full; so is a fraction of up to 20 digits, which is as a rule exact; a longer one is rounded to 15
// significant digits, but never within its whole part. What is very small or has an exponent is written as `1.5 ×
// 10^-12`.
import { type Decimal, Exact } from './exact-decimal.ts'

const SHORT_DIGITS = 20
const ROUNDED_DIGITS = 15
const SMALLEST_EXPONENT = -9
const LARGEST_EXPONENT = 20
const MOST_FORMATS = 200
const WHOLE = /^-?\d+$/

const formats = new Map<string, Intl.NumberFormat>()

interface Rounding {
  /** A fraction of no more digits than this is written in full. */
  full?: number
  /** How many significant digits are left of a longer one. */
  digits?: number
}

/** `exact` is digits with an optional sign, point and exponent, as `readNumber` and Decimal give it. */
export function writeNumber(exact: string, locale: string, rounding: Rounding = {}): string {
  if (WHOLE.test(exact)) return grouped(exact, locale)
  const { shown, hasExponent } = shownOf(exact, rounding)
  if (!hasExponent) return grouped(shown.toFixed(), locale)
  const [mantissa = '', exponent = ''] = shown.toExponential().split('e')
  return `${grouped(mantissa, locale)} × 10^${exponent.replace('+', '')}`
}

/** What is written has not all of its digits, so that it does not equal it. */
export const isRoundedWhenWritten = (exact: string, rounding: Rounding = {}): boolean =>
  !WHOLE.test(exact) && !shownOf(exact, rounding).shown.eq(exact)

function shownOf(exact: string, { full = SHORT_DIGITS, digits = ROUNDED_DIGITS }: Rounding) {
  const value = new Exact(exact)
  const hasExponent = value.e < SMALLEST_EXPONENT || (exact.includes('e') && value.e > LARGEST_EXPONENT)
  if (!hasExponent) return { shown: roundedFraction(value, full, digits), hasExponent }
  return { shown: value.precision() <= full ? value : value.toSignificantDigits(digits), hasExponent }
}

/** An amount of money: always with so many decimals. */
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

/** Intl takes a decimal string as exactly as it stands; its type wants a template literal that says so. No -0. */
const plainZero = (digits: string): `${number}` =>
  (/^-0+(?:\.0+)?$/.test(digits) ? digits.slice(1) : digits) as `${number}`
