// Accounts. Disabling or enabling one is a change to each of its keys: `updated_at` of all of them moves in the same
// transaction, so that every node learns of it as it learns of a revocation. Disabling, and any new password, also ends
// the account's sessions. An instance that has an administrator keeps one.
import { type Kysely, sql } from 'kysely'
import { Refusal } from '../errors.ts'
import type { Schema } from '../storage/schema.ts'
import type { AccessContext } from '../access/access-context.ts'
import { announceChange, nextUpdatedAt } from '../keys/key-changes.ts'
import { hashPassword } from '../access/passwords.ts'
import { mintReadableCode } from './readable-code.ts'
import { dropSecondFactor } from './second-factor.ts'
import { dropSessions } from './session-rows.ts'
import { announceUserChange } from './user-changes.ts'

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
  /** Somebody else knows the password: at the first sign-in another is chosen. */
  isTemporary?: boolean
}

/** A user, and the password that was made for them: to be shown once and kept by nobody. */
export interface UserWithPassword {
  user: UserRecord
  password: string
}

/** A page of a list: what follows `after`, which is the last element's own place. */
export interface UserPage {
  after?: string
  limit?: number
}

/** 100 bits. */
const PASSWORD_GROUPS = 5

const COLUMNS = ['id', 'username', 'is_admin', 'created_at', 'disabled_at'] as const

interface UserRow {
  id: string
  username: string
  is_admin: boolean
  created_at: Date
  disabled_at: Date | null
}

export async function createUser({ db }: AccessContext, input: NewUser): Promise<UserRecord> {
  const { username, password, isAdmin = false, isTemporary = false } = input
  const row = await db
    .insertInto('users')
    .values({
      username: checkUsername(username),
      password_hash: await hashPassword(password),
      is_admin: isAdmin,
      password_is_temporary: isTemporary,
    })
    .onConflict((conflict) => conflict.column('username').doNothing())
    .returning(COLUMNS)
    .executeTakeFirst()
  if (!row) throw new Refusal(409, 'There is already a user of this name.')
  return toUserRecord(row)
}

/** With a password that is made here and lasts until the first sign-in. */
export async function inviteUser(context: AccessContext, input: Omit<NewUser, 'password'>): Promise<UserWithPassword> {
  const password = mintReadableCode(context.randomBytes, PASSWORD_GROUPS)
  return { user: await createUser(context, { ...input, password, isTemporary: true }), password }
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

export async function setPassword(context: AccessContext, username: string, password: string): Promise<UserRecord> {
  const passwordHash = await hashPassword(password)
  return await changeUser(context, username, (transaction, { id }) => writePassword(transaction, id, { passwordHash }))
}

/** For whoever has forgotten theirs: the new password lasts until the next sign-in. Lost devices can go with it. */
export async function resetPassword(
  context: AccessContext,
  username: string,
  { withSecondFactor }: { withSecondFactor: boolean },
): Promise<UserWithPassword> {
  const password = mintReadableCode(context.randomBytes, PASSWORD_GROUPS)
  const passwordHash = await hashPassword(password)
  const user = await changeUser(context, username, async (transaction, { id }) => {
    await writePassword(transaction, id, { passwordHash, isTemporary: true })
    if (withSecondFactor) await dropSecondFactor(transaction, id)
  })
  return { user, password }
}

/** Refuses with 409 to take the role from the last enabled administrator. */
export const setAdmin = (context: AccessContext, username: string, isAdmin: boolean): Promise<UserRecord> =>
  changeUser(context, username, async (transaction, user) => {
    if (!isAdmin) refuseIfLast(user)
    await transaction.updateTable('users').set({ is_admin: isAdmin }).where('id', '=', user.id).execute()
  })

/** Ends the user's sessions as well: whoever signed in with the old password is signed out. To be announced after it. */
export async function writePassword(
  transaction: Kysely<Schema>,
  userId: string,
  { passwordHash, isTemporary = false }: { passwordHash: string; isTemporary?: boolean },
): Promise<void> {
  await transaction
    .updateTable('users')
    .set({ password_hash: passwordHash, password_is_temporary: isTemporary })
    .where('id', '=', userId)
    .execute()
  await dropSessions(transaction, userId)
}

/** From then on the account's keys are answered 403. Disabling twice keeps the first moment. */
export const disableUser = (context: AccessContext, username: string): Promise<UserRecord> =>
  setDisabled(context, username, new Date(context.clock()))

export const enableUser = (context: AccessContext, username: string): Promise<UserRecord> =>
  setDisabled(context, username, null)

export const unknownUser = (): Refusal => new Refusal(404, 'There is no user of this name.')

async function setDisabled(context: AccessContext, username: string, moment: Date | null): Promise<UserRecord> {
  let prefixes: string[] = []
  const user = await changeUser(context, username, async (transaction, user) => {
    if (moment) refuseIfLast(user)
    await transaction
      .updateTable('users')
      .set({ disabled_at: moment && sql<Date>`coalesce(disabled_at, ${moment})` })
      .where('id', '=', user.id)
      .execute()
    if (moment) await dropSessions(transaction, user.id)
    prefixes = await moveKeysOf(transaction, user.id)
  })
  announceChange(context.changes, prefixes)
  return user
}

interface HeldUser {
  id: string
  /** Enabled, an administrator, and no other is. */
  isLastAdmin: boolean
}

function refuseIfLast({ isLastAdmin }: HeldUser): void {
  if (isLastAdmin) throw new Refusal(409, 'This is the last enabled administrator. Make somebody else one first.')
}

/**
 * One change of one user, in a transaction that holds the user's row. The rows of all enabled administrators are held with
 * it, in the order of their ids: two of them who take the role from each other come one after the other.
 */
async function changeUser(
  { db, changes }: AccessContext,
  username: string,
  change: (transaction: Kysely<Schema>, user: HeldUser) => Promise<void>,
): Promise<UserRecord> {
  const row = await db.transaction().execute(async (transaction) => {
    const held = await transaction
      .selectFrom('users')
      .select(COLUMNS)
      .where((where) =>
        where.or([
          where('username', '=', toStored(username)),
          where.and([where('is_admin', '=', true), where('disabled_at', 'is', null)]),
        ]),
      )
      .orderBy('id')
      .forNoKeyUpdate()
      .execute()
    const target = held.find((row) => row.username === toStored(username))
    if (!target) throw unknownUser()
    const admins = held.filter(({ is_admin, disabled_at }) => is_admin && !disabled_at)
    await change(transaction, { id: target.id, isLastAdmin: admins.length === 1 && admins[0] === target })
    return await transaction.selectFrom('users').select(COLUMNS).where('id', '=', target.id).executeTakeFirstOrThrow()
  })
  announceUserChange(changes, row.id)
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
