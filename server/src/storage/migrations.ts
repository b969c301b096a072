// The schema, step by step. A released step is never edited; new ones are added below it, or in `steps/`. Every process
// takes the steps that are missing when it starts. A step says of itself whether it only adds; `migration-runner.ts` says
// why.
import { type Kysely, sql } from 'kysely'
import { VERSION } from '../config/version.ts'
import { runMigrations, type SchemaStep } from './migration-runner.ts'
import type { Schema } from './schema.ts'
import { engineContributions } from './steps/engine-contributions.ts'
import { instanceChoices } from './steps/instance-choices.ts'
import { usageTotals } from './steps/usage-totals.ts'

const firstTables: SchemaStep = {
  isAdditive: true,
  async up(db) {
    await sql`
      create table users (
        id bigint generated always as identity primary key,
        username text not null unique check (username = lower(username)),
        password_hash text not null,
        is_admin boolean not null default false,
        disabled_at timestamptz,
        created_at timestamptz not null default now()
      )`.execute(db)
    await sql`
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
      )`.execute(db)
    await sql`create index api_keys_user_id on api_keys (user_id)`.execute(db)
    await sql`create index api_keys_updated_at on api_keys (updated_at)`.execute(db)
    await sql`
      create table key_secrets (
        prefix text primary key,
        key_id bigint not null references api_keys (id),
        secret_hash bytea not null,
        expires_at timestamptz,
        created_at timestamptz not null default now()
      )`.execute(db)
    await sql`create index key_secrets_key_id on key_secrets (key_id)`.execute(db)
    await sql`
      create table usage_daily (
        day date not null,
        key_id bigint not null,
        endpoint text not null,
        source text not null,
        counted bigint not null default 0,
        primary key (key_id, day, endpoint, source)
      ) partition by range (day)`.execute(db)
    await sql`create table usage_daily_other partition of usage_daily default`.execute(db)
  },
}

const providerLedger: SchemaStep = {
  isAdditive: true,
  async up(db) {
    await sql`
      create table provider_costs (
        day date not null,
        provider text not null,
        source text not null,
        calls bigint not null default 0,
        micros bigint not null default 0,
        primary key (day, provider, source)
      )`.execute(db)
  },
}

/**
 * `id` comes from the writer, so a repeated write adds nothing; `number` orders transitions within one millisecond.
 */
const providerTransitions: SchemaStep = {
  isAdditive: true,
  async up(db) {
    await sql`
      create table provider_transitions (
        id uuid primary key,
        number bigint generated always as identity,
        provider text not null,
        provider_group text not null,
        from_state text not null,
        to_state text not null,
        at timestamptz not null,
        reason text not null
      )`.execute(db)
    await sql`create index provider_transitions_at on provider_transitions (at, number)`.execute(db)
  },
}

/** Nodes of the previous release keep working: they neither read nor write any of this. */
const accounts: SchemaStep = {
  isAdditive: true,
  async up(db) {
    await sql`alter table users add column password_is_temporary boolean not null default false`.execute(db)
    await sql`
      create table sessions (
        id bigint generated always as identity primary key,
        token_hash bytea not null unique,
        user_id bigint not null references users (id),
        browser text not null,
        created_at timestamptz not null,
        last_seen_at timestamptz not null,
        expires_at timestamptz not null
      )`.execute(db)
    await sql`create index sessions_user_id on sessions (user_id)`.execute(db)
    await sql`create index sessions_expires_at on sessions (expires_at)`.execute(db)
    await sql`
      create table sign_in_tickets (
        token_hash bytea primary key,
        user_id bigint not null references users (id),
        step text not null,
        wrong_codes integer not null default 0,
        expires_at timestamptz not null
      )`.execute(db)
    await sql`create index sign_in_tickets_user_id on sign_in_tickets (user_id)`.execute(db)
    await sql`
      create table second_factors (
        user_id bigint primary key references users (id),
        sealed_secret bytea not null,
        confirmed_at timestamptz,
        last_step integer not null default 0
      )`.execute(db)
    await sql`
      create table recovery_codes (
        user_id bigint not null references users (id),
        code_hash bytea not null,
        primary key (user_id, code_hash)
      )`.execute(db)
    await sql`
      create table setup_tokens (
        token_hash bytea primary key,
        created_at timestamptz not null
      )`.execute(db)
  },
}

/** One row: the secret that all nodes sign with, unless the operator has set one. */
const instanceSecret: SchemaStep = {
  isAdditive: true,
  async up(db) {
    await sql`
      create table instance_secret (
        is_only boolean primary key default true check (is_only),
        secret text not null
      )`.execute(db)
  },
}

/**
 * Rows arrive day by day, so a BRIN index fits: it takes a few pages and costs hardly anything on write.
 */
const usageByDay: SchemaStep = {
  isAdditive: true,
  async up(db) {
    await sql`create index usage_daily_day on usage_daily using brin (day)`.execute(db)
  },
}

/**
 * `user_id` is the account an event is about; `actor_id` is who did it, or null for someone who is not signed in and for
 * the command line. `detail` is one of our own words or a route. Nothing in a row was typed by anyone.
 */
const auditEvents: SchemaStep = {
  isAdditive: true,
  async up(db) {
    await sql`
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
      )`.execute(db)
    await sql`create index audit_events_at on audit_events (at)`.execute(db)
    await sql`create index audit_events_user_id on audit_events (user_id, id)`.execute(db)
    await sql`create index audit_events_actor_id on audit_events (actor_id, id)`.execute(db)
    await sql`create index audit_events_event on audit_events (event, id)`.execute(db)
  },
}

/** Nodes of the previous release neither read nor write any of this. */
const accountSecurity: SchemaStep = {
  isAdditive: true,
  async up(db) {
    await sql`alter table users add column password_made_at timestamptz, add column passkey_handle bytea`.execute(db)
    // Counted from today: it is not known when existing ones were generated.
    await sql`update users set password_made_at = now() where password_is_temporary`.execute(db)
    await sql`alter table sessions add column confirmed_at timestamptz`.execute(db)
    await sql`
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
      )`.execute(db)
    await sql`create index passkeys_user_id on passkeys (user_id)`.execute(db)
    await sql`
      create table passkey_challenges (
        challenge_hash bytea primary key,
        purpose text not null,
        user_id bigint references users (id),
        expires_at timestamptz not null
      )`.execute(db)
    await sql`create index passkey_challenges_expires_at on passkey_challenges (expires_at)`.execute(db)
  },
}

/** What each step did to versions that do not know it, and the version that took it. */
const schemaSteps: SchemaStep = {
  isAdditive: true,
  async up(db) {
    await sql`
      create table schema_steps (
        name text primary key,
        is_additive boolean not null,
        version text not null
      )`.execute(db)
  },
}

/**
 * Rows that are updated all the time get room in their pages: an update that stays in its page touches no index. It
 * holds for pages that are written from now on. Partitions that come later bring it along.
 */
const roomForUpdates: SchemaStep = {
  isAdditive: true,
  async up(db) {
    await sql`alter table api_keys set (fillfactor = 85)`.execute(db)
    await sql`alter table provider_costs set (fillfactor = 70)`.execute(db)
    await sql`
      do ${sql.lit(`declare part regclass;
      begin
        for part in select inhrelid from pg_inherits where inhparent = 'usage_daily'::regclass loop
          execute format('alter table %s set (fillfactor = 70)', part);
        end loop;
      end`)}`.execute(db)
  },
}

/** For the keys of one user in pages: by the user alone, PostgreSQL would rather look through everybody's. */
const keysOfUser: SchemaStep = {
  isAdditive: true,
  async up(db) {
    await sql`create index api_keys_user_id_id on api_keys (user_id, id)`.execute(db)
    await sql`drop index api_keys_user_id`.execute(db)
  },
}

const providerBudgets: SchemaStep = {
  isAdditive: true,
  async up(db) {
    await sql`
      create table provider_budgets (
        provider text not null,
        month date not null,
        calls bigint not null default 0,
        micros bigint not null default 0,
        primary key (provider, month)
      ) with (fillfactor = 70)`.execute(db)
  },
}

const STEPS: Record<string, SchemaStep> = {
  '0001-first-tables': firstTables,
  '0002-provider-ledger': providerLedger,
  '0003-provider-transitions': providerTransitions,
  '0004-accounts': accounts,
  '0005-instance-secret': instanceSecret,
  '0006-usage-by-day': usageByDay,
  '0007-audit-events': auditEvents,
  '0008-account-security': accountSecurity,
  '0009-schema-steps': schemaSteps,
  '0010-room-for-updates': roomForUpdates,
  '0011-usage-totals': usageTotals,
  '0012-keys-of-user': keysOfUser,
  '0013-engine-contributions': engineContributions,
  '0014-instance-choices': instanceChoices,
  '0015-provider-budgets': providerBudgets,
}

export const migrate = (db: Kysely<Schema>): Promise<string[]> => runMigrations(db, { steps: STEPS, version: VERSION })
