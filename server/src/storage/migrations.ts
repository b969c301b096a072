// The schema, step by step. A step that has been released is never edited; a new one is added below it.
// Every process runs these at start; Kysely's migrator takes a lock, so that many nodes may start at once.
import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import type { Schema } from './schema.ts'

const firstTables: Migration = {
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
        refunded bigint not null default 0,
        primary key (key_id, day, endpoint, source)
      ) partition by range (day)`.execute(db)
    await sql`create table usage_daily_other partition of usage_daily default`.execute(db)
  },
}

const providerLedger: Migration = {
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

/** `id` is the writer's own, so that a repeated write adds nothing; `number` orders what happened in one millisecond. */
const providerTransitions: Migration = {
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

/** Nodes of the release before go on beside it: they neither read nor write anything of this. */
const accounts: Migration = {
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

/** One row: what all nodes of the instance sign with, when the operator has not given them a secret. */
const instanceSecret: Migration = {
  async up(db) {
    await sql`
      create table instance_secret (
        is_only boolean primary key default true check (is_only),
        secret text not null
      )`.execute(db)
  },
}

/** Rows arrive day by day, so that blocks of the table know their days: an index of a few pages, which costs no write. */
const usageByDay: Migration = {
  async up(db) {
    await sql`create index usage_daily_day on usage_daily using brin (day)`.execute(db)
  },
}

const STEPS: Record<string, Migration> = {
  '0001-first-tables': firstTables,
  '0002-provider-ledger': providerLedger,
  '0003-provider-transitions': providerTransitions,
  '0004-accounts': accounts,
  '0005-instance-secret': instanceSecret,
  '0006-usage-by-day': usageByDay,
}

export async function migrate(db: Kysely<Schema>): Promise<string[]> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => STEPS } })
  const { error, results = [] } = await migrator.migrateToLatest()
  if (error) throw error
  return results.map((result) => result.migrationName)
}

/**
 * Makes the partition of a month ('2026-11') unless it is there. A row that arrives for a month without one goes to
 * `usage_daily_other`, so a late start loses nothing; such a month simply stays there.
 */
export async function ensureUsagePartition(db: Kysely<Schema>, month: string): Promise<void> {
  const name = `usage_daily_${month.replace('-', '_')}`
  const [year = 0, monthOfYear = 0] = month.split('-').map(Number)
  const next = new Date(Date.UTC(year, monthOfYear, 1)).toISOString().slice(0, 10)
  await sql`
    do ${sql.lit(`begin
      if to_regclass('${name}') is null
        and not exists (select from usage_daily_other where day >= '${month}-01' and day < '${next}') then
        create table ${name} partition of usage_daily for values from ('${month}-01') to ('${next}');
      end if;
    exception when duplicate_table or unique_violation then null;
    end`)}`.execute(db)
}
