// Locks the row of a user who has just given a password, for the length of a transaction, and checks that the user is
// still enabled and still has that password. While the lock is held, nobody else can change either.
import type { Kysely } from 'kysely'
import type { Schema } from '../postgres/schema.ts'

interface UserLock {
  userId: string
  /** The hash that the password was compared with. */
  passwordHash: string
  /** Whether the transaction will write the row. Upgrading the lock later could deadlock. */
  isToChange?: boolean
}

export async function lockUser(
  transaction: Kysely<Schema>,
  { userId, passwordHash, isToChange }: UserLock,
): Promise<boolean> {
  const query = transaction
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('password_hash', '=', passwordHash)
    .where('disabled_at', 'is', null)
  const held = await (isToChange ? query.forNoKeyUpdate() : query.forShare()).executeTakeFirst()
  return held !== undefined
}
