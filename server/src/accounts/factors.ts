// An account's second factors: an authenticator app, passkeys, or both. They share one set of recovery codes, issued
// with the first factor and deleted with the last.
import type { Kysely } from 'kysely'
import type { Schema } from '../postgres/schema.ts'
import { countRecoveryCodes, dropRecoveryCodes } from './recovery-codes.ts'

export interface Factors {
  /** An authenticator app. */
  hasApp: boolean
  passkeys: number
  recoveryCodesLeft: number
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

/** Call after removing a factor. */
export async function dropIdleRecoveryCodes(db: Kysely<Schema>, userId: string): Promise<void> {
  if (!(await isSecondFactorOn(db, userId))) await dropRecoveryCodes(db, userId)
}
