// User accounts: of people, and of services, which own keys and never sign in. Disabling or enabling one changes all of its keys: their `updated_at` is set in the same transaction,
// so every node learns of it as it learns of a revocation. Disabling an account and setting a new password also end its
// sessions. An instance that has an administrator always keeps one.
import { type Insertable, type Kysely, type Selectable, sql } from 'kysely'
import type { NewAuditEvent } from '../audit/audit-event.ts'
import { recordEvent } from '../audit/audit-log.ts'
import { Refusal } from '../errors.ts'
import type { AdminContext } from '../keys/admin-context.ts'
import { announceKeyChange, announceUserChange } from '../keys/key-changes.ts'
import { checkUsername, toStoredUsername, unknownUser } from '../keys/username.ts'
import { getStatements } from '../store/get-statements.ts'
import type { Schema } from '../store/schema.ts'
import { hashPassword } from './passwords.ts'
import { dropSecondFactor } from './second-factor.ts'
import { dropSessions } from './sessions.ts'
import { mintReadableCode } from './tokens.ts'

export interface UserRecord {
  id: string
  /** Lower-case. */
  username: string
  isAdmin: boolean
  /** Owns keys and can't sign in; administrators manage the keys. */
  isService: boolean
  createdAt: Date
  disabledAt: Date | undefined
}

export interface NewUser {
  username: string
  password: string
  isAdmin?: boolean
  /** Someone else knows the password, so the user must choose another at the first sign-in. */
  isTemporary?: boolean
}

/** A user, and the password that was generated for them: to be shown once and not stored. */
export interface UserWithPassword {
  user: UserRecord
  password: string
}

/** A page of a list: the elements after `after`, which identifies the last element of the previous page. */
interface UserPage {
  after?: string
  limit?: number
}

/** 140 random bits. */
const PASSWORD_GROUPS = 7

const COLUMNS = ['id', 'username', 'is_admin', 'is_service', 'created_at', 'disabled_at'] as const

/** Not a hash, so no password fits. */
const NO_PASSWORD = ''

type UserRow = Pick<Selectable<Schema['users']>, (typeof COLUMNS)[number]>

export async function createUser(context: AdminContext, input: NewUser): Promise<UserRecord> {
  const { username, password, isAdmin = false, isTemporary = false } = input
  const values = {
    username: checkUsername(username),
    password_hash: await hashPassword(password, username, context.passwordCost),
    is_admin: isAdmin,
    password_is_temporary: isTemporary,
    password_made_at: isTemporary ? new Date(context.clock()) : null,
  }
  return await addUser(context, values, isAdmin ? 'administrator' : undefined)
}

/** Creates an account that owns keys and can't sign in. */
export const createService = (context: AdminContext, username: string): Promise<UserRecord> =>
  addUser(
    context,
    { username: checkUsername(username), password_hash: NO_PASSWORD, is_admin: false, is_service: true },
    'service',
  )

async function addUser(
  context: AdminContext,
  values: Insertable<Schema['users']>,
  detail: 'administrator' | 'service' | undefined,
): Promise<UserRecord> {
  return await inTransaction(context.db, async (transaction) => {
    const row = await transaction
      .insertInto('users')
      .values(values)
      .onConflict((conflict) => conflict.column('username').doNothing())
      .returning(COLUMNS)
      .executeTakeFirst()
    if (!row) throw new Refusal('conflict', 'There is already a user with this name.')
    const created: NewAuditEvent = { event: 'user-created', userId: row.id, ...(detail && { detail }) }
    await recordEvent({ ...context, db: transaction }, created)
    return toUserRecord(row)
  })
}

/** Creates a user with a generated password, which must be replaced at the first sign-in. */
export async function createUserWithPassword(
  context: AdminContext,
  input: Omit<NewUser, 'password'>,
): Promise<UserWithPassword> {
  const password = mintReadableCode(context.randomBytes, PASSWORD_GROUPS)
  return { user: await createUser(context, { ...input, password, isTemporary: true }), password }
}

export async function findUser({ db }: AdminContext, username: string): Promise<UserRecord | undefined> {
  const row = await db
    .selectFrom('users')
    .select(COLUMNS)
    .where('username', '=', toStoredUsername(username))
    .executeTakeFirst()
  return row && toUserRecord(row)
}

/** Lists users by name; the next page starts after the last name of this one. */
export async function listUsers({ db }: AdminContext, { after = '', limit = 1_000 }: UserPage = {}) {
  const rows = await db
    .selectFrom('users')
    .select(COLUMNS)
    .where('username', '>', after)
    .orderBy('username')
    .limit(limit)
    .execute()
  return rows.map(toUserRecord)
}

export async function setPassword(context: AdminContext, username: string, password: string): Promise<UserRecord> {
  const passwordHash = await hashPassword(password, username, context.passwordCost)
  return await changeUser(context, { username, event: 'password-reset' }, async (transaction, user) => {
    refuseService(user)
    await writePassword(transaction, user.id, { passwordHash })
  })
}

/**
 * For a forgotten password: generates a new one, which must be replaced at the next sign-in and expires. Can also
 * remove all second factors.
 */
export async function resetPassword(
  context: AdminContext,
  username: string,
  { alsoRemoveSecondFactor }: { alsoRemoveSecondFactor: boolean },
): Promise<UserWithPassword> {
  const password = mintReadableCode(context.randomBytes, PASSWORD_GROUPS)
  const passwordHash = await hashPassword(password, username, context.passwordCost)
  const event: NewAuditEvent = {
    event: 'password-reset',
    ...(alsoRemoveSecondFactor && { detail: 'with-second-factor' }),
  }
  const user = await changeUser(context, { username, ...event }, async (transaction, user) => {
    refuseService(user)
    await writePassword(transaction, user.id, { passwordHash, madeAt: new Date(context.clock()) })
    if (alsoRemoveSecondFactor) await dropSecondFactor(transaction, user.id)
  })
  return { user, password }
}

/** Refuses with 409 to remove the role from the last enabled administrator. */
export const setAdmin = (context: AdminContext, username: string, isAdmin: boolean): Promise<UserRecord> =>
  changeUser(context, { username, event: isAdmin ? 'role-granted' : 'role-removed' }, async (transaction, user) => {
    if (isAdmin) refuseService(user)
    else refuseIfLastAdmin(user)
    await transaction.updateTable('users').set({ is_admin: isAdmin }).where('id', '=', user.id).execute()
  })

/**
 * `madeAt`: when the password was generated, if the user must replace it. Also ends the user's sessions, so anyone who
 * signed in with the old password is signed out. Announce it afterwards.
 */
export async function writePassword(
  transaction: Kysely<Schema>,
  userId: string,
  { passwordHash, madeAt }: { passwordHash: string; madeAt?: Date },
): Promise<void> {
  await transaction
    .updateTable('users')
    .set({ password_hash: passwordHash, password_is_temporary: madeAt !== undefined, password_made_at: madeAt ?? null })
    .where('id', '=', userId)
    .execute()
  await dropSessions(transaction, userId)
}

/** From then on, requests with the account's keys get 403. Disabling an account again keeps the original time. */
export const disableUser = (context: AdminContext, username: string): Promise<UserRecord> =>
  setDisabled(context, username, new Date(context.clock()))

export const enableUser = (context: AdminContext, username: string): Promise<UserRecord> =>
  setDisabled(context, username, null)

async function setDisabled(context: AdminContext, username: string, moment: Date | null): Promise<UserRecord> {
  let prefixes: string[] = []
  const event = moment ? 'user-disabled' : 'user-enabled'
  const user = await changeUser(context, { username, event }, async (transaction, user) => {
    if (moment) refuseIfLastAdmin(user)
    await transaction
      .updateTable('users')
      .set({ disabled_at: moment && sql<Date>`coalesce(disabled_at, ${moment})` })
      .where('id', '=', user.id)
      .execute()
    if (moment) await dropSessions(transaction, user.id)
    prefixes = await markKeysChanged(transaction, user.id)
  })
  announceKeyChange(context.changes, prefixes)
  return user
}

interface LockedUser {
  id: string
  isService: boolean
  /** The only enabled administrator. */
  isLastAdmin: boolean
}

export function refuseIfLastAdmin({ isLastAdmin }: LockedUser): void {
  if (isLastAdmin)
    throw new Refusal('conflict', 'This is the last enabled administrator. Make someone else an administrator first.')
}

function refuseService({ isService }: LockedUser): void {
  if (isService)
    throw new Refusal('conflict', 'This is the account of a service. It never signs in, so it has no password or role.')
}

/** Changes one user in a transaction that locks the user's row. */
async function changeUser(
  context: AdminContext,
  { username, ...event }: { username: string } & NewAuditEvent,
  change: (transaction: Kysely<Schema>, user: LockedUser) => Promise<void>,
): Promise<UserRecord> {
  const row = await context.db.transaction().execute(async (transaction) => {
    const user = await lockUserByName(transaction, username, 'no key update')
    await change(transaction, user)
    await recordEvent({ ...context, db: transaction }, { ...event, userId: user.id })
    return await transaction.selectFrom('users').select(COLUMNS).where('id', '=', user.id).executeTakeFirstOrThrow()
  })
  announceUserChange(context.changes, row.id)
  return toUserRecord(row)
}

/**
 * Locks a user's row, and with it those of all enabled administrators, in order of id, so that two administrators who
 * remove each other's role do so one after the other. `update`: to delete it, which also holds up new rows that refer to
 * it.
 */
export async function lockUserByName(
  transaction: Kysely<Schema>,
  username: string,
  lock: 'no key update' | 'update',
): Promise<LockedUser> {
  const query = transaction
    .selectFrom('users')
    .select(COLUMNS)
    .where((where) =>
      where.or([
        where('username', '=', toStoredUsername(username)),
        where.and([where('is_admin', '=', true), where('disabled_at', 'is', null)]),
      ]),
    )
    .orderBy('id')
  const held = await (lock === 'update' ? query.forUpdate() : query.forNoKeyUpdate()).execute()
  const target = held.find((row) => row.username === toStoredUsername(username))
  if (!target) throw unknownUser()
  const admins = held.filter(({ is_admin, disabled_at }) => is_admin && !disabled_at)
  return { id: target.id, isService: target.is_service, isLastAdmin: admins.length === 1 && admins[0] === target }
}

/** Returns the prefixes of the keys. */
async function markKeysChanged(transaction: Kysely<Schema>, userId: string): Promise<string[]> {
  // Code that writes many keys at once locks them in order of id, so that no two transactions can deadlock.
  await transaction
    .selectFrom('api_keys')
    .select('id')
    .where('user_id', '=', userId)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  await transaction
    .updateTable('api_keys')
    .set({ updated_at: getStatements(transaction).nextUpdatedAt })
    .where('user_id', '=', userId)
    .execute()
  const rows = await transaction
    .selectFrom('key_secrets')
    .innerJoin('api_keys', 'api_keys.id', 'key_secrets.key_id')
    .select('key_secrets.prefix')
    .where('api_keys.user_id', '=', userId)
    .execute()
  return rows.map(({ prefix }) => prefix)
}

const toUserRecord = (row: UserRow): UserRecord => ({
  id: row.id,
  username: row.username,
  isAdmin: row.is_admin,
  isService: row.is_service,
  createdAt: row.created_at,
  disabledAt: row.disabled_at ?? undefined,
})

interface UserLock {
  userId: string
  /** The hash that the password was compared with. */
  passwordHash: string
  /** Whether the transaction will write the row. Upgrading the lock later could deadlock. */
  willWrite?: boolean
}

/**
 * Locks the row of a user who has just given a password, for the length of a transaction, and checks that the user is
 * still enabled and still has that password. While the lock is held, neither can change.
 */
export async function lockUser(
  transaction: Kysely<Schema>,
  { userId, passwordHash, willWrite }: UserLock,
): Promise<boolean> {
  const query = transaction
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('password_hash', '=', passwordHash)
    .where('disabled_at', 'is', null)
  const held = await (willWrite ? query.forNoKeyUpdate() : query.forShare()).executeTakeFirst()
  return held !== undefined
}

/** Runs work in the current transaction, or in a new one. */
const inTransaction = <Result>(
  db: Kysely<Schema>,
  work: (transaction: Kysely<Schema>) => Promise<Result>,
): Promise<Result> => (db.isTransaction ? work(db) : db.transaction().execute(work))
