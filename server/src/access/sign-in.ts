// Signing in, step by step: the password, then the code if the second factor is on, then a new password if the present
// one was given out by somebody else. Only after the last step is there a session, and it is always a new one. An
// unknown name takes as long as a known one and gets the same answer; that an account is disabled is told only to
// whoever knows its password.
import type { Kysely } from 'kysely'
import type { Schema } from '../storage/schema.ts'
import { createBulkhead } from '../upstream/bulkhead.ts'
import type { AccessContext } from './access-context.ts'
import { holdUser } from '../accounts/lock-user.ts'
import { hashPassword, isPasswordRight } from './passwords.ts'
import { isSecondFactorOn, type SecondFactor } from '../accounts/second-factor.ts'
import { addSession } from '../accounts/session-rows.ts'
import type { SignInLimits } from './sign-in-limits.ts'
import { addTicket, countWrongCode, findTicket, type SignInStep, spendTicket, type Ticket } from '../accounts/sign-in-tickets.ts'
import { announceUserChange } from '../accounts/user-changes.ts'
import { toStored, writePassword } from '../accounts/users.ts'

interface Credentials {
  username: string
  password: string
}

/** Where the attempt comes from. */
export interface Visitor {
  address: string
  userAgent: string
}

/**
 * signed-in  `session` is the token for the browser
 * next       there is another step; `ticket` is the token that leads to it
 * refused    wrong: the name, the password or the code; disabled: the account; same: a new password that is the old one;
 *            expired: the ticket is too old or used up, so begin again
 * wait       too many attempts
 */
export type SignInVerdict =
  | { outcome: 'signed-in'; session: string }
  | { outcome: 'next'; step: SignInStep; ticket: string }
  | { outcome: 'refused'; reason: 'wrong' | 'disabled' | 'same' | 'expired' }
  | { outcome: 'wait'; retryAfterSeconds: number }

export interface SignIn {
  withPassword: (given: Credentials, visitor: Visitor) => Promise<SignInVerdict>
  withCode: (given: { ticket: string; code: string }, visitor: Visitor) => Promise<SignInVerdict>
  /** Refuses with 400 when the new password is too short or too long. */
  withNewPassword: (given: { ticket: string; password: string }, visitor: Visitor) => Promise<SignInVerdict>
  /** The step that a ticket leads to, or undefined when it leads nowhere any more. */
  findStep: (ticket: string) => Promise<SignInStep | undefined>
}

interface SignInParts {
  access: AccessContext
  secondFactor: SecondFactor
  limits: SignInLimits
}

/** Each takes some 20 MB and a thread: strangers must not take all there are. */
const MOST_AT_ONCE = 8
const BUSY: SignInVerdict = { outcome: 'wait', retryAfterSeconds: 1 }

const refused = (reason: 'wrong' | 'disabled' | 'same' | 'expired'): SignInVerdict => ({ outcome: 'refused', reason })

export function createSignIn(parts: SignInParts): SignIn {
  const { access, secondFactor, limits } = parts
  const { db, clock } = access
  const bulkhead = createBulkhead(MOST_AT_ONCE)

  async function judgePassword({ username, password }: Credentials, visitor: Visitor): Promise<SignInVerdict> {
    const permission = limits.forPassword(toStored(username), visitor.address)
    if (!permission.ok) return { outcome: 'wait', retryAfterSeconds: permission.retryAfterSeconds }
    const user = await findByName(db, username)
    if (!(await isPasswordRight(user?.passwordHash, password)) || !user) return refused('wrong')
    permission.succeeded()
    if (user.isDisabled) return refused('disabled')
    return await db.transaction().execute(async (transaction) => {
      const isHeld = await holdUser(transaction, { userId: user.id, passwordHash: user.passwordHash })
      return isHeld ? await admit({ ...access, db: transaction }, { user, visitor }) : refused('wrong')
    })
  }

  return {
    async withPassword(given, visitor) {
      if (!bulkhead.enter()) return BUSY
      try {
        return await judgePassword(given, visitor)
      } finally {
        bulkhead.leave()
      }
    },
    async withCode({ ticket: token, code }, visitor) {
      const ticket = await findTicket(db, { token, now: clock() })
      if (ticket?.step !== 'code') return refused('expired')
      const { user } = ticket
      const permission = limits.forUser(user.id, 'code')
      if (!permission.ok) return { outcome: 'wait', retryAfterSeconds: permission.retryAfterSeconds }
      return await db.transaction().execute(async (transaction) => {
        const isHeld = await holdUser(transaction, { userId: user.id, passwordHash: user.passwordHash })
        if (!isHeld) return refused('expired')
        if ((await secondFactor.check(transaction, user.id, code)) === 'wrong') {
          await countWrongCode(transaction, ticket)
          return refused('wrong')
        }
        if (!(await spendTicket(transaction, ticket))) return refused('expired')
        permission.succeeded()
        return await admit({ ...access, db: transaction }, { user, visitor, done: 'code' })
      })
    },
    async withNewPassword({ ticket: token, password }, visitor) {
      const ticket = await findTicket(db, { token, now: clock() })
      if (ticket?.step !== 'password') return refused('expired')
      if (await isPasswordRight(ticket.user.passwordHash, password)) return refused('same')
      return await choosePassword(access, { ticket, passwordHash: await hashPassword(password), visitor })
    },
    findStep: async (token) => (await findTicket(db, { token, now: clock() }))?.step,
  }
}

async function choosePassword(
  access: AccessContext,
  { ticket, passwordHash, visitor }: { ticket: Ticket; passwordHash: string; visitor: Visitor },
): Promise<SignInVerdict> {
  const { user } = ticket
  const verdict = await access.db.transaction().execute(async (transaction) => {
    const held = { userId: user.id, passwordHash: user.passwordHash, isToChange: true }
    if (!((await holdUser(transaction, held)) && (await spendTicket(transaction, ticket)))) return refused('expired')
    await writePassword(transaction, user.id, { passwordHash })
    return await signInNow({ ...access, db: transaction }, user.id, visitor)
  })
  announceUserChange(access.changes, user.id)
  return verdict
}

interface Admission {
  user: Ticket['user']
  visitor: Visitor
  /** The step after the password that has been done already. */
  done?: 'code'
}

/** To the next step, or in. `access.db` is a transaction that holds the user's row. */
async function admit(access: AccessContext, { user, visitor, done }: Admission): Promise<SignInVerdict> {
  const { db } = access
  const step = await nextStep(db, user, done)
  if (!step) return await signInNow(access, user.id, visitor)
  return { outcome: 'next', step, ticket: await addTicket(access, { userId: user.id, step }) }
}

async function nextStep(
  db: Kysely<Schema>,
  { id, isTemporary }: Ticket['user'],
  done: 'code' | undefined,
): Promise<SignInStep | undefined> {
  if (done !== 'code' && (await isSecondFactorOn(db, id))) return 'code'
  return isTemporary ? 'password' : undefined
}

const signInNow = async (access: AccessContext, userId: string, { userAgent }: Visitor): Promise<SignInVerdict> => ({
  outcome: 'signed-in',
  session: await addSession(access, { userId, userAgent }),
})

async function findByName(db: Kysely<Schema>, username: string) {
  const row = await db
    .selectFrom('users')
    .select(['id', 'password_hash', 'password_is_temporary', 'disabled_at'])
    .where('username', '=', toStored(username))
    .executeTakeFirst()
  return (
    row && {
      id: row.id,
      passwordHash: row.password_hash,
      isTemporary: row.password_is_temporary,
      isDisabled: row.disabled_at !== null,
    }
  )
}
