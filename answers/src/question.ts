// A query as the instant answers see it: prepared once, for all of them.

/** Languages whose everyday triggers are known. */
export const LANGUAGES = ['en', 'fr', 'de', 'es', 'it', 'pt', 'nl'] as const
export type Language = (typeof LANGUAGES)[number]

export interface Question {
  /** As asked, trimmed, with all spaces inside it: use this to hash, encode or count. */
  asked: string
  /** As asked, with white space collapsed. Keeps case and accents. */
  text: string
  /** Lower case, without accents, digits of any script as 0 to 9. Triggers are compared with this. */
  folded: string
  /** `folded`, split at spaces. */
  words: readonly string[]
  /** The requested language if we have triggers for it, else '', which enables the triggers of every language. */
  lang: Language | ''
  /** The full BCP 47 tag as requested, or ''. Its region matters: `en-GB` has different gallons. */
  tag: string
}

/** Longer queries are prose, which no answer handles. */
const MAX_QUESTION_LENGTH = 500

/** `undefined`: too long for any answer. */
export function readQuestion(text: string, tag: string): Question | undefined {
  if (text.length > MAX_QUESTION_LENGTH) return undefined
  const plain = text.trim().replace(/\s+/g, ' ')
  const folded = fold(plain)
  const lang = LANGUAGES.find((language) => language === tag.slice(0, 2).toLowerCase()) ?? ''
  return { asked: text.trim(), text: plain, folded, words: folded.split(' '), lang, tag }
}

/** The region of a language tag: `DE` in `de-DE`, or ''. */
export const regionOf = (tag: string): string => /-([a-z]{2})(?=-|$)/i.exec(tag)?.[1]?.toUpperCase() ?? ''

/** Folds different spellings of a word into the same text. */
export function fold(text: string): string {
  const lower = text.normalize('NFKC').toLowerCase()
  // Plain ASCII, which most queries are, has nothing to fold.
  if (/^[\x20-\x7e]*$/.test(lower)) return lower
  return lower
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/\p{Nd}/gu, asciiDigit)
    .replace(/[’‘]/g, "'")
    .replace(/\s+/g, ' ')
    .trim()
}

/** The digits of every script are ten consecutive code points, but its zero may have any code point. */
function asciiDigit(digit: string): string {
  let code = digit.codePointAt(0) ?? 0
  let value = 0
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - 1))) {
    code -= 1
    value += 1
  }
  return String(value)
}
