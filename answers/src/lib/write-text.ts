// Punctuation by language, sentences with placeholders, and counted nouns.
import type { Language } from '../question.ts'

/** In French, a space comes before the colon. */
export const colonIn = (language: Language): string => (language === 'fr' ? ' :' : ':')

/** A semicolon between two parts of a sentence, with its spaces. */
export const semicolonIn = (language: Language): string => (language === 'fr' ? ' ; ' : '; ')

/** `15%` in English, Italian, Portuguese and Dutch; `15 %` with a no-break space in the other languages. */
export const percentSign = (language: Language): string =>
  language === 'fr' || language === 'de' || language === 'es' ? '\u00a0%' : '%'

/** Replaces each `{name}` in the sentence with its value. */
export const fillIn = (sentence: string, values: Readonly<Record<string, string>>): string =>
  sentence.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')

/** In English: `1 word`, `2 words`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
