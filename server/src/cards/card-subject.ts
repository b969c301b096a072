// Strips the words people use to ask about something: `what does petrichor mean` is about petrichor, `map of Lyon`
// about Lyon. Phrases are data, by language. They are compared folded; the subject is returned as typed.
import { fold } from './names.ts'

export interface Phrasing {
  /** Phrases before the subject. */
  before: readonly string[]
  /** Phrases after it. If both lists are non-empty, both must match: `what does … mean`. */
  after: readonly string[]
}

const QUOTES = /^["'“”„«»‘’]{1,2}|["'“”„«»‘’]{1,2}$/g

/** Each phrase as a list of folded words. */
type Phrases = readonly (readonly string[])[]

const phrasesIn = (texts: readonly string[]): Phrases => texts.map((text) => text.split(' '))

const startsWith = (words: readonly string[], phrase: readonly string[]): boolean =>
  phrase.length < words.length && phrase.every((word, at) => words[at] === word)

const endsWith = (words: readonly string[], phrase: readonly string[]): boolean =>
  phrase.length < words.length && phrase.every((word, at) => words[words.length - phrase.length + at] === word)

export type CardSubject = (text: string) => string | undefined

/** The returned function gives `undefined` for a text that matches no phrasing. */
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
