// Facts about a database that `bowerbird doctor` judges. Reads only.
import { type Kysely, sql } from 'kysely'
import { findPending } from './migrations.ts'
import type { Schema } from './schema.ts'

export interface DatabaseFacts {
  /** Such as '17.2': PostgreSQL's, or the one that PGlite was built from. */
  version: string
  isReadOnly: boolean
  /** Milliseconds that its clock is ahead of ours; negative if behind. */
  clockAheadMs: number
  hasSchema: boolean
  /** Whether steps of the schema are missing. */
  mustMigrate: boolean
  /** Tables that this role cannot use fully. */
  tablesWithoutRights: string[]
  mayCreateTables: boolean
  connections: { used: number; max: number }
}

/**
 * Fails where a server would: if the schema is of a version that this one can't work with, or if there are no
 * transactions, as behind a pooler in statement mode.
 */
export const inspectDatabase = (db: Kysely<Schema>): Promise<DatabaseFacts> => db.transaction().execute(readFacts)

async function readFacts(db: Kysely<Schema>): Promise<DatabaseFacts> {
  const askedAt = Date.now()
  const { rows } = await sql<FactRow>`
    select current_setting('server_version') as version,
      current_setting('transaction_read_only') = 'on' as "isReadOnly",
      (extract(epoch from clock_timestamp()) * 1000)::float8 as now,
      to_regclass('users') is not null as "hasSchema",
      coalesce(has_schema_privilege(current_schema(), 'create'), false) as "mayCreateTables",
      (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as used,
      current_setting('max_connections')::int as most`.execute(db)
  const [row] = rows
  if (!row) throw new Error('the database returned no facts about itself')
  const { version, now, used, most, ...facts } = row
  return {
    ...facts,
    version: version.split(' ')[0] ?? '',
    // The database read its clock between the question and now: assume halfway.
    clockAheadMs: now - (askedAt + Date.now()) / 2,
    mustMigrate: (await findPending(db)).length > 0,
    tablesWithoutRights: await readLackingRights(db),
    connections: { used, max: most },
  }
}

type FactRow = Pick<DatabaseFacts, 'version' | 'isReadOnly' | 'hasSchema' | 'mayCreateTables'> & {
  now: number
  used: number
  most: number
}

async function readLackingRights(db: Kysely<Schema>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = current_schema() and c.relkind in ('r', 'p')
      and not (has_table_privilege(c.oid, 'select') and has_table_privilege(c.oid, 'insert')
        and has_table_privilege(c.oid, 'update') and has_table_privilege(c.oid, 'delete'))
    order by 1`.execute(db)
  return rows.map(({ name }) => name)
}
