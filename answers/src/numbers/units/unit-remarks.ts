// Remarks on a conversion, in seven languages: that nothing is colder than absolute zero, and that years and months
// vary in length.
import { type Decimal, Exact } from '../../lib/exact-decimal.ts'
import { writeNumber } from '../../lib/write-number.ts'
import type { Language } from '../../question.ts'
import type { Quantity } from './quantity.ts'
import type { Unit } from './unit.ts'

const TOO_COLD: Readonly<Record<Language, string>> = {
  en: '{given} does not exist: absolute zero is {zero}.',
  fr: '{given} n’existe pas : le zéro absolu est à {zero}.',
  de: '{given} gibt es nicht: Der absolute Nullpunkt liegt bei {zero}.',
  es: '{given} no existe: el cero absoluto está a {zero}.',
  it: '{given} non esiste: lo zero assoluto è a {zero}.',
  pt: '{given} não existe: o zero absoluto é {zero}.',
  nl: '{given} bestaat niet: het absolute nulpunt is {zero}.',
}

/** Absolute zero in the quantity's unit, if the quantity is below it. */
export function absoluteZeroAbove({ value, unit }: Quantity): Decimal | undefined {
  const zero = unit.offset?.negated()
  return zero && value.lt(zero) ? zero : undefined
}

export const writeTooCold = (language: Language, given: string, zero: string): string =>
  TOO_COLD[language].replace('{given}', given).replace('{zero}', zero)

interface Average {
  average: string
  year: string
  month: string
}

const AVERAGES: Readonly<Record<Language, Average>> = {
  en: { average: 'on average', year: '365 or 366', month: '28 to 31' },
  fr: { average: 'en moyenne', year: '365 ou 366', month: 'de 28 à 31' },
  de: { average: 'im Mittel', year: '365 oder 366', month: '28 bis 31' },
  es: { average: 'de media', year: '365 o 366', month: 'de 28 a 31' },
  it: { average: 'in media', year: '365 o 366', month: 'da 28 a 31' },
  pt: { average: 'em média', year: '365 ou 366', month: 'de 28 a 31' },
  nl: { average: 'gemiddeld', year: '365 of 366', month: '28 tot 31' },
}
const CALENDAR: ReadonlySet<string> = new Set(['mo', 'yr', 'decade', 'century', 'millennium'])

interface Converted {
  result: Decimal
  /** The result as it would be written. */
  written: string
  locale: string
}

/** `undefined`: the lengths don't vary. `1 yr` in days is written as `365 or 366`, followed by the average. */
export function writeAverage(from: Quantity, to: Unit, { result, written, locale }: Converted): string | undefined {
  if (to.dimension !== 'time' || CALENDAR.has(from.unit.symbol) === CALENDAR.has(to.symbol)) return undefined
  // Locales from `number-locale.ts` begin with one of the languages.
  const { average, year, month } = AVERAGES[locale.slice(0, 2) as Language]
  const range = { yr: year, mo: month }[from.unit.symbol]
  if (range === undefined || to.symbol !== 'd' || !from.value.eq(1)) return `${written} (${average})`
  return `${range} d (${writeNumber(new Exact(result).toString(), locale)} ${average})`
}
