// Restores a backup (`backup.ts`) into a database of the same or a newer version, in one transaction: all or nothing.
// Everything that was in the database is deleted, and everyone is signed out: sessions refer to users, so they go with them.
import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { type Kysely, sql } from 'kysely'
import { z } from 'zod'
import { Refusal } from '../errors.ts'
import {
  BACKUP_FORMAT,
  type BackupSummary,
  type BackupTable,
  listTables,
  readSchemaSteps,
  SECRET_TABLE,
} from './backup.ts'
import type { Schema } from './schema.ts'
import { ensureUsagePartition } from './usage-partitions.ts'

const USAGE = 'usage_daily'

const Header = z.looseObject({
  bowerbird: z.literal('backup'),
  format: z.int(),
  version: z.string(),
  steps: z.array(z.string()),
})
const MAX_ROWS_PER_BATCH = 10_000
const Line = z.union([
  z.strictObject({ end: z.literal(true) }),
  z.strictObject({ rows: z.int().positive().max(MAX_ROWS_PER_BATCH) }),
  z.strictObject({
    table: z.string(),
    columns: z.array(z.string()),
    counters: z.record(z.string(), z.string()),
  }),
])

interface RestoreOptions {
  /** Replace a database that has accounts. */
  force: boolean
  /** Records the restore, in its transaction. */
  record?: (db: Kysely<Schema>) => Promise<void>
}

/** Refuses a database that has accounts, unless `force` is set. */
export async function restoreBackup(
  db: Kysely<Schema>,
  input: Readable,
  { force, record }: RestoreOptions,
): Promise<BackupSummary> {
  const unpacked = input.pipe(createGunzip())
  input.on('error', (error) => unpacked.destroy(error))
  // Unpacking may fail before the first line is read; reading then fails as well.
  unpacked.on('error', () => undefined)
  const lines = linesOf(unpacked)
  try {
    return await db.transaction().execute(async (transaction) => {
      const summary = await restoreTables(transaction, lines, force)
      await record?.(transaction)
      return summary
    })
  } catch (error) {
    throw isUnreadable(error) ? damagedBackup() : error
  } finally {
    unpacked.destroy()
    input.destroy()
  }
}

type Lines = AsyncIterator<string>

/** Unlike `readline`, this fails when the stream does. */
async function* linesOf(stream: Readable): AsyncGenerator<string> {
  let rest = ''
  for await (const text of stream.setEncoding('utf8') as AsyncIterable<string>) {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
}

async function restoreTables(db: Kysely<Schema>, lines: Lines, force: boolean): Promise<BackupSummary> {
  await checkHeader(db, Header.safeParse(await readJson(lines)))
  const known = await listTables(db)
  if (!force) await refuseIfUsed(db)
  const replaced = known.filter(({ table }) => table !== SECRET_TABLE)
  await sql`truncate ${sql.join(replaced.map(({ table }) => sql.table(table)))} restart identity cascade`.execute(db)
  const summary = { tables: 0, rows: 0 }
  let table: BackupTable | undefined
  for (;;) {
    const line = Line.safeParse(await readJson(lines)).data
    if (line === undefined) throw damagedBackup()
    if ('end' in line) {
      // Read to the end of the stream: gzip's checksum comes last.
      if (!(await lines.next()).done) throw damagedBackup()
      return summary
    }
    if ('rows' in line) {
      if (table === undefined) throw damagedBackup()
      await insertRows(db, table, await readRowsAsJson(lines, line.rows))
      summary.rows += line.rows
    } else {
      table = matchTable(line, known)
      if (table.table === SECRET_TABLE) await sql`truncate ${sql.table(SECRET_TABLE)}`.execute(db)
      await setCounters(db, line)
      summary.tables += 1
    }
  }
}

/** A newer version may have dropped a column. */
function matchTable(line: BackupTable, known: readonly BackupTable[]): BackupTable {
  const target = known.find(({ table }) => table === line.table)
  if (!target) throw damagedBackup()
  return { ...line, columns: line.columns.filter((name) => target.columns.includes(name)) }
}

async function checkHeader(db: Kysely<Schema>, header: z.ZodSafeParseResult<z.infer<typeof Header>>): Promise<void> {
  if (!header.success) throw new Refusal('parameter_invalid', 'This file is not a backup made by bowerbird backup.')
  const { format, version, steps } = header.data
  const ours = await readSchemaSteps(db)
  if (format !== BACKUP_FORMAT || steps.some((step) => !ours.includes(step))) {
    throw new Refusal(
      'conflict',
      `This backup was made by version ${version}, which is newer. Restore it with that version.`,
    )
  }
}

async function refuseIfUsed(db: Kysely<Schema>): Promise<void> {
  const { rows } = await sql`select 1 from users limit 1`.execute(db)
  if (rows.length === 0) return
  throw new Refusal('conflict', 'This database already has accounts. To replace everything in it, add --force.')
}

async function setCounters(db: Kysely<Schema>, { table, counters }: BackupTable): Promise<void> {
  for (const [column, last] of Object.entries(counters)) {
    if (last === '0') continue
    await sql`select setval(pg_get_serial_sequence(${table}, ${column}), ${last}::bigint)`.execute(db)
  }
}

/** Reads rows into one JSON array. */
async function readRowsAsJson(lines: Lines, count: number): Promise<string> {
  const rows: string[] = []
  while (rows.length < count) rows.push(await readLine(lines))
  return `[${rows.join(',')}]`
}

async function insertRows(db: Kysely<Schema>, { table, columns }: BackupTable, rowsJson: string): Promise<void> {
  if (table === USAGE) await makePartitions(db, rowsJson)
  const names = sql.join(columns.map((column) => sql.ref(column)))
  await sql`
    insert into ${sql.table(table)} (${names}) overriding system value
    select ${names} from json_populate_recordset(null::${sql.table(table)}, ${rowsJson}::json)`.execute(db)
}

/** Creates the partitions: usage has one for each month. */
async function makePartitions(db: Kysely<Schema>, rowsJson: string): Promise<void> {
  const { rows: months } = await sql<{ month: string }>`
    select distinct left(day::text, 7) as month
    from json_populate_recordset(null::usage_daily, ${rowsJson}::json)`.execute(db)
  for (const { month } of months) await ensureUsagePartition(db, month)
}

async function readLine(lines: Lines): Promise<string> {
  const { value, done } = await lines.next()
  if (done) throw damagedBackup()
  return value
}

async function readJson(lines: Lines): Promise<unknown> {
  try {
    return JSON.parse(await readLine(lines))
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

const damagedBackup = (): Refusal =>
  new Refusal('parameter_invalid', 'This backup is damaged or incomplete. Nothing was changed.')

/** Matches zlib's codes, and PostgreSQL's for invalid JSON or a value that doesn't fit its column's type. */
const isUnreadable = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^(?:Z_|22P02|22007|22008)/.test(String(error.code))
