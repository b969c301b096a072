// Lets users change their own password and confirm their identity, which allows their session sensitive changes for the
// next ten minutes. Second factors are in `own-factors.ts`.
import { recordEvent } from '../audit/record-event.ts'
import { type AccountParts, accessBy, type Member } from './account-parts.ts'
import { confirmPassword, type OwnChange } from './confirm-password.ts'
import { lockUser } from './lock-user.ts'
import type { PasskeyAnswer, Passkeys } from './passkeys/passkeys.ts'
import { checkPassword, hashPassword, isPasswordRight } from './passwords.ts'
import { tellAttempt } from './record-attempt.ts'
import { addSession } from './session-rows.ts'
import { announceUserChange } from './user-changes.ts'
import { writePassword } from './users.ts'

/** How long a confirmed identity is valid. */
export const CONFIRMED_MS = 10 * 60_000

export interface OwnAccount {
  /**
   * Ends every session of the user and starts a new one, whose token is the value. 400 if the new password is not
   * acceptable.
   */
  changePassword: (member: NamedMember, change: PasswordChange) => Promise<OwnChange<string>>
  /** Confirms the user's identity for ten minutes in this session. The value is the session's new token. */
  confirmIdentity: (member: Member, proof: IdentityProof) => Promise<OwnChange<string>>
}

interface NamedMember extends Member {
  username: string
}

interface PasswordChange {
  present: string
  next: string
}

/** The session, and either the password or a passkey that verified its user. */
type IdentityProof = { sessionId: string } & ({ password: string } | { passkey: PasskeyAnswer })

interface OwnAccountParts extends AccountParts {
  passkeys: Passkeys
}

export function createOwnAccount(parts: OwnAccountParts): OwnAccount {
  const { db, changes, passwordCost } = parts.access
  return {
    async changePassword(member, { present, next }) {
      const { userId, userAgent, username } = member
      checkPassword(next, username)
      const confirmed = await confirmPassword(parts, member, { password: present, event: 'password-changed' })
      if (!confirmed.ok) return confirmed
      const { value: shownHash } = confirmed
      if (await isPasswordRight(shownHash, next, passwordCost)) return { ok: false, reason: 'same' }
      const passwordHash = await hashPassword(next, username, passwordCost)
      const session = await db.transaction().execute(async (transaction) => {
        if (!(await lockUser(transaction, { userId, passwordHash: shownHash, isToChange: true }))) return undefined
        await writePassword(transaction, userId, { passwordHash })
        const token = await addSession(parts, transaction, { userId, userAgent })
        const mine = { ...accessBy(parts, member), db: transaction }
        await recordEvent(mine, { event: 'password-changed', userId })
        return token
      })
      announceUserChange(changes, userId)
      return session === undefined ? { ok: false, reason: 'password' } : { ok: true, value: session }
    },
    async confirmIdentity(member, proof) {
      const confirmed =
        'password' in proof
          ? await confirmPassword(parts, member, { password: proof.password, event: 'identity-confirmed' })
          : await confirmByPasskey(parts, member, proof.passkey)
      if (!confirmed.ok) return confirmed
      const detail = 'password' in proof ? 'password' : 'passkey'
      const token = await renewSession(parts, member, { sessionId: proof.sessionId, detail })
      return token === undefined ? { ok: false, reason: detail } : { ok: true, value: token }
    },
  }
}

async function confirmByPasskey(
  parts: OwnAccountParts,
  { userId, address }: Member,
  answer: PasskeyAnswer,
): Promise<OwnChange<undefined>> {
  const attempt = { event: 'identity-confirmed', userId, actorId: userId, address, detail: 'passkey' } as const
  const permission = parts.limits.forPasskey(address)
  if (!permission.ok) {
    await tellAttempt(parts, { ...attempt, outcome: 'throttled' })
    return { ...permission, reason: 'wait' }
  }
  if ((await parts.passkeys.judgeUse({ purpose: 'confirm', userId }, answer)) === undefined) {
    await tellAttempt(parts, { ...attempt, outcome: 'failed' })
    return { ok: false, reason: 'passkey' }
  }
  permission.succeeded()
  return { ok: true, value: undefined }
}

/** Gives the session a new token, so that a copy of the old one stops working. Undefined if the session has ended. */
async function renewSession(
  parts: AccountParts,
  member: Member,
  { sessionId, detail }: { sessionId: string; detail: 'password' | 'passkey' },
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
    const mine = { ...accessBy(parts, member), db: transaction }
    if (renewed) await recordEvent(mine, { event: 'identity-confirmed', userId, detail })
    return renewed !== undefined
  })
  announceUserChange(access.changes, userId)
  return isRenewed ? token : undefined
}
