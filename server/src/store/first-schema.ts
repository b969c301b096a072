// The first schema, created in an empty database. The first release freezes it: from then on, every change is a new step
// in `migrations.ts`. Both stores understand it, but for a few words; SQLite remembers a column's type without knowing it,
// and `sqlite-values.ts` does. An int is an `int` or a `bigint`: only ids are of the type `id`.
import { type Kysely, sql } from 'kysely'
import { getStatements } from './get-statements.ts'
import type { Schema } from './schema.ts'
import type { SchemaWords } from './statements.ts'

const accounts = (words: SchemaWords) => [
  sql`
    create table users (
      id ${words.id},
      username text not null unique check (username = lower(username)),
      password_hash text not null,
      password_is_temporary boolean not null default false,
      password_made_at timestamptz,
      passkey_handle bytea,
      is_admin boolean not null default false,
      is_service boolean not null default false,
      preferences text,
      disabled_at timestamptz,
      created_at timestamptz not null default (now())
    )`,
  sql`
    create table invitations (
      id ${words.id},
      token_hash bytea not null unique,
      is_admin boolean not null,
      invited_by bigint references users (id) on delete set null,
      created_at timestamptz not null,
      expires_at timestamptz not null
    )`,
  sql`
    create table identities (
      issuer text not null,
      subject text not null,
      user_id bigint not null references users (id) on delete cascade,
      grants_admin boolean not null default false,
      created_at timestamptz not null default (now()),
      last_used_at timestamptz,
      primary key (issuer, subject),
      unique (user_id, issuer)
    )`,
  sql`
    create table sessions (
      id ${words.id},
      token_hash bytea not null unique,
      user_id bigint not null references users (id) on delete cascade,
      browser text not null,
      created_at timestamptz not null,
      last_seen_at timestamptz not null,
      expires_at timestamptz not null,
      confirmed_at timestamptz,
      signed_in_by text
    )`,
  sql`create index sessions_user_id on sessions (user_id)`,
  sql`create index sessions_expires_at on sessions (expires_at)`,
  sql`
    create table sign_in_tickets (
      token_hash bytea not null primary key,
      user_id bigint not null references users (id) on delete cascade,
      step text not null,
      wrong_codes int not null default 0,
      expires_at timestamptz not null
    )`,
  sql`create index sign_in_tickets_user_id on sign_in_tickets (user_id)`,
  sql`
    create table second_factors (
      user_id bigint not null primary key references users (id) on delete cascade,
      sealed_secret bytea not null,
      confirmed_at timestamptz,
      last_step int not null default 0
    )`,
  sql`
    create table recovery_codes (
      user_id bigint not null references users (id) on delete cascade,
      code_hash bytea not null,
      primary key (user_id, code_hash)
    )`,
  sql`
    create table passkeys (
      id ${words.id},
      user_id bigint not null references users (id) on delete cascade,
      credential_id bytea not null unique,
      public_key bytea not null,
      counter bigint not null,
      transports text[] not null,
      name text not null,
      created_at timestamptz not null,
      last_used_at timestamptz
    )`,
  sql`create index passkeys_user_id on passkeys (user_id)`,
  sql`
    create table passkey_challenges (
      challenge_hash bytea not null primary key,
      purpose text not null,
      user_id bigint references users (id) on delete cascade,
      expires_at timestamptz not null
    )`,
  sql`create index passkey_challenges_expires_at on passkey_challenges (expires_at)`,
  sql`
    create table setup_tokens (
      token_hash bytea not null primary key,
      created_at timestamptz not null
    )`,
]

const keys = (words: SchemaWords) => [
  sql`
    create table api_keys (
      id ${words.id},
      user_id bigint not null references users (id) on delete cascade,
      name text not null default '',
      scopes text[] not null,
      burst text,
      sustained text,
      networks text[] not null default ${words.emptyArray},
      oauth_client text,
      expires_at timestamptz,
      revoked_at timestamptz,
      last_used_at timestamptz,
      created_at timestamptz not null default (now()),
      updated_at timestamptz not null default (now())
    ) ${words.roomForUpdates}`,
  // For paging through one user's keys: with an index on user_id alone, PostgreSQL would rather scan all keys.
  sql`create index api_keys_user_id_id on api_keys (user_id, id)`,
  sql`create index api_keys_updated_at on api_keys (updated_at)`,
  sql`
    create table key_secrets (
      prefix text not null primary key,
      key_id bigint not null references api_keys (id) on delete cascade,
      secret_hash bytea not null,
      expires_at timestamptz,
      created_at timestamptz not null default (now())
    )`,
  sql`create index key_secrets_key_id on key_secrets (key_id)`,
  sql`
    create table oauth_state (
      model text not null,
      id_hash bytea not null,
      key_id bigint references api_keys (id) on delete cascade,
      payload jsonb not null,
      consumed_at timestamptz,
      expires_at timestamptz not null,
      primary key (model, id_hash)
    )`,
  sql`create index oauth_state_key_id on oauth_state (key_id)`,
  sql`create index oauth_state_expires_at on oauth_state (expires_at)`,
]

const siteRules = (words: SchemaWords) => [
  sql`
    create table rule_owners (
      id ${words.id},
      user_id bigint unique references users (id) on delete cascade,
      key_id bigint unique references api_keys (id) on delete cascade,
      version bigint not null,
      rule_count int not null default 0,
      check (user_id is null or key_id is null)
    )`,
  sql`
    create unique index rule_owners_instance on rule_owners ((user_id is null))
    where user_id is null and key_id is null`,
  sql`create index rule_owners_version on rule_owners (version)`,
  sql`
    create table site_rules (
      owner_id bigint not null references rule_owners (id) on delete cascade,
      pattern text not null,
      is_rewrite boolean not null,
      action text not null,
      target text not null,
      number ${words.id},
      unique (owner_id, pattern, is_rewrite)
    )`,
  sql`
    create table rule_subscriptions (
      id ${words.id},
      owner_id bigint not null references rule_owners (id) on delete cascade,
      address text not null,
      action text not null,
      publisher text not null default '',
      licence text not null default '',
      rules text not null default '',
      rule_count int not null default 0,
      etag text not null default '',
      last_modified text not null default '',
      fetched_at timestamptz,
      problem text not null default '',
      due_at timestamptz not null,
      unique (owner_id, address)
    )`,
  sql`create index rule_subscriptions_due_at on rule_subscriptions (due_at)`,
]

const searches = (words: SchemaWords) => [
  sql`
    create table feeds (
      id ${words.id},
      user_id bigint not null references users (id) on delete cascade,
      token_hash bytea not null unique,
      sealed_search bytea not null,
      created_at timestamptz not null,
      fetched_at timestamptz,
      searched_at timestamptz[] not null default ${words.emptyArray},
      tag text not null default ''
    )`,
  sql`create index feeds_user_id on feeds (user_id)`,
  sql`
    create table calibrations (
      id ${words.id},
      created_at timestamptz not null default (now()),
      tab text not null,
      lang text not null
    )`,
  sql`
    create table calibration_searches (
      calibration_id bigint not null references calibrations (id) on delete cascade,
      place int not null,
      query text not null,
      results jsonb,
      primary key (calibration_id, place)
    )`,
]

/**
 * `user_id` is the account that an event is about; `actor_id` is who did it, or null if not signed in or on the command
 * line. `detail` is one of our own words or a route. Nothing in a row is user input. An event keeps the id of its key
 * when the key is deleted.
 */
const audit = (words: SchemaWords) => [
  sql`
    create table audit_events (
      id ${words.id},
      at timestamptz not null,
      event text not null,
      outcome text not null,
      actor_id bigint references users (id) on delete set null,
      user_id bigint references users (id) on delete cascade,
      key_id bigint,
      via text not null,
      network text not null,
      detail text not null
    )`,
  sql`create index audit_events_at on audit_events (at)`,
  sql`create index audit_events_user_id on audit_events (user_id, id)`,
  sql`create index audit_events_actor_id on audit_events (actor_id, id)`,
  sql`create index audit_events_event on audit_events (event, id)`,
  // Every node looks for these each second, to drop the keys of deleted accounts.
  sql`create index audit_events_deletions on audit_events (id) where event = 'user-deleted'`,
]

const usage = (words: SchemaWords) => [
  sql`
    create table usage_daily (
      day date not null,
      key_id bigint not null,
      endpoint text not null,
      source text not null,
      counted bigint not null default 0,
      primary key (key_id, day, endpoint, source)
    ) ${words.byMonth}`,
  ...words.partitions,
  // Total usage of all keys, for days that no longer change. A day without usage has one row with an empty endpoint.
  sql`
    create table usage_totals (
      day date not null,
      endpoint text not null,
      count bigint not null,
      primary key (day, endpoint)
    )`,
]

/** Transitions: the writer chooses `id`, so a repeated write adds nothing; `number` orders those of one millisecond. */
const providers = (words: SchemaWords) => [
  sql`
    create table provider_costs (
      day date not null,
      provider text not null,
      source text not null,
      calls bigint not null default 0,
      micros bigint not null default 0,
      primary key (day, provider, source)
    ) ${words.roomForUpdates}`,
  sql`
    create table provider_budgets (
      provider text not null,
      month date not null,
      calls bigint not null default 0,
      micros bigint not null default 0,
      primary key (provider, month)
    ) ${words.roomForUpdates}`,
  sql`
    create table engine_contributions (
      day date not null,
      engine text not null,
      source text not null,
      searches bigint not null default 0,
      results bigint not null default 0,
      returned bigint not null default 0,
      alone bigint not null default 0,
      calls bigint not null default 0,
      failures bigint not null default 0,
      answer_ms bigint not null default 0,
      primary key (day, engine, source)
    ) ${words.roomForUpdates}`,
  sql`
    create table provider_transitions (
      id uuid not null unique,
      number ${words.id},
      provider text not null,
      provider_group text not null,
      from_state text not null,
      to_state text not null,
      at timestamptz not null,
      reason text not null
    )`,
  sql`create index provider_transitions_at on provider_transitions (at, number)`,
]

/** Each has a single row. The secret is what all nodes sign with, unless INSTANCE_SECRET is set. */
const instance = () => [
  sql`
    create table instance_secret (
      is_only boolean not null primary key default true check (is_only),
      secret text not null
    )`,
  sql`
    create table settings (
      is_only boolean not null primary key default true check (is_only),
      version bigint not null,
      content jsonb not null
    )`,
]

export async function createFirstSchema(db: Kysely<Schema>): Promise<void> {
  const { schemaWords } = getStatements(db)
  const tables = [accounts, keys, siteRules, searches, audit, usage, providers, instance]
  for (const statement of tables.flatMap((create) => create(schemaWords))) await statement.execute(db)
}
