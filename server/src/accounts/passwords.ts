// Passwords are stored as argon2id hashes, with the parameters that OWASP recommends. Checking a password takes the
// same time for an unknown name as for a known one, so response times do not reveal who has an account. The library is
// loaded with the first password: a node that only answers its API never sees one.
import { Refusal } from '../errors.ts'
import type { PasswordCost } from '../keys/admin-context.ts'
import {
  LONGEST_PASSWORD,
  normalisePassword,
  type PasswordFault,
  passwordFault,
  SHORTEST_PASSWORD,
} from './password-policy.ts'

export const RECOMMENDED_COST: PasswordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Well-formed and as costly to check as a real hash, but no password is known for it. */
const decoyHash = ({ memoryCost, timeCost, parallelism }: PasswordCost): string =>
  ['$argon2id$v=19', `m=${memoryCost},t=${timeCost},p=${parallelism}`, 'A'.repeat(22), 'A'.repeat(43)].join('$')

const MESSAGES: Record<PasswordFault, string> = {
  short: `Use at least ${SHORTEST_PASSWORD} characters.`,
  long: `Use at most ${LONGEST_PASSWORD} characters.`,
  common: 'This password is too common, so it would be guessed early. Choose a different one.',
  name: 'This password is little more than the username or the name of the service. Choose a different one.',
}

/** A 400 for an unacceptable password. The website gives the reason in the reader's language. */
export class WeakPassword extends Refusal {
  readonly fault: PasswordFault

  constructor(fault: PasswordFault) {
    super(400, { password: [MESSAGES[fault]] })
    this.fault = fault
  }
}

/** Throws WeakPassword. */
export function checkPassword(password: string, username: string): void {
  const fault = passwordFault(password, username)
  if (fault) throw new WeakPassword(fault)
}

/** Throws WeakPassword. `username`: the user it is for. */
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
  if (password.length > LONGEST_PASSWORD * 2) return false
  const { verify } = await import('@node-rs/argon2')
  const isRight = await verify(passwordHash ?? decoyHash(cost), normalisePassword(password))
  return isRight && passwordHash !== undefined
}
