// Invitations: an administrator hands somebody a link, with which they create their own account, once. The link has the
// only copy of the token; the database has its hash. Used, revoked and expired invitations are deleted.
import { hash } from 'node:crypto'
import type { Kysely, Selectable } from 'kysely'
import { recordEvent } from '../audit/audit-log.ts'
import { Refusal } from '../errors.ts'
import type { AdminContext } from '../keys/admin-context.ts'
import type { Schema } from '../store/schema.ts'
import { type AccountParts, accessBy, type Visitor } from './account-parts.ts'
import { recordAttempt } from './record-attempt.ts'
import { addSession, type StartedSession } from './sessions.ts'
import { createUser } from './users.ts'

export interface Invitation {
  id: string
  isAdmin: boolean
  /** Undefined for the command line, and if the account has been deleted. */
  invitedBy: string | undefined
  createdAt: Date
  expiresAt: Date
}

export interface Acceptance {
  token: string
  username: string
  password: string
}

/**
 * over  it was used or revoked, has expired, or never existed
 * wait  too many attempts
 */
export type AcceptVerdict =
  | ({ ok: true } & StartedSession)
  | { ok: false; reason: 'over' }
  | { ok: false; reason: 'wait'; retryAfterSeconds: number }

export const INVITATION_DAYS = 7
const MAX_DAYS = 365
/** More would rather be forgotten than waited for. */
const MAX_INVITATIONS = 1_000
const DAY_MS = 86_400_000
const TOKEN_BYTES = 32
const TOKEN = /^[\w-]{43}$/
/** The path of the link, before the token. */
export const INVITATION_PATH = '/invitation/'

const hashOf = (token: string): Buffer | undefined => (TOKEN.test(token) ? hash('sha256', token, 'buffer') : undefined)

/** Returns the token, to be shown once. */
export async function createInvitation(
  context: AdminContext,
  { isAdmin, days = INVITATION_DAYS }: { isAdmin: boolean; days?: number | undefined },
): Promise<{ invitation: Invitation; token: string }> {
  if (!(Number.isInteger(days) && days >= 1 && days <= MAX_DAYS))
    throw new Refusal('parameter_invalid', { days: [`Use 1 to ${MAX_DAYS} days.`] })
  const token = Buffer.from(context.randomBytes(TOKEN_BYTES)).toString('base64url')
  const now = context.clock()
  const row = await context.db.transaction().execute(async (transaction) => {
    const { count } = await transaction
      .selectFrom('invitations')
      .select(({ fn }) => fn.countAll().as('count'))
      .executeTakeFirstOrThrow()
    if (Number(count) >= MAX_INVITATIONS)
      throw new Refusal('conflict', `There are ${MAX_INVITATIONS} invitations already. Revoke some first.`)
    const added = await transaction
      .insertInto('invitations')
      .values({
        token_hash: hash('sha256', token, 'buffer'),
        is_admin: isAdmin,
        invited_by: context.actor?.userId ?? null,
        created_at: new Date(now),
        expires_at: new Date(now + days * DAY_MS),
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    await recordEvent(
      { ...context, db: transaction },
      { event: 'invitation-created', ...(isAdmin && { detail: 'administrator' }) },
    )
    return added
  })
  return { invitation: toInvitation({ ...row, username: null }), token }
}

/** Those that still work, newest first. */
export async function listInvitations({ db, clock }: AdminContext): Promise<Invitation[]> {
  const rows = await selectInvitations(db)
    .where('expires_at', '>', new Date(clock()))
    .orderBy('invitations.id', 'desc')
    .execute()
  return rows.map(toInvitation)
}

export async function revokeInvitation(context: AdminContext, id: string): Promise<void> {
  await context.db.transaction().execute(async (transaction) => {
    const revoked = /^\d{1,18}$/.test(id)
      ? await transaction.deleteFrom('invitations').where('id', '=', id).returning('id').executeTakeFirst()
      : undefined
    if (!revoked) throw new Refusal('not_found', 'There is no invitation with this id. It may have been used.')
    await recordEvent({ ...context, db: transaction }, { event: 'invitation-revoked' })
  })
}

/** Uses it up, in the transaction that creates the account. Undefined if it doesn't work. */
export async function spendInvitation(
  transaction: Kysely<Schema>,
  token: string,
  now: number,
): Promise<{ isAdmin: boolean } | undefined> {
  const tokenHash = hashOf(token)
  if (!tokenHash) return undefined
  const spent = await transaction
    .deleteFrom('invitations')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', new Date(now))
    .returning('is_admin as isAdmin')
    .executeTakeFirst()
  return spent
}

export class Invitations {
  readonly #parts: AccountParts

  constructor(parts: AccountParts) {
    this.#parts = parts
  }

  /** Undefined if it doesn't work. */
  async find(token: string): Promise<Invitation | undefined> {
    const { db, clock } = this.#parts.access
    const tokenHash = hashOf(token)
    if (!tokenHash) return undefined
    const row = await selectInvitations(db)
      .where('token_hash', '=', tokenHash)
      .where('expires_at', '>', new Date(clock()))
      .executeTakeFirst()
    return row && toInvitation(row)
  }

  /**
   * Creates the account, and a session. Refuses with 400 if the name or the password is not acceptable, and with 409 if
   * the name is taken; the invitation then stays valid.
   */
  async accept({ token, username, password }: Acceptance, visitor: Visitor): Promise<AcceptVerdict> {
    const { access, limits } = this.#parts
    const permission = limits.forInvitation(visitor.address)
    if (!permission.ok) {
      const { address } = visitor
      await recordAttempt(this.#parts, { event: 'invitation-accepted', outcome: 'throttled', address })
      return { ...permission, reason: 'wait' }
    }
    // Hashing a password is expensive, so the invitation is looked at first.
    if (!(await this.find(token))) return await this.#refuse(visitor)
    const verdict = await access.db.transaction().execute(async (transaction): Promise<AcceptVerdict> => {
      const invited = await spendInvitation(transaction, token, access.clock())
      if (!invited) return { ok: false, reason: 'over' }
      const { id: userId } = await createUser(accessBy(this.#parts, visitor, transaction), {
        username,
        password,
        isAdmin: invited.isAdmin,
      })
      const started = await addSession(this.#parts, transaction, { userId, userAgent: visitor.userAgent })
      const by = accessBy(this.#parts, { address: visitor.address, userId }, transaction)
      await recordEvent(by, { event: 'invitation-accepted', userId })
      return { ok: true, ...started }
    })
    if (!verdict.ok) return await this.#refuse(visitor)
    permission.succeeded()
    return verdict
  }

  async #refuse({ address }: Visitor): Promise<AcceptVerdict> {
    await recordAttempt(this.#parts, { event: 'invitation-accepted', outcome: 'failed', address })
    return { ok: false, reason: 'over' }
  }
}

const selectInvitations = (db: Kysely<Schema>) =>
  db
    .selectFrom('invitations')
    .leftJoin('users', 'users.id', 'invitations.invited_by')
    .selectAll('invitations')
    .select('users.username')

type InvitationRow = Selectable<Schema['invitations']> & { username: string | null }

const toInvitation = (row: InvitationRow): Invitation => ({
  id: row.id,
  isAdmin: row.is_admin,
  invitedBy: row.username ?? undefined,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
})
