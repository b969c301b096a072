// Checks whether a password is acceptable. Length is what helps, so there are no rules about kinds of characters; but
// guessers try common passwords first, and then the names of the user and the service.
import { readFileSync } from 'node:fs'

/**
 * short, long  fewer than 10 characters, more than 1,000
 * common       used by many people, or a short pattern repeated
 * name         little more than the user's name or the service's
 */
export type PasswordFault = 'short' | 'long' | 'common' | 'name'

export const SHORTEST_PASSWORD = 10
/** Hashing time is linear in the length: no one types this much, and no stranger should make us hash a megabyte. */
export const LONGEST_PASSWORD = 1_000

/** Words a guesser tries because of what this service is. Listed in docs/operate/accounts.md too. */
export const SERVICE_WORDS = ['bowerbird', 'metasearch', 'search', 'administrator', 'admin', 'password'] as const

/** With fewer letters than this besides the name, it is little more than the name. */
const FEWEST_OTHER_LETTERS = 4
const LONGEST_REPEATED = 4
const SHORTEST_NAME = 3

/** The same password typed on another keyboard may arrive as different code points. */
export const normalisePassword = (password: string): string => password.normalize('NFKC')

/** `username`: '' if it is not known. */
export function passwordFault(password: string, username: string): PasswordFault | undefined {
  const normal = normalisePassword(password)
  const length = Array.from(normal).length
  if (length < SHORTEST_PASSWORD) return 'short'
  if (length > LONGEST_PASSWORD) return 'long'
  const plain = normal.toLowerCase()
  if (isRepetition(plain) || commonPasswords().has(plain)) return 'common'
  return [username.toLowerCase(), ...SERVICE_WORDS].some((name) => isLittleMore(plain, name)) ? 'name' : undefined
}

/** `aaaaaaaaaa`, `abcabcabcabc`, `12121212121`. */
function isRepetition(text: string): boolean {
  const characters = Array.from(text)
  return Array.from({ length: LONGEST_REPEATED }, (_, at) => at + 1).some((size) =>
    characters.every((character, at) => character === characters[at % size]),
  )
}

/** Digits and symbols around a name do not make it a good password. */
function isLittleMore(text: string, name: string): boolean {
  if (name.length < SHORTEST_NAME || !text.includes(name)) return false
  const letters = text.replaceAll(name, '').match(/\p{L}/gu) ?? []
  return letters.length < FEWEST_OTHER_LETTERS
}

let common: ReadonlySet<string> | undefined

/** Read when a password is first set. */
function commonPasswords(): ReadonlySet<string> {
  common ??= new Set(
    readFileSync(new URL('./data/common-passwords.txt', import.meta.url), 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#')),
  )
  return common
}
