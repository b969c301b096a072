// The tables as TypeScript sees them. `migrations.ts` is what creates them; the two change together.
import type { ColumnType, Generated } from 'kysely'

/** `bigint` arrives as a string: identifiers are never computed with. */
type Id = Generated<string>
type CreatedAt = ColumnType<Date, Date | undefined, never>
type Moment = ColumnType<Date | null, Date | null | undefined, Date | null>

interface UsersTable {
  id: Id
  username: string
  password_hash: string
  is_admin: Generated<boolean>
  disabled_at: Moment
  created_at: CreatedAt
}

/** A key is an identity with a budget; the secrets that open it are rows of `key_secrets`. */
interface ApiKeysTable {
  id: Id
  user_id: string
  name: string
  scopes: string[]
  /** Own limits as written ('120/min'), or null for the instance's. */
  burst: string | null
  sustained: string | null
  expires_at: Moment
  revoked_at: Moment
  last_used_at: Moment
  created_at: CreatedAt
  /** Moves with every change that a node holding the key in memory must learn of; `last_used_at` is not one. */
  updated_at: ColumnType<Date, never, Date>
}

/** Rotation adds a row and gives the older ones an end, so limits and usage stay with the key. */
interface KeySecretsTable {
  prefix: string
  key_id: string
  secret_hash: Uint8Array
  expires_at: Moment
  created_at: CreatedAt
}

/**
 * Usage by key, day and endpoint. `source` names the counter that counted: a Redis counter from its birth on, or a
 * node's memory. Each source only ever grows, so writing its absolute value twice, late or out of order does no harm,
 * and the usage is the sum over sources of counted - refunded. Partitioned by month.
 */
interface UsageDailyTable {
  day: ColumnType<string, string, never>
  key_id: string
  endpoint: string
  source: string
  counted: ColumnType<string, number, number>
  refunded: ColumnType<string, number, number>
}

export interface Schema {
  users: UsersTable
  api_keys: ApiKeysTable
  key_secrets: KeySecretsTable
  usage_daily: UsageDailyTable
}
