// Compares names. Case, accents, punctuation and white space don't count; `+` and `#` do, because C, C++ and C# are
// three things.

/** Articles, which may precede a name without being part of it, in seven languages. */
const ARTICLES = new Set(
  "the a an le la les l' un une der die das ein eine el los las una il lo gli i o os as um uma de het een".split(' '),
)

export const fold = (text: string): string =>
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
