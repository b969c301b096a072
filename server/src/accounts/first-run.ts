// The first administrator. While an instance has no user, each start prints a token, and whoever has one of them may
// create the administrator in the browser. The tokens are in the database, hashed, because the browser may reach another
// node than the one whose output was read. The first user, however made, ends all of them.
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../storage/schema.ts'
import type { AccessContext } from '../access/access-context.ts'
import { hashToken, mintToken } from '../access/opaque-token.ts'
import { addSession } from './session-rows.ts'
import { createUser } from './users.ts'

export interface FirstAdministrator {
  token: string
  username: string
  password: string
  userAgent: string
}

/** wrong: not a token of this instance; over: there is a user already. */
export type FirstRunVerdict = { ok: true; session: string } | { ok: false; reason: 'wrong' | 'over' }

export interface FirstRun {
  /** Whether there is no user yet. */
  isNeeded: () => Promise<boolean>
  /** A token to print at start, or undefined when there is a user already. */
  issueToken: () => Promise<string | undefined>
  /** Refuses with 400 when the name or the password will not do; the token is then still good. */
  createAdministrator: (input: FirstAdministrator) => Promise<FirstRunVerdict>
}

/** An instance that is started again and again without being set up must not fill the table. */
const MOST_TOKENS = 50

/** Any number that nothing else locks. */
const SETUP_LOCK = 20_261_115

export function createFirstRun(access: AccessContext): FirstRun {
  const { db, clock, randomBytes } = access
  // Users are never deleted, so this is asked until the answer is yes.
  let isDone = false

  const isNeeded = async () => {
    isDone ||= await hasUser(db)
    return !isDone
  }

  return {
    isNeeded,
    async issueToken() {
      if (!(await isNeeded())) return undefined
      const { token, tokenHash } = mintToken(randomBytes)
      await db
        .insertInto('setup_tokens')
        .values({ token_hash: tokenHash, created_at: new Date(clock()) })
        .execute()
      await db
        .deleteFrom('setup_tokens')
        .where('token_hash', 'not in', (newest) =>
          newest.selectFrom('setup_tokens').select('token_hash').orderBy('created_at', 'desc').limit(MOST_TOKENS),
        )
        .execute()
      return token
    },
    async createAdministrator({ token, username, password, userAgent }) {
      const tokenHash = hashToken(token)
      if (!(await isNeeded())) return { ok: false, reason: 'over' }
      return await db.transaction().execute(async (transaction): Promise<FirstRunVerdict> => {
        await sql`select pg_advisory_xact_lock(${SETUP_LOCK})`.execute(transaction)
        if (await hasUser(transaction)) return { ok: false, reason: 'over' }
        if (!tokenHash || !(await isIssued(transaction, tokenHash))) return { ok: false, reason: 'wrong' }
        const context = { ...access, db: transaction }
        const { id } = await createUser(context, { username, password, isAdmin: true })
        await transaction.deleteFrom('setup_tokens').execute()
        return { ok: true, session: await addSession(context, { userId: id, userAgent }) }
      })
    },
  }
}

async function hasUser(db: Kysely<Schema>): Promise<boolean> {
  return (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined
}

async function isIssued(db: Kysely<Schema>, tokenHash: Buffer): Promise<boolean> {
  const row = await db
    .selectFrom('setup_tokens')
    .select('token_hash')
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst()
  return row !== undefined
}
