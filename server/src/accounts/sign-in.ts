// Signing in, step by step: the password, then a code or a passkey if there is a second factor, then a new password if
// someone else issued the current one. A passkey that verifies its user replaces the first two. A session exists only
// after the last step, and it is always a new one. An unknown name takes as long as a known one and gets the same answer;
// only someone who knows the password learns that an account is disabled.
import { toStored } from '../keys/username.ts'
import { createBulkhead } from '../upstream/bulkhead.ts'
import type { AccountParts, Visitor } from './account-parts.ts'
import { lockUser } from './lock-user.ts'
import type { PasskeyAnswer } from './passkeys/passkeys.ts'
import { isPasswordRight } from './passwords.ts'
import { tellAttempt } from './record-attempt.ts'
import { findTicket, type SignInStep } from './sign-in-tickets.ts'
import { admitUser, refused, type SignInVerdict } from './steps/complete-step.ts'
import type { SignInParts } from './steps/sign-in-parts.ts'
import { signInWithCode } from './steps/sign-in-with-code.ts'
import { chooseNewPassword } from './steps/sign-in-with-new-password.ts'
import { signInWithPasskey, signInWithPasskeyAfterPassword } from './steps/sign-in-with-passkey.ts'

interface Credentials {
  username: string
  password: string
}

/** The next step, and how it can be done. */
export interface StepState {
  step: SignInStep
  userId: string
  hasApp: boolean
  hasPasskey: boolean
}

export interface SignIn {
  withPassword: (given: Credentials, visitor: Visitor) => Promise<SignInVerdict>
  withCode: (given: { ticket: string; code: string }, visitor: Visitor) => Promise<SignInVerdict>
  /** Instead of the password. */
  withPasskey: (given: PasskeyAnswer, visitor: Visitor) => Promise<SignInVerdict>
  /** Instead of the code. */
  withPasskeyAfterPassword: (given: PasskeyAnswer & { ticket: string }, visitor: Visitor) => Promise<SignInVerdict>
  /** Refuses with 400 if the new password is not acceptable. */
  withNewPassword: (given: { ticket: string; password: string }, visitor: Visitor) => Promise<SignInVerdict>
  /** The step that a ticket is for, or undefined if it is no longer valid. */
  findStep: (ticket: string) => Promise<StepState | undefined>
}

/** Each check takes about 20 MB and a thread; anonymous visitors must not occupy them all. */
const MOST_AT_ONCE = 8
const BUSY: SignInVerdict = { outcome: 'wait', retryAfterSeconds: 1 }
const DAY_MS = 86_400_000

export function createSignIn(parts: SignInParts): SignIn {
  const bulkhead = createBulkhead(MOST_AT_ONCE)

  async function withRoom(work: () => Promise<SignInVerdict>): Promise<SignInVerdict> {
    if (!bulkhead.enter()) return BUSY
    try {
      return await work()
    } finally {
      bulkhead.leave()
    }
  }

  return {
    withPassword: (given, visitor) => withRoom(() => judgePassword(parts, given, visitor)),
    withCode: (given, visitor) => signInWithCode(parts, given, visitor),
    withPasskey: (given, visitor) => signInWithPasskey(parts, given, visitor),
    withPasskeyAfterPassword: (given, visitor) => signInWithPasskeyAfterPassword(parts, given, visitor),
    withNewPassword: (given, visitor) => withRoom(() => chooseNewPassword(parts, given, visitor)),
    async findStep(token) {
      const ticket = await findTicket(parts, token)
      if (!ticket) return undefined
      const { hasApp, passkeys } = await parts.secondFactor.describe(ticket.user.id)
      return { step: ticket.step, userId: ticket.user.id, hasApp, hasPasskey: passkeys > 0 }
    },
  }
}

async function judgePassword(
  parts: SignInParts,
  { username, password }: Credentials,
  visitor: Visitor,
): Promise<SignInVerdict> {
  const { access, limits, policy } = parts
  const { address } = visitor
  const permission = limits.forPassword(toStored(username), address)
  if (!permission.ok) {
    const throttled = { event: 'sign-in', outcome: 'throttled', detail: 'password', address } as const
    await tellAttempt(parts, { ...throttled, typedName: username })
    return { outcome: 'wait', retryAfterSeconds: permission.retryAfterSeconds }
  }
  const user = await findByName(parts, username)
  const isRight = await isPasswordRight(user?.passwordHash, password, access.passwordCost)
  if (!isRight || !user) {
    const failed = { event: 'sign-in', outcome: 'failed', detail: 'password', address } as const
    await tellAttempt(parts, { ...failed, userId: user?.id })
    return refused('wrong')
  }
  permission.succeeded()
  const isStale = user.madeAt !== null && +user.madeAt + policy.temporaryPasswordDays * DAY_MS <= access.clock()
  if (user.isDisabled || isStale) {
    const detail = user.isDisabled ? 'disabled' : 'expired'
    await tellAttempt(parts, { event: 'sign-in', outcome: 'failed', userId: user.id, detail, address })
    return refused(user.isDisabled ? 'disabled' : 'stale')
  }
  return await access.db.transaction().execute(async (transaction) => {
    const isHeld = await lockUser(transaction, { userId: user.id, passwordHash: user.passwordHash })
    return isHeld ? await admitUser(parts, transaction, { user, visitor, shown: 'password' }) : refused('wrong')
  })
}

async function findByName({ access }: AccountParts, username: string) {
  const row = await access.db
    .selectFrom('users')
    .select(['id', 'password_hash', 'password_is_temporary', 'password_made_at', 'disabled_at'])
    .where('username', '=', toStored(username))
    .executeTakeFirst()
  return (
    row && {
      id: row.id,
      passwordHash: row.password_hash,
      isTemporary: row.password_is_temporary,
      madeAt: row.password_made_at,
      isDisabled: row.disabled_at !== null,
    }
  )
}
