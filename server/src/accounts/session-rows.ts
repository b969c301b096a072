// Beginning and ending sessions, as parts of somebody's transaction. The order is what keeps a stolen password from
// outliving its change: whoever begins a session holds the user's row locked, and whoever takes something from a user
// (the password, the account) writes that row first and ends the sessions afterwards. So none slips through between.
import bowser from 'bowser'
import type { Kysely } from 'kysely'
import type { Schema } from '../storage/schema.ts'
import type { AccessContext } from '../access/access-context.ts'
import { mintToken } from '../access/opaque-token.ts'

const DAY_MS = 86_400_000
/** From the last visit on. */
export const SESSION_MS = 30 * DAY_MS

const LONGEST_USER_AGENT = 400
const LONGEST_BROWSER = 60

/** `db` is a transaction that holds the user's row. Gives the token for the browser: a new one, always. */
export async function addSession(
  { db, clock, randomBytes }: Pick<AccessContext, 'db' | 'clock' | 'randomBytes'>,
  { userId, userAgent }: { userId: string; userAgent: string },
): Promise<string> {
  const { token, tokenHash } = mintToken(randomBytes)
  const now = clock()
  await db
    .insertInto('sessions')
    .values({
      token_hash: tokenHash,
      user_id: userId,
      browser: describeBrowser(userAgent),
      created_at: new Date(now),
      last_seen_at: new Date(now),
      expires_at: new Date(now + SESSION_MS),
    })
    .execute()
  return token
}

/** Everything a user has begun, half-finished sign-ins included. To be announced after the commit. */
export async function dropSessions(transaction: Kysely<Schema>, userId: string): Promise<void> {
  await transaction.deleteFrom('sessions').where('user_id', '=', userId).execute()
  await transaction.deleteFrom('sign_in_tickets').where('user_id', '=', userId).execute()
}

/** Enough to know one's own devices by; versions and models would tell one user from another. */
export function describeBrowser(userAgent: string): string {
  if (userAgent === '') return ''
  const { browser, os } = bowser.parse(userAgent.slice(0, LONGEST_USER_AGENT))
  const words = [browser.name, os.name].filter(Boolean).join(', ')
  return words.replace(/[^\x20-\x7e]/g, '').slice(0, LONGEST_BROWSER)
}
