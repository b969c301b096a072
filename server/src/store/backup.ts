// Backs up the whole database as gzipped lines of JSON. The format is the same for PostgreSQL and SQLite, so either can
// be restored into the other. The database itself writes rows as JSON, which keeps every value exact: no row passes
// through a JavaScript number.
//
//   {"bowerbird":"backup","format":1,"version":…,"created_at":…,"steps":[…]}   once
//   {"table":"users","columns":[…],"counters":{…}}                             for each table
//   {"rows":1000}                          that many rows follow, one per line; repeated as often as needed
//   {"end":true}                           without it, the file was cut off
//
// Everything is read in one transaction, so a backup is a consistent snapshot despite concurrent writes.
import { once } from 'node:events'
import { link, open, rm } from 'node:fs/promises'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip, type Gzip } from 'node:zlib'
import type { Kysely } from 'kysely'
import { VERSION } from '../config/version.ts'
import { codeOf, Refusal } from '../errors.ts'
import { hasUsers } from './database.ts'
import { getStatements } from './get-statements.ts'
import type { Schema } from './schema.ts'
import type { Table } from './statements.ts'

export const BACKUP_FORMAT = 1

export interface StoredTable extends Table {
  /** The last value of each identity column. */
  counters: Record<string, string>
}

export interface BackupOptions {
  /** Back up a database without accounts, too. */
  force: boolean
  /** Include the secret that encrypts second factors and provider keys, which the backup alone then exposes. */
  withSecret: boolean
}

export interface BackupSummary {
  tables: number
  rows: number
}

/**
 * Creates a backup file that only its owner can read, and has `write` fill and end it. The file gets its name once it's
 * complete, and never replaces another.
 */
export async function createBackupFile(
  path: string,
  write: (output: Writable) => Promise<BackupSummary>,
): Promise<BackupSummary> {
  const partial = `${path}.partial`
  try {
    const output = (await open(partial, 'wx', 0o600)).createWriteStream({ flush: true })
    try {
      const summary = await write(output)
      await link(partial, path)
      return summary
    } finally {
      output.destroy()
      await rm(partial, { force: true })
    }
  } catch (error) {
    throw explain(error, path)
  }
}

function explain(error: unknown, path: string): unknown {
  const code = codeOf(error)
  if (code === 'EEXIST')
    return new Refusal('conflict', `${path} exists already, or is being written. Choose another name.`)
  if (!/^E[A-Z]+$/.test(code) || code.startsWith('ECONN')) return error
  return new Refusal('parameter_invalid', `${path} cannot be written (${code}).`)
}

/** Ends `output`. Refuses a database without accounts, which is probably the wrong one, unless `force` is set. */
export async function writeBackup(
  db: Kysely<Schema>,
  output: Writable,
  { force, withSecret }: BackupOptions,
): Promise<BackupSummary> {
  const compressed = createGzip()
  const written = pipeline(compressed, output)
  // Awaited below; until then, a failure must not count as unhandled.
  written.catch(() => undefined)
  try {
    const summary = await getStatements(db).withSnapshot(db, async (snapshot) => {
      if (!force) await refuseIfUnused(snapshot)
      return await writeTables(snapshot, compressed, withSecret)
    })
    compressed.end()
    await written
    return summary
  } catch (error) {
    compressed.destroy()
    await written.catch(() => undefined)
    throw error
  }
}

async function refuseIfUnused(db: Kysely<Schema>): Promise<void> {
  if (await hasUsers(db)) return
  throw new Refusal(
    'conflict',
    'This database has no accounts, so it is probably not the one you want to back up: check DATA_DIR and DATABASE_URL. To back it up anyway, add --force.',
  )
}

async function writeTables(db: Kysely<Schema>, output: Gzip, withSecret: boolean): Promise<BackupSummary> {
  const createdAt = new Date().toISOString()
  const steps = await readSchemaSteps(db)
  await write(output, { bowerbird: 'backup', format: BACKUP_FORMAT, version: VERSION, created_at: createdAt, steps })
  const tables = (await listTables(db)).filter(({ table }) => withSecret || table !== SECRET_TABLE)
  let rows = 0
  for (const { table, columns, counters } of tables) {
    await write(output, { table, columns: columns.map(({ column }) => column), counters })
    for await (const batch of getStatements(db).readRowsAsJson(db, { table, columns })) {
      await write(output, { rows: batch.length })
      await writeText(output, batch.map((row) => `${row}\n`).join(''))
      rows += batch.length
    }
  }
  await write(output, { end: true })
  return { tables: tables.length, rows }
}

const write = (output: Gzip, line: object): Promise<void> => writeText(output, `${JSON.stringify(line)}\n`)

async function writeText(output: Gzip, text: string): Promise<void> {
  if (output.destroyed) throw output.errored ?? new Error('the backup cannot be written')
  if (!output.write(text)) await Promise.race([once(output, 'drain'), once(output, 'close')])
}

/** A backup without it leaves the secret of the database that it's restored into. */
export const SECRET_TABLE = 'instance_secret'

/**
 * The schema's history, because the database that a backup is restored into has its own. And what is under way in
 * browsers: a session that has ended since then must not come back to life.
 */
export const BROWSER_TABLES = ['sessions', 'sign_in_tickets', 'passkey_challenges']
const EXCLUDED_TABLES = new Set(['schema_steps', ...BROWSER_TABLES])

/**
 * Lists what a backup contains: all our tables with their columns and sequences, read from the database itself so that
 * a new table is never forgotten. Tables come after those that they reference.
 */
export async function listTables(db: Kysely<Schema>): Promise<StoredTable[]> {
  const statements = getStatements(db)
  const tables = new Map<string, StoredTable>()
  for (const { table, columns } of await statements.listTables(db)) {
    if (EXCLUDED_TABLES.has(table)) continue
    const counters: Record<string, string> = {}
    for (const { column, isIdentity } of columns)
      if (isIdentity) counters[column] = await statements.readCounter(db, table, column)
    tables.set(table, { table, columns, counters })
  }
  return inDependencyOrder(tables, await statements.listReferences(db))
}

function inDependencyOrder(
  tables: Map<string, StoredTable>,
  references: readonly { from: string; to: string }[],
): StoredTable[] {
  const ordered = new Set<StoredTable>()
  const add = (name: string) => {
    const table = tables.get(name)
    if (!table || ordered.has(table)) return
    for (const { from, to } of references) if (from === name) add(to)
    ordered.add(table)
  }
  for (const name of tables.keys()) add(name)
  return [...ordered]
}

/** The names of the migrations that have been applied. */
export async function readSchemaSteps(db: Kysely<Schema>): Promise<string[]> {
  const rows = await db.selectFrom('schema_steps').select('name').orderBy('name').execute()
  return rows.map(({ name }) => name)
}
