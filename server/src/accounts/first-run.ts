// Creates the first administrator. While an instance has no user, each start prints a token, and anyone who has one of
// them can create the administrator in the browser. The hashes of the tokens are in the database, because the browser
// may reach a different node from the one that printed the token. Creating the first user, however it is done,
// invalidates all of them.
import type { Kysely } from 'kysely'
import { recordEvent } from '../audit/audit-log.ts'
import { hasUsers } from '../store/database.ts'
import { getStatements } from '../store/get-statements.ts'
import type { Schema } from '../store/schema.ts'
import { type AccountParts, accessBy, type Visitor } from './account-parts.ts'
import { recordAttempt } from './record-attempt.ts'
import { addSession, type StartedSession } from './sessions.ts'
import { createUser } from './users.ts'

export interface FirstAdministrator extends Visitor {
  token: string
  username: string
  password: string
}

/** wrong: not a token of this instance; over: there already is a user. */
export type FirstRunVerdict = ({ ok: true } & StartedSession) | { ok: false; reason: 'wrong' | 'over' }

/** Keeps an instance that is restarted repeatedly without being set up from filling the table. */
const MAX_TOKENS = 50

/** An advisory lock number that nothing else uses. */
const SETUP_LOCK = '20261115'

export function createFirstRun(parts: AccountParts) {
  const { tokens } = parts
  const { db, clock } = parts.access
  // The last administrator can't be deleted, so once there is one, there is no need to check again.
  let isDone = false

  /** Whether there is no user yet. */
  const isNeeded = async (): Promise<boolean> => {
    isDone ||= await hasUsers(db)
    return !isDone
  }

  return {
    isNeeded,
    /** A token to print at start, or undefined if there already is a user. */
    async issueToken(): Promise<string | undefined> {
      if (!(await isNeeded())) return undefined
      const { token, tokenHash } = tokens.setup.mint()
      await db
        .insertInto('setup_tokens')
        .values({ token_hash: tokenHash, created_at: new Date(clock()) })
        .execute()
      await db
        .deleteFrom('setup_tokens')
        .where('token_hash', 'not in', (newest) =>
          newest.selectFrom('setup_tokens').select('token_hash').orderBy('created_at', 'desc').limit(MAX_TOKENS),
        )
        .execute()
      return token
    },
    /** Refuses with 400 if the name or the password is not acceptable; the token then stays valid. */
    async createAdministrator(input: FirstAdministrator): Promise<FirstRunVerdict> {
      if (!(await isNeeded())) return { ok: false, reason: 'over' }
      const verdict = await createAdministrator(parts, input)
      if (!verdict.ok && verdict.reason === 'wrong') {
        await recordAttempt(parts, { event: 'setup', outcome: 'failed', address: input.address })
      }
      return verdict
    },
  }
}

async function createAdministrator(parts: AccountParts, input: FirstAdministrator): Promise<FirstRunVerdict> {
  const { token, username, password, userAgent } = input
  const tokenHash = parts.tokens.setup.hash(token)
  return await parts.access.db.transaction().execute(async (transaction): Promise<FirstRunVerdict> => {
    await getStatements(transaction).lock(transaction, SETUP_LOCK)
    if (await hasUsers(transaction)) return { ok: false, reason: 'over' }
    if (!tokenHash || !(await isIssued(transaction, tokenHash))) return { ok: false, reason: 'wrong' }
    const by = accessBy(parts, input, transaction)
    const { id } = await createUser(by, { username, password, isAdmin: true })
    await transaction.deleteFrom('setup_tokens').execute()
    const started = await addSession(parts, transaction, { userId: id, userAgent })
    await recordEvent(by, { event: 'setup', userId: id })
    return { ok: true, ...started }
  })
}

async function isIssued(db: Kysely<Schema>, tokenHash: Buffer): Promise<boolean> {
  const row = await db
    .selectFrom('setup_tokens')
    .select('token_hash')
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst()
  return row !== undefined
}
