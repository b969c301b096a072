// For tests: a migrated database of one's own, on the real PostgreSQL or in SQLite, gone afterwards. A test called
// `*.database.test.ts` runs on both.
import type { Kysely } from 'kysely'
import { createDataFolder } from '../../test/support/data-folder.ts'
import { createTemporaryDatabase } from '../../test/support/temporary-database.ts'
import { createLog } from '../log.ts'
import type { Database } from '../store/database.ts'
import { getStatements } from '../store/get-statements.ts'
import { migrate } from '../store/migrations.ts'
import { openPostgres } from '../store/postgres.ts'
import type { Schema } from '../store/schema.ts'
import { openSqlite } from '../store/sqlite.ts'

interface TestDatabase {
  database: Database
  drop: () => Promise<void>
}

export type DatabaseKind = 'postgres' | 'sqlite'

export const DATABASE_KINDS: readonly DatabaseKind[] = ['postgres', 'sqlite']

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

async function openInProcess(): Promise<TestDatabase> {
  const database = await openSqlite(await createDataFolder(), createLog('silent'))
  return { database, drop: () => database.close() }
}

/** Every row of a table, as a backup has it. */
export const rowsAsJson = (db: Kysely<Schema>, name: keyof Schema): Promise<string[]> =>
  getStatements(db).withSnapshot(db, async (snapshot) => {
    const table = (await getStatements(snapshot).listTables(snapshot)).find(({ table }) => table === name)
    return table ? (await Array.fromAsync(getStatements(snapshot).readRowsAsJson(snapshot, table))).flat() : []
  })

export const emptyTables = (db: Kysely<Schema>, ...tables: (keyof Schema)[]): Promise<void> =>
  getStatements(db).emptyTables(db, tables)
