// Continues after a successful sign-in step: with the next step, or a session.
import type { Kysely } from 'kysely'
import type { AuditDetail } from '../../audit/audit-event.ts'
import { recordEvent } from '../../audit/record-event.ts'
import type { Schema } from '../../postgres/schema.ts'
import { type AccountParts, accessBy, type Visitor } from '../account-parts.ts'
import { isSecondFactorOn } from '../factors.ts'
import { addSession } from '../session-rows.ts'
import { addTicket, type SignInStep } from '../sign-in-tickets.ts'

/**
 * signed-in  `session` is the token for the browser
 * next       there is another step; `ticket` is the token for it
 * refused    wrong: the name, the password, the code or the passkey; disabled: the account; same: the new password is the
 *            old one; stale: a temporary password has expired; expired: the ticket is too old or used up, so start over
 * wait       too many attempts
 */
export type SignInVerdict =
  | { outcome: 'signed-in'; session: string }
  | { outcome: 'next'; step: SignInStep; ticket: string }
  | { outcome: 'refused'; reason: SignInRefusal }
  | { outcome: 'wait'; retryAfterSeconds: number }

export type SignInRefusal = 'wrong' | 'disabled' | 'same' | 'stale' | 'expired'

export const refused = (reason: SignInRefusal): SignInVerdict => ({ outcome: 'refused', reason })

interface Admission {
  user: { id: string; isTemporary: boolean }
  visitor: Visitor
  /** The step just completed. A password alone may not be enough. */
  shown: Extract<AuditDetail, 'password' | 'code' | 'recovery-code' | 'passkey' | 'new-password'>
}

/** `db` is a transaction that holds the user's row. */
export async function admitUser(
  parts: AccountParts,
  db: Kysely<Schema>,
  { user, visitor, shown }: Admission,
): Promise<SignInVerdict> {
  const userId = user.id
  const step =
    shown === 'password' && (await isSecondFactorOn(db, userId)) ? 'code' : user.isTemporary ? 'password' : undefined
  if (step) return { outcome: 'next', step, ticket: await addTicket(parts, db, { userId, step }) }
  const session = await addSession(parts, db, { userId, userAgent: visitor.userAgent })
  const theirs = { ...accessBy(parts, { address: visitor.address, userId }), db }
  await recordEvent(theirs, { event: 'sign-in', userId, detail: shown })
  return { outcome: 'signed-in', session }
}
