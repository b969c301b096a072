// The first schema, created in an empty database. It's frozen: every change is a new step in `migrations.ts`.
import { type Kysely, sql } from 'kysely'
import type { Schema } from './schema.ts'

/** Counters are updated up to once a second: with free space in its page, an update touches no index. */
const ROOM_FOR_UPDATES = sql`with (fillfactor = 70)`

const ACCOUNTS = [
  sql`
    create table users (
      id bigint generated always as identity primary key,
      username text not null unique check (username = lower(username)),
      password_hash text not null,
      password_is_temporary boolean not null default false,
      password_made_at timestamptz,
      passkey_handle bytea,
      is_admin boolean not null default false,
      disabled_at timestamptz,
      created_at timestamptz not null default now()
    )`,
  sql`
    create table sessions (
      id bigint generated always as identity primary key,
      token_hash bytea not null unique,
      user_id bigint not null references users (id),
      browser text not null,
      created_at timestamptz not null,
      last_seen_at timestamptz not null,
      expires_at timestamptz not null,
      confirmed_at timestamptz
    )`,
  sql`create index sessions_user_id on sessions (user_id)`,
  sql`create index sessions_expires_at on sessions (expires_at)`,
  sql`
    create table sign_in_tickets (
      token_hash bytea primary key,
      user_id bigint not null references users (id),
      step text not null,
      wrong_codes integer not null default 0,
      expires_at timestamptz not null
    )`,
  sql`create index sign_in_tickets_user_id on sign_in_tickets (user_id)`,
  sql`
    create table second_factors (
      user_id bigint primary key references users (id),
      sealed_secret bytea not null,
      confirmed_at timestamptz,
      last_step integer not null default 0
    )`,
  sql`
    create table recovery_codes (
      user_id bigint not null references users (id),
      code_hash bytea not null,
      primary key (user_id, code_hash)
    )`,
  sql`
    create table passkeys (
      id bigint generated always as identity primary key,
      user_id bigint not null references users (id),
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
      challenge_hash bytea primary key,
      purpose text not null,
      user_id bigint references users (id),
      expires_at timestamptz not null
    )`,
  sql`create index passkey_challenges_expires_at on passkey_challenges (expires_at)`,
  sql`
    create table setup_tokens (
      token_hash bytea primary key,
      created_at timestamptz not null
    )`,
]

const KEYS = [
  sql`
    create table api_keys (
      id bigint generated always as identity primary key,
      user_id bigint not null references users (id),
      name text not null default '',
      scopes text[] not null,
      burst text,
      sustained text,
      expires_at timestamptz,
      revoked_at timestamptz,
      last_used_at timestamptz,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    ) with (fillfactor = 85)`,
  // For paging through one user's keys: with an index on user_id alone, PostgreSQL would rather scan all keys.
  sql`create index api_keys_user_id_id on api_keys (user_id, id)`,
  sql`create index api_keys_updated_at on api_keys (updated_at)`,
  sql`
    create table key_secrets (
      prefix text primary key,
      key_id bigint not null references api_keys (id),
      secret_hash bytea not null,
      expires_at timestamptz,
      created_at timestamptz not null default now()
    )`,
  sql`create index key_secrets_key_id on key_secrets (key_id)`,
]

/**
 * `user_id` is the account that an event is about; `actor_id` is who did it, or null if not signed in or on the command
 * line. `detail` is one of our own words or a route. Nothing in a row is user input.
 */
const AUDIT = [
  sql`
    create table audit_events (
      id bigint generated always as identity primary key,
      at timestamptz not null,
      event text not null,
      outcome text not null,
      actor_id bigint references users (id),
      user_id bigint references users (id),
      key_id bigint references api_keys (id),
      via text not null,
      network text not null,
      detail text not null
    )`,
  sql`create index audit_events_at on audit_events (at)`,
  sql`create index audit_events_user_id on audit_events (user_id, id)`,
  sql`create index audit_events_actor_id on audit_events (actor_id, id)`,
  sql`create index audit_events_event on audit_events (event, id)`,
]

const USAGE = [
  sql`
    create table usage_daily (
      day date not null,
      key_id bigint not null,
      endpoint text not null,
      source text not null,
      counted bigint not null default 0,
      primary key (key_id, day, endpoint, source)
    ) partition by range (day)`,
  sql`create table usage_daily_other partition of usage_daily default ${ROOM_FOR_UPDATES}`,
  // Rows arrive day by day, so a BRIN index fits: it's a few pages and costs almost nothing on write.
  sql`create index usage_daily_day on usage_daily using brin (day)`,
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
const PROVIDERS = [
  sql`
    create table provider_costs (
      day date not null,
      provider text not null,
      source text not null,
      calls bigint not null default 0,
      micros bigint not null default 0,
      primary key (day, provider, source)
    ) ${ROOM_FOR_UPDATES}`,
  sql`
    create table provider_budgets (
      provider text not null,
      month date not null,
      calls bigint not null default 0,
      micros bigint not null default 0,
      primary key (provider, month)
    ) ${ROOM_FOR_UPDATES}`,
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
    ) ${ROOM_FOR_UPDATES}`,
  sql`
    create table provider_transitions (
      id uuid primary key,
      number bigint generated always as identity,
      provider text not null,
      provider_group text not null,
      from_state text not null,
      to_state text not null,
      at timestamptz not null,
      reason text not null
    )`,
  sql`create index provider_transitions_at on provider_transitions (at, number)`,
]

/** The secret, in a single row, is what all nodes sign with, unless INSTANCE_SECRET is set. */
const INSTANCE = [
  sql`
    create table instance_secret (
      is_only boolean primary key default true check (is_only),
      secret text not null
    )`,
  sql`create table instance_choices (name text primary key, value text not null)`,
]

export async function createFirstSchema(db: Kysely<Schema>): Promise<void> {
  for (const statement of [...ACCOUNTS, ...KEYS, ...AUDIT, ...USAGE, ...PROVIDERS, ...INSTANCE]) {
    await statement.execute(db)
  }
}
