// Signing in with what another system says: an identity provider (`oidc/oidc.ts`), or a proxy that names the person in a
// header (`oidc/trusted-header.ts`). Both have checked it before they come here. A session is started as after a
// password, with one difference: whoever vouches for the person is responsible for the second factor too.
import { recordEvent } from '../audit/audit-log.ts'
import { Refusal } from '../errors.ts'
import { toStoredUsername } from '../keys/username.ts'
import { type AccountParts, accessBy, type Visitor } from './account-parts.ts'
import type { Identity } from './identities.ts'
import { spendInvitation } from './invitations.ts'
import { type Attempt, recordAttempt } from './record-attempt.ts'
import { addSession } from './sessions.ts'
import type { SignInRefusal, SignInVerdict } from './sign-in.ts'
import { createUserWithPassword, setAdmin } from './users.ts'

/** An account elsewhere whose owner has just signed in there. */
export interface ProvenIdentity extends Identity {
  /** The provider's name in the settings. */
  provider: string
  /** For a new account; '' if none of its names would do. */
  username: string
  /** Whether an account is created for someone who has none. */
  createsUser: boolean
  /** undefined: roles are given here. */
  isAdmin: boolean | undefined
  /** With it, an account is created under the name in any case. */
  invitation?: string | undefined
}

export interface TrustedName {
  username: string
  createsUser: boolean
}

const HEADER = 'header'

/** Whether every request of a session has to name its user in the trusted header. */
export const isHeaderSession = (signedInBy: string | null | undefined): boolean => signedInBy === HEADER

/** The identity provider that a session was started with. */
export const providerOfSession = (signedInBy: string | null | undefined): string | undefined =>
  /^oidc:(.+)$/.exec(signedInBy ?? '')?.[1]

export class SignInElsewhere {
  readonly #parts: AccountParts

  constructor(parts: AccountParts) {
    this.#parts = parts
  }

  /** Counts a call to a provider on behalf of a visitor, before it is made. Returns the seconds to wait; 0 for none. */
  waitBeforeCall(address: string): number {
    const permission = this.#parts.limits.forIdentity(address)
    return permission.ok ? 0 : permission.retryAfterSeconds
  }

  /** A person came back from a provider with something that proves nothing, or isn't one of those who may come in. */
  async recordRefused({ address }: Visitor, detail: 'identity-provider' | 'not-allowed'): Promise<void> {
    await recordAttempt(this.#parts, { event: 'sign-in', outcome: 'failed', detail, address })
  }

  async withIdentity(identity: ProvenIdentity, visitor: Visitor): Promise<SignInVerdict> {
    return await this.#ifNotThrottled('identity-provider', visitor, async () => {
      const userId = (await this.#findByIdentity(identity)) ?? (await this.#createByIdentity(identity, visitor))
      if (typeof userId !== 'string') return userId
      await this.#followRole(identity, { userId, visitor })
      const signedInBy = `oidc:${identity.provider}`
      const verdict = await this.#start({ userId, visitor, signedInBy, detail: 'identity-provider' })
      if (verdict.outcome === 'signed-in') await this.#recordUse(identity)
      return verdict
    })
  }

  /** With the name in the trusted header. */
  async withTrustedName({ username, createsUser }: TrustedName, visitor: Visitor): Promise<SignInVerdict> {
    return await this.#ifNotThrottled('trusted-header', visitor, async () => {
      const { db } = this.#parts.access
      const name = toStoredUsername(username)
      const known = await db.selectFrom('users').select('id').where('username', '=', name).executeTakeFirst()
      if (!known && !createsUser) return await this.#refuse('not-connected', visitor)
      const by = accessBy(this.#parts, visitor)
      const userId = known?.id ?? (await createUserWithPassword(by, { username: name })).user.id
      return await this.#start({ userId, visitor, signedInBy: HEADER, detail: 'trusted-header' })
    })
  }

  async #ifNotThrottled(
    detail: NewSession['detail'],
    { address }: Visitor,
    work: () => Promise<SignInVerdict>,
  ): Promise<SignInVerdict> {
    const permission = this.#parts.limits.forIdentity(address)
    if (!permission.ok) {
      await recordAttempt(this.#parts, { event: 'sign-in', outcome: 'throttled', detail, address })
      return { outcome: 'wait', retryAfterSeconds: permission.retryAfterSeconds }
    }
    const verdict = await work()
    if (verdict.outcome === 'signed-in') permission.succeeded()
    return verdict
  }

  async #findByIdentity({ issuer, subject }: Identity): Promise<string | undefined> {
    const row = await this.#parts.access.db
      .selectFrom('identities')
      .select('user_id')
      .where('issuer', '=', issuer)
      .where('subject', '=', subject)
      .executeTakeFirst()
    return row?.user_id
  }

  async #createByIdentity(identity: ProvenIdentity, visitor: Visitor): Promise<string | SignInVerdict> {
    const { issuer, subject, username, createsUser, isAdmin = false, invitation } = identity
    if (!(createsUser || invitation)) return await this.#refuse('not-connected', visitor)
    if (username === '') return await this.#refuse('name-taken', visitor)
    const by = accessBy(this.#parts, visitor)
    try {
      return await by.db.transaction().execute(async (transaction) => {
        const invited = invitation ? await spendInvitation(transaction, invitation, by.clock()) : undefined
        if (!(invited || createsUser)) throw new Refusal('not_found', 'The invitation is over.')
        // The password is known to nobody, and temporary so that everything here can tell.
        const role = { isAdmin: isAdmin || invited?.isAdmin === true }
        const { user } = await createUserWithPassword({ ...by, db: transaction }, { username, ...role })
        const values = { issuer, subject, user_id: user.id, grants_admin: isAdmin }
        const added = await transaction
          .insertInto('identities')
          .values(values)
          .onConflict((conflict) => conflict.doNothing())
          .returning('user_id')
          .executeTakeFirst()
        // Another request has just created an account for the same identity; this one's is rolled back.
        if (!added) throw new Refusal('conflict', 'Sign in again.')
        const connected = accessBy(this.#parts, { address: visitor.address, userId: user.id }, transaction)
        await recordEvent(connected, { event: 'identity-connected', userId: user.id })
        if (invited) await recordEvent(connected, { event: 'invitation-accepted', userId: user.id })
        return user.id
      })
    } catch (error) {
      if (error instanceof Refusal && error.code === 'conflict') return await this.#refuse('name-taken', visitor)
      if (error instanceof Refusal && error.code === 'not_found') return await this.#refuse('not-connected', visitor)
      throw error
    }
  }

  /**
   * A role that a claim has given is taken away when the claim is gone; a role that an administrator has given stays.
   * `grants_admin` is written first and cleared last, so that a crash in between can't leave a role that nobody takes
   * away.
   */
  async #followRole(
    { issuer, subject, isAdmin }: ProvenIdentity,
    { userId, visitor }: { userId: string; visitor: Visitor },
  ): Promise<void> {
    if (isAdmin === undefined) return
    const { db } = this.#parts.access
    const row = await db
      .selectFrom('identities')
      .innerJoin('users', 'users.id', 'identities.user_id')
      .select(['users.username', 'users.is_admin as hasRole', 'grants_admin as isGranted'])
      .where('issuer', '=', issuer)
      .where('subject', '=', subject)
      .where('disabled_at', 'is', null)
      .executeTakeFirst()
    const shouldGain = isAdmin && row?.hasRole === false
    const shouldLose = !isAdmin && row?.isGranted === true
    if (!row || !(shouldGain || shouldLose)) return
    const mark = (grants_admin: boolean) =>
      db
        .updateTable('identities')
        .set({ grants_admin })
        .where('issuer', '=', issuer)
        .where('subject', '=', subject)
        .execute()
    if (shouldGain) await mark(true)
    try {
      await setAdmin(accessBy(this.#parts, { address: visitor.address, userId }), row.username, isAdmin)
      if (shouldLose) await mark(false)
    } catch (error) {
      // An instance that has an administrator always keeps one.
      if (!(error instanceof Refusal && error.code === 'conflict')) throw error
    }
  }

  async #start({ userId, visitor, signedInBy, detail }: NewSession): Promise<SignInVerdict> {
    const { address, userAgent } = visitor
    return await this.#parts.access.db.transaction().execute(async (transaction): Promise<SignInVerdict> => {
      const row = await transaction
        .selectFrom('users')
        .select(['disabled_at', 'is_service'])
        .where('id', '=', userId)
        .forShare()
        .executeTakeFirst()
      // It was deleted a moment ago.
      if (!row) return { outcome: 'refused', reason: 'wrong' }
      const reason = row.is_service ? 'service' : row.disabled_at ? 'disabled' : undefined
      if (reason) {
        const attempt: Attempt = { event: 'sign-in', outcome: 'failed', detail: reason, userId, address }
        await recordAttempt(this.#parts, attempt, transaction)
        return { outcome: 'refused', reason }
      }
      const started = await addSession(this.#parts, transaction, { userId, userAgent, signedInBy })
      await recordEvent(accessBy(this.#parts, { address, userId }, transaction), { event: 'sign-in', userId, detail })
      return { outcome: 'signed-in', ...started }
    })
  }

  async #recordUse({ issuer, subject }: Identity): Promise<void> {
    const { db, clock } = this.#parts.access
    await db
      .updateTable('identities')
      .set({ last_used_at: new Date(clock()) })
      .where('issuer', '=', issuer)
      .where('subject', '=', subject)
      .execute()
  }

  async #refuse(
    reason: Extract<SignInRefusal, 'not-connected' | 'name-taken'>,
    { address }: Visitor,
  ): Promise<SignInVerdict> {
    await recordAttempt(this.#parts, { event: 'sign-in', outcome: 'failed', detail: reason, address })
    return { outcome: 'refused', reason }
  }
}

interface NewSession {
  userId: string
  visitor: Visitor
  signedInBy: string
  detail: 'identity-provider' | 'trusted-header'
}
