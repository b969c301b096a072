// An account's second factors: an authenticator app, passkeys, or both. They share one set of recovery codes, issued
// with the first factor and deleted with the last.
//
// The app generates a six-digit code every 30 seconds. The previous and the next code are accepted too, for clocks that
// are slightly off, and no code is accepted twice. The shared secret is stored in the database, encrypted.
//
// Recovery codes are for when the phone is lost: ten of them, each valid once, shown once. A code has 140 random bits,
// so one plain hash is enough. The user is part of the hash, so that one guess cannot be tried on all users at once.
import { hash } from 'node:crypto'
import type { Kysely } from 'kysely'
import { Refusal } from '../errors.ts'
import type { AdminContext } from '../keys/admin-context.ts'
import type { RandomBytes } from '../keys/key-format.ts'
import type { Schema } from '../store/schema.ts'
import { mintReadableCode, readReadableCode } from './tokens.ts'
import type { Enrolment, EnrolmentNames, TotpSecrets } from './totp.ts'

export interface Factors {
  /** An authenticator app. */
  hasApp: boolean
  passkeys: number
  recoveryCodesLeft: number
}

interface SecondFactorParts {
  access: AdminContext
  instanceSecret: string
}

const RECOVERY_CODE_COUNT = 10
const CODE_GROUPS = 7

export class SecondFactor {
  readonly #parts: SecondFactorParts
  #secrets: Promise<TotpSecrets> | undefined

  constructor(parts: SecondFactorParts) {
    this.#parts = parts
  }

  describe(userId: string): Promise<Factors> {
    return readFactors(this.#parts.access.db, userId)
  }

  /** A new secret for the app, shown only once, without effect until it is confirmed. 409 if the app is already on. */
  async begin(names: EnrolmentNames): Promise<Enrolment> {
    const { encrypted, enrolment } = (await this.#loadSecrets()).mint(names)
    const isBegun = await storeUnconfirmed(this.#parts.access.db, names.userId, encrypted)
    if (!isBegun) throw new Refusal('conflict', 'Two-factor authentication is already on. Turn it off first.')
    return enrolment
  }

  /** Turns the app on and returns new recovery codes, or undefined if the code is wrong. */
  async confirm(transaction: Kysely<Schema>, userId: string, code: string): Promise<string[] | undefined> {
    const { clock, randomBytes } = this.#parts.access
    const row = await selectFactor(transaction, userId).where('confirmed_at', 'is', null).forUpdate().executeTakeFirst()
    const step = row && (await this.#loadSecrets()).stepOf(row.sealed_secret, userId, code)
    if (step === undefined) return undefined
    await transaction
      .updateTable('second_factors')
      .set({ confirmed_at: new Date(clock()), last_step: step })
      .where('user_id', '=', userId)
      .execute()
    return await issueRecoveryCodes({ db: transaction, randomBytes }, userId)
  }

  /** Checks a code of the app or a recovery code, and uses it up. `db` may be a transaction. */
  async check(db: Kysely<Schema>, userId: string, code: string): Promise<'right' | 'recovery' | 'wrong'> {
    if (!(await isSecondFactorOn(db, userId))) return 'wrong'
    if (await spendRecoveryCode(db, userId, code)) return 'recovery'
    const row = await selectFactor(db, userId).where('confirmed_at', 'is not', null).executeTakeFirst()
    const step = row && (await this.#loadSecrets()).stepOf(row.sealed_secret, userId, code)
    return step !== undefined && (await spendStep(db, userId, step)) ? 'right' : 'wrong'
  }

  /** Loads the libraries for TOTP and QR codes on first use: most nodes never need them. */
  #loadSecrets(): Promise<TotpSecrets> {
    const { access, instanceSecret } = this.#parts
    this.#secrets ??= import('./totp.ts').then(({ createTotpSecrets }) =>
      createTotpSecrets({ ...access, instanceSecret }),
    )
    return this.#secrets
  }
}

const selectFactor = (db: Kysely<Schema>, userId: string) =>
  db.selectFrom('second_factors').select('sealed_secret').where('user_id', '=', userId)

/** Stores a new secret in place of one that was never confirmed. False if there is a confirmed one. */
async function storeUnconfirmed(db: Kysely<Schema>, userId: string, encrypted: Buffer): Promise<boolean> {
  const stored = await db
    .insertInto('second_factors')
    .values({ user_id: userId, sealed_secret: encrypted })
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet({ sealed_secret: encrypted, last_step: 0 })
        .where('second_factors.confirmed_at', 'is', null),
    )
    .returning('user_id')
    .executeTakeFirst()
  return stored !== undefined
}

/** False if this step, or a later one, has already been used. */
async function spendStep(db: Kysely<Schema>, userId: string, step: number): Promise<boolean> {
  const spent = await db
    .updateTable('second_factors')
    .set({ last_step: step })
    .where('user_id', '=', userId)
    .where('last_step', '<', step)
    .returning('user_id')
    .executeTakeFirst()
  return spent !== undefined
}

export async function readFactors(db: Kysely<Schema>, userId: string): Promise<Factors> {
  const app = await db
    .selectFrom('second_factors')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst()
  const { count } = await db
    .selectFrom('passkeys')
    .select((select) => select.fn.countAll<string>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return {
    hasApp: app !== undefined,
    passkeys: Number(count),
    recoveryCodesLeft: await countRecoveryCodes(db, userId),
  }
}

export async function isSecondFactorOn(db: Kysely<Schema>, userId: string): Promise<boolean> {
  const { hasApp, passkeys } = await readFactors(db, userId)
  return hasApp || passkeys > 0
}

/** Removes every factor, for a user who has lost them all. */
export async function dropSecondFactor(db: Kysely<Schema>, userId: string): Promise<void> {
  await db.deleteFrom('passkeys').where('user_id', '=', userId).execute()
  await dropApp(db, userId)
}

export async function dropApp(db: Kysely<Schema>, userId: string): Promise<void> {
  await db.deleteFrom('second_factors').where('user_id', '=', userId).execute()
  await dropIdleRecoveryCodes(db, userId)
}

/** Deletes the recovery codes of a user who has no factor left. Call it after removing a factor. */
export async function dropIdleRecoveryCodes(db: Kysely<Schema>, userId: string): Promise<void> {
  if (!(await isSecondFactorOn(db, userId))) await dropRecoveryCodes(db, userId)
}

/** Replaces all codes of a user. The returned codes exist nowhere else. */
export async function issueRecoveryCodes(
  { db, randomBytes }: { db: Kysely<Schema>; randomBytes: RandomBytes },
  userId: string,
): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODE_COUNT }, () => mintReadableCode(randomBytes, CODE_GROUPS))
  await dropRecoveryCodes(db, userId)
  await db
    .insertInto('recovery_codes')
    .values(codes.map((code) => ({ user_id: userId, code_hash: hashCode(code, userId) })))
    .execute()
  return codes
}

/** The code as it was issued, or undefined for a text that cannot be one. */
const parseCode = (written: string): string | undefined => readReadableCode(written, CODE_GROUPS)

/** Whether the text looks like a recovery code, valid or not. */
export const isRecoveryCodeShaped = (written: string): boolean => parseCode(written) !== undefined

/** Uses up the code. False if it is not one of the user's. */
async function spendRecoveryCode(db: Kysely<Schema>, userId: string, written: string): Promise<boolean> {
  const code = parseCode(written)
  if (code === undefined) return false
  const spent = await db
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where('code_hash', '=', hashCode(code, userId))
    .returning('user_id')
    .executeTakeFirst()
  return spent !== undefined
}

export async function countRecoveryCodes(db: Kysely<Schema>, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom('recovery_codes')
    .select((select) => select.fn.countAll<string>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

async function dropRecoveryCodes(db: Kysely<Schema>, userId: string): Promise<void> {
  await db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
}

const hashCode = (code: string, userId: string): Buffer => hash('sha256', `${userId} ${code}`, 'buffer')
