// The statements that PostgreSQL and SQLite can't share, because one of them lacks a word: each store has its own form,
// in `postgres-statements.ts` and `sqlite-statements.ts`; `get-statements.ts` chooses. Anything else is written once, where it's used.
import type { Kysely, RawBuilder, SqlBool } from 'kysely'
import type { Schema } from './schema.ts'

/**
 * - `key-lookup`: everything about a key's prefix ($1), by primary keys.
 * - `changed-keys`: the keys changed since a moment ($1, as this statement returned it) and the minute before it, how many
 *   accounts have been deleted, and the moment. A new key can't be cached anywhere yet, so it isn't a change.
 * - `write-uses`: when keys were used: JSON, `[{id, used_at}]`. Leaves `updated_at` alone: a use is not a change.
 * - `find-session`: the session of a token ($1) at a moment ($2), which is recorded if the last visit was before $4; the
 *   session then lasts until $3. Sessions started before $5 have ended.
 * - `change-provider-budget`: see `budget/provider-budget.ts`.
 */
export type StatementName = 'key-lookup' | 'changed-keys' | 'write-uses' | 'find-session' | 'change-provider-budget'

/** Of `changed-keys`. With more changes, a node drops its whole cache: looking keys up again is cheaper. */
export const MAX_CHANGED_KEYS = 10_000

export interface Column {
  column: string
  /** As it was written in `create table`. */
  type: string
  /** Whether the database counts it up. */
  isIdentity: boolean
  isRequired: boolean
}

export interface Table {
  table: string
  columns: Column[]
}

/** What a key has used on a day ('2026-11-15') since this process started. */
export interface KeyDayCount {
  day: string
  keyId: string
  endpoint: string
  count: number
}

/** What the database says about itself, for `bowerbird doctor`. */
export interface ServerFacts {
  /** Such as '17.2'. */
  version: string
  isReadOnly: boolean
  /** Milliseconds since 1970, by its own clock. */
  now: number
  mayCreateTables: boolean
  /** Tables that this role cannot use fully. */
  tablesWithoutRights: string[]
  connections: { used: number; max: number }
}

/** What `create table` says differently. */
export interface SchemaWords {
  /** The type of a primary key that the database counts up. */
  id: RawBuilder<unknown>
  emptyArray: RawBuilder<unknown>
  /** Free space in each page, so that an update of a counter touches no index. */
  roomForUpdates: RawBuilder<unknown>
  byMonth: RawBuilder<unknown>
  /** What goes with `byMonth`. */
  partitions: readonly RawBuilder<unknown>[]
}

type Db = Kysely<Schema>

export interface Statements {
  schemaWords: SchemaWords
  /** The database's clock, but never the same value twice for a key, so that every change gets a new version. */
  nextUpdatedAt: RawBuilder<Date>
  /** Holds up all others that ask for this lock, until the end of the transaction. */
  lock: (transaction: Db, id: string) => Promise<void>
  hasTable: (db: Db, name: string) => Promise<boolean>
  /** Whether a column is one of these ids, of which there may be a million. */
  isAmong: (column: string, ids: readonly string[]) => RawBuilder<SqlBool>
  /**
   * Adds what keys have used. Never lowers a count: PostgreSQL may run a statement late, after we gave up on it and wrote
   * a newer value. Leaves out keys that are gone.
   */
  writeUsage: (db: Db, source: string, counts: readonly KeyDayCount[]) => Promise<void>
  /** What the authorization server keeps about an account before there is a key. */
  deleteOauthStateOf: (db: Db, userId: string) => Promise<void>
  /** Creates a month's partition of usage ('2026-11'), where there are any. */
  ensureUsagePartition: (db: Db, month: string) => Promise<void>
  /** Drops the partitions of months that ended before a day ('2026-11-15'), which takes no time. */
  dropUsagePartitions: (db: Db, firstDay: string) => Promise<void>
  /** Reads at one moment, while others write. */
  withSnapshot: <Result>(db: Db, work: (db: Db) => Promise<Result>) => Promise<Result>
  /** All our tables, in order of their names. */
  listTables: (db: Db) => Promise<Table[]>
  listReferences: (db: Db) => Promise<{ from: string; to: string }[]>
  /** The last number that was given to an identity column; '0' for none. */
  readCounter: (db: Db, table: string, column: string) => Promise<string>
  setCounter: (db: Db, counter: { table: string; column: string; last: string }) => Promise<void>
  /** Rows as JSON texts, in PostgreSQL's form, a batch at a time. No value passes through a JavaScript number. */
  readRowsAsJson: (db: Db, table: Table) => AsyncIterable<string[]>
  /** Takes one JSON array of rows, as `readRowsAsJson` gave them. */
  insertRowsAsJson: (db: Db, table: Table, rowsJson: string) => Promise<void>
  emptyTables: (db: Db, tables: readonly string[]) => Promise<void>
  readServerFacts: (db: Db) => Promise<ServerFacts>
}
