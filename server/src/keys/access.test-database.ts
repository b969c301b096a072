// For tests: a migrated database of one's own, on the real PostgreSQL or in SQLite, gone afterwards. A test called
// `*.database.test.ts` runs on both.
import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import { afterAll, beforeAll } from 'vitest'
import { CHEAP_PASSWORDS } from '../../test/support/cheap-passwords.ts'
import { createDataFolder } from '../../test/support/data-folder.ts'
import { createTemporaryDatabase } from '../../test/support/temporary-database.ts'
import { createLog } from '../log.ts'
import type { Database } from '../store/database.ts'
import { getStatements } from '../store/get-statements.ts'
import { openPostgres } from '../store/postgres.ts'
import type { Schema } from '../store/schema.ts'
import { openSqlite } from '../store/sqlite.ts'
import type { AdminContext } from './admin-context.ts'
import { createLocalChangeBus } from './key-changes.ts'

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

class UsedDatabase {
  declare database: Database

  get db(): Kysely<Schema> {
    return this.database.db
  }
}

/** To be called where tests are described: they share one. */
export function useTestDatabase(kind: DatabaseKind): UsedDatabase {
  const used = new UsedDatabase()
  let drop: () => Promise<void>
  beforeAll(async () => {
    const opened = await openTestDatabase(kind)
    used.database = opened.database
    drop = opened.drop
  })
  afterAll(() => drop())
  return used
}

export const createAdminContext = (db: Kysely<Schema>, clock: () => number = Date.now): AdminContext => ({
  db,
  clock,
  randomBytes,
  changes: createLocalChangeBus(),
  log: createLog('silent'),
  passwordCost: CHEAP_PASSWORDS,
})

/** Every row of a table, as a backup has it. */
export const rowsAsJson = (db: Kysely<Schema>, name: keyof Schema): Promise<string[]> =>
  getStatements(db).withSnapshot(db, async (snapshot) => {
    const table = (await getStatements(snapshot).listTables(snapshot)).find(({ table }) => table === name)
    return table ? (await Array.fromAsync(getStatements(snapshot).readRowsAsJson(snapshot, table))).flat() : []
  })

export const emptyTables = (db: Kysely<Schema>, ...tables: (keyof Schema)[]): Promise<void> =>
  getStatements(db).emptyTables(db, tables)
