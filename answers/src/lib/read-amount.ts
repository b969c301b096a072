// Reads the number in a conversion by the language of the words around it. `1.500` is one and a half in English and
// fifteen hundred in German: off by a thousand, in an answer that looks right. So a point before exactly three digits
// is only read if all the languages the words may belong to agree on it.
//
// In French a point is ambiguous: people type it for a comma, and copy it as a thousands separator. A trailing zero
// decides, since people don't write one after a decimal mark. A comma before three digits isn't ambiguous: amounts with
// three decimals are rare, `5,280 ft` is not.
import type { Language, Question } from '../question.ts'
import { numberLocale } from './number-locale.ts'
import { readNumber } from './read-number.ts'

const POINTED = /^[-+−]?[1-9]\d{0,2}\.\d{3}$/
const FRENCH = /^fr(?!-CH)/
const ANY_GROUPING = 'de'

/** `1.500`, with nothing else to show what its point means. */
export const isPointed = (text: string): boolean => POINTED.test(text)

export interface AmountLocales {
  /** The locale for writing the answer. */
  written: string
  /** The locales the number may be written in, the likeliest first. */
  read: readonly string[]
}

/** `languages`: those the words may belong to. Callers who request English may still use words of another. */
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
  if (!isPointed(text)) return readNumber(text, first)
  const readings = new Set(read.map((locale) => readPointed(text, locale)))
  const [only] = readings
  return readings.size === 1 ? only : undefined
}

function readPointed(text: string, locale: string): string | undefined {
  if (!FRENCH.test(locale)) return readNumber(text, locale)
  return text.endsWith('0') ? readNumber(text, ANY_GROUPING) : undefined
}
