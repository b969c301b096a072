// The number in a conversion, by the language of the words around it. `1.500` is one and a half in English and fifteen
// hundred in German: off by a thousand, in an answer that looks right. So a point before exactly three digits is read
// only where all the languages that the words may belong to agree about it.
//
// In French a point is neither: people type it for a comma and copy it as a mark of thousands. A zero at the end, which
// nobody writes after a decimal mark, tells. A comma before three digits is no such riddle: what ends in a third decimal
// is rare, `5,280 ft` is not.
import type { Language, Question } from '../question.ts'
import { numberLocale } from './number-locale.ts'
import { readNumber } from './read-number.ts'

const POINTED = /^[-+−]?[1-9]\d{0,2}\.\d{3}$/
const FRENCH = /^fr(?!-CH)/
const ANY_GROUPING = 'de'

/** `1.500`, and nothing else about it that would tell what its point means. */
export const isPointed = (text: string): boolean => POINTED.test(text)

export interface AmountLocales {
  /** In which the answer is written. */
  written: string
  /** In which its number may have been. The first is the likeliest. */
  read: readonly string[]
}

/** `languages`: those that the words may belong to. Who asks for English may still use words of another. */
export function amountLocales(question: Question, languages: readonly Language[]): AmountLocales {
  const [first = 'en'] = languages
  const spoken = languages.includes('en') ? 'en' : first
  const written = numberLocale(question, spoken)
  if (question.lang !== '' && (question.lang !== 'en' || spoken === 'en')) return { written, read: [written] }
  return { written, read: [spoken, ...languages.filter((language) => language !== spoken)] }
}

/** `undefined`: not one number, or one that could be two. */
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
