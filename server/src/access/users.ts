// Accounts. Disabling or enabling one is a change to each of its keys: `updated_at` of all of them moves in the same
// transaction, so that every node learns of it as it learns of a revocation.
import { type Kysely, sql } from 'kysely'
import { Refusal } from '../errors.ts'
import type { Schema } from '../state/schema.ts'
import type { AccessContext } from './access-context.ts'
import { announceChange, nextUpdatedAt } from './key-changes.ts'
import { hashPassword } from './passwords.ts'

export interface UserRecord {
  id: string
  /** Lower-case. */
  username: string
  isAdmin: boolean
  createdAt: Date
  disabledAt: Date | undefined
}

export interface NewUser {
  username: string
  password: string
  isAdmin?: boolean
}

/** A page of a list: what follows `after`, which is the last element's own place. */
export interface UserPage {
  after?: string
  limit?: number
}

const COLUMNS = ['id', 'username', 'is_admin', 'created_at', 'disabled_at'] as const

interface UserRow {
  id: string
  username: string
  is_admin: boolean
  created_at: Date
  disabled_at: Date | null
}

export async function createUser({ db }: AccessContext, { username, password, isAdmin }: NewUser): Promise<UserRecord> {
  const row = await db
    .insertInto('users')
    .values({
      username: checkUsername(username),
      password_hash: await hashPassword(password),
      is_admin: isAdmin ?? false,
    })
    .onConflict((conflict) => conflict.column('username').doNothing())
    .returning(COLUMNS)
    .executeTakeFirst()
  if (!row) throw new Refusal(409, 'There is already a user of this name.')
  return toUserRecord(row)
}

export async function findUser({ db }: AccessContext, username: string): Promise<UserRecord | undefined> {
  const row = await db.selectFrom('users').select(COLUMNS).where('username', '=', toStored(username)).executeTakeFirst()
  return row && toUserRecord(row)
}

/** By name; the next page begins after the last name of this one. */
export async function listUsers({ db }: AccessContext, { after = '', limit = 1_000 }: UserPage = {}) {
  const rows = await db
    .selectFrom('users')
    .select(COLUMNS)
    .where('username', '>', after)
    .orderBy('username')
    .limit(limit)
    .execute()
  return rows.map(toUserRecord)
}

export async function setPassword({ db }: AccessContext, username: string, password: string): Promise<UserRecord> {
  const row = await db
    .updateTable('users')
    .set({ password_hash: await hashPassword(password) })
    .where('username', '=', toStored(username))
    .returning(COLUMNS)
    .executeTakeFirst()
  if (!row) throw unknownUser()
  return toUserRecord(row)
}

/** From then on the account's keys are answered 403. Disabling twice keeps the first moment. */
export const disableUser = (context: AccessContext, username: string): Promise<UserRecord> =>
  setDisabled(context, username, new Date(context.clock()))

export const enableUser = (context: AccessContext, username: string): Promise<UserRecord> =>
  setDisabled(context, username, null)

export const unknownUser = (): Refusal => new Refusal(404, 'There is no user of this name.')

async function setDisabled({ db, changes }: AccessContext, username: string, moment: Date | null): Promise<UserRecord> {
  const { row, prefixes } = await db.transaction().execute(async (transaction) => {
    const row = await transaction
      .updateTable('users')
      .set({ disabled_at: moment && sql<Date>`coalesce(disabled_at, ${moment})` })
      .where('username', '=', toStored(username))
      .returning(COLUMNS)
      .executeTakeFirst()
    if (!row) throw unknownUser()
    return { row, prefixes: await moveKeysOf(transaction, row.id) }
  })
  announceChange(changes, prefixes)
  return toUserRecord(row)
}

async function moveKeysOf(transaction: Kysely<Schema>, userId: string): Promise<string[]> {
  // Whoever writes many keys at once locks them in the order of their ids, so that no two can wait for each other.
  await transaction
    .selectFrom('api_keys')
    .select('id')
    .where('user_id', '=', userId)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  await transaction.updateTable('api_keys').set({ updated_at: nextUpdatedAt }).where('user_id', '=', userId).execute()
  const rows = await transaction
    .selectFrom('key_secrets')
    .innerJoin('api_keys', 'api_keys.id', 'key_secrets.key_id')
    .select('key_secrets.prefix')
    .where('api_keys.user_id', '=', userId)
    .execute()
  return rows.map(({ prefix }) => prefix)
}

const USERNAME = /^[a-z\d][a-z\d._-]{1,63}$/i

/** A text that cannot be a name becomes one that nobody has: PostgreSQL refuses some texts outright. */
export const toStored = (username: string): string => (USERNAME.test(username) ? username.toLowerCase() : '')

function checkUsername(username: string): string {
  if (USERNAME.test(username)) return username.toLowerCase()
  throw new Refusal(400, {
    username: ['Use 2 to 64 letters, digits, dots, underscores or hyphens, beginning with a letter or a digit.'],
  })
}

const toUserRecord = (row: UserRow): UserRecord => ({
  id: row.id,
  username: row.username,
  isAdmin: row.is_admin,
  createdAt: row.created_at,
  disabledAt: row.disabled_at ?? undefined,
})
