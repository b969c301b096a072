// Migrates the schema: every process runs the missing steps when it starts. The schema only moves forward: a released
// step is never edited, and a change is a new step.
//
// Each step declares whether it only adds to the schema. The database records that, with the version that ran the step,
// because it's the only place where an older version can read it: an older version starts as long as all steps that it
// doesn't know are additive. (Kysely's migrator refuses any step that it doesn't know.)
//
// The steps run in one transaction under a transaction-level lock, so that many nodes can start together, even through
// a connection pooler. With nothing to do, nothing is locked or written, so a role without rights on the schema can
// start.
import { type Kysely, sql } from 'kysely'
import { VERSION } from '../config/version.ts'
import { Refusal } from '../errors.ts'
import { isPermissionDenied } from './database.ts'
import { createFirstSchema } from './first-schema.ts'
import type { Schema } from './schema.ts'

export interface SchemaStep {
  /** Whether versions that don't know this step keep working with the schema. */
  isAdditive: boolean
  up: (db: Kysely<Schema>) => Promise<void>
}

export interface MigrationPlan {
  /** By name, in order. */
  steps: Record<string, SchemaStep>
  /** The version of this program. */
  version: string
}

const PLAN: MigrationPlan = {
  version: VERSION,
  steps: {
    '0001-first-schema': { isAdditive: true, up: createFirstSchema },
    '0002-key-networks': { isAdditive: true, up: addKeyNetworks },
    '0003-settings': { isAdditive: false, up: addSettings },
    '0004-person-services': { isAdditive: true, up: addPersonServices },
    '0005-oauth': { isAdditive: true, up: addOauth },
    '0006-site-rules': { isAdditive: true, up: addSiteRules },
    '0007-calibrations': { isAdditive: true, up: addCalibrations },
    '0008-identities': { isAdditive: true, up: addIdentities },
    '0009-accounts': { isAdditive: true, up: completeAccounts },
    '0010-feeds': { isAdditive: true, up: addFeeds },
  },
}

/**
 * The networks that a key is restricted to, and those it has been used from. An event keeps the id of its key when the
 * key is deleted. Nodes of an older version don't know the restriction, and let such a key in from everywhere.
 */
async function addKeyNetworks(db: Kysely<Schema>): Promise<void> {
  await sql`
    alter table api_keys
      add column networks text[] not null default '{}',
      add column seen_networks text[] not null default '{}'`.execute(db)
  await sql`alter table audit_events drop constraint audit_events_key_id_fkey`.execute(db)
}

/** Settings that administrators change while the instance runs. What they chose before becomes their first version. */
async function addSettings(db: Kysely<Schema>): Promise<void> {
  await sql`
    create table settings (
      version bigint primary key,
      at timestamptz not null default now(),
      actor_id bigint references users (id),
      via text not null,
      content jsonb not null
    )`.execute(db)
  await sql`
    insert into settings (version, via, content)
    select 1, 'website', jsonb_build_object('KEYLESS_ENGINES', value)
    from instance_choices where name = 'keyless'`.execute(db)
  await sql`drop table instance_choices`.execute(db)
}

/** Services that people search for themselves alone. */
async function addPersonServices(db: Kysely<Schema>): Promise<void> {
  await sql`
    create table person_services (
      id bigint generated always as identity primary key,
      user_id bigint not null references users (id) on delete cascade,
      engine text not null,
      sealed_settings bytea not null,
      created_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index person_services_user_id on person_services (user_id)`.execute(db)
}

/** Programs that people connect by OAuth: each has a key, and what the authorization server keeps about it. */
async function addOauth(db: Kysely<Schema>): Promise<void> {
  await sql`alter table api_keys add column oauth_client text`.execute(db)
  await sql`
    create table oauth_state (
      model text not null,
      id_hash bytea not null,
      key_id bigint references api_keys (id) on delete cascade,
      payload jsonb not null,
      consumed_at timestamptz,
      expires_at timestamptz not null,
      primary key (model, id_hash)
    )`.execute(db)
  await sql`create index oauth_state_key_id on oauth_state (key_id)`.execute(db)
  await sql`create index oauth_state_expires_at on oauth_state (expires_at)`.execute(db)
}

/** What the instance, people and keys want of some sites, and the lists of such rules that they subscribe to. */
async function addSiteRules(db: Kysely<Schema>): Promise<void> {
  await sql`
    create table rule_owners (
      id bigint generated always as identity primary key,
      user_id bigint unique references users (id) on delete cascade,
      key_id bigint unique references api_keys (id) on delete cascade,
      version bigint not null,
      rule_count integer not null default 0,
      check (user_id is null or key_id is null)
    )`.execute(db)
  await sql`
    create unique index rule_owners_instance on rule_owners ((true))
    where user_id is null and key_id is null`.execute(db)
  await sql`create index rule_owners_version on rule_owners (version)`.execute(db)
  await sql`
    create table site_rules (
      owner_id bigint not null references rule_owners (id) on delete cascade,
      pattern text not null,
      is_rewrite boolean not null,
      action text not null,
      target text not null,
      number bigint generated always as identity,
      primary key (owner_id, pattern, is_rewrite)
    )`.execute(db)
  await sql`
    create table rule_subscriptions (
      id bigint generated always as identity primary key,
      owner_id bigint not null references rule_owners (id) on delete cascade,
      address text not null,
      action text not null,
      publisher text not null default '',
      licence text not null default '',
      rules text not null default '',
      rule_count integer not null default 0,
      etag text not null default '',
      last_modified text not null default '',
      fetched_at timestamptz,
      problem text not null default '',
      due_at timestamptz not null,
      unique (owner_id, address)
    )`.execute(db)
  await sql`create index rule_subscriptions_due_at on rule_subscriptions (due_at)`.execute(db)
}

/** Searches whose results administrators grade, to find out how much each engine should count. */
async function addCalibrations(db: Kysely<Schema>): Promise<void> {
  await sql`
    create table calibrations (
      id bigint generated always as identity primary key,
      created_at timestamptz not null default now(),
      tab text not null,
      lang text not null
    )`.execute(db)
  await sql`
    create table calibration_searches (
      calibration_id bigint not null references calibrations (id) on delete cascade,
      place integer not null,
      query text not null,
      results jsonb,
      primary key (calibration_id, place)
    )`.execute(db)
}

/** Accounts elsewhere that people sign in with, and what each session was started with. */
async function addIdentities(db: Kysely<Schema>): Promise<void> {
  await sql`
    create table identities (
      issuer text not null,
      subject text not null,
      user_id bigint not null references users (id) on delete cascade,
      grants_admin boolean not null default false,
      created_at timestamptz not null default now(),
      last_used_at timestamptz,
      primary key (issuer, subject),
      unique (user_id, issuer)
    )`.execute(db)
  await sql`alter table sessions add column signed_in_by text`.execute(db)
}

const CASCADE = sql`cascade`
const SET_NULL = sql`set null`

/** What becomes of a row when the account or key in one of its columns is deleted. */
const OWNERS = [
  ['sessions', 'user_id', 'users', CASCADE],
  ['sign_in_tickets', 'user_id', 'users', CASCADE],
  ['second_factors', 'user_id', 'users', CASCADE],
  ['recovery_codes', 'user_id', 'users', CASCADE],
  ['passkeys', 'user_id', 'users', CASCADE],
  ['passkey_challenges', 'user_id', 'users', CASCADE],
  ['api_keys', 'user_id', 'users', CASCADE],
  ['key_secrets', 'key_id', 'api_keys', CASCADE],
  ['audit_events', 'user_id', 'users', CASCADE],
  ['audit_events', 'actor_id', 'users', SET_NULL],
  ['settings', 'actor_id', 'users', SET_NULL],
] as const

/**
 * Preferences that follow a person, accounts of services, and invitations; and everything that an account has goes with
 * it. Nodes of an older version don't know services, and would let one in whose name a trusted proxy gives.
 */
async function completeAccounts(db: Kysely<Schema>): Promise<void> {
  await sql`
    alter table users
      add column preferences text,
      add column is_service boolean not null default false`.execute(db)
  await sql`
    create table invitations (
      id bigint generated always as identity primary key,
      token_hash bytea not null unique,
      is_admin boolean not null,
      invited_by bigint references users (id) on delete set null,
      created_at timestamptz not null,
      expires_at timestamptz not null
    )`.execute(db)
  // Every node looks for these each second, to drop the keys of deleted accounts.
  await sql`create index audit_events_deletions on audit_events (id) where event = 'user-deleted'`.execute(db)
  for (const [table, column, owners, action] of OWNERS) {
    const name = sql.ref(`${table}_${column}_fkey`)
    await sql`
      alter table ${sql.table(table)}
        drop constraint ${name},
        add constraint ${name} foreign key (${sql.ref(column)}) references ${sql.table(owners)} (id)
          on delete ${action}`.execute(db)
  }
}

/** Searches that people have made addresses of, for feed readers. */
async function addFeeds(db: Kysely<Schema>): Promise<void> {
  await sql`
    create table feeds (
      id bigint generated always as identity primary key,
      user_id bigint not null references users (id) on delete cascade,
      token_hash bytea not null unique,
      sealed_search bytea not null,
      created_at timestamptz not null,
      fetched_at timestamptz,
      searched_at timestamptz[] not null default '{}',
      tag text not null default ''
    )`.execute(db)
  await sql`create index feeds_user_id on feeds (user_id)`.execute(db)
}

/** An arbitrary number that no other program uses for a lock in this database. */
const LOCK_ID = '3853314791062309107'
const MAY_NOT_MIGRATE =
  'The database must be migrated, which the user in DATABASE_URL may not do. Run bowerbird migrate as the owner of the tables.'

/** Returns the names of the steps it ran. Refuses a schema that this version can't work with. */
export async function migrate(db: Kysely<Schema>, plan = PLAN): Promise<string[]> {
  if ((await findPending(db, plan)).length === 0) return []
  try {
    return await db.transaction().execute((transaction) => runSteps(transaction, plan))
  } catch (error) {
    if (!isPermissionDenied(error)) throw error
    throw new Refusal('storage_unavailable', MAY_NOT_MIGRATE)
  }
}

async function runSteps(transaction: Kysely<Schema>, plan: MigrationPlan): Promise<string[]> {
  await sql`select pg_advisory_xact_lock(${sql.lit(LOCK_ID)}::bigint)`.execute(transaction)
  await sql`
    create table if not exists schema_steps (
      name text primary key,
      is_additive boolean not null,
      version text not null,
      taken_at timestamptz not null default now()
    )`.execute(transaction)
  // Another node may have run them meanwhile.
  const pending = await findPending(transaction, plan)
  for (const [name, { isAdditive, up }] of pending) {
    await up(transaction)
    const row = { name, is_additive: isAdditive, version: plan.version }
    await transaction.insertInto('schema_steps').values(row).execute()
  }
  return pending.map(([name]) => name)
}

/** Returns the steps that the schema lacks. Refuses a schema that this version can't work with. */
export async function findPending(db: Kysely<Schema>, plan = PLAN): Promise<[string, SchemaStep][]> {
  const { rows } = await sql<{ found: boolean }>`select to_regclass('schema_steps') is not null as found`.execute(db)
  const taken = rows[0]?.found ? await db.selectFrom('schema_steps').selectAll().orderBy('name').execute() : []
  const breaking = taken.findLast(({ name, is_additive }) => !is_additive && !Object.hasOwn(plan.steps, name))
  if (breaking) {
    throw new Refusal(
      'storage_unavailable',
      `Version ${plan.version} cannot work with this database, whose schema is newer (${breaking.name}). Start version ${breaking.version} or later, or restore a backup from before the upgrade.`,
    )
  }
  return Object.entries(plan.steps).filter(([name]) => !taken.some((step) => step.name === name))
}
