// Lets users change their own password and confirm their identity. For ten minutes after that, or after signing in, a
// session may make sensitive changes. Second factors are in `second-factor-settings.ts`.
import type { AuditEventName } from '../audit/audit-event.ts'
import { recordEvent } from '../audit/audit-log.ts'
import { announceUserChange } from '../keys/key-changes.ts'
import { type AccountParts, accessBy, type Member } from './account-parts.ts'
import type { Identities, Identity } from './identities.ts'
import type { PasskeyAnswer, Passkeys } from './passkeys.ts'
import { checkPassword, hashPassword, isPasswordRight } from './passwords.ts'
import { recordAttempt } from './record-attempt.ts'
import { addSession, type StartedSession } from './sessions.ts'
import { lockUser, writePassword } from './users.ts'

/** How long a confirmed identity, or a sign-in, is enough for sensitive changes. */
export const CONFIRMED_MS = 10 * 60_000

/**
 * password  the current password is wrong
 * code      the second-factor code is wrong
 * passkey   the passkey is not one of the user's, or does not answer this challenge
 * identity  the account elsewhere isn't one of the user's
 * same      the new password is the same as the old one
 * wait      too many attempts
 */
export type OwnChangeResult<Value> =
  | { ok: true; value: Value }
  | { ok: false; reason: 'password' | 'code' | 'passkey' | 'identity' | 'same' }
  | { ok: false; reason: 'wait'; retryAfterSeconds: number }

/** The session, and the password, a passkey that verified its user, or an account elsewhere. */
type IdentityProof = { sessionId: string } & (
  | { password: string }
  | { passkey: PasskeyAnswer }
  | { identity: Identity }
)

interface OwnAccountParts extends AccountParts {
  passkeys: Passkeys
  identities: Identities
}

export function createOwnAccount(parts: OwnAccountParts) {
  const { db, changes, passwordCost } = parts.access
  return {
    /**
     * Ends every session of the user and starts a new one, whose tokens are the value. 400 if the new password is not
     * acceptable.
     */
    async changePassword(
      member: Member & { username: string },
      { current, next }: { current: string; next: string },
    ): Promise<OwnChangeResult<StartedSession>> {
      const { userId, userAgent, username } = member
      checkPassword(next, username)
      const confirmed = await confirmPassword(parts, member, { password: current, event: 'password-changed' })
      if (!confirmed.ok) return confirmed
      const { value: oldHash } = confirmed
      if (await isPasswordRight(oldHash, next, passwordCost)) return { ok: false, reason: 'same' }
      const passwordHash = await hashPassword(next, username, passwordCost)
      const started = await db.transaction().execute(async (transaction) => {
        if (!(await lockUser(transaction, { userId, passwordHash: oldHash, willWrite: true }))) return undefined
        await writePassword(transaction, userId, { passwordHash })
        const tokens = await addSession(parts, transaction, { userId, userAgent })
        await recordEvent(accessBy(parts, member, transaction), { event: 'password-changed', userId })
        return tokens
      })
      announceUserChange(changes, userId)
      return started === undefined ? { ok: false, reason: 'password' } : { ok: true, value: started }
    },
    /** `isFirst`: only if the account has none yet. */
    async savePreferences(userId: string, preferences: string, { isFirst = false } = {}): Promise<void> {
      const query = db.updateTable('users').set({ preferences }).where('id', '=', userId)
      await (isFirst ? query.where('preferences', 'is', null) : query).execute()
      announceUserChange(changes, userId)
    },
    /** Confirms the user's identity for ten minutes in this session. The value is the session's new token. */
    async confirmIdentity(member: Member, proof: IdentityProof): Promise<OwnChangeResult<string>> {
      const [kind, confirmed] = await confirmWith(parts, member, proof)
      if (!confirmed.ok) return confirmed
      const detail = kind === 'identity' ? 'identity-provider' : kind
      const token = await renewSession(parts, member, { sessionId: proof.sessionId, detail })
      return token === undefined ? { ok: false, reason: kind } : { ok: true, value: token }
    },
  }
}

async function confirmWith(
  parts: OwnAccountParts,
  member: Member,
  proof: IdentityProof,
): Promise<[kind: 'password' | 'passkey' | 'identity', result: OwnChangeResult<unknown>]> {
  if ('password' in proof) {
    const { password } = proof
    return ['password', await confirmPassword(parts, member, { password, event: 'identity-confirmed' })]
  }
  if ('passkey' in proof) return ['passkey', await confirmByPasskey(parts, member, proof.passkey)]
  return ['identity', await confirmByIdentity(parts, member, proof.identity)]
}

interface Confirmation {
  password: string
  /** The change that requires the password. */
  event: AuditEventName
}

/**
 * Checks a signed-in user's password again: an unattended browser must not be enough to change what protects the
 * account. Wrong passwords are recorded, and throttled as at sign-in. On success, the value is the hash that the
 * password was compared with.
 */
export async function confirmPassword(
  parts: AccountParts,
  { userId, address }: Member,
  { password, event }: Confirmation,
): Promise<OwnChangeResult<string>> {
  const attempt = { event, userId, actorId: userId, address, detail: 'password' } as const
  const permission = parts.limits.forUser(userId, 'own password')
  if (!permission.ok) {
    await recordAttempt(parts, { ...attempt, outcome: 'throttled' })
    return { ...permission, reason: 'wait' }
  }
  const row = await parts.access.db
    .selectFrom('users')
    .select('password_hash')
    .where('id', '=', userId)
    .where('disabled_at', 'is', null)
    .executeTakeFirst()
  const isRight = await isPasswordRight(row?.password_hash, password, parts.access.passwordCost)
  if (!isRight || !row) {
    await recordAttempt(parts, { ...attempt, outcome: 'failed' })
    return { ok: false, reason: 'password' }
  }
  permission.succeeded()
  return { ok: true, value: row.password_hash }
}

async function confirmByPasskey(
  parts: OwnAccountParts,
  { userId, address }: Member,
  answer: PasskeyAnswer,
): Promise<OwnChangeResult<undefined>> {
  const attempt = { event: 'identity-confirmed', userId, actorId: userId, address, detail: 'passkey' } as const
  const permission = parts.limits.forPasskey(address)
  if (!permission.ok) {
    await recordAttempt(parts, { ...attempt, outcome: 'throttled' })
    return { ...permission, reason: 'wait' }
  }
  if ((await parts.passkeys.verifyUse({ purpose: 'confirm', userId }, answer)) === undefined) {
    await recordAttempt(parts, { ...attempt, outcome: 'failed' })
    return { ok: false, reason: 'passkey' }
  }
  permission.succeeded()
  return { ok: true, value: undefined }
}

async function confirmByIdentity(
  parts: OwnAccountParts,
  { userId, address }: Member,
  identity: Identity,
): Promise<OwnChangeResult<undefined>> {
  if (await parts.identities.isOwn(userId, identity)) return { ok: true, value: undefined }
  const attempt = { event: 'identity-confirmed', userId, actorId: userId, address } as const
  await recordAttempt(parts, { ...attempt, outcome: 'failed', detail: 'identity-provider' })
  return { ok: false, reason: 'identity' }
}

/** Gives the session a new token, so that a copy of the old one stops working. Undefined if the session has ended. */
async function renewSession(
  parts: AccountParts,
  member: Member,
  { sessionId, detail }: { sessionId: string; detail: 'password' | 'passkey' | 'identity-provider' },
): Promise<string | undefined> {
  const { access, tokens } = parts
  const { userId } = member
  const { token, tokenHash } = tokens.session.mint()
  const isRenewed = await access.db.transaction().execute(async (transaction) => {
    const renewed = await transaction
      .updateTable('sessions')
      .set({ token_hash: tokenHash, confirmed_at: new Date(access.clock()) })
      .where('id', '=', sessionId)
      .where('user_id', '=', userId)
      .returning('id')
      .executeTakeFirst()
    const event = { event: 'identity-confirmed', userId, detail } as const
    if (renewed) await recordEvent(accessBy(parts, member, transaction), event)
    return renewed !== undefined
  })
  announceUserChange(access.changes, userId)
  return isRenewed ? token : undefined
}
