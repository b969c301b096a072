// The TypeScript types of the tables. Keep them in step with `first-schema.ts` and the steps in `migrations.ts`, which
// create the tables.
import type { ColumnType, Generated } from 'kysely'

/** `bigint` arrives as a string; ids are never used in arithmetic. */
type Id = Generated<string>
type CreatedAt = ColumnType<Date, Date | undefined, never>
type ProviderState = 'up' | 'down' | 'unknown'
type Moment = ColumnType<Date | null, Date | null | undefined, Date | null>

interface UsersTable {
  id: Id
  username: string
  password_hash: string
  /** The administrator who set it knows it too, so the user must choose another one at sign-in. */
  password_is_temporary: Generated<boolean>
  /** When a temporary password was generated, since it expires; null otherwise. */
  password_made_at: Moment
  /** A random id by which authenticators know the account. Null before the first passkey. */
  passkey_handle: ColumnType<Uint8Array | null, Uint8Array | null | undefined, Uint8Array | null>
  is_admin: Generated<boolean>
  /** Owns keys and can't sign in. */
  is_service: Generated<boolean>
  /** As `site/preferences.ts` writes them; null as long as the user has chosen none. */
  preferences: ColumnType<string | null, string | null | undefined, string | null>
  disabled_at: Moment
  created_at: CreatedAt
}

/** A link with which somebody creates their own account, once. Used and revoked ones are deleted. */
interface InvitationsTable {
  id: Id
  token_hash: Uint8Array
  is_admin: boolean
  /** Null for the command line, and if the account has been deleted. */
  invited_by: ColumnType<string | null, string | null, never>
  created_at: ColumnType<Date, Date, never>
  expires_at: ColumnType<Date, Date, never>
}

/** A key is an identity with limits; its secrets are rows of `key_secrets`. */
interface ApiKeysTable {
  id: Id
  user_id: string
  name: string
  scopes: string[]
  /** The key's own limits as written ('120/min'), or null for the instance's. */
  burst: string | null
  sustained: string | null
  /** The only networks that the key works from ('192.0.2.0/24'); empty for any. */
  networks: Generated<string[]>
  /** The client that the key's owner connected by OAuth; its secrets are access tokens. Null for any other key. */
  oauth_client: ColumnType<string | null, string | null | undefined, never>
  expires_at: Moment
  revoked_at: Moment
  last_used_at: Moment
  created_at: CreatedAt
  /** Updated with every change that nodes caching the key must know; `last_used_at` isn't one. */
  updated_at: ColumnType<Date, never, Date>
}

/** Rotation adds a row and sets an expiry on the older ones, so limits and usage stay with the key. */
interface KeySecretsTable {
  prefix: string
  key_id: string
  secret_hash: Uint8Array
  expires_at: Moment
  created_at: CreatedAt
}

/**
 * Usage by key, day and endpoint. `source` is the process that counted it. A source's value only ever grows, so writing
 * the absolute value twice, late or out of order does no harm. Usage is the sum over sources. Partitioned by month.
 */
interface UsageDailyTable {
  day: ColumnType<string, string, never>
  key_id: string
  endpoint: string
  source: string
  counted: ColumnType<string, number, number>
}

/** Total usage of all keys, only for days that no longer change. See `usage/instance-usage.ts`. */
interface UsageTotalsTable {
  day: ColumnType<string, string, never>
  /** '' in the row of a day without usage. */
  endpoint: string
  count: ColumnType<string, number, never>
}

/**
 * Calls to providers and what they cost, in millionths of a US dollar. `source` is the process that made them, which
 * writes its absolute values, or `budget` for a provider with a cap: see `budget/`.
 */
interface ProviderCostsTable {
  day: ColumnType<string, string, never>
  provider: string
  source: string
  calls: ColumnType<string, number, number>
  micros: ColumnType<string, number, number>
}

/** What a provider with a cap has cost in a month: the sum of its `provider_costs`. */
interface ProviderBudgetsTable {
  provider: string
  /** The first day of the month. */
  month: ColumnType<string, string, never>
  calls: ColumnType<string, number, number>
  micros: ColumnType<string, number, number>
}

/**
 * What an engine contributed to a day's searches, as counted by one process: see
 * `search/contributions/contribution-ledger.ts`. A source's values only ever grow, as in `provider_costs`.
 */
interface EngineContributionsTable {
  day: ColumnType<string, string, never>
  engine: string
  source: string
  searches: ColumnType<string, number, number>
  results: ColumnType<string, number, number>
  returned: ColumnType<string, number, number>
  alone: ColumnType<string, number, number>
  calls: ColumnType<string, number, number>
  failures: ColumnType<string, number, number>
  answer_ms: ColumnType<string, number, number>
}

/** Every change of a provider's state. `reason`: see `health/health-store.ts`. */
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

/** Who is signed in where. The browser has the token; this table has only its hash, and no IP addresses. */
interface SessionsTable {
  id: Id
  token_hash: Uint8Array
  user_id: string
  /** A short description, such as 'Firefox, Linux'. */
  browser: string
  created_at: CreatedAt
  /** To the minute. */
  last_seen_at: ColumnType<Date, Date, Date>
  /** Moves with `last_seen_at`. */
  expires_at: ColumnType<Date, Date, Date>
  /** When the user last confirmed their identity; null: not since sign-in. */
  confirmed_at: Moment
  /** `oidc:<provider>`, `header`, or null for what the account has here: see `accounts/sign-in-elsewhere.ts`. */
  signed_in_by: string | null
}

/** Accounts elsewhere that people sign in with: see `accounts/identities.ts`. */
interface IdentitiesTable {
  issuer: string
  subject: string
  user_id: string
  /** Whether a claim of this identity is what makes its user an administrator. */
  grants_admin: boolean
  created_at: CreatedAt
  last_used_at: Moment
}

/** Users who gave the right password but must do something else before they get a session. Minutes old at most. */
interface SignInTicketsTable {
  token_hash: Uint8Array
  user_id: string
  /** The next step. */
  step: 'code' | 'password'
  /** How many times it has been tried, whether with codes or with new passwords. */
  wrong_codes: Generated<number>
  expires_at: ColumnType<Date, Date, never>
}

interface SecondFactorsTable {
  user_id: string
  /** Encrypted: see `text/cryptography.ts`. */
  sealed_secret: Uint8Array
  /** Null until a first code has proved that the user's device has the secret. */
  confirmed_at: Moment
  /** The newest 30-second step, counted from 1970, whose code has been used. */
  last_step: Generated<number>
}

/** Used codes are deleted. */
interface RecoveryCodesTable {
  user_id: string
  code_hash: Uint8Array
}

/** The public half of a key pair in one of the user's authenticators. */
interface PasskeysTable {
  id: Id
  user_id: string
  credential_id: Uint8Array
  /** COSE, as the authenticator gave it. */
  public_key: Uint8Array
  /** The authenticator's signature counter; always 0 if it does not count. */
  counter: ColumnType<string, number, number>
  /** How the browser can reach it, in WebAuthn's terms. */
  transports: string[]
  /** Chosen by the user. */
  name: string
  created_at: CreatedAt
  last_used_at: Moment
}

/** A challenge for an authenticator to sign, once. Minutes old at most. */
interface PasskeyChallengesTable {
  challenge_hash: Uint8Array
  purpose: 'add' | 'sign-in' | 'second-factor' | 'confirm'
  /** Null if it isn't known yet whose passkey will sign. */
  user_id: string | null
  expires_at: ColumnType<Date, Date, never>
}

/** The tokens that open the setup page while there is no user. */
interface SetupTokensTable {
  token_hash: Uint8Array
  created_at: CreatedAt
}

/** What happened to accounts and keys, and who did it. Append-only, and pruned by age. */
interface AuditEventsTable {
  id: Id
  at: ColumnType<Date, Date, never>
  event: string
  outcome: 'ok' | 'failed' | 'throttled'
  /** Null for someone who is not signed in, and for the command line. */
  actor_id: string | null
  /** The account it is about. */
  user_id: string | null
  /** The key may have been deleted since. */
  key_id: string | null
  via: 'website' | 'command line' | `command line (${string})` | 'API'
  /** A keyed hash, or '' for the command line. */
  network: string
  /** One of our own words, or a route. */
  detail: string
}

interface InstanceSecretTable {
  is_only: Generated<boolean>
  secret: string
}

/** The settings that are kept in the database: see `settings/stored-settings.ts`. */
interface SettingsTable {
  is_only: Generated<boolean>
  /** Grows with every change. */
  version: ColumnType<string, string, string>
  /** By the name of the environment variable; written as JSON. Secrets are encrypted. */
  content: ColumnType<Record<string, string | { encrypted: string }>, string, string>
}

/**
 * What the authorization server keeps between requests: clients, requests for consent, codes and refresh tokens. Ids are
 * secrets, so only their hashes are here: see `oauth/oauth-store.ts`.
 */
interface OauthStateTable {
  model: string
  id_hash: Uint8Array
  /** The key of the grant that it belongs to; null before consent, and for clients. */
  key_id: string | null
  /** Written as JSON. */
  payload: ColumnType<Record<string, unknown>, string, string>
  /** When a code or refresh token was first used. */
  consumed_at: Moment
  expires_at: ColumnType<Date, Date, Date>
}

/** Who has rules about sites: a user, a key, or the instance if both are null. See `rules/rule-store.ts`. */
interface RuleOwnersTable {
  id: Id
  user_id: ColumnType<string | null, string | null, never>
  key_id: ColumnType<string | null, string | null, never>
  /** Microseconds since 1970, and higher than any before: grows with every change of the owner's rules. */
  version: string
  /** How many rules of their own there are, without those of lists. */
  rule_count: Generated<number>
}

interface SiteRulesTable {
  owner_id: string
  pattern: string
  /** A pattern can have one rule that ranks or blocks it, and one that rewrites its addresses. */
  is_rewrite: boolean
  action: string
  /** The host that is shown instead; '' unless it is a rewrite. */
  target: string
  /** Grows with every new rule. */
  number: Id
}

/** A list of rules that somebody publishes, as it was when it was last fetched: see `rules/refresh-lists.ts`. */
interface RuleSubscriptionsTable {
  id: Id
  owner_id: string
  address: string
  action: string
  publisher: Generated<string>
  licence: Generated<string>
  /** One a line, as `rules/stored-rules.ts` writes them. */
  rules: Generated<string>
  rule_count: Generated<number>
  /** What the server said about the version that is stored; '' if nothing. */
  etag: Generated<string>
  last_modified: Generated<string>
  fetched_at: Moment
  problem: Generated<string>
  /** When it is fetched next. */
  due_at: ColumnType<Date, Date, Date>
}

/** A set of searches that administrators grade: see `search/calibration/calibration-store.ts`. */
interface CalibrationsTable {
  id: Id
  created_at: CreatedAt
  tab: string
  /** '': any language. */
  lang: string
}

interface CalibrationSearchesTable {
  calibration_id: string
  /** From 0. */
  place: number
  query: string
  /** Null before the search was made. In the order in which they are graded; written as JSON. */
  results: ColumnType<StoredResult[] | null, string | null, string | null>
}

/** A result with its grade; null before it has one. */
export interface StoredResult {
  url: string
  title: string
  description: string
  /** By the engine's slug, from 1. */
  ranks: Record<string, number>
  grade: number | null
}

/** A search that opens at an address of its own: see `accounts/feeds.ts`. */
interface FeedsTable {
  id: Id
  user_id: ColumnType<string, string, never>
  token_hash: ColumnType<Uint8Array, Uint8Array, never>
  /** The parameters of the search's URL, as JSON, encrypted for this user. */
  sealed_search: ColumnType<Uint8Array, Uint8Array, never>
  created_at: ColumnType<Date, Date, never>
  /** When it was last asked for. */
  fetched_at: Moment
  /** When it last searched, newest first; only as many times as the limit needs. */
  searched_at: Generated<Date[]>
  /** A keyed hash of what the last search found; '' if it failed. */
  tag: Generated<string>
}

/** A step that was run to get to this schema: see `migrations.ts`. */
interface SchemaStepsTable {
  name: string
  is_additive: boolean
  /** The version that ran it. */
  version: string
  taken_at: CreatedAt
}

export interface Schema {
  users: UsersTable
  api_keys: ApiKeysTable
  key_secrets: KeySecretsTable
  usage_daily: UsageDailyTable
  usage_totals: UsageTotalsTable
  provider_costs: ProviderCostsTable
  provider_budgets: ProviderBudgetsTable
  engine_contributions: EngineContributionsTable
  provider_transitions: ProviderTransitionsTable
  sessions: SessionsTable
  sign_in_tickets: SignInTicketsTable
  second_factors: SecondFactorsTable
  recovery_codes: RecoveryCodesTable
  setup_tokens: SetupTokensTable
  passkeys: PasskeysTable
  passkey_challenges: PasskeyChallengesTable
  audit_events: AuditEventsTable
  instance_secret: InstanceSecretTable
  settings: SettingsTable
  oauth_state: OauthStateTable
  rule_owners: RuleOwnersTable
  site_rules: SiteRulesTable
  rule_subscriptions: RuleSubscriptionsTable
  calibrations: CalibrationsTable
  calibration_searches: CalibrationSearchesTable
  identities: IdentitiesTable
  invitations: InvitationsTable
  feeds: FeedsTable
  schema_steps: SchemaStepsTable
}
