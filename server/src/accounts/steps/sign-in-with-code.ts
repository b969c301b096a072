// The second step: a six-digit code or a recovery code, with the ticket that the password earned.
import { recordEvent } from '../../audit/record-event.ts'
import { accessBy, type Visitor } from '../account-parts.ts'
import { lockUser } from '../lock-user.ts'
import { tellAttempt } from '../record-attempt.ts'
import { isRecoveryCodeShaped } from '../recovery-codes.ts'
import { countAttempt, findTicket, spendTicket } from '../sign-in-tickets.ts'
import { admitUser, refused, type SignInVerdict } from './complete-step.ts'
import type { SignInParts } from './sign-in-parts.ts'

export async function signInWithCode(
  parts: SignInParts,
  { ticket: token, code }: { ticket: string; code: string },
  visitor: Visitor,
): Promise<SignInVerdict> {
  const { access, limits, secondFactor } = parts
  const ticket = await findTicket(parts, token)
  if (ticket?.step !== 'code') return refused('expired')
  const { user } = ticket
  const userId = user.id
  const { address } = visitor
  const isRecovery = isRecoveryCodeShaped(code)
  const permission = (isRecovery ? limits.forRecoveryCode : limits.forCode)({ userId, address })
  const about = { event: 'sign-in', userId, detail: isRecovery ? 'recovery-code' : 'code', address } as const
  if (!permission.ok) {
    await tellAttempt(parts, { ...about, outcome: 'throttled' })
    return { outcome: 'wait', retryAfterSeconds: permission.retryAfterSeconds }
  }
  return await access.db.transaction().execute(async (transaction) => {
    const isHeld = await lockUser(transaction, { userId, passwordHash: user.passwordHash })
    if (!(isHeld && (await countAttempt(transaction, ticket)))) return refused('expired')
    const found = await secondFactor.check(transaction, userId, code)
    if (found === 'wrong') {
      await tellAttempt(parts, { ...about, outcome: 'failed' }, transaction)
      return refused('wrong')
    }
    if (!(await spendTicket(transaction, ticket))) return refused('expired')
    permission.succeeded()
    if (found === 'recovery') {
      const theirs = { ...accessBy(parts, { address, userId }), db: transaction }
      await recordEvent(theirs, { event: 'recovery-code-used', userId })
    }
    return await admitUser(parts, transaction, { user, visitor, shown: about.detail })
  })
}
