// The last step after a generated password: choosing your own. Comparing and hashing are expensive, so each attempt counts
// on the ticket first.
import { recordEvent } from '../../audit/record-event.ts'
import { accessBy, type Visitor } from '../account-parts.ts'
import { lockUser } from '../lock-user.ts'
import { checkPassword, hashPassword, isPasswordRight } from '../passwords.ts'
import { countAttempt, findTicket, spendTicket } from '../sign-in-tickets.ts'
import { announceUserChange } from '../user-changes.ts'
import { writePassword } from '../users.ts'
import { admitUser, refused, type SignInVerdict } from './complete-step.ts'
import type { SignInParts } from './sign-in-parts.ts'

export async function chooseNewPassword(
  parts: SignInParts,
  { ticket: token, password }: { ticket: string; password: string },
  visitor: Visitor,
): Promise<SignInVerdict> {
  const { access } = parts
  const ticket = await findTicket(parts, token)
  if (ticket?.step !== 'password') return refused('expired')
  const { user } = ticket
  checkPassword(password, user.username)
  if (!(await countAttempt(access.db, ticket))) return refused('expired')
  if (await isPasswordRight(user.passwordHash, password, access.passwordCost)) return refused('same')
  const passwordHash = await hashPassword(password, user.username, access.passwordCost)
  const verdict = await access.db.transaction().execute(async (transaction) => {
    const held = { userId: user.id, passwordHash: user.passwordHash, isToChange: true }
    if (!((await lockUser(transaction, held)) && (await spendTicket(transaction, ticket)))) return refused('expired')
    await writePassword(transaction, user.id, { passwordHash })
    const theirs = { ...accessBy(parts, { address: visitor.address, userId: user.id }), db: transaction }
    await recordEvent(theirs, { event: 'password-changed', userId: user.id })
    const admission = { user: { id: user.id, isTemporary: false }, visitor, shown: 'new-password' } as const
    return await admitUser(parts, transaction, admission)
  })
  announceUserChange(access.changes, user.id)
  return verdict
}
