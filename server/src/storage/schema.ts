// The tables as TypeScript sees them. `migrations.ts` is what creates them; the two change together.
import type { ColumnType, Generated } from 'kysely'

/** `bigint` arrives as a string: identifiers are never computed with. */
type Id = Generated<string>
type CreatedAt = ColumnType<Date, Date | undefined, never>
type ProviderState = 'up' | 'down' | 'unknown'
type Moment = ColumnType<Date | null, Date | null | undefined, Date | null>

interface UsersTable {
  id: Id
  username: string
  password_hash: string
  /** Somebody else knows it too: whoever signs in with it chooses another before anything else. */
  password_is_temporary: Generated<boolean>
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

/**
 * What providers were asked and what it cost, in millionths of a US dollar. `source` names the process that asked. As in
 * `usage_daily` a source only ever grows, so its absolute value may be written twice, late, or by another node.
 */
interface ProviderCostsTable {
  day: ColumnType<string, string, never>
  provider: string
  source: string
  calls: ColumnType<string, number, number>
  micros: ColumnType<string, number, number>
}

/** Every change of a provider's state, for ever. `reason` is the kind of the error that decided, or 'ok'. */
interface ProviderTransitionsTable {
  id: string
  number: Id
  /** The provider's own slug. */
  provider: string
  provider_group: string
  from_state: ProviderState
  to_state: ProviderState
  at: ColumnType<Date, Date, never>
  reason: string
}

/** Who is signed in where. The browser has the token; here is only its hash, and no address of anybody. */
interface SessionsTable {
  id: Id
  token_hash: Uint8Array
  user_id: string
  /** In a few words, such as 'Firefox, Linux'. */
  browser: string
  created_at: CreatedAt
  /** To the minute. */
  last_seen_at: ColumnType<Date, Date, Date>
  /** Moves with `last_seen_at`. */
  expires_at: ColumnType<Date, Date, Date>
}

/** Who has shown the right password and has something else to do before it becomes a session. Minutes old at most. */
interface SignInTicketsTable {
  token_hash: Uint8Array
  user_id: string
  /** What is still to do first. */
  step: 'code' | 'password'
  wrong_codes: Generated<number>
  expires_at: ColumnType<Date, Date, never>
}

interface SecondFactorsTable {
  user_id: string
  /** Encrypted: see `access/seal.ts`. */
  sealed_secret: Uint8Array
  /** Null until a first code has shown that the user's device has the secret. */
  confirmed_at: Moment
  /** The newest 30 seconds, counted from 1970, whose code has been used. */
  last_step: Generated<number>
}

/** A code that has been used is gone. */
interface RecoveryCodesTable {
  user_id: string
  code_hash: Uint8Array
}

/** What opens the set-up page while there is no user. */
interface SetupTokensTable {
  token_hash: Uint8Array
  created_at: CreatedAt
}

interface InstanceSecretTable {
  is_only: Generated<boolean>
  secret: string
}

export interface Schema {
  users: UsersTable
  api_keys: ApiKeysTable
  key_secrets: KeySecretsTable
  usage_daily: UsageDailyTable
  provider_costs: ProviderCostsTable
  provider_transitions: ProviderTransitionsTable
  sessions: SessionsTable
  sign_in_tickets: SignInTicketsTable
  second_factors: SecondFactorsTable
  recovery_codes: RecoveryCodesTable
  setup_tokens: SetupTokensTable
  instance_secret: InstanceSecretTable
}
