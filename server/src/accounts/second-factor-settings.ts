// Lets users change their own second factors: authenticator app, passkeys, recovery codes. Each change requires the
// password, and turning off the app also a code. The first factor of an account comes with recovery codes.
import type { Kysely } from 'kysely'
import type { AuditEventName } from '../audit/audit-event.ts'
import { recordEvent } from '../audit/audit-log.ts'
import { Refusal } from '../errors.ts'
import { announceUserChange } from '../keys/key-changes.ts'
import type { Schema } from '../postgres/schema.ts'
import { type AccountParts, accessBy, type Member } from './account-parts.ts'
import { confirmPassword, type OwnChange } from './account-settings.ts'
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

export interface OwnFactors {
  /** Returns a new secret, to be confirmed. Refuses with 409 if the app is on. */
  beginApp: (member: Member & { username: string; issuer: string }, password: string) => Promise<OwnChange<Enrolment>>
  /** Returns the recovery codes. */
  confirmApp: (member: Member, code: string) => Promise<OwnChange<string[]>>
  switchOffApp: (member: Member, proof: { password: string; code: string }) => Promise<OwnChange<undefined>>
  /** Returns recovery codes if there were none. The password was required to get the challenge. */
  addPasskey: (member: Member, passkey: PasskeyAnswer & { name: string }) => Promise<OwnChange<string[]>>
  /** False if it is not one of theirs. */
  renamePasskey: (userId: string, passkeyId: string, name: string) => Promise<boolean>
  removePasskey: (member: Member, proof: { password: string; passkeyId: string }) => Promise<OwnChange<undefined>>
  renewRecoveryCodes: (member: Member, password: string) => Promise<OwnChange<string[]>>
}

interface OwnFactorsParts extends AccountParts {
  secondFactor: SecondFactor
  passkeys: Passkeys
}

export const LONGEST_PASSKEY_NAME = 60
const MOST_PASSKEYS = 20
const WRONG_CODE = { ok: false, reason: 'code' } as const

export function createOwnFactors(parts: OwnFactorsParts): OwnFactors {
  const { secondFactor } = parts
  return {
    async beginApp(member, password) {
      const confirmed = await confirmPassword(parts, member, { password, event: 'second-factor-on' })
      return confirmed.ok ? { ok: true, value: await secondFactor.begin(member) } : confirmed
    },
    confirmApp: (member, code) =>
      withCode(parts, member, {
        event: 'second-factor-on',
        change: (transaction) => secondFactor.confirm(transaction, member.userId, code),
      }),
    async switchOffApp(member, { password, code }) {
      const event = 'second-factor-off'
      const confirmed = await confirmPassword(parts, member, { password, event })
      if (!confirmed.ok) return confirmed
      const off = await withCode(parts, member, {
        event,
        async change(transaction) {
          if ((await secondFactor.check(transaction, member.userId, code)) === 'wrong') return undefined
          await dropApp(transaction, member.userId)
          return true
        },
      })
      return off.ok ? { ok: true, value: undefined } : off
    },
    addPasskey: (member, passkey) => addPasskey(parts, member, passkey),
    renamePasskey: (userId, passkeyId, name) => renamePasskey(parts, { userId, passkeyId, name }),
    removePasskey: (member, proof) => removePasskey(parts, member, proof),
    renewRecoveryCodes: (member, password) => renewRecoveryCodes(parts, member, password),
  }
}

async function renamePasskey(
  { access }: AccountParts,
  { userId, passkeyId, name }: { userId: string; passkeyId: string; name: string },
): Promise<boolean> {
  const renamed = await access.db
    .updateTable('passkeys')
    .set({ name: checkName(name) })
    .where('id', '=', passkeyId)
    .where('user_id', '=', userId)
    .returning('id')
    .executeTakeFirst()
  return renamed !== undefined
}

async function removePasskey(
  parts: AccountParts,
  member: Member,
  { password, passkeyId }: { password: string; passkeyId: string },
): Promise<OwnChange<undefined>> {
  const event = 'passkey-removed'
  const { userId } = member
  const confirmed = await confirmPassword(parts, member, { password, event })
  if (!confirmed.ok) return confirmed
  await recorded(parts, member, async (transaction) => {
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

async function renewRecoveryCodes(parts: AccountParts, member: Member, password: string): Promise<OwnChange<string[]>> {
  const event = 'recovery-codes-renewed'
  const { userId } = member
  const confirmed = await confirmPassword(parts, member, { password, event })
  if (!confirmed.ok) return confirmed
  let value: string[] = []
  await recorded(parts, member, async (transaction) => {
    if (!(await isSecondFactorOn(transaction, userId))) {
      throw new Refusal(409, 'There is no second factor. Set one up first.')
    }
    value = await issueRecoveryCodes({ ...parts.access, db: transaction }, userId)
    return event
  })
  return { ok: true, value }
}

/** Makes a change in a transaction that ends with recording its event, then announces it. */
async function recorded(
  parts: AccountParts,
  member: Member,
  change: (transaction: Kysely<Schema>) => Promise<AuditEventName | undefined>,
): Promise<void> {
  const { userId } = member
  await parts.access.db.transaction().execute(async (transaction) => {
    const event = await change(transaction)
    if (event) await recordEvent(accessBy(parts, member, transaction), { event, userId })
  })
  announceUserChange(parts.access.changes, userId)
}

interface CodeChange<Value> {
  event: AuditEventName
  /** Undefined if the code is wrong. */
  change: (transaction: Kysely<Schema>) => Promise<Value | undefined>
}

/** A change that requires a code. Attempts are throttled. */
async function withCode<Value>(
  parts: AccountParts,
  member: Member,
  { event, change }: CodeChange<Value>,
): Promise<OwnChange<Value>> {
  const { userId, address } = member
  const attempt = { event, userId, actorId: userId, address, detail: 'code' } as const
  const permission = parts.limits.forUser(userId, 'own code')
  if (!permission.ok) {
    await recordAttempt(parts, { ...attempt, outcome: 'throttled' })
    return { ...permission, reason: 'wait' }
  }
  let value: Value | undefined
  await recorded(parts, member, async (transaction) => {
    value = await change(transaction)
    if (value === undefined) await recordAttempt(parts, { ...attempt, outcome: 'failed' }, transaction)
    return value === undefined ? undefined : event
  })
  if (value === undefined) return WRONG_CODE
  permission.succeeded()
  return { ok: true, value }
}

async function addPasskey(
  parts: OwnFactorsParts,
  member: Member,
  { name, ...answer }: PasskeyAnswer & { name: string },
): Promise<OwnChange<string[]>> {
  const { access, passkeys } = parts
  const { userId, address } = member
  const checked = checkName(name)
  const made = await passkeys.readNew(userId, answer)
  if (!made) {
    await recordAttempt(parts, { event: 'passkey-added', outcome: 'failed', userId, actorId: userId, address })
    return { ok: false, reason: 'passkey' }
  }
  let value: string[] = []
  await recorded(parts, member, async (transaction) => {
    const { passkeys: count } = await readFactors(transaction, userId)
    if (count >= MOST_PASSKEYS) throw new Refusal(409, `There are ${MOST_PASSKEYS} passkeys already. Remove one first.`)
    await transaction
      .insertInto('passkeys')
      .values({ ...made, user_id: userId, name: checked, created_at: new Date(access.clock()) })
      .execute()
    if ((await countRecoveryCodes(transaction, userId)) === 0) {
      value = await issueRecoveryCodes({ ...access, db: transaction }, userId)
    }
    return 'passkey-added'
  })
  return { ok: true, value }
}

const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u

function checkName(name: string): string {
  const trimmed = name.trim()
  if (Array.from(trimmed).length <= LONGEST_PASSKEY_NAME && !UNPRINTABLE.test(trimmed)) return trimmed
  throw new Refusal(400, { name: [`Use plain text of at most ${LONGEST_PASSKEY_NAME} characters on one line.`] })
}
