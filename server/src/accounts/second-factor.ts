// The second factor: a code of six digits that an app on the user's telephone makes anew every 30 seconds, or one of the
// recovery codes. A code of the moment before or after is taken too, for clocks that are a little off, and none is taken
// twice. The secret that both sides share is in the database, sealed.
import type { Kysely } from 'kysely'
import { Refusal } from '../errors.ts'
import type { Schema } from '../storage/schema.ts'
import type { AccessContext } from '../access/access-context.ts'
import { countRecoveryCodes, dropRecoveryCodes, issueRecoveryCodes, spendRecoveryCode } from './recovery-codes.ts'
import { createTotpSecrets, type Enrolment, type EnrolmentNames } from './totp.ts'

type CodeVerdict = 'right' | 'recovery' | 'wrong'

export interface SecondFactor {
  /** Undefined when it is off. */
  describe: (userId: string) => Promise<{ recoveryCodesLeft: number } | undefined>
  /** A fresh secret, shown this once; it does not count before it is confirmed. Refuses with 409 when there is one already. */
  begin: (names: EnrolmentNames) => Promise<Enrolment>
  /** Switches it on and gives the recovery codes, or undefined when the code is wrong. */
  confirm: (userId: string, code: string) => Promise<string[] | undefined>
  /** Uses up the code. `db` may be a transaction. */
  check: (db: Kysely<Schema>, userId: string, code: string) => Promise<CodeVerdict>
}

interface SecondFactorParts {
  access: AccessContext
  instanceSecret: string
}

export function createSecondFactor({ access, instanceSecret }: SecondFactorParts): SecondFactor {
  const { db, clock, randomBytes } = access
  const secrets = createTotpSecrets({ instanceSecret, clock, randomBytes })
  return {
    async describe(userId) {
      const isOn = await isSecondFactorOn(db, userId)
      return isOn ? { recoveryCodesLeft: await countRecoveryCodes(db, userId) } : undefined
    },
    async begin(names) {
      const { sealed, enrolment } = secrets.mint(names)
      const isBegun = await keepUnconfirmed(db, names.userId, sealed)
      if (!isBegun) throw new Refusal(409, 'The second factor is on already. Switch it off first.')
      return enrolment
    },
    confirm: (userId, code) =>
      db.transaction().execute(async (transaction) => {
        const row = await selectFactor(transaction, userId)
          .where('confirmed_at', 'is', null)
          .forUpdate()
          .executeTakeFirst()
        const step = row && secrets.stepOf(row.sealed_secret, userId, code)
        if (step === undefined) return undefined
        await transaction
          .updateTable('second_factors')
          .set({ confirmed_at: new Date(clock()), last_step: step })
          .where('user_id', '=', userId)
          .execute()
        return await issueRecoveryCodes({ db: transaction, randomBytes }, userId)
      }),
    async check(db, userId, code) {
      const row = await selectFactor(db, userId).where('confirmed_at', 'is not', null).executeTakeFirst()
      if (!row) return 'wrong'
      if (await spendRecoveryCode(db, userId, code)) return 'recovery'
      const step = secrets.stepOf(row.sealed_secret, userId, code)
      return step !== undefined && (await spendStep(db, userId, step)) ? 'right' : 'wrong'
    },
  }
}

export async function isSecondFactorOn(db: Kysely<Schema>, userId: string): Promise<boolean> {
  const row = await selectFactor(db, userId).where('confirmed_at', 'is not', null).executeTakeFirst()
  return row !== undefined
}

export async function dropSecondFactor(db: Kysely<Schema>, userId: string): Promise<void> {
  await db.deleteFrom('second_factors').where('user_id', '=', userId).execute()
  await dropRecoveryCodes(db, userId)
}

const selectFactor = (db: Kysely<Schema>, userId: string) =>
  db.selectFrom('second_factors').select('sealed_secret').where('user_id', '=', userId)

/** In place of one that was never confirmed. False when there is one that was. */
async function keepUnconfirmed(db: Kysely<Schema>, userId: string, sealed: Buffer): Promise<boolean> {
  const kept = await db
    .insertInto('second_factors')
    .values({ user_id: userId, sealed_secret: sealed })
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet({ sealed_secret: sealed, last_step: 0 })
        .where('second_factors.confirmed_at', 'is', null),
    )
    .returning('user_id')
    .executeTakeFirst()
  return kept !== undefined
}

/** False when this step, or a later one, has been used already. */
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
