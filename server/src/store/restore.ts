// Restores a backup (`backup.ts`) into a database of the same or a newer version, in one transaction: all or nothing.
// Everything that was in the database is deleted, and everyone is signed out.
import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { Kysely } from 'kysely'
import { z } from 'zod'
import { Refusal } from '../errors.ts'
import {
  BACKUP_FORMAT,
  type BackupSummary,
  BROWSER_TABLES,
  listTables,
  readSchemaSteps,
  SECRET_TABLE,
} from './backup.ts'
import { getSqliteCode, hasUsers } from './database.ts'
import { getStatements } from './get-statements.ts'
import type { Schema } from './schema.ts'
import { ValueOfOtherType } from './sqlite-statements.ts'
import type { Table } from './statements.ts'

const USAGE = 'usage_daily'

const Header = z.looseObject({
  bowerbird: z.literal('backup'),
  format: z.int(),
  version: z.string(),
  steps: z.array(z.string()),
})
const MAX_ROWS_PER_BATCH = 10_000
const TableLine = z.strictObject({
  table: z.string(),
  columns: z.array(z.string()),
  counters: z.record(z.string(), z.string().regex(/^\d{1,19}$/)),
})
type TableLine = z.infer<typeof TableLine>
const Line = z.union([
  z.strictObject({ end: z.literal(true) }),
  z.strictObject({ rows: z.int().positive().max(MAX_ROWS_PER_BATCH) }),
  TableLine,
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
  const replaced = known.map(({ table }) => table).filter((table) => table !== SECRET_TABLE)
  const { emptyTables, insertRowsAsJson } = getStatements(db)
  await emptyTables(db, [...replaced, ...BROWSER_TABLES])
  const summary = { tables: 0, rows: 0 }
  let table: Table | undefined
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
      const rows = await readRows(lines, line.rows)
      if (table.table === USAGE) await makePartitions(db, rows)
      await insertRowsAsJson(db, table, `[${rows.join(',')}]`)
      summary.rows += line.rows
    } else {
      table = matchTable(line, known)
      if (table.table === SECRET_TABLE) await emptyTables(db, [SECRET_TABLE])
      await setCounters(db, line)
      summary.tables += 1
    }
  }
}

/** A newer version may have dropped a column. */
function matchTable(line: TableLine, known: readonly Table[]): Table {
  const target = known.find(({ table }) => table === line.table)
  if (!target) throw damagedBackup()
  return { table: line.table, columns: target.columns.filter(({ column }) => line.columns.includes(column)) }
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
  if (!(await hasUsers(db))) return
  throw new Refusal('conflict', 'This database already has accounts. To replace everything in it, add --force.')
}

async function setCounters(db: Kysely<Schema>, { table, counters }: TableLine): Promise<void> {
  for (const [column, last] of Object.entries(counters))
    if (last !== '0') await getStatements(db).setCounter(db, { table, column, last })
}

async function readRows(lines: Lines, count: number): Promise<string[]> {
  const rows: string[] = []
  while (rows.length < count) rows.push(await readLine(lines))
  return rows
}

/** Creates the partitions: usage has one for each month. */
async function makePartitions(db: Kysely<Schema>, rows: readonly string[]): Promise<void> {
  const months = new Set(rows.map((row) => /"day":"(\d{4}-(?:0[1-9]|1[0-2]))-/.exec(row)?.[1]))
  for (const month of months) if (month !== undefined) await getStatements(db).ensureUsagePartition(db, month)
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

const SQLITE_ERROR = 1
const SQLITE_CONSTRAINT = 19

const damagedBackup = (): Refusal =>
  new Refusal('parameter_invalid', 'This backup is damaged or incomplete. Nothing was changed.')

/** Matches zlib's codes, and what the databases say of invalid JSON and of rows that can't be: a key without its user. */
const isUnreadable = (error: unknown): boolean =>
  error instanceof ValueOfOtherType ||
  getSqliteCode(error) === SQLITE_CONSTRAINT ||
  (getSqliteCode(error) === SQLITE_ERROR && error instanceof Error && error.message.includes('malformed JSON')) ||
  (error instanceof Error && 'code' in error && /^(?:Z_|2[23]\w{3}$)/.test(String(error.code)))
