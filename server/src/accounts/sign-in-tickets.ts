// Between the right password and a session, there may be another step: a code, or a new password. A ticket represents
// that state. It is not a session and opens no page; it lasts ten minutes, ends after a few attempts, and is deleted as
// soon as it has served its purpose. It is in the database because the next step may reach another node.
import type { Kysely } from 'kysely'
import type { Schema } from '../store/schema.ts'
import type { AccountParts } from './account-parts.ts'

export type SignInStep = 'code' | 'password'

export interface Ticket {
  tokenHash: Uint8Array
  step: SignInStep
  user: { id: string; username: string; passwordHash: string; isTemporary: boolean }
}

const TICKET_MS = 10 * 60_000
const MAX_ATTEMPTS = 5

/** `db` is a transaction that holds the user's row. */
export async function addTicket(
  { access, tokens }: AccountParts,
  db: Kysely<Schema>,
  { userId, step }: { userId: string; step: SignInStep },
): Promise<string> {
  const { token, tokenHash } = tokens.ticket.mint()
  const expires_at = new Date(access.clock() + TICKET_MS)
  await db.insertInto('sign_in_tickets').values({ token_hash: tokenHash, user_id: userId, step, expires_at }).execute()
  return token
}

/** Undefined if the ticket is not valid. One that was not issued here isn't even looked up. */
export async function findTicket({ access, tokens }: AccountParts, token: string): Promise<Ticket | undefined> {
  const tokenHash = tokens.ticket.hash(token)
  if (!tokenHash) return undefined
  const row = await access.db
    .selectFrom('sign_in_tickets as ticket')
    .innerJoin('users', 'users.id', 'ticket.user_id')
    .select(['ticket.step', 'users.id', 'users.username'])
    .select(['users.password_hash as passwordHash', 'users.password_is_temporary as isTemporary'])
    .where('ticket.token_hash', '=', tokenHash)
    .where('ticket.expires_at', '>', new Date(access.clock()))
    .where('users.disabled_at', 'is', null)
    .executeTakeFirst()
  if (!row) return undefined
  const { step, ...user } = row
  return { tokenHash, step, user }
}

/** Consumes the ticket. False if another request was faster. */
export async function spendTicket(transaction: Kysely<Schema>, { tokenHash }: Ticket): Promise<boolean> {
  const spent = await transaction
    .deleteFrom('sign_in_tickets')
    .where('token_hash', '=', tokenHash)
    .returning('user_id')
    .executeTakeFirst()
  return spent !== undefined
}

/** Counts an attempt before its outcome is known. False if there were too many; the ticket is then gone. */
export async function countAttempt(db: Kysely<Schema>, { tokenHash }: Ticket): Promise<boolean> {
  const counted = await db
    .updateTable('sign_in_tickets')
    .set((row) => ({ wrong_codes: row('wrong_codes', '+', 1) }))
    .where('token_hash', '=', tokenHash)
    .returning('wrong_codes')
    .executeTakeFirst()
  if (counted && counted.wrong_codes <= MAX_ATTEMPTS) return true
  await db.deleteFrom('sign_in_tickets').where('token_hash', '=', tokenHash).execute()
  return false
}
