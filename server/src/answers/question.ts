// A query as the instant answers look at it: prepared once, for all of them.

/** Languages whose everyday triggers are known. */
export const LANGUAGES = ['en', 'fr', 'de', 'es', 'it', 'pt', 'nl'] as const
export type Language = (typeof LANGUAGES)[number]

export interface Question {
  /** As asked, to the letter, with every space inside it: what is hashed, encoded or counted comes from here. */
  asked: string
  /** As asked, white space collapsed. Keeps case and accents. */
  text: string
  /** Lower case, without accents, digits of any script as 0 to 9: what triggers are compared with. */
  folded: string
  /** `folded`, split at spaces. */
  words: readonly string[]
  /** The language that was asked for, if its triggers are known, else ''. Then every language's triggers count. */
  lang: Language | ''
  /** The whole BCP 47 tag as asked for, or ''. Decides about regions: `en-GB` has other gallons. */
  tag: string
}

const KNOWN: Readonly<Record<string, Language>> = {
  en: 'en',
  fr: 'fr',
  de: 'de',
  es: 'es',
  it: 'it',
  pt: 'pt',
  nl: 'nl',
}

/** An answer is never longer in coming than its question: longer ones are prose. */
const LONGEST_QUESTION = 500

/** `undefined`: too long for anybody to answer. */
export function readQuestion(text: string, tag: string): Question | undefined {
  if (text.length > LONGEST_QUESTION) return undefined
  const plain = text.trim().replace(/\s+/g, ' ')
  const folded = fold(plain)
  const lang = KNOWN[tag.slice(0, 2).toLowerCase()] ?? ''
  return { asked: text.trim(), text: plain, folded, words: folded.split(' '), lang, tag }
}

/** What two spellings of one word have in common. */
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

/** Every script's digits stand in a row of ten that begins with its zero, which is no multiple of anything. */
function asciiDigit(digit: string): string {
  let code = digit.codePointAt(0) ?? 0
  let value = 0
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - 1))) {
    code -= 1
    value += 1
  }
  return String(value)
}
