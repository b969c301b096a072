// Accounts elsewhere that people have connected to theirs here. One is known by its issuer and its subject, which the
// issuer never gives to anyone else; never by a mail address or a name, which somebody else may have one day. Signing in
// with one is in `sign-in-elsewhere.ts`.
import type { Kysely } from 'kysely'
import { recordEvent } from '../audit/audit-log.ts'
import type { Schema } from '../store/schema.ts'
import { type AccountParts, type AccountPolicy, accessBy, type Member } from './account-parts.ts'

export interface Identity {
  /** A URL, as `URL` writes it. */
  issuer: string
  subject: string
}

/**
 * taken    the identity belongs to another account here
 * another  the account has another identity of this issuer
 */
export type ConnectVerdict = 'connected' | 'taken' | 'another'

/** only-way: they couldn't sign in any more. */
export type DisconnectVerdict = 'disconnected' | 'only-way'

export class Identities {
  readonly #parts: AccountParts

  constructor(parts: AccountParts) {
    this.#parts = parts
  }

  /** The issuers that a user has connected, and whether they have a password that they chose. */
  async describe(userId: string): Promise<{ issuers: string[]; hasPassword: boolean }> {
    const { db } = this.#parts.access
    const rows = await db
      .selectFrom('users')
      .leftJoin('identities', 'identities.user_id', 'users.id')
      .select(['identities.issuer', 'users.password_is_temporary as isTemporary'])
      .where('users.id', '=', userId)
      .execute()
    return {
      issuers: rows.flatMap(({ issuer }) => issuer ?? []),
      hasPassword: rows.some(({ isTemporary }) => !isTemporary),
    }
  }

  async connect(member: Member, { issuer, subject }: Identity): Promise<ConnectVerdict> {
    const { userId } = member
    return await this.#parts.access.db.transaction().execute(async (transaction) => {
      const added = await transaction
        .insertInto('identities')
        .values({ issuer, subject, user_id: userId, grants_admin: false })
        .onConflict((conflict) => conflict.doNothing())
        .returning('user_id')
        .executeTakeFirst()
      if (added) {
        await recordEvent(accessBy(this.#parts, member, transaction), { event: 'identity-connected', userId })
        return 'connected'
      }
      const owner = await findOwner(transaction, { issuer, subject })
      if (owner === undefined) return 'another'
      return owner === userId ? 'connected' : 'taken'
    })
  }

  async disconnect(member: Member, issuer: string): Promise<DisconnectVerdict> {
    const { userId } = member
    return await this.#parts.access.db.transaction().execute(async (transaction) => {
      // Two requests that each remove one of two ways in must not both find the other still there.
      await transaction.selectFrom('users').select('id').where('id', '=', userId).forUpdate().execute()
      if (!(await hasAnotherWay(transaction, { userId, issuer, policy: this.#parts.policy }))) return 'only-way'
      const removed = await transaction
        .deleteFrom('identities')
        .where('user_id', '=', userId)
        .where('issuer', '=', issuer)
        .returning('user_id')
        .executeTakeFirst()
      const event = { event: 'identity-disconnected', userId } as const
      if (removed) await recordEvent(accessBy(this.#parts, member, transaction), event)
      return 'disconnected'
    })
  }

  async isOwn(userId: string, identity: Identity): Promise<boolean> {
    return (await findOwner(this.#parts.access.db, identity)) === userId
  }

  /** Whether an enabled administrator could sign in without a password. True as long as there is no user at all. */
  async canAdministratorSignIn(issuers: readonly string[]): Promise<boolean> {
    const { db } = this.#parts.access
    const users = await db.selectFrom('users').select('id').limit(1).execute()
    if (users.length === 0) return true
    const able = await db
      .selectFrom('users')
      .select('id')
      .where('is_admin', '=', true)
      .where('disabled_at', 'is', null)
      .where((where) =>
        where.or([
          where.exists(
            where.selectFrom('passkeys').select('passkeys.id').whereRef('passkeys.user_id', '=', 'users.id'),
          ),
          where.exists(
            where
              .selectFrom('identities')
              .select('identities.subject')
              .whereRef('identities.user_id', '=', 'users.id')
              .where('identities.issuer', 'in', issuers.length > 0 ? issuers : ['']),
          ),
        ]),
      )
      .limit(1)
      .execute()
    return able.length > 0
  }
}

async function findOwner(db: Kysely<Schema>, { issuer, subject }: Identity): Promise<string | undefined> {
  const row = await db
    .selectFrom('identities')
    .select('user_id')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
  return row?.user_id
}

interface Way {
  userId: string
  issuer: string
  policy: AccountPolicy
}

/** Whether a user can sign in without an identity of this issuer. A temporary password may be known to nobody. */
async function hasAnotherWay(transaction: Kysely<Schema>, { userId, issuer, policy }: Way): Promise<boolean> {
  const user = await transaction
    .selectFrom('users')
    .select('password_is_temporary as isTemporary')
    .select((where) =>
      where
        .or([
          where.exists(where.selectFrom('passkeys').select('passkeys.id').where('passkeys.user_id', '=', userId)),
          where.exists(
            where
              .selectFrom('identities')
              .select('identities.subject')
              .where('identities.user_id', '=', userId)
              .where('identities.issuer', '<>', issuer),
          ),
        ])
        .as('hasOther'),
    )
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  return Boolean(user.hasOther) || (policy.isPasswordSignInOn && !user.isTemporary)
}
