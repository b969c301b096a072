// Signing in, step by step: the password, then a code or a passkey if there is a second factor, then a new password if
// someone else issued the current one. A passkey that verifies its user replaces the first two. A session exists only
// after the last step, and it is always a new one. An unknown name takes as long as a known one and gets the same
// answer; only someone who knows the password learns that an account is disabled.
import type { Kysely } from 'kysely'
import type { AuditDetail } from '../audit/audit-event.ts'
import { recordEvent } from '../audit/audit-log.ts'
import { announceUserChange } from '../keys/key-changes.ts'
import { toStoredUsername } from '../keys/username.ts'
import type { Schema } from '../store/schema.ts'
import { createBulkhead } from '../upstream/bulkhead.ts'
import { type AccountParts, accessBy, type Visitor } from './account-parts.ts'
import type { PasskeyAnswer, Passkeys } from './passkeys.ts'
import { checkPassword, hashPassword, isPasswordRight } from './passwords.ts'
import { type Attempt, recordAttempt } from './record-attempt.ts'
import { isRecoveryCodeShaped, isSecondFactorOn, type SecondFactor } from './second-factor.ts'
import { addSession, type StartedSession } from './sessions.ts'
import { addTicket, countAttempt, findTicket, type SignInStep, spendTicket } from './sign-in-tickets.ts'
import { lockUser, writePassword } from './users.ts'

/**
 * signed-in  `session` and `device` are the tokens for the browser
 * next       there is another step; `ticket` is the token for it
 * refused    see `SignInRefusal`
 * wait       too many attempts
 */
export type SignInVerdict =
  | ({ outcome: 'signed-in' } & StartedSession)
  | { outcome: 'next'; step: SignInStep; ticket: string }
  | { outcome: 'refused'; reason: SignInRefusal }
  | { outcome: 'wait'; retryAfterSeconds: number }

/**
 * wrong     the name, the password, the code or the passkey is wrong
 * disabled  the account is disabled
 * service   the account is a service's, which never signs in
 * same      the new password is the old one
 * stale     a temporary password has expired
 * expired   the ticket is too old or used up, so start over
 * off       nobody signs in with a password here
 *
 * With an account elsewhere (`sign-in-elsewhere.ts`):
 *
 * not-connected  no account here belongs to it
 * not-allowed    the operator lets only some of its kind in
 * name-taken     an account would be created, but its name is somebody's
 */
export type SignInRefusal =
  | 'wrong'
  | 'disabled'
  | 'service'
  | 'same'
  | 'stale'
  | 'expired'
  | 'off'
  | 'not-connected'
  | 'not-allowed'
  | 'name-taken'

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

interface SignInParts extends AccountParts {
  secondFactor: SecondFactor
  passkeys: Passkeys
}

/** Each password check takes about 20 MB and a thread; anonymous visitors must not occupy them all. */
const MAX_CONCURRENT_CHECKS = 8
const BUSY: SignInVerdict = { outcome: 'wait', retryAfterSeconds: 1 }
const DAY_MS = 86_400_000

export class SignIn {
  readonly #parts: SignInParts
  readonly #bulkhead = createBulkhead(MAX_CONCURRENT_CHECKS)

  constructor(parts: SignInParts) {
    this.#parts = parts
  }

  /** The step that a ticket is for, or undefined if it is no longer valid. */
  async findStep(token: string): Promise<StepState | undefined> {
    const ticket = await findTicket(this.#parts, token)
    if (!ticket) return undefined
    const { hasApp, passkeys } = await this.#parts.secondFactor.describe(ticket.user.id)
    return { step: ticket.step, userId: ticket.user.id, hasApp, hasPasskey: passkeys > 0 }
  }

  async withPassword(input: Credentials, visitor: Visitor): Promise<SignInVerdict> {
    if (!this.#parts.policy.isPasswordSignInOn) return refused('off')
    return await this.#ifNotBusy(() => this.#judgePassword(input, visitor))
  }

  async #judgePassword({ username, password }: Credentials, visitor: Visitor): Promise<SignInVerdict> {
    const { access, limits, policy, tokens } = this.#parts
    const { address } = visitor
    const storedName = toStoredUsername(username)
    const user = await findByName(this.#parts, storedName)
    const attempt = { event: 'sign-in', detail: 'password', userId: user?.id, address } as const
    const device = tokens.device.recognise(visitor.device, user)
    const permission = limits.forPassword({ username: storedName, address, device })
    if (!permission.ok) return await throttled(this.#parts, attempt, permission)
    const isRight = await isPasswordRight(user?.passwordHash, password, access.passwordCost)
    if (!isRight || !user) {
      await recordAttempt(this.#parts, { ...attempt, outcome: 'failed' })
      return refused('wrong')
    }
    permission.succeeded()
    const isStale = user.madeAt !== null && +user.madeAt + policy.temporaryPasswordDays * DAY_MS <= access.clock()
    if (user.disabledAt || isStale) {
      const detail = user.disabledAt ? 'disabled' : 'expired'
      await recordAttempt(this.#parts, { ...attempt, outcome: 'failed', detail })
      return refused(user.disabledAt ? 'disabled' : 'stale')
    }
    return await access.db.transaction().execute(async (transaction) => {
      const isHeld = await lockUser(transaction, { userId: user.id, passwordHash: user.passwordHash })
      return isHeld
        ? await completeStep(this.#parts, transaction, { user, visitor, factor: 'password' })
        : refused('wrong')
    })
  }

  /** The second step: a six-digit code or a recovery code, with the ticket that the password earned. */
  async withCode({ ticket: token, code }: { ticket: string; code: string }, visitor: Visitor): Promise<SignInVerdict> {
    const { access, limits, secondFactor, tokens } = this.#parts
    const ticket = await findTicket(this.#parts, token)
    if (ticket?.step !== 'code') return refused('expired')
    const { user } = ticket
    const userId = user.id
    const { address } = visitor
    const isRecovery = isRecoveryCodeShaped(code)
    const factor = isRecovery ? 'recovery-code' : 'code'
    const attempt = { event: 'sign-in', userId, detail: factor, address } as const
    const device = tokens.device.recognise(visitor.device, user)
    const from = { userId, address, device }
    const permission = isRecovery ? limits.forRecoveryCode(from) : limits.forCode(from)
    if (!permission.ok) return await throttled(this.#parts, attempt, permission)
    return await access.db.transaction().execute(async (transaction) => {
      const isHeld = await lockUser(transaction, { userId, passwordHash: user.passwordHash })
      if (!(isHeld && (await countAttempt(transaction, ticket)))) return refused('expired')
      const found = await secondFactor.check(transaction, userId, code)
      if (found === 'wrong') {
        await recordAttempt(this.#parts, { ...attempt, outcome: 'failed' }, transaction)
        return refused('wrong')
      }
      if (!(await spendTicket(transaction, ticket))) return refused('expired')
      permission.succeeded()
      if (found === 'recovery') {
        await recordEvent(accessBy(this.#parts, { address, userId }, transaction), {
          event: 'recovery-code-used',
          userId,
        })
      }
      return await completeStep(this.#parts, transaction, { user, visitor, factor })
    })
  }

  /** Instead of username and password, if the authenticator verified its user. */
  async withPasskey(answer: PasskeyAnswer, visitor: Visitor): Promise<SignInVerdict> {
    const { access, limits, passkeys } = this.#parts
    const attempt = { event: 'sign-in', detail: 'passkey', address: visitor.address } as const
    const permission = limits.forPasskey(visitor.address)
    if (!permission.ok) return await throttled(this.#parts, attempt, permission)
    const userId = await passkeys.verifyUse({ purpose: 'sign-in' }, answer)
    if (userId === undefined) {
      await recordAttempt(this.#parts, { ...attempt, outcome: 'failed' })
      return refused('wrong')
    }
    permission.succeeded()
    return await access.db.transaction().execute(async (transaction) => {
      const row = await transaction
        .selectFrom('users')
        .select(['disabled_at', 'password_is_temporary', 'is_service'])
        .where('id', '=', userId)
        .forShare()
        .executeTakeFirst()
      if (!row) return refused('wrong')
      const detail = row.is_service ? 'service' : row.disabled_at ? 'disabled' : undefined
      if (detail) {
        await recordAttempt(this.#parts, { ...attempt, outcome: 'failed', detail, userId }, transaction)
        return refused(detail)
      }
      // Nobody has to choose a password that they couldn't use.
      const user = { id: userId, isTemporary: row.password_is_temporary && this.#parts.policy.isPasswordSignInOn }
      return await completeStep(this.#parts, transaction, { user, visitor, factor: 'passkey' })
    })
  }

  /** Instead of a code, with the ticket that the password earned. */
  async withPasskeyAfterPassword(
    { ticket: token, ...answer }: PasskeyAnswer & { ticket: string },
    visitor: Visitor,
  ): Promise<SignInVerdict> {
    const { access, limits, passkeys } = this.#parts
    const ticket = await findTicket(this.#parts, token)
    if (ticket?.step !== 'code') return refused('expired')
    const { user } = ticket
    const userId = user.id
    const attempt = { event: 'sign-in', userId, detail: 'passkey', address: visitor.address } as const
    const permission = limits.forPasskey(visitor.address)
    if (!permission.ok) return await throttled(this.#parts, attempt, permission)
    if ((await passkeys.verifyUse({ purpose: 'second-factor', userId }, answer)) === undefined) {
      await recordAttempt(this.#parts, { ...attempt, outcome: 'failed' })
      return refused('wrong')
    }
    permission.succeeded()
    return await access.db.transaction().execute(async (transaction) => {
      const isHeld = await lockUser(transaction, { userId, passwordHash: user.passwordHash })
      if (!(isHeld && (await spendTicket(transaction, ticket)))) return refused('expired')
      return await completeStep(this.#parts, transaction, { user, visitor, factor: 'passkey' })
    })
  }

  /** The last step after a generated password: choosing your own. Refuses with 400 if it is not acceptable. */
  withNewPassword(input: { ticket: string; password: string }, visitor: Visitor): Promise<SignInVerdict> {
    return this.#ifNotBusy(() => this.#chooseNewPassword(input, visitor))
  }

  /** Comparing and hashing are expensive, so each attempt counts on the ticket first. */
  async #chooseNewPassword(
    { ticket: token, password }: { ticket: string; password: string },
    visitor: Visitor,
  ): Promise<SignInVerdict> {
    const { access } = this.#parts
    const ticket = await findTicket(this.#parts, token)
    if (ticket?.step !== 'password') return refused('expired')
    const { id: userId, username, passwordHash: oldHash } = ticket.user
    checkPassword(password, username)
    if (!(await countAttempt(access.db, ticket))) return refused('expired')
    if (await isPasswordRight(oldHash, password, access.passwordCost)) return refused('same')
    const passwordHash = await hashPassword(password, username, access.passwordCost)
    const verdict = await access.db.transaction().execute(async (transaction) => {
      const isHeld = await lockUser(transaction, { userId, passwordHash: oldHash, willWrite: true })
      if (!(isHeld && (await spendTicket(transaction, ticket)))) return refused('expired')
      await writePassword(transaction, userId, { passwordHash })
      const by = accessBy(this.#parts, { address: visitor.address, userId }, transaction)
      await recordEvent(by, { event: 'password-changed', userId })
      const user = { id: userId, isTemporary: false }
      return await completeStep(this.#parts, transaction, { user, visitor, factor: 'new-password' })
    })
    announceUserChange(access.changes, userId)
    return verdict
  }

  async #ifNotBusy(work: () => Promise<SignInVerdict>): Promise<SignInVerdict> {
    if (!this.#bulkhead.enter()) return BUSY
    try {
      return await work()
    } finally {
      this.#bulkhead.leave()
    }
  }
}

/** A service has no password, so it's as unknown as a name that nobody has. */
const findByName = ({ access }: AccountParts, storedName: string) =>
  access.db
    .selectFrom('users')
    .select(['id', 'password_hash as passwordHash', 'password_is_temporary as isTemporary'])
    .select(['password_made_at as madeAt', 'disabled_at as disabledAt'])
    .where('username', '=', storedName)
    .where('is_service', '=', false)
    .executeTakeFirst()

const refused = (reason: SignInRefusal): SignInVerdict => ({ outcome: 'refused', reason })

async function throttled(
  parts: AccountParts,
  attempt: Omit<Attempt, 'outcome'>,
  { retryAfterSeconds }: { retryAfterSeconds: number },
): Promise<SignInVerdict> {
  await recordAttempt(parts, { ...attempt, outcome: 'throttled' })
  return { outcome: 'wait', retryAfterSeconds }
}

interface CompletedStep {
  user: { id: string; isTemporary: boolean }
  visitor: Visitor
  /** What the user has just proved their identity with. A password alone may not be enough. */
  factor: Extract<AuditDetail, 'password' | 'code' | 'recovery-code' | 'passkey' | 'new-password'>
}

/**
 * Continues after a successful step: with the next step, or a session. `db` is a transaction that holds the user's row.
 */
async function completeStep(
  parts: AccountParts,
  db: Kysely<Schema>,
  { user, visitor, factor }: CompletedStep,
): Promise<SignInVerdict> {
  const userId = user.id
  const step =
    factor === 'password' && (await isSecondFactorOn(db, userId)) ? 'code' : user.isTemporary ? 'password' : undefined
  if (step) return { outcome: 'next', step, ticket: await addTicket(parts, db, { userId, step }) }
  const started = await addSession(parts, db, { userId, userAgent: visitor.userAgent })
  const by = accessBy(parts, { address: visitor.address, userId }, db)
  await recordEvent(by, { event: 'sign-in', userId, detail: factor })
  return { outcome: 'signed-in', ...started }
}
