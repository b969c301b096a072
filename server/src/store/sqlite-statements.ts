// SQLite's form of the statements in `statements.ts`.
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { openConnection } from './sqlite-connection.ts'
import { type Column, MAX_CHANGED_KEYS, type StatementName, type Statements } from './statements.ts'

const ROWS_PER_BATCH = 1_000

const KEY_LOOKUP = `
  select s.prefix, s.secret_hash, s.expires_at as secret_expires_at,
    k.id as key_id, k.name, k.scopes, k.burst, k.sustained, k.networks, k.created_at, k.expires_at, k.revoked_at,
    k.last_used_at, k.oauth_client,
    cast(k.updated_at as text) as version,
    u.id as user_id, u.username, u.disabled_at
  from key_secrets s
  join api_keys k on k.id = s.key_id
  join users u on u.id = k.user_id
  where s.prefix = ?1`

/** Microseconds: of the two, one is taken a little later. */
const SAME_INSERT = 1_000

const CHANGED_KEYS = `
  select cast(now() as text) as read_at, changed.prefix, changed.version,
    (select cast(sum(id) as text) from audit_events where event = 'user-deleted') as deleted
  from (select 1) as always
  left join (
    select s.prefix, cast(k.updated_at as text) as version
    from (
      select id, updated_at
      from api_keys
      where updated_at > ?1 - 60000000 and updated_at > created_at + ${SAME_INSERT}
      order by updated_at
      limit ${MAX_CHANGED_KEYS}
    ) k
    join key_secrets s on s.key_id = k.id
  ) changed on true`

const WRITE_USES = `
  update api_keys set last_used_at = used.at
  from (
    select cast(value ->> 'id' as integer) as id, micros(value ->> 'used_at') as at from json_each(?1)
  ) as used
  where api_keys.id = used.id and (last_used_at is null or last_used_at < used.at)`

const RECORD_VISIT = `
  update sessions set last_seen_at = ?2, expires_at = least(?3, created_at + (?2 - ?5))
  where token_hash = ?1 and expires_at > ?2 and last_seen_at <= ?4 and created_at > ?5
    and exists (select 1 from users u where u.id = user_id and u.disabled_at is null)`

const FIND_SESSION = `
  select s.id as sessionId, u.id as userId, u.username, u.is_admin as isAdmin, s.confirmed_at as confirmedAt,
    s.signed_in_by as signedInBy, u.preferences,
    exists (select 1 from second_factors f where f.user_id = u.id and f.confirmed_at is not null)
      or exists (select 1 from passkeys p where p.user_id = u.id) as hasFactor
  from sessions s
  join users u on u.id = s.user_id
  where s.token_hash = ?1 and s.expires_at > ?2 and s.created_at > ?5 and u.disabled_at is null`

/** `changes()` is how many rows the statement before this one has changed. */
const CHANGE_VISITORS_SHARE = `
  update provider_budgets set calls = calls + ?4, micros = micros + ?5
  where provider = ?8 and month = ?2
    and (?9 is null or calls + ?4 <= ?9) and (?10 is null or micros + ?5 <= ?10)
    and exists (
      select 1 from provider_budgets whole
      where whole.provider = ?1 and whole.month = ?2
        and (?6 is null or whole.calls + ?4 <= ?6) and (?7 is null or whole.micros + ?5 <= ?7))`
const CHANGE_MONTH = `
  update provider_budgets set calls = calls + ?4, micros = micros + ?5
  where provider = ?1 and month = ?2
    and (?6 is null or calls + ?4 <= ?6) and (?7 is null or micros + ?5 <= ?7)
    and (?8 is null or changes() > 0)`
const CHANGE_DAY = `
  insert into provider_costs (day, provider, source, calls, micros)
  select ?3, ?1, 'budget', ?4, ?5 where changes() > 0
  on conflict (day, provider, source) do update
    set calls = calls + excluded.calls, micros = micros + excluded.micros
  returning provider`

/** Run in order, in one transaction; the last one's rows count. */
export const SQLITE_NAMED: Record<StatementName, readonly string[]> = {
  'key-lookup': [KEY_LOOKUP],
  'changed-keys': [CHANGED_KEYS],
  'write-uses': [WRITE_USES],
  'find-session': [RECORD_VISIT, FIND_SESSION],
  'change-provider-budget': [CHANGE_VISITORS_SHARE, CHANGE_MONTH, CHANGE_DAY],
}

/** As PostgreSQL writes a value of this type. */
function toJson({ column, type }: Column): RawBuilder<unknown> {
  const value = sql.ref(column)
  if (type === 'boolean') return sql`json(case ${value} when 1 then 'true' when 0 then 'false' end)`
  if (type === 'bytea') return sql`'\\x' || iif(${value} is null, null, lower(hex(${value})))`
  if (type === 'timestamptz')
    return sql`strftime('%Y-%m-%dT%H:%M:%S', ${value} / 1000000, 'unixepoch') || printf('.%06d+00:00', ${value} % 1000000)`
  return type === 'jsonb' || type.endsWith('[]') ? sql`json(${value})` : value
}

/** From JSON as PostgreSQL writes it. */
function fromJson({ column, type }: Pick<Column, 'column' | 'type'>): RawBuilder<unknown> {
  const path = `$."${column}"`
  const value = sql`(value ->> ${path})`
  if (type === 'bytea') return sql`unhex(substr(${value}, 3))`
  return type === 'timestamptz' ? sql`micros(${value})` : value
}

/** What JSON calls the values of a column, unless they are texts. */
const JSON_TYPES: Record<string, readonly string[]> = {
  integer: ['integer'],
  bigint: ['integer'],
  int: ['integer'],
  boolean: ['true', 'false'],
  'text[]': ['array'],
  'timestamptz[]': ['array'],
  jsonb: ['array', 'object'],
}

/** Whether a value isn't of its column's type: unlike PostgreSQL, SQLite would take it. */
function isWrong({ column, type }: Column): RawBuilder<unknown> {
  const path = `$."${column}"`
  const types = sql.join(['null', ...(JSON_TYPES[type] ?? ['text'])])
  const isOther = sql`json_type(value, ${path}) not in (${types})`
  if (type === 'date') return sql`(${isOther} or date(value ->> ${path}) is not (value ->> ${path}))`
  const isUnreadable = type === 'bytea' || type === 'timestamptz' ? fromJson({ column, type }) : undefined
  return isUnreadable ? sql`(${isOther} or (json_type(value, ${path}) = 'text' and ${isUnreadable} is null))` : isOther
}

type ColumnRow = Pick<Column, 'column' | 'type'> & { table: string; isIdentity: SqlBool; isRequired: SqlBool }

export const SQLITE: Statements = {
  schemaWords: {
    id: sql`integer primary key autoincrement`,
    emptyArray: sql`'[]'`,
    roomForUpdates: sql``,
    byMonth: sql``,
    partitions: [sql`create index usage_daily_day on usage_daily (day)`],
  },
  nextUpdatedAt: sql<Date>`greatest(now(), updated_at + 1)`,
  // A transaction has the database to itself.
  lock: () => Promise.resolve(),
  async hasTable(db, name) {
    const { rows } = await sql`select 1 from sqlite_schema where type = 'table' and name = ${name}`.execute(db)
    return rows.length > 0
  },
  isAmong: (column, ids) =>
    sql`${sql.ref(column)} in (select cast(value as integer) from json_each(${JSON.stringify(ids)}))`,
  async writeUsage(db, source, counts) {
    await sql`
      insert into usage_daily (day, key_id, endpoint, source, counted)
      select value ->> 'day', value ->> 'keyId', value ->> 'endpoint', ${source}, value ->> 'count'
      from json_each(${JSON.stringify(counts)})
      where exists (select 1 from api_keys where id = cast(value ->> 'keyId' as integer))
      on conflict (key_id, day, endpoint, source) do update set counted = excluded.counted
        where usage_daily.counted < excluded.counted`.execute(db)
  },
  async deleteOauthStateOf(db, userId) {
    await sql`
      delete from oauth_state
      where exists (select 1 from json_tree(payload) where key = 'accountId' and value = ${userId})`.execute(db)
  },
  // There are none: a small instance has few rows.
  ensureUsagePartition: () => Promise.resolve(),
  dropUsagePartitions: () => Promise.resolve(),
  /** Another connection, so that nothing waits: what it reads stays as it is at its first statement. */
  async withSnapshot(db, work) {
    const { rows } = await sql<{ file: string }>`select file from pragma_database_list where name = 'main'`.execute(db)
    const connection = openConnection(rows[0]?.file ?? '', { readOnly: true })
    try {
      return await connection.transaction().execute(work)
    } finally {
      await connection.destroy()
    }
  },
  async listTables(db) {
    const { rows } = await sql<ColumnRow>`
      select t.name as "table", c.name as "column", lower(c.type) as type,
        c.pk = 1 and lower(c.type) = 'integer' as isIdentity, c."notnull" as isRequired
      from sqlite_schema t join pragma_table_info(t.name) c
      where t.type = 'table' and t.name not like 'sqlite^_%' escape '^'
      order by t.name, c.cid`.execute(db)
    const tables = Map.groupBy(rows, ({ table }) => table)
    return [...tables].map(([table, columns]) => ({
      table,
      columns: columns.map(({ column, type, isIdentity, isRequired }) => ({
        column,
        type,
        isIdentity: Boolean(isIdentity),
        isRequired: Boolean(isRequired),
      })),
    }))
  },
  async listReferences(db) {
    const { rows } = await sql<{ from: string; to: string }>`
      select t.name as "from", k."table" as "to"
      from sqlite_schema t join pragma_foreign_key_list(t.name) k
      where t.type = 'table' and k."table" <> t.name`.execute(db)
    return rows
  },
  async readCounter(db, table) {
    const { rows } = await sql<{ last: string }>`
      select cast(seq as text) as last from sqlite_sequence where name = ${table}`.execute(db)
    return rows[0]?.last ?? '0'
  },
  async setCounter(db, { table, last }) {
    await sql`delete from sqlite_sequence where name = ${table}`.execute(db)
    await sql`insert into sqlite_sequence (name, seq) values (${table}, cast(${last} as integer))`.execute(db)
  },
  async *readRowsAsJson(db, { table, columns }) {
    const pairs = sql.join(columns.map((column) => sql`${sql.lit(column.column)}, ${toJson(column)}`))
    for (let after = 0; ; ) {
      const { rows } = await sql<{ number: string | number; row: string }>`
        select rowid as number, json_object(${pairs}) as row from ${sql.table(table)}
        where rowid > ${after} order by rowid limit ${ROWS_PER_BATCH}`.execute(db)
      const last = rows.at(-1)
      if (!last) break
      yield rows.map(({ row }) => row)
      after = Number(last.number)
    }
  },
  async insertRowsAsJson(db, { table, columns }, rowsJson) {
    const { rows: wrong } = await sql`
      select 1 from json_each(${rowsJson}) where ${sql.join(columns.map(isWrong), sql` or `)} limit 1`.execute(db)
    if (wrong.length > 0) throw new ValueOfOtherType()
    const names = sql.join(columns.map(({ column }) => sql.ref(column)))
    await sql`
      insert into ${sql.table(table)} (${names})
      select ${sql.join(columns.map(fromJson))} from json_each(${rowsJson})`.execute(db)
  },
  async emptyTables(db, tables) {
    // What refers to another table goes with it.
    for (const table of tables) await sql`delete from ${sql.table(table)}`.execute(db)
    await sql`delete from sqlite_sequence where name in (${sql.join(tables)})`.execute(db)
  },
  async readServerFacts(db) {
    const { rows } = await sql<{ version: string }>`select sqlite_version() as version`.execute(db)
    return {
      version: rows[0]?.version ?? '',
      isReadOnly: false,
      now: Date.now(),
      mayCreateTables: true,
      tablesWithoutRights: [],
      connections: { used: 1, max: 1 },
    }
  },
}

/** A backup holds a value that its column can't. */
export class ValueOfOtherType extends Error {}
