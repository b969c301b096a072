// Challenges for authenticators to sign: 256 random bits, for one purpose and, if it is known, one user, valid once and for
// five minutes. They are in PostgreSQL because the answer may reach another node.
import { hash } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { AccessContext } from '../../keys/admin-context.ts'
import type { Schema } from '../../postgres/schema.ts'

/**
 * add            to create a new passkey
 * sign-in        instead of username and password
 * second-factor  after the password
 * confirm        to confirm the identity of a signed-in user
 */
export type PasskeyPurpose = 'add' | 'sign-in' | 'second-factor' | 'confirm'

interface Question {
  purpose: PasskeyPurpose
  /** Undefined if it is not known yet who will answer. */
  userId: string | undefined
}

const BYTES = 32
const FORM = /^[\w-]{43}$/
export const CHALLENGE_MS = 5 * 60_000

/** Returns the challenge, in base64url. */
export async function issueChallenge(
  { db, clock, randomBytes }: AccessContext,
  { purpose, userId }: Question,
): Promise<string> {
  const challenge = Buffer.from(randomBytes(BYTES)).toString('base64url')
  await db
    .insertInto('passkey_challenges')
    .values({
      challenge_hash: hash('sha256', challenge, 'buffer'),
      purpose,
      user_id: userId ?? null,
      expires_at: new Date(clock() + CHALLENGE_MS),
    })
    .execute()
  return challenge
}

/**
 * Consumes the challenge either way. False if it wasn't issued for this purpose and user, has expired or was already
 * used.
 */
export async function spendChallenge(
  { db, clock }: { db: Kysely<Schema>; clock: () => number },
  challenge: string,
  { purpose, userId }: Question,
): Promise<boolean> {
  if (!FORM.test(challenge)) return false
  const spent = await db
    .deleteFrom('passkey_challenges')
    .where('challenge_hash', '=', hash('sha256', challenge, 'buffer'))
    .returning(['purpose', 'user_id', 'expires_at'])
    .executeTakeFirst()
  return (
    spent !== undefined &&
    spent.purpose === purpose &&
    spent.user_id === (userId ?? null) &&
    spent.expires_at.getTime() > clock()
  )
}
