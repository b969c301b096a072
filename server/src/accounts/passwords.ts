// Passwords are stored as argon2id hashes, with the parameters that OWASP recommends. Checking a password takes the
// same time for an unknown name as for a known one, so response times do not reveal who has an account. The hashing
// library is loaded when the first password arrives, because a node that only serves the API never needs it.
import { hash as digest } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Refusal } from '../errors.ts'
import type { PasswordCost } from '../keys/admin-context.ts'

/**
 * short, long  fewer than 10 characters, more than 1,000
 * common       used by many people, or a short pattern repeated
 * name         little more than the user's name or the service's
 */
export type PasswordFault = 'short' | 'long' | 'common' | 'name'

const MIN_PASSWORD_LENGTH = 10
/** Hashing time grows with the length. Nobody types this much, and no stranger should make us hash a megabyte. */
const MAX_PASSWORD_LENGTH = 1_000

/** Words a guesser tries because of what this service is. Listed in docs/operate/accounts.md too. */
export const SERVICE_WORDS = ['bowerbird', 'metasearch', 'search', 'administrator', 'admin', 'password'] as const

/** A password with fewer letters than this besides a name is little more than the name. */
const MIN_OTHER_LETTERS = 4
/** A pattern of up to this many characters, repeated, is not a good password. */
const MAX_PATTERN_LENGTH = 4
/** Shorter usernames are not looked for in passwords. */
const MIN_NAME_LENGTH = 3

export const RECOMMENDED_COST: PasswordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Well-formed and as costly to check as a real hash, but no password is known for it. */
const decoyHash = ({ memoryCost, timeCost, parallelism }: PasswordCost): string =>
  ['$argon2id$v=19', `m=${memoryCost},t=${timeCost},p=${parallelism}`, 'A'.repeat(22), 'A'.repeat(43)].join('$')

const MESSAGES: Record<PasswordFault, string> = {
  short: `Use at least ${MIN_PASSWORD_LENGTH} characters.`,
  long: `Use at most ${MAX_PASSWORD_LENGTH} characters.`,
  common: 'This password is too common, so it would be guessed early. Choose a different one.',
  name: 'This password is little more than the username or the name of the service. Choose a different one.',
}

/** A 400 for an unacceptable password. The website gives the reason in the reader's language. */
export class WeakPassword extends Refusal {
  readonly fault: PasswordFault

  constructor(fault: PasswordFault) {
    super('parameter_invalid', { password: [MESSAGES[fault]] })
    this.fault = fault
  }
}

/** Throws WeakPassword. */
export function checkPassword(password: string, username: string): void {
  const fault = findPasswordFault(password, username)
  if (fault) throw new WeakPassword(fault)
}

/** Throws WeakPassword. `username`: whose password it is. */
export async function hashPassword(password: string, username: string, cost: PasswordCost): Promise<string> {
  checkPassword(password, username)
  const { hash } = await import('@node-rs/argon2')
  return await hash(normalisePassword(password), cost)
}

/** `passwordHash` is undefined for an unknown user: the result is then false, after the time that `cost` takes. */
export async function isPasswordRight(
  passwordHash: string | undefined,
  password: string,
  cost: PasswordCost,
): Promise<boolean> {
  if (password.length > MAX_PASSWORD_LENGTH * 2) return false
  const { verify } = await import('@node-rs/argon2')
  const isRight = await verify(passwordHash ?? decoyHash(cost), normalisePassword(password))
  return isRight && passwordHash !== undefined
}

/** The same password typed on another keyboard may arrive as different code points. */
const normalisePassword = (password: string): string => password.normalize('NFKC')

/**
 * Length is what makes a password strong, so there are no rules about kinds of characters. But guessers try common
 * passwords first, and then the names of the user and the service. `username`: '' if it is not known.
 */
export function findPasswordFault(password: string, username: string): PasswordFault | undefined {
  const normal = normalisePassword(password)
  const length = Array.from(normal).length
  if (length < MIN_PASSWORD_LENGTH) return 'short'
  if (length > MAX_PASSWORD_LENGTH) return 'long'
  const plain = normal.toLowerCase()
  if (isRepetition(plain) || isCommon(plain)) return 'common'
  return [username.toLowerCase(), ...SERVICE_WORDS].some((name) => isLittleMoreThan(plain, name)) ? 'name' : undefined
}

/** Such as `aaaaaaaaaa`, `abcabcabcabc` or `12121212121`. */
function isRepetition(text: string): boolean {
  const characters = Array.from(text)
  return Array.from({ length: MAX_PATTERN_LENGTH }, (_, at) => at + 1).some((size) =>
    characters.every((character, at) => character === characters[at % size]),
  )
}

/** Digits and symbols around a name do not make it a good password. */
function isLittleMoreThan(text: string, name: string): boolean {
  if (name.length < MIN_NAME_LENGTH || !text.includes(name)) return false
  const letters = text.replaceAll(name, '').match(/\p{L}/gu) ?? []
  return letters.length < MIN_OTHER_LETTERS
}

const PREFIX_BYTES = 4
let common: Buffer | undefined

/**
 * Looks for the first 32 bits of the password's SHA-256 in a sorted list, which is read when a password is first set.
 * The prefixes are a quarter of a megabyte, and spare the repository what people use as passwords. One password in
 * 70,000 is refused although it is not common.
 */
function isCommon(plain: string): boolean {
  common ??= readFileSync(new URL('./data/common-passwords.bin', import.meta.url))
  const wanted = digest('sha256', plain, 'buffer').readUInt32BE()
  let [from, to] = [0, common.length / PREFIX_BYTES]
  while (from < to) {
    const middle = Math.floor((from + to) / 2)
    const found = common.readUInt32BE(middle * PREFIX_BYTES)
    if (found === wanted) return true
    if (found < wanted) from = middle + 1
    else to = middle
  }
  return false
}
