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
import { getStatements } from './get-statements.ts'
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
  },
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
  await getStatements(transaction).lock(transaction, LOCK_ID)
  await sql`
    create table if not exists schema_steps (
      name text not null primary key,
      is_additive boolean not null,
      version text not null,
      taken_at timestamptz not null default (now())
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
  const isNew = !(await getStatements(db).hasTable(db, 'schema_steps'))
  const taken = isNew ? [] : await db.selectFrom('schema_steps').selectAll().orderBy('name').execute()
  const breaking = taken.findLast(({ name, is_additive }) => !is_additive && !Object.hasOwn(plan.steps, name))
  if (breaking) {
    throw new Refusal(
      'storage_unavailable',
      `Version ${plan.version} cannot work with this database, whose schema is newer (${breaking.name}). Start version ${breaking.version} or later, or restore a backup from before the upgrade.`,
    )
  }
  return Object.entries(plan.steps).filter(([name]) => !taken.some((step) => step.name === name))
}
