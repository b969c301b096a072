// Backs up the whole database as gzipped lines of JSON. The format is the same for PostgreSQL and PGlite, so either can
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
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip, type Gzip } from 'node:zlib'
import { type Kysely, sql } from 'kysely'
import { VERSION } from '../config/version.ts'
import { listTables, readSchemaSteps } from './backup-tables.ts'
import type { Schema } from './schema.ts'

export const BACKUP_FORMAT = 1

export interface BackupSummary {
  tables: number
  rows: number
}

/** Ends `output`. */
export async function writeBackup(db: Kysely<Schema>, output: Writable): Promise<BackupSummary> {
  const compressed = createGzip()
  const written = pipeline(compressed, output)
  // Awaited below; until then, a failure must not count as unhandled.
  written.catch(() => undefined)
  try {
    const summary = await db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute((transaction) => writeTables(transaction, compressed))
    compressed.end()
    await written
    return summary
  } catch (error) {
    compressed.destroy()
    await written.catch(() => undefined)
    throw error
  }
}

async function writeTables(db: Kysely<Schema>, output: Gzip): Promise<BackupSummary> {
  const createdAt = new Date().toISOString()
  const steps = await readSchemaSteps(db)
  await write(output, { bowerbird: 'backup', format: BACKUP_FORMAT, version: VERSION, created_at: createdAt, steps })
  const tables = await listTables(db)
  let rows = 0
  for (const table of tables) {
    await write(output, table)
    rows += await writeRows(db, table.table, output)
  }
  await write(output, { end: true })
  return { tables: tables.length, rows }
}

async function writeRows(db: Kysely<Schema>, table: string, output: Gzip): Promise<number> {
  await sql`
    declare backup_rows no scroll cursor for select row_to_json(t)::text as row from ${sql.table(table)} t`.execute(db)
  for (let total = 0; ; ) {
    const { rows } = await sql<{ row: string }>`fetch 1000 from backup_rows`.execute(db)
    if (rows.length === 0) {
      await sql`close backup_rows`.execute(db)
      return total
    }
    await write(output, { rows: rows.length })
    await writeText(output, rows.map(({ row }) => `${row}\n`).join(''))
    total += rows.length
  }
}

const write = (output: Gzip, line: object): Promise<void> => writeText(output, `${JSON.stringify(line)}\n`)

async function writeText(output: Gzip, text: string): Promise<void> {
  if (output.destroyed) throw output.errored ?? new Error('the backup cannot be written')
  if (!output.write(text)) await Promise.race([once(output, 'drain'), once(output, 'close')])
}
