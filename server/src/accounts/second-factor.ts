// Codes as a second factor: a six-digit code that an app on the user's phone generates every 30 seconds, or a recovery
// code. The previous and the next code are accepted too, for clocks that are slightly off, and no code is accepted twice.
// The shared secret is stored in the database, encrypted.
import type { Kysely } from 'kysely'
import { Refusal } from '../errors.ts'
import type { AccessContext } from '../keys/admin-context.ts'
import type { Schema } from '../postgres/schema.ts'
import { type Factors, isSecondFactorOn, readFactors } from './factors.ts'
import { issueRecoveryCodes, spendRecoveryCode } from './recovery-codes.ts'
import type { Enrolment, EnrolmentNames, TotpSecrets } from './totp.ts'

type CodeVerdict = 'right' | 'recovery' | 'wrong'

export interface SecondFactor {
  describe: (userId: string) => Promise<Factors>
  /**
   * A new secret, shown only once; it has no effect until it is confirmed. Refuses with 409 if there already is one.
   */
  begin: (names: EnrolmentNames) => Promise<Enrolment>
  /** Turns it on and returns new recovery codes, or undefined if the code is wrong. `db` is a transaction. */
  confirm: (db: Kysely<Schema>, userId: string, code: string) => Promise<string[] | undefined>
  /** Uses up the code. `db` may be a transaction. */
  check: (db: Kysely<Schema>, userId: string, code: string) => Promise<CodeVerdict>
}

interface SecondFactorParts {
  access: AccessContext
  instanceSecret: string
}

export function createSecondFactor({ access, instanceSecret }: SecondFactorParts): SecondFactor {
  const { db, clock, randomBytes } = access
  let loading: Promise<TotpSecrets> | undefined
  const load = async (): Promise<TotpSecrets> =>
    (await import('./totp.ts')).createTotpSecrets({ instanceSecret, clock, randomBytes })
  /** Loads the libraries for TOTP and QR codes, which most nodes never need. */
  const openSecrets = () => (loading ??= load())
  return {
    describe: (userId) => readFactors(db, userId),
    async begin(names) {
      const { encrypted, enrolment } = (await openSecrets()).mint(names)
      const isBegun = await keepUnconfirmed(db, names.userId, encrypted)
      if (!isBegun) throw new Refusal(409, 'Two-factor authentication is already on. Turn it off first.')
      return enrolment
    },
    async confirm(transaction, userId, code) {
      const row = await selectFactor(transaction, userId)
        .where('confirmed_at', 'is', null)
        .forUpdate()
        .executeTakeFirst()
      const step = row && (await openSecrets()).stepOf(row.sealed_secret, userId, code)
      if (step === undefined) return undefined
      await transaction
        .updateTable('second_factors')
        .set({ confirmed_at: new Date(clock()), last_step: step })
        .where('user_id', '=', userId)
        .execute()
      return await issueRecoveryCodes({ db: transaction, randomBytes }, userId)
    },
    async check(db, userId, code) {
      if (!(await isSecondFactorOn(db, userId))) return 'wrong'
      if (await spendRecoveryCode(db, userId, code)) return 'recovery'
      const row = await selectFactor(db, userId).where('confirmed_at', 'is not', null).executeTakeFirst()
      const step = row && (await openSecrets()).stepOf(row.sealed_secret, userId, code)
      return step !== undefined && (await spendStep(db, userId, step)) ? 'right' : 'wrong'
    },
  }
}

const selectFactor = (db: Kysely<Schema>, userId: string) =>
  db.selectFrom('second_factors').select('sealed_secret').where('user_id', '=', userId)

/** Replaces one that was never confirmed. False if there is a confirmed one. */
async function keepUnconfirmed(db: Kysely<Schema>, userId: string, encrypted: Buffer): Promise<boolean> {
  const kept = await db
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
  return kept !== undefined
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
