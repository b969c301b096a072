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

const STEPS: Record<string, Migration> = {
  '0001-first-tables': firstTables,
  '0002-provider-ledger': providerLedger,
  '0003-provider-transitions': providerTransitions,
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
