// Passwords are kept as argon2id with the parameters OWASP recommends. Checking one for a name nobody has takes as long
// as for a name somebody has, so that the time of an answer does not tell who has an account.
import { hash, verify } from '@node-rs/argon2'
import { Refusal } from '../errors.ts'

const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

const SHORTEST = 10
/** Hashing is linear in the length: no one types this much, and a megabyte should not be hashed for a stranger. */
const LONGEST = 1_000

/** Well-formed and as costly as a real one, but nobody knows a password for it. */
const DECOY_HASH = [
  '$argon2id$v=19',
  `m=${PARAMETERS.memoryCost},t=${PARAMETERS.timeCost},p=${PARAMETERS.parallelism}`,
  'A'.repeat(22),
  'A'.repeat(43),
].join('$')

export async function hashPassword(password: string): Promise<string> {
  const normal = normalise(password)
  const length = Array.from(normal).length
  if (length < SHORTEST) throw new Refusal(400, { password: [`Use at least ${SHORTEST} characters.`] })
  if (length > LONGEST) throw new Refusal(400, { password: [`Use at most ${LONGEST} characters.`] })
  return await hash(normal, PARAMETERS)
}

/** `passwordHash` is undefined when there is no such user; the answer is then no, after the usual time. */
export async function isPasswordRight(passwordHash: string | undefined, password: string): Promise<boolean> {
  if (password.length > LONGEST * 2) return false
  const isRight = await verify(passwordHash ?? DECOY_HASH, normalise(password))
  return isRight && passwordHash !== undefined
}

/** The same password typed on another keyboard may arrive as other code points. */
const normalise = (password: string): string => password.normalize('NFKC')
