// Lists what a backup contains: all our tables with their columns and sequences, read from the database itself so that
// a new table is never forgotten. Tables come after those that they reference.
import { type Kysely, sql } from 'kysely'
import type { Schema } from './schema.ts'

export interface BackupTable {
  table: string
  columns: string[]
  /** The last value of each identity column's sequence. */
  counters: Record<string, string>
}

/** The schema's history: the database that a backup is restored into has its own. */
const NOT_DATA = 'schema_steps'

export async function listTables(db: Kysely<Schema>): Promise<BackupTable[]> {
  const { rows: columns } = await sql<{ table: string; column: string; counter: string | null }>`
    select c.relname as table, a.attname as column,
      case when a.attidentity <> '' then pg_get_serial_sequence(quote_ident(c.relname), a.attname) end as counter
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where n.nspname = current_schema() and c.relkind in ('r', 'p') and not c.relispartition
    order by c.relname, a.attnum`.execute(db)
  const { rows: references } = await sql<{ from: string; to: string }>`
    select f.relname as from, t.relname as to
    from pg_constraint k join pg_class f on f.oid = k.conrelid join pg_class t on t.oid = k.confrelid
    where k.contype = 'f' and k.conrelid <> k.confrelid`.execute(db)
  const tables = new Map<string, BackupTable>()
  for (const { table, column, counter } of columns) {
    if (table === NOT_DATA) continue
    const listed = tables.get(table) ?? { table, columns: [], counters: {} }
    tables.set(table, listed)
    listed.columns.push(column)
    if (counter !== null) listed.counters[column] = await lastNumber(db, counter)
  }
  return inOrder(tables, references)
}

async function lastNumber(db: Kysely<Schema>, counter: string): Promise<string> {
  const { rows } = await sql<{ last: string | null }>`
    select pg_sequence_last_value(${counter}::regclass)::text as last`.execute(db)
  return rows[0]?.last ?? '0'
}

function inOrder(tables: Map<string, BackupTable>, references: readonly { from: string; to: string }[]): BackupTable[] {
  const ordered = new Set<BackupTable>()
  const add = (name: string) => {
    const table = tables.get(name)
    if (!table || ordered.has(table)) return
    for (const { from, to } of references) if (from === name) add(to)
    ordered.add(table)
  }
  for (const name of tables.keys()) add(name)
  return [...ordered]
}

/** The names of the migration steps that the schema has taken. */
export async function readSchemaSteps(db: Kysely<Schema>): Promise<string[]> {
  const rows = await db.selectFrom('schema_steps').select('name').orderBy('name').execute()
  return rows.map(({ name }) => name)
}
