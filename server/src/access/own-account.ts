// What users change about their own account. Each change asks for the password again: an open browser that somebody finds
// must not be enough. Wrong ones are throttled as at the door.
import type { AccessContext } from './access-context.ts'
import { holdUser } from '../accounts/lock-user.ts'
import { hashPassword, isPasswordRight } from './passwords.ts'
import { dropSecondFactor, type SecondFactor } from '../accounts/second-factor.ts'
import { addSession } from '../accounts/session-rows.ts'
import type { SignInLimits } from './sign-in-limits.ts'
import type { Enrolment, EnrolmentNames } from '../accounts/totp.ts'
import { announceUserChange } from '../accounts/user-changes.ts'
import { writePassword } from '../accounts/users.ts'

/**
 * password  the present password is wrong
 * code      the code of the second factor is wrong
 * same      the new password is the old one
 * wait      too many attempts
 */
export type OwnChange<Value> =
  | { ok: true; value: Value }
  | { ok: false; reason: 'password' | 'code' | 'same' }
  | { ok: false; reason: 'wait'; retryAfterSeconds: number }

export interface OwnAccount {
  /** Ends every session of the user and begins a new one, whose token is the value. 400 when the new one will not do. */
  changePassword: (userId: string, change: PasswordChange) => Promise<OwnChange<string>>
  /** Gives a fresh secret, to be confirmed. Refuses with 409 when the second factor is on. */
  beginSecondFactor: (names: EnrolmentNames, password: string) => Promise<OwnChange<Enrolment>>
  /** Gives the recovery codes. */
  confirmSecondFactor: (userId: string, code: string) => Promise<OwnChange<string[]>>
  switchOffSecondFactor: (userId: string, proof: { password: string; code: string }) => Promise<OwnChange<undefined>>
}

interface PasswordChange {
  present: string
  next: string
  /** Of the browser that goes on being signed in. */
  userAgent: string
}

interface OwnAccountParts {
  access: AccessContext
  secondFactor: SecondFactor
  limits: SignInLimits
}

export function createOwnAccount({ access, secondFactor, limits }: OwnAccountParts): OwnAccount {
  const { db, changes } = access
  const confirm = (userId: string, password: string) => confirmPassword({ access, limits }, userId, password)

  return {
    async changePassword(userId, { present, next, userAgent }) {
      const confirmed = await confirm(userId, present)
      if (!confirmed.ok) return confirmed
      const { value: shownHash } = confirmed
      if (await isPasswordRight(shownHash, next)) return { ok: false, reason: 'same' }
      const passwordHash = await hashPassword(next)
      const session = await db.transaction().execute(async (transaction) => {
        if (!(await holdUser(transaction, { userId, passwordHash: shownHash, isToChange: true }))) return undefined
        await writePassword(transaction, userId, { passwordHash })
        return await addSession({ ...access, db: transaction }, { userId, userAgent })
      })
      announceUserChange(changes, userId)
      return session === undefined ? { ok: false, reason: 'password' } : { ok: true, value: session }
    },
    async beginSecondFactor(names, password) {
      const confirmed = await confirm(names.userId, password)
      return confirmed.ok ? { ok: true, value: await secondFactor.begin(names) } : confirmed
    },
    async confirmSecondFactor(userId, code) {
      const permission = limits.forUser(userId, 'code')
      if (!permission.ok) return { ...permission, reason: 'wait' }
      const codes = await secondFactor.confirm(userId, code)
      if (!codes) return { ok: false, reason: 'code' }
      permission.succeeded()
      return { ok: true, value: codes }
    },
    async switchOffSecondFactor(userId, { password, code }) {
      const confirmed = await confirm(userId, password)
      if (!confirmed.ok) return confirmed
      const permission = limits.forUser(userId, 'code')
      if (!permission.ok) return { ...permission, reason: 'wait' }
      return await db.transaction().execute(async (transaction): Promise<OwnChange<undefined>> => {
        if ((await secondFactor.check(transaction, userId, code)) === 'wrong') return { ok: false, reason: 'code' }
        permission.succeeded()
        await dropSecondFactor(transaction, userId)
        return { ok: true, value: undefined }
      })
    },
  }
}

/** The value is the hash that the password was compared with. */
async function confirmPassword(
  { access, limits }: Pick<OwnAccountParts, 'access' | 'limits'>,
  userId: string,
  password: string,
): Promise<OwnChange<string>> {
  const permission = limits.forUser(userId, 'own password')
  if (!permission.ok) return { ...permission, reason: 'wait' }
  const row = await access.db
    .selectFrom('users')
    .select('password_hash')
    .where('id', '=', userId)
    .where('disabled_at', 'is', null)
    .executeTakeFirst()
  if (!(await isPasswordRight(row?.password_hash, password)) || !row) return { ok: false, reason: 'password' }
  permission.succeeded()
  return { ok: true, value: row.password_hash }
}
