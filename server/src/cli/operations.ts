// What administration can do, as a table of plain functions from arguments to a result, both JSON: the same function runs
// in the command's own process or, when a running instance owns the data folder, in the instance. Nothing that opens an
// account or a key is in a result, except the full key that has just been issued.
import { z } from 'zod'
import type { AccessContext } from '../access/access-context.ts'
import { type KeyRecord, listKeys } from '../keys/key-records.ts'
import { createKey, type IssuedKey, revokeKey, rotateKey } from '../keys/keys.ts'
import {
  createUser,
  disableUser,
  enableUser,
  findUser,
  listUsers,
  setPassword,
  type UserRecord,
  unknownUser,
} from '../accounts/users.ts'
import { Refusal } from '../errors.ts'
import { parseDuration, parseMoment } from './parse-duration.ts'

/** A list comes in pages: `next` goes into the following question as `after`. */
export interface Page<Row> {
  items: Row[]
  next: string | null
}

const PAGE_SIZE = 1_000

const text = z.string()
const optionalText = text.exactOptional()
const named = z.strictObject({ username: text })

const OPERATIONS = {
  'user-create': operation(
    z.strictObject({ username: text, password: text, is_admin: z.boolean() }),
    async (access, { username, password, is_admin }) =>
      presentUser(await createUser(access, { username, password, isAdmin: is_admin })),
  ),
  'user-list': operation(z.strictObject({ after: optionalText }), async (access, place) =>
    toPage((await listUsers(access, { ...place, limit: PAGE_SIZE })).map(presentUser), ({ username }) => username),
  ),
  'user-disable': operation(named, async (access, { username }) => presentUser(await disableUser(access, username))),
  'user-enable': operation(named, async (access, { username }) => presentUser(await enableUser(access, username))),
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
      burst: optionalText,
      sustained: optionalText,
    }),
    async (access, { username, expires, ...rest }) => {
      const expiresAt = expires === undefined ? undefined : readExpiry(expires, access.clock())
      const issued = await createKey(access, { owner: { username }, ...rest, ...(expiresAt && { expiresAt }) })
      return presentIssuedKey(issued)
    },
  ),
  'key-list': operation(
    z.strictObject({ username: optionalText, after: text.regex(/^\d{1,18}$/).exactOptional() }),
    async (access, filter) => {
      // An empty list would hide a mistyped name.
      if (filter.username !== undefined && !(await findUser(access, filter.username))) throw unknownUser()
      return toPage((await listKeys(access, { ...filter, limit: PAGE_SIZE })).map(presentKey), ({ id }) => id)
    },
  ),
  'key-rotate': operation(z.strictObject({ key: text, grace: optionalText }), async (access, { key, grace }) => {
    const graceSeconds = grace === undefined ? undefined : readGraceSeconds(grace)
    return presentIssuedKey(await rotateKey(access, { key, ...(graceSeconds !== undefined && { graceSeconds }) }))
  }),
  'key-revoke': operation(z.strictObject({ key: text }), async (access, { key }) =>
    presentKey(await revokeKey(access, key)),
  ),
}

type Operations = typeof OPERATIONS
export type OperationName = keyof Operations

/** How a command asks for an operation without knowing where it runs. */
export type Perform = <Name extends OperationName>(
  name: Name,
  args: Parameters<Operations[Name]>[1],
) => ReturnType<Operations[Name]>

export const isOperationName = (name: string): name is OperationName => Object.hasOwn(OPERATIONS, name)

export async function runOperation(access: AccessContext, name: OperationName, args: unknown): Promise<unknown> {
  // Every operation judges its arguments itself, so it may be given any.
  const run = OPERATIONS[name] as (access: AccessContext, args: unknown) => Promise<unknown>
  return await run(access, args)
}

function operation<Args extends z.ZodType, Result>(
  schema: Args,
  run: (access: AccessContext, args: z.output<Args>) => Promise<Result>,
) {
  return async (access: AccessContext, given: z.input<Args>): Promise<Result> => {
    const args = schema.safeParse(given)
    if (args.success) return await run(access, args.data)
    throw new Refusal(
      400,
      'The running instance does not understand this command: it is of another version. Restart it.',
    )
  }
}

function readExpiry(written: string, now: number): Date {
  const moment = parseMoment(written, now)
  if (moment) return moment
  throw new Refusal(400, { expires: ['Write a duration such as 90d or a day such as 2027-01-31.'] })
}

function readGraceSeconds(written: string): number {
  const graceMs = parseDuration(written)
  if (graceMs !== undefined) return graceMs / 1_000
  throw new Refusal(400, { grace: ['Write a duration such as 24h; 0s ends the older secret at once.'] })
}

function toPage<Row>(items: Row[], placeOf: (row: Row) => string): Page<Row> {
  const last = items.at(-1)
  return { items, next: last !== undefined && items.length === PAGE_SIZE ? placeOf(last) : null }
}

export type PresentedUser = ReturnType<typeof presentUser>

const presentUser = (user: UserRecord) => ({
  id: user.id,
  username: user.username,
  is_admin: user.isAdmin,
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
    /** Own limits, or null for the instance's. */
    burst: key.burst ?? null,
    sustained: key.sustained ?? null,
    created_at: key.createdAt.toISOString(),
    last_used_at: toIso(key.lastUsedAt),
    expires_at: toIso(key.expiresAt),
    revoked_at: toIso(key.revokedAt),
    /** What still opens the key after a rotation, and until when. */
    older_prefixes: older.map(({ prefix, expiresAt }) => ({ prefix, expires_at: toIso(expiresAt) })),
  }
}

export type PresentedIssuedKey = ReturnType<typeof presentIssuedKey>

const presentIssuedKey = ({ key, full }: IssuedKey) => ({ key: full, ...presentKey(key) })

const toIso = (moment: Date | undefined): string | null => moment?.toISOString() ?? null
