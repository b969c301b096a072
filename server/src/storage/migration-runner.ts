// Brings a schema up to date, and judges one that is newer than the code. Each step says whether it only adds to the
// schema; that is recorded in the database with the version that took it, because only there can an older version read
// it. An older version starts as long as all steps it does not know only add.
//
// The steps run in one transaction under a lock of that transaction, so that many nodes can start at once, also through
// a connection pooler. Nothing is locked or written if there is nothing to do: a role without rights on the schema can
// start then. The names of tables and lock are those of Kysely's migrator, which took the first steps.
import { type Kysely, sql } from 'kysely'
import { Refusal } from '../errors.ts'
import type { Schema } from './schema.ts'

export interface SchemaStep {
  /** Versions that do not know this step go on working with the schema. */
  isAdditive: boolean
  up: (db: Kysely<Schema>) => Promise<void>
}

export interface MigrationPlan {
  /** By name, in order. */
  steps: Record<string, SchemaStep>
  /** Of this program. */
  version: string
}

const LOCK = '3853314791062309107'
const MAY_NOT = '42501'
const MAY_NOT_MIGRATE =
  'The database must be migrated, which the user in DATABASE_URL may not do. Run bowerbird migrate as the owner of the tables.'

/** The names of the steps that it took. Refuses a schema that this version cannot work with. */
export async function runMigrations(db: Kysely<Schema>, plan: MigrationPlan): Promise<string[]> {
  if ((await findPending(db, plan)).length === 0) return []
  try {
    return await db.transaction().execute((transaction) => takeSteps(transaction, plan))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === MAY_NOT)) throw error
    throw new Refusal(503, MAY_NOT_MIGRATE)
  }
}

async function takeSteps(transaction: Kysely<Schema>, plan: MigrationPlan): Promise<string[]> {
  await sql`select pg_advisory_xact_lock(${sql.lit(LOCK)}::bigint)`.execute(transaction)
  await sql`
    create table if not exists kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null)`.execute(
    transaction,
  )
  // Another node may have been faster.
  const pending = await findPending(transaction, plan)
  for (const name of pending) await takeStep(transaction, plan, name)
  if (pending.length > 0) await recordKinds(transaction, plan)
  return pending
}

async function takeStep(transaction: Kysely<Schema>, { steps }: MigrationPlan, name: string): Promise<void> {
  await steps[name]?.up(transaction)
  await sql`insert into kysely_migration (name, timestamp) values (${name}, ${new Date().toISOString()})`.execute(
    transaction,
  )
}

async function recordKinds(transaction: Kysely<Schema>, { steps, version }: MigrationPlan): Promise<void> {
  if (!(await hasTable(transaction, 'schema_steps'))) return
  const rows = Object.entries(steps).map(([name, { isAdditive }]) => ({ name, is_additive: isAdditive, version }))
  await transaction
    .insertInto('schema_steps')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

async function findPending(db: Kysely<Schema>, plan: MigrationPlan): Promise<string[]> {
  const taken = await readTaken(db)
  const unknown = [...taken].filter((name) => !Object.hasOwn(plan.steps, name))
  if (unknown.length > 0) await refuseBreaking(db, unknown, plan)
  return Object.keys(plan.steps).filter((name) => !taken.has(name))
}

async function readTaken(db: Kysely<Schema>): Promise<Set<string>> {
  if (!(await hasTable(db, 'kysely_migration'))) return new Set()
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
  return new Set(rows.map(({ name }) => name))
}

async function refuseBreaking(db: Kysely<Schema>, unknown: string[], { version }: MigrationPlan): Promise<void> {
  const known = (await hasTable(db, 'schema_steps'))
    ? await db.selectFrom('schema_steps').selectAll().where('name', 'in', unknown).execute()
    : []
  const additive = new Set(known.filter(({ is_additive }) => is_additive).map(({ name }) => name))
  const breaking = unknown.filter((name) => !additive.has(name)).sort()
  if (breaking.length === 0) return
  const last = breaking.at(-1)
  const migratedBy = known.find(({ name }) => name === last)?.version
  const needed = migratedBy === undefined ? 'the version that migrated it' : `version ${migratedBy} or later`
  throw new Refusal(
    503,
    `Version ${version} cannot work with this database, whose schema is newer (${last}). Start ${needed}, or restore a backup from before the upgrade.`,
  )
}

async function hasTable(db: Kysely<Schema>, name: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`select to_regclass(${name}) is not null as found`.execute(db)
  return rows[0]?.found ?? false
}
