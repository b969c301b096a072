// Signing in with a passkey: instead of username and password, if the authenticator verified its user, or instead of a
// code after the password.
import type { AccountParts, Visitor } from '../account-parts.ts'
import { lockUser } from '../lock-user.ts'
import type { PasskeyAnswer } from '../passkeys/passkeys.ts'
import { tellAttempt } from '../record-attempt.ts'
import { findTicket, spendTicket } from '../sign-in-tickets.ts'
import { admitUser, refused, type SignInVerdict } from './complete-step.ts'
import type { SignInParts } from './sign-in-parts.ts'

export async function signInWithPasskey(
  parts: SignInParts,
  answer: PasskeyAnswer,
  visitor: Visitor,
): Promise<SignInVerdict> {
  const { access, limits, passkeys } = parts
  const { address } = visitor
  const permission = limits.forPasskey(address)
  if (!permission.ok) return await tooMany(parts, { address, ...permission })
  const userId = await passkeys.judgeUse({ purpose: 'sign-in' }, answer)
  if (userId === undefined) {
    await tellAttempt(parts, { event: 'sign-in', outcome: 'failed', detail: 'passkey', address })
    return refused('wrong')
  }
  permission.succeeded()
  return await access.db.transaction().execute(async (transaction) => {
    const user = await transaction
      .selectFrom('users')
      .select(['id', 'disabled_at', 'password_is_temporary'])
      .where('id', '=', userId)
      .forShare()
      .executeTakeFirstOrThrow()
    if (user.disabled_at) {
      const failed = { event: 'sign-in', outcome: 'failed', detail: 'disabled', userId, address } as const
      await tellAttempt(parts, failed, transaction)
      return refused('disabled')
    }
    const admission = {
      user: { id: userId, isTemporary: user.password_is_temporary },
      visitor,
      shown: 'passkey',
    } as const
    return await admitUser(parts, transaction, admission)
  })
}

export async function signInWithPasskeyAfterPassword(
  parts: SignInParts,
  { ticket: token, ...answer }: PasskeyAnswer & { ticket: string },
  visitor: Visitor,
): Promise<SignInVerdict> {
  const { access, limits, passkeys } = parts
  const ticket = await findTicket(parts, token)
  if (ticket?.step !== 'code') return refused('expired')
  const { user } = ticket
  const userId = user.id
  const { address } = visitor
  const permission = limits.forPasskey(address)
  if (!permission.ok) return await tooMany(parts, { address, userId, ...permission })
  if ((await passkeys.judgeUse({ purpose: 'second-factor', userId }, answer)) === undefined) {
    await tellAttempt(parts, { event: 'sign-in', outcome: 'failed', detail: 'passkey', userId, address })
    return refused('wrong')
  }
  permission.succeeded()
  return await access.db.transaction().execute(async (transaction) => {
    const isHeld = await lockUser(transaction, { userId, passwordHash: user.passwordHash })
    if (!(isHeld && (await spendTicket(transaction, ticket)))) return refused('expired')
    return await admitUser(parts, transaction, { user, visitor, shown: 'passkey' })
  })
}

interface TooMany {
  address: string
  userId?: string
  retryAfterSeconds: number
}

async function tooMany(parts: AccountParts, { address, userId, retryAfterSeconds }: TooMany): Promise<SignInVerdict> {
  await tellAttempt(parts, { event: 'sign-in', outcome: 'throttled', detail: 'passkey', userId, address })
  return { outcome: 'wait', retryAfterSeconds }
}
