// Random passwords: `random password 20`, `password generator`. `password manager`, `forgot password` and bare
// `password` are ordinary searches and stay unanswered. Requests for fewer than 8 characters aren't answered.
import { z } from 'zod'
import { defineAnswer } from '../answer.ts'

const VERB = '(?:generate|create|make|give me|new|random|secure|strong)'
const VERBS = `(?:${VERB}\\s+){0,3}(?:an?\\s+)?(?:${VERB}\\s+){0,2}`
const UNITS = '(?:characters?|chars?|digits?|letters?)'
const BEFORE = `(?:(\\d{1,3})[- ]?${UNITS}?\\s+)?(?:${VERB}\\s+)?`
const AFTER = `(?:\\s+(?:(?:with|of|length)\\s+)?(\\d{1,3})(?:\\s+(?:${UNITS}|long))?)?`
const KIND = '(?:,?\\s+(?:with\\s+)?(no symbols|without symbols|alphanumeric|letters and numbers))?'
const PHRASE = new RegExp(`^${VERBS}${BEFORE}password(?:\\s+generator)?${AFTER}${KIND}$`)
/** `new password` may be about any site; it counts only with `generate`, `random` or a length. */
const ASKS_FOR_NEW = /generat|random|(?:create|make|new|give me).*\d/
const WITH_LENGTH = /^(?:strong |secure )?password \d{1,2}$|^\d{1,3}[- ]characters? password$/

const CLASSES = ['abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', '0123456789', '!#$%&*+-=?@^_'] as const
const MIN_LENGTH = 8
const MAX_LENGTH = 128
const DEFAULT_LENGTH = 20

export const password = defineAnswer({
  slug: 'password',
  title: 'Password generator',
  summary:
    'A random password of 8 to 128 characters with letters of both cases, digits and symbols, and how strong it is.',
  examples: [
    { q: 'random password 20' },
    { q: 'password generator' },
    { q: 'generate a 32 character password without symbols' },
  ],
  isPersonal: true,
  reply: z.object({
    password: z.string(),
    length: z.int(),
    entropy_bits: z.number().describe('How many passwords it was chosen from, as a power of two.'),
  }),
  match({ folded }) {
    if (!folded.includes('password')) return null
    const [phrase, before, after, kind] = PHRASE.exec(folded) ?? []
    if (
      phrase === undefined ||
      !(ASKS_FOR_NEW.test(phrase) || WITH_LENGTH.test(phrase)) ||
      (before !== undefined && after !== undefined)
    )
      return null
    const length = Number(before ?? after ?? DEFAULT_LENGTH)
    if (length < MIN_LENGTH || length > MAX_LENGTH) return null
    return { length, classes: kind === undefined ? CLASSES : CLASSES.slice(0, -1) }
  },
  answer({ length, classes }, { random }) {
    const chosen = newPassword(length, classes, random)
    const bits = Math.floor(entropyOf(length, classes) * 10) / 10
    return { text: `${chosen} (${length} characters, ${bits} bits)`, password: chosen, length, entropy_bits: bits }
  },
})

/** Draws again until every class is present, so that all such passwords are equally likely. */
function newPassword(length: number, classes: readonly string[], random: (below: number) => number): string {
  const letters = classes.join('')
  for (;;) {
    const chosen = Array.from({ length }, () => letters.charAt(random(letters.length))).join('')
    if (classes.every((members) => Array.from(chosen).some((letter) => members.includes(letter)))) return chosen
  }
}

/** Excludes the passwords that lack a class, by inclusion and exclusion. */
function entropyOf(length: number, classes: readonly string[]): number {
  const all = classes.reduce((sum, members) => sum + members.length, 0)
  let share = 0
  for (let lacking = 0; lacking < 2 ** classes.length; lacking += 1) {
    const left = classes.filter((_members, index) => (lacking & (1 << index)) === 0)
    const size = left.reduce((sum, members) => sum + members.length, 0)
    share += (-1) ** (classes.length - left.length) * (size / all) ** length
  }
  return length * Math.log2(all) + Math.log2(share)
}
