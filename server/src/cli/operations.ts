// The administrative operations, as a table of plain functions from arguments to a result, both of them JSON. The same
// function runs in the command's own process or, if a running instance owns the data folder, in that instance. Results
// contain nothing that opens an account or a key, except a full key that has just been created.
import type { Writable } from 'node:stream'
import { z } from 'zod'
import { deleteUser } from '../accounts/delete-user.ts'
import {
  createService,
  createUser,
  disableUser,
  enableUser,
  findUser,
  listUsers,
  setPassword,
  type UserRecord,
} from '../accounts/users.ts'
import { AUDIT_EVENTS, isAuditEvent } from '../audit/audit-event.ts'
import { type AuditRecord, readEvents, recordEvent } from '../audit/audit-log.ts'
import { countTrial } from '../budget/cost-ledger.ts'
import { Refusal } from '../errors.ts'
import type { AdminContext } from '../keys/admin-context.ts'
import { type KeyRecord, listKeys } from '../keys/key-records.ts'
import { createKey, type IssuedKey, revokeKey, rotateKey } from '../keys/keys.ts'
import { unknownUser } from '../keys/username.ts'
import type { SettingsContext } from '../settings/stored-settings.ts'
import { type BackupOptions, type BackupSummary, createBackupFile, writeBackup } from '../store/backup.ts'
import { operation } from './operation.ts'

/** Lists are paged: pass `next` as `after` to get the following page. */
export interface Page<Row> {
  items: Row[]
  next: string | null
}

export const PAGE_SIZE = 1_000

const text = z.string()
const optionalText = text.exactOptional()
/** Where a page of a list begins, and its maximum length. */
const pageArgs = {
  after: text.regex(/^\d{1,18}$/).exactOptional(),
  limit: z.int().min(1).max(PAGE_SIZE).exactOptional(),
}
const usernameArgs = z.strictObject({ username: text })

const OPERATIONS = {
  'user-create': operation(
    z.strictObject({ username: text, password: text, is_admin: z.boolean() }),
    async (access, { username, password, is_admin }) =>
      presentUser(await createUser(access, { username, password, isAdmin: is_admin })),
  ),
  'service-create': operation(usernameArgs, async (access, { username }) =>
    presentUser(await createService(access, username)),
  ),
  'user-delete': operation(usernameArgs, async (access, { username }) => {
    await deleteUser(access, username)
    return { deleted: 1 }
  }),
  'user-list': operation(z.strictObject({ ...pageArgs, after: optionalText }), async (access, page) => {
    const { limit = PAGE_SIZE } = page
    const users = (await listUsers(access, { ...page, limit })).map(presentUser)
    return toPage(users, limit, ({ username }) => username)
  }),
  'user-disable': operation(usernameArgs, async (access, { username }) =>
    presentUser(await disableUser(access, username)),
  ),
  'user-enable': operation(usernameArgs, async (access, { username }) =>
    presentUser(await enableUser(access, username)),
  ),
  'user-set-password': operation(
    z.strictObject({ username: text, password: text }),
    async (access, { username, password }) => presentUser(await setPassword(access, username, password)),
  ),
  'key-create': operation(
    z.strictObject({
      username: text,
      name: optionalText,
      scopes: z.array(text).exactOptional(),
      expires: optionalText,
      networks: z.array(text).exactOptional(),
      burst: optionalText,
      sustained: optionalText,
    }),
    async (access, { username, expires, ...rest }) => {
      const expiresAt = expires === undefined ? undefined : readExpiry(expires, access.clock())
      const issued = await createKey(access, {
        owner: { username },
        ...rest,
        ...(expiresAt !== undefined && { expiresAt }),
      })
      return presentIssuedKey(issued)
    },
  ),
  'key-list': operation(
    z.strictObject({ username: optionalText, ...pageArgs }),
    async (access, { limit = PAGE_SIZE, ...filter }) => {
      // An empty list would hide a mistyped name.
      if (filter.username !== undefined && !(await findUser(access, filter.username))) throw unknownUser()
      return toPage((await listKeys(access, { ...filter, limit })).map(presentKey), limit, ({ id }) => id)
    },
  ),
  'key-rotate': operation(z.strictObject({ key: text, grace: optionalText }), async (access, { key, grace }) => {
    const graceSeconds = grace === undefined ? undefined : readGraceSeconds(grace)
    return presentIssuedKey(await rotateKey(access, { key, ...(graceSeconds !== undefined && { graceSeconds }) }))
  }),
  'key-revoke': operation(z.strictObject({ key: text }), async (access, { key }) =>
    presentKey(await revokeKey(access, key)),
  ),
  // Counts the call that the command `engines try` makes itself.
  'provider-call-count': operation(
    z.strictObject({ provider: text.regex(/^[a-z0-9]{1,40}$/), micros: z.int().min(0).max(1e9) }),
    async ({ db, clock, randomBytes }, { provider, micros }) => {
      const source = `command:${Buffer.from(randomBytes(8)).toString('hex')}`
      await countTrial(db, { provider, micros, source, now: clock() })
      return { counted: 1 }
    },
  ),
  // Secrets pass through only if they are asked for: who can open the socket could also read and decrypt the database.
  'settings-read': operation(z.strictObject({ with_secrets: z.boolean() }), async ({ settings }, { with_secrets }) => {
    const { values, secrets, unreadable } = await settings.read()
    const shown = Object.entries(values).filter(([name]) => with_secrets || !secrets.includes(name))
    return {
      values: Object.fromEntries(shown),
      secrets: [...secrets],
      /** Secrets that must be set again. */
      unreadable: [...unreadable],
    }
  }),
  'settings-change': operation(
    z.strictObject({ name: text, value: text.nullable() }),
    async (access, { name, value }) => ({
      changed: await access.settings.change(access, { [name]: value ?? undefined }),
    }),
  ),
  backup: operation(
    z.strictObject({ path: text, force: z.boolean(), with_secret: z.boolean() }),
    async (access, { path, force, with_secret }) =>
      createBackupFile(path, (output) => backUp(access, output, { force, withSecret: with_secret })),
  ),
  'audit-list': operation(
    z.strictObject({ username: optionalText, event: optionalText, ...pageArgs }),
    async (access, { username, event, after, limit = PAGE_SIZE }) => {
      const user = username === undefined ? undefined : await findUser(access, username)
      if (username !== undefined && !user) throw unknownUser()
      if (event !== undefined && !isAuditEvent(event)) {
        throw new Refusal('parameter_invalid', { event: [`Choose from ${AUDIT_EVENTS.join(', ')}.`] })
      }
      const events = await readEvents(access.db, { userId: user?.id, event, before: after, limit })
      return toPage(events.map(presentEvent), limit, ({ id }) => id)
    },
  ),
}

type Operations = typeof OPERATIONS
export type OperationName = keyof Operations

/** Lets a command run an operation without knowing where it runs. */
export type Perform = <Name extends OperationName>(
  name: Name,
  args: Parameters<Operations[Name]>[1],
) => ReturnType<Operations[Name]>

export const isOperationName = (name: string): name is OperationName => Object.hasOwn(OPERATIONS, name)

export async function runOperation(access: SettingsContext, name: OperationName, args: unknown): Promise<unknown> {
  // Every operation validates its own arguments, so it can be given anything.
  const run = OPERATIONS[name] as (access: SettingsContext, args: unknown) => Promise<unknown>
  return await run(access, args)
}

/** Ends `output`. A database that can't be written to, such as one on a full disk, can still be backed up. */
export async function backUp(access: AdminContext, output: Writable, options: BackupOptions): Promise<BackupSummary> {
  const summary = await writeBackup(access.db, output, options)
  await recordEvent(access, { event: 'backup' }).catch((error: unknown) =>
    access.log.error({ err: new Error('could not record the backup', { cause: error }) }),
  )
  return summary
}

/** Null: never. */
function readExpiry(written: string, now: number): Date | null {
  if (written.trim() === 'never') return null
  const moment = parseMoment(written, now)
  if (moment) return moment
  throw new Refusal('parameter_invalid', {
    expires: ['Use a duration such as 90d, a day such as 2027-01-31, or never.'],
  })
}

function readGraceSeconds(written: string): number {
  const graceMs = parseDuration(written)
  if (graceMs !== undefined) return graceMs / 1_000
  throw new Refusal('parameter_invalid', {
    grace: ['Use a duration such as 24h, or 0s to end the old secret immediately.'],
  })
}

function toPage<Row>(items: Row[], limit: number, placeOf: (row: Row) => string): Page<Row> {
  const last = items.at(-1)
  return { items, next: last !== undefined && items.length === limit ? placeOf(last) : null }
}

export type PresentedUser = ReturnType<typeof presentUser>

const presentUser = (user: UserRecord) => ({
  id: user.id,
  username: user.username,
  is_admin: user.isAdmin,
  /** Owns keys and can't sign in. */
  is_service: user.isService,
  state: user.disabledAt ? 'disabled' : 'active',
  created_at: user.createdAt.toISOString(),
  disabled_at: toIso(user.disabledAt),
})

export type PresentedKey = ReturnType<typeof presentKey>

function presentKey(key: KeyRecord) {
  const [newest, ...older] = key.secrets
  return {
    id: key.id,
    prefix: newest?.prefix ?? '',
    username: key.username,
    name: key.name,
    state: key.state,
    scopes: key.scopes,
    /** Limits for this key, or null for the instance's. */
    burst: key.burst ?? null,
    sustained: key.sustained ?? null,
    /** The only networks it works from; empty for any. */
    networks: key.networks,
    created_at: key.createdAt.toISOString(),
    last_used_at: toIso(key.lastUsedAt),
    expires_at: toIso(key.expiresAt),
    revoked_at: toIso(key.revokedAt),
    /** The older secrets that still work after a rotation, and until when. */
    older_prefixes: older.map(({ prefix, expiresAt }) => ({ prefix, expires_at: toIso(expiresAt) })),
  }
}

export type PresentedIssuedKey = ReturnType<typeof presentIssuedKey>

const presentIssuedKey = ({ key, full }: IssuedKey) => ({ key: full, ...presentKey(key) })

export type PresentedEvent = ReturnType<typeof presentEvent>

const presentEvent = ({ id, at, event, outcome, actor, user, key, via, systemUser, network, detail }: AuditRecord) => ({
  id,
  at: at.toISOString(),
  event,
  outcome,
  /** Who did it; null for a client that was not signed in and for the command line. */
  actor: actor?.username ?? null,
  actor_id: actor?.id ?? null,
  /** The account that it is about. */
  username: user?.username ?? null,
  user_id: user?.id ?? null,
  key_id: key?.id ?? null,
  via,
  /** The user of the machine who ran the command, such as `uid 0, alice` for alice under sudo. */
  system_user: systemUser || null,
  network,
  detail,
})

const toIso = (moment: Date | undefined): string | null => moment?.toISOString() ?? null

/**
 * Units of durations as operators write them: 30s, 15m, 24h, 90d. There are no months, because a date can be given
 * instead.
 */
const UNIT_MS: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** At most six digits, so that any number of days stays within the range of a date. */
const DURATION = /^(\d{1,6})([smhd])$/

/** Milliseconds, or undefined for anything that is not a duration. */
export function parseDuration(text: string): number | undefined {
  const [, count = '', unit = ''] = DURATION.exec(text.trim()) ?? []
  const unitMs = UNIT_MS[unit]
  return unitMs === undefined ? undefined : Number(count) * unitMs
}

/** A time relative to now (90d) or the start of a UTC day (2027-01-31); undefined for anything else. */
export function parseMoment(text: string, now: number): Date | undefined {
  const durationMs = parseDuration(text)
  if (durationMs !== undefined) return new Date(now + durationMs)
  const day = text.trim()
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) return undefined
  const moment = new Date(`${day}T00:00:00Z`)
  // 30 February would otherwise become 2 March.
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(day) ? moment : undefined
}
