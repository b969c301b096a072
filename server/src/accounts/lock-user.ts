// Locks the row of a user who has just shown a password, for the length of a transaction, and says whether it is still the
// same: not disabled, and with the password that was shown. What is then done cannot be overtaken by a change of it.
import type { Kysely } from 'kysely'
import type { Schema } from '../storage/schema.ts'

interface Holding {
  userId: string
  /** The one that the password was compared with. */
  passwordHash: string
  /** Whether the transaction goes on to write the row. Asking for that later could wait for ever. */
  isToChange?: boolean
}

export async function holdUser(
  transaction: Kysely<Schema>,
  { userId, passwordHash, isToChange }: Holding,
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
