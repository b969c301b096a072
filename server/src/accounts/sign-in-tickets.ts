// Between the right password and a session there may be something left to do: a code, or a new password. A ticket stands
// for that moment. It is not a session and opens no page; it lasts ten minutes, ends after a few wrong codes, and is
// given up the moment it has done its work. It is in PostgreSQL because the next step may reach another node.
import type { Kysely } from 'kysely'
import type { Schema } from '../storage/schema.ts'
import type { AccessContext } from '../access/access-context.ts'
import { hashToken, mintToken } from '../access/opaque-token.ts'

export type SignInStep = 'code' | 'password'

export interface Ticket {
  tokenHash: Uint8Array
  step: SignInStep
  user: { id: string; passwordHash: string; isTemporary: boolean }
}

const TICKET_MS = 10 * 60_000
const MOST_WRONG_CODES = 5

/** `db` is a transaction that holds the user's row. */
export async function addTicket(
  { db, clock, randomBytes }: Pick<AccessContext, 'db' | 'clock' | 'randomBytes'>,
  { userId, step }: { userId: string; step: SignInStep },
): Promise<string> {
  const { token, tokenHash } = mintToken(randomBytes)
  const expires_at = new Date(clock() + TICKET_MS)
  await db.insertInto('sign_in_tickets').values({ token_hash: tokenHash, user_id: userId, step, expires_at }).execute()
  return token
}

export async function findTicket(
  db: Kysely<Schema>,
  { token, now }: { token: string; now: number },
): Promise<Ticket | undefined> {
  const tokenHash = hashToken(token)
  if (!tokenHash) return undefined
  const row = await db
    .selectFrom('sign_in_tickets as ticket')
    .innerJoin('users', 'users.id', 'ticket.user_id')
    .select(['ticket.step', 'users.id', 'users.password_hash', 'users.password_is_temporary'])
    .where('ticket.token_hash', '=', tokenHash)
    .where('ticket.expires_at', '>', new Date(now))
    .where('users.disabled_at', 'is', null)
    .executeTakeFirst()
  return (
    row && {
      tokenHash,
      step: row.step,
      user: {
        id: row.id,
        passwordHash: row.password_hash,
        isTemporary: row.password_is_temporary,
      },
    }
  )
}

/** Gives the ticket up. False when somebody else has been faster. */
export async function spendTicket(transaction: Kysely<Schema>, { tokenHash }: Ticket): Promise<boolean> {
  const spent = await transaction
    .deleteFrom('sign_in_tickets')
    .where('token_hash', '=', tokenHash)
    .returning('user_id')
    .executeTakeFirst()
  return spent !== undefined
}

export async function countWrongCode(db: Kysely<Schema>, { tokenHash }: Ticket): Promise<void> {
  await db
    .updateTable('sign_in_tickets')
    .set((row) => ({ wrong_codes: row('wrong_codes', '+', 1) }))
    .where('token_hash', '=', tokenHash)
    .execute()
  await db
    .deleteFrom('sign_in_tickets')
    .where('token_hash', '=', tokenHash)
    .where('wrong_codes', '>=', MOST_WRONG_CODES)
    .execute()
}
