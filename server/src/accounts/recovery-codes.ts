// Codes for the day the telephone is lost: ten, each good once, shown once. A code has 80 random bits, so one plain hash
// is enough; the user is part of it, so that one guess cannot be tried on all users at once.
import { hash } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Schema } from '../storage/schema.ts'
import type { RandomBytes } from '../keys/key-format.ts'
import { mintReadableCode, readReadableCode } from './readable-code.ts'

const HOW_MANY = 10
const GROUPS = 4

/** Replaces all codes of a user. What is returned is nowhere else. */
export async function issueRecoveryCodes(
  { db, randomBytes }: { db: Kysely<Schema>; randomBytes: RandomBytes },
  userId: string,
): Promise<string[]> {
  const codes = Array.from({ length: HOW_MANY }, () => mintReadableCode(randomBytes, GROUPS))
  await dropRecoveryCodes(db, userId)
  await db
    .insertInto('recovery_codes')
    .values(codes.map((code) => ({ user_id: userId, code_hash: hashCode(code, userId) })))
    .execute()
  return codes
}

/** Uses the code up. False when it is not one of the user's. */
export async function spendRecoveryCode(db: Kysely<Schema>, userId: string, written: string): Promise<boolean> {
  const code = readReadableCode(written, GROUPS)
  if (code === undefined) return false
  const spent = await db
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where('code_hash', '=', hashCode(code, userId))
    .returning('user_id')
    .executeTakeFirst()
  return spent !== undefined
}

export async function countRecoveryCodes(db: Kysely<Schema>, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom('recovery_codes')
    .select((select) => select.fn.countAll<string>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function dropRecoveryCodes(db: Kysely<Schema>, userId: string): Promise<void> {
  await db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
}

const hashCode = (code: string, userId: string): Buffer => hash('sha256', `${userId} ${code}`, 'buffer')
