// Keys as users and operators see them, in a list or after a change. A record never contains a secret or its hash.
import type { Kysely } from 'kysely'
import type { Schema } from '../store/schema.ts'
import type { AdminContext } from './admin-context.ts'
import { isScope, type Scope } from './scopes.ts'
import { toStoredUsername } from './username.ts'

type KeyState = 'active' | 'expired' | 'revoked'

export interface KeyRecord {
  id: string
  userId: string
  username: string
  name: string
  state: KeyState
  scopes: Scope[]
  /** The key's own limits as written, or undefined for the instance's. */
  burst: string | undefined
  sustained: string | undefined
  /** The only networks that the key works from; empty for any. */
  networks: string[]
  /** The client that was connected by OAuth; undefined: an ordinary key. */
  client: string | undefined
  /**
   * The key's unexpired secrets, newest first; after a rotation the older ones have an expiry. Only a client's key can
   * have none, if its access token has expired.
   */
  secrets: KeySecretRecord[]
  createdAt: Date
  lastUsedAt: Date | undefined
  expiresAt: Date | undefined
  revokedAt: Date | undefined
}

interface KeySecretRecord {
  prefix: string
  createdAt: Date
  expiresAt: Date | undefined
}

export interface KeyFilter {
  username?: string
  /** The id of the last key on the previous page. */
  after?: string
  limit?: number
}

/** Oldest first; the next page starts after the last id of this one. */
export async function listKeys(context: AdminContext, filter: KeyFilter = {}): Promise<KeyRecord[]> {
  const { username, after = '0', limit = 1_000 } = filter
  let query = selectKeys(context.db).where('api_keys.id', '>', after).orderBy('api_keys.id').limit(limit)
  if (username !== undefined) {
    query = query.where('api_keys.user_id', '=', (query) =>
      query.selectFrom('users as owner').select('owner.id').where('owner.username', '=', toStoredUsername(username)),
    )
  }
  return await withSecrets(context.db, await query.execute(), context.clock())
}

export async function readKeyRecord(db: Kysely<Schema>, id: string, now: number): Promise<KeyRecord> {
  const row = await selectKeys(db).where('api_keys.id', '=', id).executeTakeFirstOrThrow()
  const [record] = await withSecrets(db, [row], now)
  if (!record) throw new Error('a key was read but not presented')
  return record
}

const selectKeys = (db: Kysely<Schema>) =>
  db
    .selectFrom('api_keys')
    .innerJoin('users', 'users.id', 'api_keys.user_id')
    .selectAll('api_keys')
    .select('users.username')

type KeyRow = Awaited<ReturnType<ReturnType<typeof selectKeys>['execute']>>[number]

async function withSecrets(db: Kysely<Schema>, rows: KeyRow[], now: number): Promise<KeyRecord[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const secrets = await db
    .selectFrom('key_secrets')
    .select(['prefix', 'key_id', 'created_at', 'expires_at'])
    .where('key_id', 'in', ids)
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', new Date(now))]))
    // The newest secret has no expiry, and nulls come first.
    .orderBy('expires_at', (order) => order.desc().nullsFirst())
    .orderBy('created_at', 'desc')
    .execute()
  const secretsOf = Map.groupBy(secrets, ({ key_id }) => key_id)
  return rows.map((row) => toKeyRecord(row, secretsOf.get(row.id) ?? [], now))
}

type SecretRow = { prefix: string; created_at: Date; expires_at: Date | null }

const toKeyRecord = (row: KeyRow, secrets: SecretRow[], now: number): KeyRecord => ({
  id: row.id,
  userId: row.user_id,
  username: row.username,
  name: row.name,
  state: toState(row, now),
  scopes: row.scopes.filter(isScope),
  burst: row.burst ?? undefined,
  sustained: row.sustained ?? undefined,
  networks: row.networks,
  client: row.oauth_client ?? undefined,
  secrets: secrets.map(({ prefix, created_at, expires_at }) => ({
    prefix,
    createdAt: created_at,
    expiresAt: expires_at ?? undefined,
  })),
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at ?? undefined,
  expiresAt: row.expires_at ?? undefined,
  revokedAt: row.revoked_at ?? undefined,
})

function toState({ revoked_at, expires_at }: Pick<KeyRow, 'revoked_at' | 'expires_at'>, now: number): KeyState {
  if (revoked_at) return 'revoked'
  return expires_at && expires_at.getTime() <= now ? 'expired' : 'active'
}
