// Takes the words away with which people ask about something: `what does petrichor mean` asks about petrichor, `map of
// Lyon` about Lyon. The words are data, by language; they are compared folded, and what is left is as it was typed.
import { fold } from './names.ts'

export interface Phrasing {
  /** What stands before. */
  before: readonly string[]
  /** What stands after; with a `before` of `what does`, `mean` must. */
  after: readonly string[]
}

const QUOTES = /^["'“”„«»‘’]{1,2}|["'“”„«»‘’]{1,2}$/g

/** Every phrase as its folded words. */
type Phrases = readonly (readonly string[])[]

const phrasesIn = (texts: readonly string[]): Phrases => texts.map((text) => text.split(' '))

const startsWith = (words: readonly string[], phrase: readonly string[]): boolean =>
  phrase.length < words.length && phrase.every((word, at) => words[at] === word)

const endsWith = (words: readonly string[], phrase: readonly string[]): boolean =>
  phrase.length < words.length && phrase.every((word, at) => words[words.length - phrase.length + at] === word)

export type CardSubject = (text: string) => string | undefined

/** `undefined` for a text that asks about nothing in any of these ways. */
export function cardSubject(phrasings: readonly Phrasing[]): CardSubject {
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
