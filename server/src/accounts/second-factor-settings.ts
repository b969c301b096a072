// Lets users change their own second factors: authenticator app, passkeys, recovery codes. Every change except renaming
// a passkey requires the password, and turning off the app also requires a code. The first factor of an account comes
// with recovery codes; turning on the app always replaces them.
import type { Kysely } from 'kysely'
import type { AuditEventName } from '../audit/audit-event.ts'
import { recordEvent } from '../audit/audit-log.ts'
import { Refusal } from '../errors.ts'
import { announceUserChange } from '../keys/key-changes.ts'
import { UNPRINTABLE } from '../keys/keys.ts'
import type { Schema } from '../store/schema.ts'
import { type AccountParts, accessBy, type Member } from './account-parts.ts'
import { confirmPassword, type OwnChangeResult } from './account-settings.ts'
import type { PasskeyAnswer, Passkeys } from './passkeys.ts'
import { recordAttempt } from './record-attempt.ts'
import {
  countRecoveryCodes,
  dropApp,
  dropIdleRecoveryCodes,
  isSecondFactorOn,
  issueRecoveryCodes,
  readFactors,
  type SecondFactor,
} from './second-factor.ts'
import type { Enrolment } from './totp.ts'

export const MAX_PASSKEY_NAME_LENGTH = 60
const MAX_PASSKEYS = 20

interface SecondFactorSettingsParts extends AccountParts {
  secondFactor: SecondFactor
  passkeys: Passkeys
}

export class SecondFactorSettings {
  readonly #parts: SecondFactorSettingsParts

  constructor(parts: SecondFactorSettingsParts) {
    this.#parts = parts
  }

  /** Returns a new secret, to be confirmed. Refuses with 409 if the app is on. */
  readonly beginApp = async (
    member: Member & { username: string; issuer: string },
    password: string,
  ): Promise<OwnChangeResult<Enrolment>> => {
    const confirmed = await confirmPassword(this.#parts, member, { password, event: 'second-factor-on' })
    return confirmed.ok ? { ok: true, value: await this.#parts.secondFactor.begin(member) } : confirmed
  }

  /** Returns new recovery codes, which replace any existing ones. */
  readonly confirmApp = (member: Member, code: string): Promise<OwnChangeResult<string[]>> =>
    this.#changeWithCode(member, {
      event: 'second-factor-on',
      change: (transaction) => this.#parts.secondFactor.confirm(transaction, member.userId, code),
    })

  readonly switchOffApp = async (
    member: Member,
    { password, code }: { password: string; code: string },
  ): Promise<OwnChangeResult<undefined>> => {
    const event = 'second-factor-off'
    const confirmed = await confirmPassword(this.#parts, member, { password, event })
    if (!confirmed.ok) return confirmed
    const result = await this.#changeWithCode(member, {
      event,
      change: async (transaction) => {
        if ((await this.#parts.secondFactor.check(transaction, member.userId, code)) === 'wrong') return undefined
        await dropApp(transaction, member.userId)
        return true
      },
    })
    return result.ok ? { ok: true, value: undefined } : result
  }

  /** Returns new recovery codes if the user had none. The password was required to get the challenge. */
  readonly addPasskey = async (
    member: Member,
    { name, ...answer }: PasskeyAnswer & { name: string },
  ): Promise<OwnChangeResult<string[]>> => {
    const { access, passkeys } = this.#parts
    const { userId, address } = member
    const checkedName = checkName(name)
    const newPasskey = await passkeys.verifyNew(userId, answer)
    if (!newPasskey) {
      await recordAttempt(this.#parts, { event: 'passkey-added', outcome: 'failed', userId, actorId: userId, address })
      return { ok: false, reason: 'passkey' }
    }
    let value: string[] = []
    await this.#change(member, async (transaction) => {
      const { passkeys: count } = await readFactors(transaction, userId)
      if (count >= MAX_PASSKEYS)
        throw new Refusal('conflict', `An account can have at most ${MAX_PASSKEYS} passkeys. Remove one first.`)
      await transaction
        .insertInto('passkeys')
        .values({ ...newPasskey, user_id: userId, name: checkedName, created_at: new Date(access.clock()) })
        .execute()
      if ((await countRecoveryCodes(transaction, userId)) === 0) {
        value = await issueRecoveryCodes({ ...access, db: transaction }, userId)
      }
      return 'passkey-added'
    })
    return { ok: true, value }
  }

  /** False if it is not one of the user's passkeys. */
  readonly renamePasskey = async (userId: string, passkeyId: string, name: string): Promise<boolean> => {
    const renamed = await this.#parts.access.db
      .updateTable('passkeys')
      .set({ name: checkName(name) })
      .where('id', '=', passkeyId)
      .where('user_id', '=', userId)
      .returning('id')
      .executeTakeFirst()
    return renamed !== undefined
  }

  readonly removePasskey = async (
    member: Member,
    { password, passkeyId }: { password: string; passkeyId: string },
  ): Promise<OwnChangeResult<undefined>> => {
    const event = 'passkey-removed'
    const { userId } = member
    const confirmed = await confirmPassword(this.#parts, member, { password, event })
    if (!confirmed.ok) return confirmed
    await this.#change(member, async (transaction) => {
      const removed = await transaction
        .deleteFrom('passkeys')
        .where('id', '=', passkeyId)
        .where('user_id', '=', userId)
        .returning('id')
        .executeTakeFirst()
      await dropIdleRecoveryCodes(transaction, userId)
      return removed && event
    })
    return { ok: true, value: undefined }
  }

  readonly renewRecoveryCodes = async (member: Member, password: string): Promise<OwnChangeResult<string[]>> => {
    const event = 'recovery-codes-renewed'
    const { userId } = member
    const confirmed = await confirmPassword(this.#parts, member, { password, event })
    if (!confirmed.ok) return confirmed
    let value: string[] = []
    await this.#change(member, async (transaction) => {
      if (!(await isSecondFactorOn(transaction, userId))) {
        throw new Refusal('conflict', 'There is no second factor. Set one up first.')
      }
      value = await issueRecoveryCodes({ ...this.#parts.access, db: transaction }, userId)
      return event
    })
    return { ok: true, value }
  }

  /** Runs `change` in a transaction and records the event that it returns, if any. Then announces that the user changed. */
  async #change(
    member: Member,
    change: (transaction: Kysely<Schema>) => Promise<AuditEventName | undefined>,
  ): Promise<void> {
    const { userId } = member
    await this.#parts.access.db.transaction().execute(async (transaction) => {
      const event = await change(transaction)
      if (event) await recordEvent(accessBy(this.#parts, member, transaction), { event, userId })
    })
    announceUserChange(this.#parts.access.changes, userId)
  }

  /** Like `#change`, but `change` checks a code and returns undefined if it is wrong. Attempts are throttled. */
  async #changeWithCode<Value>(
    member: Member,
    { event, change }: { event: AuditEventName; change: (transaction: Kysely<Schema>) => Promise<Value | undefined> },
  ): Promise<OwnChangeResult<Value>> {
    const { userId, address } = member
    const attempt = { event, userId, actorId: userId, address, detail: 'code' } as const
    const permission = this.#parts.limits.forUser(userId, 'own code')
    if (!permission.ok) {
      await recordAttempt(this.#parts, { ...attempt, outcome: 'throttled' })
      return { ...permission, reason: 'wait' }
    }
    let value: Value | undefined
    await this.#change(member, async (transaction) => {
      value = await change(transaction)
      if (value === undefined) await recordAttempt(this.#parts, { ...attempt, outcome: 'failed' }, transaction)
      return value === undefined ? undefined : event
    })
    if (value === undefined) return { ok: false, reason: 'code' }
    permission.succeeded()
    return { ok: true, value }
  }
}

function checkName(name: string): string {
  const trimmed = name.trim()
  if (Array.from(trimmed).length <= MAX_PASSKEY_NAME_LENGTH && !UNPRINTABLE.test(trimmed)) return trimmed
  throw new Refusal('parameter_invalid', {
    name: [`Use plain text of at most ${MAX_PASSKEY_NAME_LENGTH} characters on one line.`],
  })
}
