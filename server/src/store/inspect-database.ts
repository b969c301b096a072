// Facts about a database that `bowerbird doctor` judges. Reads only.
import type { Kysely } from 'kysely'
import { getStatements } from './get-statements.ts'
import { findPending } from './migrations.ts'
import type { Schema } from './schema.ts'
import type { ServerFacts } from './statements.ts'

export interface DatabaseFacts extends Omit<ServerFacts, 'now'> {
  /** Milliseconds that its clock is ahead of ours; negative if behind. */
  clockAheadMs: number
  hasSchema: boolean
  /** Whether steps of the schema are missing. */
  mustMigrate: boolean
}

/**
 * Fails where a server would: if the schema is of a version that this one can't work with, or if there are no
 * transactions, as behind a pooler in statement mode.
 */
export const inspectDatabase = (db: Kysely<Schema>): Promise<DatabaseFacts> => db.transaction().execute(readFacts)

async function readFacts(db: Kysely<Schema>): Promise<DatabaseFacts> {
  const { readServerFacts, hasTable } = getStatements(db)
  const askedAt = Date.now()
  const { now, ...facts } = await readServerFacts(db)
  return {
    ...facts,
    // The database read its clock between the question and now: assume halfway.
    clockAheadMs: now - (askedAt + Date.now()) / 2,
    hasSchema: await hasTable(db, 'users'),
    mustMigrate: (await findPending(db)).length > 0,
  }
}
