// Starts and ends sessions as part of a caller's transaction. The order ensures that a stolen password does not outlive
// its change: starting a session requires the lock on the user's row, and taking something away from a user (the
// password, the account) writes that row first and ends the sessions afterwards. So no session can slip in between.
import type { Kysely } from 'kysely'
import type { Schema } from '../postgres/schema.ts'
import type { AccountParts } from './account-parts.ts'

const DAY_MS = 86_400_000
/** Counted from the last visit. */
export const SESSION_MS = 30 * DAY_MS

/** Per user. One more sign-in ends the least recently seen session. */
export const MOST_SESSIONS = 100

const LONGEST_USER_AGENT = 400
const LONGEST_BROWSER = 60

interface NewSession {
  userId: string
  userAgent: string
}

/** `db` is a transaction that holds the user's row. Returns the token for the browser, which is always new. */
export async function addSession(
  { access, tokens }: Pick<AccountParts, 'access' | 'tokens'>,
  db: Kysely<Schema>,
  { userId, userAgent }: NewSession,
): Promise<string> {
  const { token, tokenHash } = tokens.session.mint()
  const now = access.clock()
  await db
    .deleteFrom('sessions')
    .where('id', 'in', (older) =>
      older
        .selectFrom('sessions')
        .select('id')
        .where('user_id', '=', userId)
        .orderBy('last_seen_at', 'desc')
        .orderBy('id', 'desc')
        .offset(MOST_SESSIONS - 1),
    )
    .execute()
  await db
    .insertInto('sessions')
    .values({
      token_hash: tokenHash,
      user_id: userId,
      browser: await describeBrowser(userAgent),
      created_at: new Date(now),
      last_seen_at: new Date(now),
      expires_at: new Date(now + SESSION_MS),
    })
    .execute()
  return token
}

/** Ends all of a user's sessions and half-finished sign-ins. Announce it after the commit. */
export async function dropSessions(transaction: Kysely<Schema>, userId: string): Promise<void> {
  await transaction.deleteFrom('sessions').where('user_id', '=', userId).execute()
  await transaction.deleteFrom('sign_in_tickets').where('user_id', '=', userId).execute()
}

/** Enough to recognise your own devices; versions and models would identify users. */
export async function describeBrowser(userAgent: string): Promise<string> {
  if (userAgent === '') return ''
  const { default: bowser } = await import('bowser')
  const { browser, os } = bowser.parse(userAgent.slice(0, LONGEST_USER_AGENT))
  const words = [browser.name, os.name].filter(Boolean).join(', ')
  return words.replace(/[^\x20-\x7e]/g, '').slice(0, LONGEST_BROWSER)
}
