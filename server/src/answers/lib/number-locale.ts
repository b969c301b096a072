// The locale in which an answer reads and writes its numbers: the language that was asked for with its region (`de-CH`,
// `en-IN` and `es-MX` differ from their languages), else the language of the words that were used, else English.
import type { Language, Question } from '../question.ts'

const REGION = /-([a-z]{2}|\d{3})(?=-|$)/i

/** Always a locale that Intl accepts: nothing of the asked tag but its region gets through. */
export function numberLocale({ lang, tag }: Pick<Question, 'lang' | 'tag'>, spoken: Language | '' = ''): string {
  if (lang === '') return spoken || 'en'
  const region = REGION.exec(tag)?.[1]
  return region === undefined ? lang : `${lang}-${region.toUpperCase()}`
}
