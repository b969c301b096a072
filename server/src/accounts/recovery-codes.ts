// Codes for when the phone is lost: ten of them, each valid once, shown once. A code has 140 random bits, so one plain
// hash is enough. The user is part of the hash, so that one guess cannot be tried on all users at once. Older codes of 80
// and 120 bits stay valid until they are used or replaced.
import { hash } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { RandomBytes } from '../keys/key-format.ts'
import type { Schema } from '../postgres/schema.ts'
import { mintReadableCode, readReadableCode } from './readable-code.ts'

const HOW_MANY = 10
const GROUPS = 7
const OLD_GROUPS = [6, 4]

/** Replaces all codes of a user. The returned codes exist nowhere else. */
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

/** The original code, or undefined for a text that cannot be one. */
const readCode = (written: string): string | undefined =>
  [GROUPS, ...OLD_GROUPS].map((groups) => readReadableCode(written, groups)).find((code) => code !== undefined)

/** Whether it looks like a recovery code, valid or not. */
export const isRecoveryCodeShaped = (written: string): boolean => readCode(written) !== undefined

/** Uses up the code. False if it is not one of the user's. */
export async function spendRecoveryCode(db: Kysely<Schema>, userId: string, written: string): Promise<boolean> {
  const code = readCode(written)
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
