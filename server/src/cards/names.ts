// Compares names, and finds the name in a question. Case, accents, punctuation and white space don't count; `+` and `#`
// do, because C, C++ and C# are three things.

/** Articles, which may precede a name without being part of it, in seven languages. */
const ARTICLES = new Set(
  "the a an le la les l' un une der die das ein eine el los las una il lo gli i o os as um uma de het een".split(' '),
)

const fold = (text: string): string =>
  text.normalize('NFKC').toLowerCase().normalize('NFD').replace(/\p{M}/gu, '').replace(/[’‘ʼ]/g, "'")

/** Folded words. `spider-man` is two, `don't` and `u.s.` are one. */
export const wordsOf = (text: string): string[] =>
  fold(text)
    .replace(/['.]/g, '')
    .match(/[\p{L}\p{N}][\p{L}\p{N}+#]*/gu) ?? []

export const withoutArticle = (words: readonly string[]): readonly string[] =>
  words.length > 1 && ARTICLES.has(words[0] ?? '') ? words.slice(1) : words

/** `Spider-Man`, `spider man` and `Spiderman` are one name, and so are `The Hobbit` and `hobbit`. */
export const isSameName = (one: string, other: string): boolean => {
  const [left, right] = [one, other].map((name) => withoutArticle(wordsOf(name)).join(''))
  return left !== undefined && left !== '' && left === right
}

/** The share of `words` that also occur in `others`, from 0 to 1. */
export const sharedPart = (words: readonly string[], others: readonly string[]): number =>
  words.length === 0 ? 0 : words.filter((word) => others.includes(word)).length / words.length

interface Phrasing {
  /** Phrases before the subject, with `|` between them. */
  before?: string
  /** Phrases after it. If there are both, both must match: `what does … mean`. */
  after?: string
}

const QUOTES = /^["'“”„«»‘’]{1,2}|["'“”„«»‘’]{1,2}$/g

/** Each phrase as a list of folded words. */
const phrasesIn = (phrases = ''): string[][] =>
  phrases
    .split('|')
    .filter(Boolean)
    .map((phrase) => phrase.split(' '))

const startsWith = (words: readonly string[], phrase: readonly string[]): boolean =>
  phrase.length < words.length && phrase.every((word, at) => words[at] === word)

const endsWith = (words: readonly string[], phrase: readonly string[]): boolean =>
  phrase.length < words.length && phrase.every((word, at) => words[words.length - phrase.length + at] === word)

/**
 * Strips the words people use to ask about something: `what does petrichor mean` is about petrichor, `map of Lyon` about
 * Lyon. Phrases are compared folded; the subject is returned as typed, or `undefined` if no phrasing matches.
 */
export function createSubjectFinder(phrasings: readonly Phrasing[]): (text: string) => string | undefined {
  const all = phrasings.map(({ before, after }) => ({ before: phrasesIn(before), after: phrasesIn(after) }))
  return (text) => {
    const typed = text.replace(/[?!.\s]{1,5}$/, '').split(' ')
    const words = typed.map(fold)
    for (const { before, after } of all) {
      const [start, end] = [before.find((one) => startsWith(words, one)), after.find((one) => endsWith(words, one))]
      if ((before.length > 0 && !start) || (after.length > 0 && !end)) continue
      const left = typed.slice(start?.length ?? 0, typed.length - (end?.length ?? 0)).join(' ')
      const subject = left.replace(QUOTES, '').trim()
      if (subject !== '') return subject
    }
    return undefined
  }
}
