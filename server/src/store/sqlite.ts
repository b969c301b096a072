// Opens SQLite in the data folder: one file, which belongs to one process at a time (`data-folder.ts`). A power cut loses
// at most the last second, and never the database.
import { join, resolve } from 'node:path'
import { CompiledQuery, type Kysely, sql } from 'kysely'
import { Refusal } from '../errors.ts'
import type { Log } from '../log.ts'
import { ensureDatabaseFile, lockDataFolder, NoDatabase, requireUsedFolder, secureDataFolder } from './data-folder.ts'
import { DATABASE_FILE, explainForeignFile } from './data-folder-owner.ts'
import { type Database, getSqliteCode } from './database.ts'
import type { Schema } from './schema.ts'
import { openConnection } from './sqlite-connection.ts'
import { SQLITE_NAMED } from './sqlite-statements.ts'
import type { StatementName } from './statements.ts'
import { keepLogSynced } from './sync-log.ts'

const DAMAGED = new Set([11, 26])

/** Unless it `mayCreate` a database, leaves a folder without one untouched. */
export async function openSqlite(dataFolder: string, log: Log, mayCreate = true): Promise<Database> {
  if (!mayCreate) requireUsedFolder(dataFolder)
  const unlock = await lockDataFolder(dataFolder)
  try {
    await secureDataFolder(dataFolder)
    const db = await openFile(dataFolder, mayCreate)
    const stopSyncing = keepLogSynced(db, join(dataFolder, DATABASE_FILE), log)
    return {
      db,
      query: (name, values) => runNamed(db, name, values),
      withoutTimeout: (work) => work(db),
      async close() {
        try {
          await stopSyncing()
          await db.destroy()
        } finally {
          unlock()
        }
      },
    }
  } catch (error) {
    unlock()
    throw error
  }
}

async function openFile(dataFolder: string, mayCreate: boolean): Promise<Kysely<Schema>> {
  const path = join(dataFolder, DATABASE_FILE)
  await using opening = new AsyncDisposableStack()
  try {
    if (!(await ensureDatabaseFile(dataFolder, mayCreate))) throw new NoDatabase(dataFolder)
    const db = openConnection(path)
    opening.defer(() => db.destroy())
    const { rows } = await sql<{ journal_mode: string }>`pragma journal_mode = wal`.execute(db)
    if (rows[0]?.journal_mode !== 'wal') throw new Refusal('storage_unavailable', explainDisk(dataFolder))
    await sql`pragma synchronous = normal`.execute(db)
    opening.move()
    return db
  } catch (error) {
    const foreign = await explainForeignFile(dataFolder)
    if (foreign !== undefined) throw new Refusal('storage_unavailable', foreign)
    if (DAMAGED.has(getSqliteCode(error))) throw new Refusal('storage_unavailable', explainDamage(path))
    throw error
  }
}

const explainDamage = (path: string): string =>
  `The database ${resolve(path)} cannot be opened: it is damaged. Move it away, and restore your last backup with bowerbird restore <file>.`

const explainDisk = (folder: string): string =>
  `The data folder ${resolve(folder)} is on a disk that SQLite cannot use safely, such as one on the network. Set DATA_DIR to a folder on a disk of this machine.`

/** The last of the values that a statement takes. */
const getLastParameter = (text: string): number =>
  Math.max(0, ...Array.from(text.matchAll(/\?(\d+)/g), ([, number]) => Number(number)))

const NAMED = new Map(
  Object.entries(SQLITE_NAMED).map(([name, texts]) => [
    name,
    texts.map((text) => ({ text, takes: getLastParameter(text) })),
  ]),
)

async function runNamed<Row>(db: Kysely<Schema>, name: StatementName, values: readonly unknown[]): Promise<Row[]> {
  const [first, ...rest] = (NAMED.get(name) ?? []).map(({ text, takes }) =>
    CompiledQuery.raw(text, values.slice(0, takes)),
  )
  if (!first) throw new Error(`there is no statement ${name}`)
  // The row type belongs to the caller; the driver cannot know it.
  if (rest.length === 0) return (await db.executeQuery(first)).rows as Row[]
  return await db.transaction().execute(async (transaction) => {
    let { rows } = await transaction.executeQuery(first)
    for (const statement of rest) ({ rows } = await transaction.executeQuery(statement))
    return rows as Row[]
  })
}
