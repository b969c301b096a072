// The database of an instance: PostgreSQL (`postgres.ts`), or SQLite in the data folder of a small one (`sqlite.ts`).
// Statements are written once, in words that both understand; the few that can't be are in `statements.ts`.
import type { Kysely } from 'kysely'
import type { Schema } from './schema.ts'
import type { StatementName } from './statements.ts'

export interface Database {
  db: Kysely<Schema>
  /** Runs a hot-path statement, which is prepared once. */
  query: <Row>(name: StatementName, values: readonly unknown[]) => Promise<Row[]>
  /** The pool's connections, and the number of statements waiting for one; undefined for SQLite, which has no pool. */
  pool?: () => { total: number; idle: number; waiting: number }
  /** For work without a time limit, such as an index on a large table. */
  withoutTimeout: <Result>(work: (db: Kysely<Schema>) => Promise<Result>) => Promise<Result>
  close: () => Promise<void>
}

export async function hasUsers(db: Kysely<Schema>): Promise<boolean> {
  return (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined
}

const AWAY_CODES = /^(?:ECONNREFUSED|ECONNRESET|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|08\w{3}|57P0[1-3]|53300)$/
/** The driver of PostgreSQL gives these no code. */
const AWAY_MESSAGES = /^(?:timeout exceeded when trying to connect|Query read timeout|Connection terminated)/
/** SQLite's, for a disk that fails, is full, or no longer lets us write, and for a file that is damaged. */
const DISK_CODES = new Set([8, 10, 11, 13, 14, 26])

/** Whether a statement failed because the database is unavailable, rather than because of the statement itself. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if ('code' in error && typeof error.code === 'string' && AWAY_CODES.test(error.code)) return true
  if (DISK_CODES.has(getSqliteCode(error))) return true
  // A host with several addresses fails with one error per address.
  if (error instanceof AggregateError) return error.errors.some(isDatabaseAway)
  return AWAY_MESSAGES.test(error.message)
}

const DISK_FULL = 13
/** The index of SQLite's log can't grow. */
const INDEX_CANNOT_GROW = 4874

/** SQLite's result code without its details; 0 for any other error. */
export function getSqliteCode(error: unknown): number {
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) : 0
  return code === INDEX_CANNOT_GROW ? DISK_FULL : code & 0xff
}

const PERMISSION_DENIED = '42501'

export const isPermissionDenied = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === PERMISSION_DENIED
