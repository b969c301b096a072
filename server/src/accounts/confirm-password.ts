// Checks a signed-in user's password again: an unattended browser must not be enough to change what protects the
// account. Wrong passwords are recorded, and throttled as at sign-in.
import type { AuditEventName } from '../audit/audit-event.ts'
import type { AccountParts, Member } from './account-parts.ts'
import { isPasswordRight } from './passwords.ts'
import { tellAttempt } from './record-attempt.ts'

/**
 * password  the current password is wrong
 * code      the second-factor code is wrong
 * passkey   the passkey is not one of the user's, or does not answer this challenge
 * same      the new password is the same as the old one
 * wait      too many attempts
 */
export type OwnChange<Value> =
  | { ok: true; value: Value }
  | { ok: false; reason: 'password' | 'code' | 'passkey' | 'same' }
  | { ok: false; reason: 'wait'; retryAfterSeconds: number }

interface Confirmation {
  password: string
  /** The change that requires it. */
  event: AuditEventName
}

/** On success, the value is the hash the password was compared with. */
export async function confirmPassword(
  parts: AccountParts,
  { userId, address }: Member,
  { password, event }: Confirmation,
): Promise<OwnChange<string>> {
  const attempt = { event, userId, actorId: userId, address, detail: 'password' } as const
  const permission = parts.limits.forUser(userId, 'own password')
  if (!permission.ok) {
    await tellAttempt(parts, { ...attempt, outcome: 'throttled' })
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
    await tellAttempt(parts, { ...attempt, outcome: 'failed' })
    return { ok: false, reason: 'password' }
  }
  permission.succeeded()
  return { ok: true, value: row.password_hash }
}
