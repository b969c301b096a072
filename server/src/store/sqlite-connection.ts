// Gives Kysely a `node:sqlite` database.
import { DatabaseSync, type SQLOutputValue, type StatementSync } from 'node:sqlite'
import { Kysely, type SelectModifierNode, type SqliteDatabase, SqliteDialect, SqliteQueryCompiler } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Schema } from './schema.ts'
import { getReader, toMicros, toParameter } from './sqlite-values.ts'

const MAX_PREPARED = 200
/** A statement with hundreds of rows is seldom seen again, and large. */
const LONGEST_KEPT = 10_000
/** A prepared `select *` knows the columns that a table had. */
const CHANGES_SCHEMA = /^\s*(?:create|alter|drop)/i

let lastMoment = 0n
/** In microseconds, and never the same twice: rows are listed in the order in which they were made. */
function now(): bigint {
  const moment = BigInt(Date.now()) * 1_000n
  lastMoment = moment > lastMoment ? moment : lastMoment + 1n
  return lastMoment
}

/** PostgreSQL's words for the larger and the smaller; null counts for nothing. */
const extreme =
  (isBetter: (a: bigint, b: bigint) => boolean) =>
  (...values: SQLOutputValue[]): bigint | null =>
    values
      .filter((value) => typeof value === 'bigint')
      .reduce<bigint | null>((best, value) => (best === null || isBetter(value, best) ? value : best), null)

export function openConnection(path: string, { readOnly = false } = {}): Kysely<Schema> {
  const database = new DatabaseSync(path, { readOnly })
  const functions = { deterministic: true, useBigIntArguments: true }
  database.function('now', now)
  database.function(
    'greatest',
    { ...functions, varargs: true },
    extreme((a, b) => a > b),
  )
  database.function(
    'least',
    { ...functions, varargs: true },
    extreme((a, b) => a < b),
  )
  database.function('micros', { deterministic: true }, (written) => toMicros(String(written)) ?? null)
  return new Kysely<Schema>({ dialect: new NodeSqliteDialect({ database: adapt(database) }) })
}

function adapt(database: DatabaseSync): SqliteDatabase {
  const prepared = new LRUCache<string, ReturnType<typeof prepare>>({ max: MAX_PREPARED })
  return {
    prepare(text) {
      if (CHANGES_SCHEMA.test(text)) prepared.clear()
      if (text === 'rollback') return rollback(database)
      const statement = prepared.get(text) ?? prepare(database.prepare(text))
      if (text.length <= LONGEST_KEPT) prepared.set(text, statement)
      return statement
    },
    close: () => database.close(),
  }
}

/** With a full disk, SQLite has rolled back already. */
const rollback = (database: DatabaseSync) => ({
  ...prepare(database.prepare('rollback')),
  run() {
    if (database.isTransaction) database.exec('rollback')
    return { changes: 0, lastInsertRowid: 0 }
  },
})

function prepare(statement: StatementSync) {
  // A JavaScript number would round an id.
  statement.setReadBigInts(true)
  const columns = statement.columns().map(({ name, type }) => ({ name, read: getReader(type) }))
  return {
    reader: columns.length > 0,
    all(parameters: readonly unknown[]) {
      const rows = statement.all(...parameters.map(toParameter))
      return rows.map((row) => Object.fromEntries(columns.map(({ name, read }) => [name, read(row[name] ?? null)])))
    },
    run: (parameters: readonly unknown[]) => statement.run(...parameters.map(toParameter)),
    iterate(): never {
      throw new Error('statements are not streamed')
    },
  }
}

class NodeSqliteDialect extends SqliteDialect {
  override createQueryCompiler() {
    return new WithoutRowLocks()
  }
}

/** A transaction has the whole database to itself, so nothing needs to lock a row. */
class WithoutRowLocks extends SqliteQueryCompiler {
  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (node.modifier === 'Distinct') super.visitSelectModifier(node)
  }
}
