// The locale in which an answer reads and writes numbers: the requested language with its region (`de-CH`, `en-IN` and
// `es-MX` differ from their languages), else the language of the query's words, else English.
import type { Language, Question } from '../question.ts'

const REGION = /-([a-z]{2}|\d{3})(?=-|$)/i

/** Always returns a locale that Intl accepts: only the region of the requested tag is used. */
export function numberLocale({ lang, tag }: Pick<Question, 'lang' | 'tag'>, spoken: Language | '' = ''): string {
  if (lang === '') return spoken || 'en'
  const region = REGION.exec(tag)?.[1]
  return region === undefined ? lang : `${lang}-${region.toUpperCase()}`
}
