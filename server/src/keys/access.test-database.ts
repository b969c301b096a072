// For tests: a migrated database of one's own, on the real PostgreSQL or in PGlite, gone afterwards. A test called
// `*.database.test.ts` runs on both.
import { sql } from 'kysely'
import { createPgliteFolder } from '../../test/support/pglite-folder.ts'
import { createTemporaryDatabase } from '../../test/support/temporary-database.ts'
import { createLog } from '../log.ts'
import { type Database, openPglite, openPostgres } from '../postgres/database.ts'
import { migrate } from '../postgres/migrations.ts'

interface TestDatabase {
  database: Database
  drop: () => Promise<void>
}

export type DatabaseKind = 'postgres' | 'pglite'

export const DATABASE_KINDS: readonly DatabaseKind[] = ['postgres', 'pglite']

export const openTestDatabase = (kind: DatabaseKind): Promise<TestDatabase> =>
  kind === 'postgres' ? openOnServer() : openInProcess()

async function openOnServer(): Promise<TestDatabase> {
  const temporary = await createTemporaryDatabase()
  const database = openPostgres(temporary.url, createLog('silent'))
  await migrate(database.db)
  return {
    database,
    async drop() {
      await database.close()
      await temporary.drop()
    },
  }
}

let opening: Promise<Database> | undefined

/** To begin and migrate a PGlite takes seconds, so test files that share a process share it, one after the other. */
async function openInProcess(): Promise<TestDatabase> {
  opening ??= openMigrated()
  const database = await opening
  return { database, drop: () => emptyTables(database) }
}

async function openMigrated(): Promise<Database> {
  const database = openPglite(await createPgliteFolder())
  await migrate((await database).db)
  return database
}

/** Migrations write no rows but their own names, and make no month's partition: without those it is as it was new. */
async function emptyTables({ db }: Database): Promise<void> {
  const months = await sql<{ name: string }>`
    select inhrelid::regclass::text as name from pg_inherits
    where inhparent = 'usage_daily'::regclass and inhrelid <> 'usage_daily_other'::regclass`.execute(db)
  for (const { name } of months.rows) await sql.raw(`drop table ${name}`).execute(db)
  const { rows } = await sql<{ name: string }>`
    select format('%I', relname) as name from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where nspname = 'public' and relkind in ('r', 'p') and not relispartition
      and relname <> 'schema_steps'`.execute(db)
  await sql.raw(`truncate ${rows.map(({ name }) => name).join(', ')} restart identity cascade`).execute(db)
}
