// PostgreSQL's form of the statements in `statements.ts`.
import { type Kysely, sql } from 'kysely'
import { dayOf, endOfMonth } from '../text/utc-day.ts'
import { isPermissionDenied } from './database.ts'
import type { Schema } from './schema.ts'
import {
  type Column,
  MAX_CHANGED_KEYS,
  type ServerFacts,
  type StatementName,
  type Statements,
  type Table,
} from './statements.ts'

/** Counters are updated up to once a second. */
const FILLFACTOR = 70
const ROWS_PER_FETCH = 1_000

const KEY_LOOKUP = `
  select s.prefix, s.secret_hash, s.expires_at as secret_expires_at,
    k.id as key_id, k.name, k.scopes, k.burst, k.sustained, k.networks, k.created_at, k.expires_at, k.revoked_at,
    k.last_used_at, k.oauth_client,
    extract(epoch from k.updated_at)::text as version,
    u.id as user_id, u.username, u.disabled_at
  from key_secrets s
  join api_keys k on k.id = s.key_id
  join users u on u.id = k.user_id
  where s.prefix = $1`

/** The order and the `offset 0` tie the planner to the indexes: it may otherwise read a whole table. */
const CHANGED_KEYS = `
  select extract(epoch from now())::text as read_at, changed.prefix, changed.version,
    (select sum(id)::text from audit_events where event = 'user-deleted') as deleted
  from (select) as always
  left join (
    select s.prefix, extract(epoch from k.updated_at)::text as version
    from (
      select id, updated_at
      from api_keys
      where updated_at > to_timestamp($1::float8) - interval '60 seconds' and updated_at <> created_at
      order by updated_at
      limit ${MAX_CHANGED_KEYS}
    ) k
    cross join lateral (select prefix from key_secrets where key_id = k.id offset 0) s
  ) changed on true`

/** Locks rows in order of id, as `accounts/users.ts` does. */
const WRITE_USES = `
  with used as (
    select k.id, u.used_at
    from json_to_recordset($1::json) as u (id bigint, used_at timestamptz)
    join api_keys k on k.id = u.id
    where k.last_used_at is null or k.last_used_at < u.used_at
    order by k.id
    for no key update of k
  )
  update api_keys set last_used_at = used.used_at from used where api_keys.id = used.id`

const FIND_SESSION = `
  with seen as (
    update sessions s
    set last_seen_at = $2::timestamptz,
      expires_at = least($3::timestamptz, s.created_at + ($2::timestamptz - $5::timestamptz))
    from users u
    where s.token_hash = $1 and s.expires_at > $2::timestamptz and s.last_seen_at <= $4::timestamptz
      and s.created_at > $5::timestamptz and u.id = s.user_id and u.disabled_at is null
  )
  select s.id as "sessionId", u.id as "userId", u.username, u.is_admin as "isAdmin", s.confirmed_at as "confirmedAt",
    s.signed_in_by as "signedInBy", u.preferences,
    exists (select from second_factors f where f.user_id = u.id and f.confirmed_at is not null)
      or exists (select from passkeys p where p.user_id = u.id) as "hasFactor"
  from sessions s
  join users u on u.id = s.user_id
  where s.token_hash = $1 and s.expires_at > $2::timestamptz and s.created_at > $5::timestamptz
    and u.disabled_at is null`

const CHANGE_PROVIDER_BUDGET = `
  with share as (
    update provider_budgets set calls = calls + $4::bigint, micros = micros + $5::bigint
    where provider = $8 and month = $2::date
      and ($9::bigint is null or calls + $4::bigint <= $9::bigint)
      and ($10::bigint is null or micros + $5::bigint <= $10::bigint)
      and exists (
        select from provider_budgets whole
        where whole.provider = $1 and whole.month = $2::date
          and ($6::bigint is null or whole.calls + $4::bigint <= $6::bigint)
          and ($7::bigint is null or whole.micros + $5::bigint <= $7::bigint))
    returning provider),
  changed as (
    update provider_budgets set calls = calls + $4::bigint, micros = micros + $5::bigint
    where provider = $1 and month = $2::date
      and ($6::bigint is null or calls + $4::bigint <= $6::bigint)
      and ($7::bigint is null or micros + $5::bigint <= $7::bigint)
      and ($8::text is null or exists (select from share))
    returning provider)
  insert into provider_costs (day, provider, source, calls, micros)
  select $3::date, provider, 'budget', $4::bigint, $5::bigint from changed
  on conflict (day, provider, source) do update
    set calls = provider_costs.calls + excluded.calls, micros = provider_costs.micros + excluded.micros
  returning provider`

export const POSTGRES_NAMED: Record<StatementName, string> = {
  'key-lookup': KEY_LOOKUP,
  'changed-keys': CHANGED_KEYS,
  'write-uses': WRITE_USES,
  'find-session': FIND_SESSION,
  'change-provider-budget': CHANGE_PROVIDER_BUDGET,
}

const partitionOf = (month: string): string => `usage_daily_${month.replace('-', '_')}`

const monthOfPartition = (name: string): string | undefined => {
  const [, year, month] = /^usage_daily_(\d{4})_(\d{2})$/.exec(name) ?? []
  return year && `${year}-${month}`
}

async function dropPartition(db: Kysely<Schema>, name: string): Promise<void> {
  try {
    await sql`drop table if exists ${sql.id(name)}`.execute(db)
  } catch (error) {
    // The rows are then deleted one by one.
    if (!isPermissionDenied(error)) throw error
  }
}

export const POSTGRES: Statements = {
  schemaWords: {
    id: sql`bigint generated always as identity primary key`,
    emptyArray: sql`'{}'`,
    roomForUpdates: sql`with (fillfactor = ${sql.lit(FILLFACTOR)})`,
    byMonth: sql`partition by range (day)`,
    partitions: [
      sql`create table usage_daily_other partition of usage_daily default with (fillfactor = ${sql.lit(FILLFACTOR)})`,
      // Rows arrive day by day, so a BRIN index fits: it's a few pages and costs almost nothing on write.
      sql`create index usage_daily_day on usage_daily using brin (day)`,
    ],
  },
  nextUpdatedAt: sql<Date>`greatest(clock_timestamp(), updated_at + interval '1 microsecond')`,
  async lock(transaction, id) {
    await sql`select pg_advisory_xact_lock(${sql.lit(id)}::bigint)`.execute(transaction)
  },
  async hasTable(db, name) {
    const { rows } = await sql<{ found: boolean }>`select to_regclass(${name}) is not null as found`.execute(db)
    return rows[0]?.found === true
  },
  isAmong: (column, ids) => sql`${sql.ref(column)} = any(${ids}::bigint[])`,
  async writeUsage(db, source, counts) {
    await sql`
      insert into usage_daily (day, key_id, endpoint, source, counted)
      select day, "keyId", endpoint, ${source}, count
      from json_to_recordset(${JSON.stringify(counts)}::json)
        as news (day date, "keyId" bigint, endpoint text, count bigint)
      where exists (select from api_keys where id = "keyId")
      on conflict (key_id, day, endpoint, source) do update set counted = excluded.counted
        where usage_daily.counted < excluded.counted`.execute(db)
  },
  async deleteOauthStateOf(db, userId) {
    await sql`
      delete from oauth_state
      where jsonb_path_exists(payload, '$.**.accountId ? (@ == $id)', jsonb_build_object('id', ${userId}::text))`.execute(
      db,
    )
  },
  /** Unless rows of that month are already elsewhere. */
  async ensureUsagePartition(db, month) {
    const name = partitionOf(month)
    const next = dayOf(endOfMonth(month))
    await sql`
      do ${sql.lit(`begin
        if to_regclass('${name}') is null
          and not exists (select from usage_daily_other where day >= '${month}-01' and day < '${next}') then
          create table ${name} partition of usage_daily for values from ('${month}-01') to ('${next}')
            with (fillfactor = ${FILLFACTOR});
        end if;
      exception when duplicate_table or unique_violation then null;
      end`)}`.execute(db)
  },
  async dropUsagePartitions(db, firstDay) {
    const { rows } = await sql<{ name: string }>`
      select relname as name from pg_inherits join pg_class on pg_class.oid = inhrelid
      where inhparent = 'usage_daily'::regclass`.execute(db)
    for (const { name } of rows) {
      const month = monthOfPartition(name)
      if (month !== undefined && dayOf(endOfMonth(month)) <= firstDay) await dropPartition(db, name)
    }
  },
  withSnapshot: (db, work) =>
    db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work),
  async listTables(db) {
    const { rows } = await sql<Column & { table: string }>`
      select c.relname as table, a.attname as column, format_type(a.atttypid, null) as type,
        a.attidentity <> '' as "isIdentity", a.attnotnull as "isRequired"
      from pg_class c
      join pg_namespace n on n.oid = c.relnamespace
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      where n.nspname = current_schema() and c.relkind in ('r', 'p') and not c.relispartition
      order by c.relname, a.attnum`.execute(db)
    const tables = Map.groupBy(rows, ({ table }) => table)
    return [...tables].map(([table, columns]): Table => ({ table, columns }))
  },
  async listReferences(db) {
    const { rows } = await sql<{ from: string; to: string }>`
      select f.relname as from, t.relname as to
      from pg_constraint k join pg_class f on f.oid = k.conrelid join pg_class t on t.oid = k.confrelid
      where k.contype = 'f' and k.conrelid <> k.confrelid`.execute(db)
    return rows
  },
  async readCounter(db, table, column) {
    const { rows } = await sql<{ last: string | null }>`
      select pg_sequence_last_value(pg_get_serial_sequence(quote_ident(${table}), ${column})::regclass)::text as last`.execute(
      db,
    )
    return rows[0]?.last ?? '0'
  },
  async setCounter(db, { table, column, last }) {
    await sql`select setval(pg_get_serial_sequence(${table}, ${column}), ${last}::bigint)`.execute(db)
  },
  async *readRowsAsJson(db, { table }) {
    await sql`
      declare backup_rows no scroll cursor for select row_to_json(t)::text as row from ${sql.table(table)} t`.execute(
      db,
    )
    for (;;) {
      const { rows } = await sql<{ row: string }>`fetch ${sql.lit(ROWS_PER_FETCH)} from backup_rows`.execute(db)
      if (rows.length === 0) break
      yield rows.map(({ row }) => row)
    }
    await sql`close backup_rows`.execute(db)
  },
  async insertRowsAsJson(db, { table, columns }, rowsJson) {
    const names = sql.join(columns.map(({ column }) => sql.ref(column)))
    await sql`
      insert into ${sql.table(table)} (${names}) overriding system value
      select ${names} from json_populate_recordset(null::${sql.table(table)}, ${rowsJson}::json)`.execute(db)
  },
  async emptyTables(db, tables) {
    await sql`truncate ${sql.join(tables.map((table) => sql.table(table)))} restart identity cascade`.execute(db)
  },
  async readServerFacts(db) {
    const { rows } = await sql<
      Omit<ServerFacts, 'tablesWithoutRights' | 'connections'> & { used: number; max: number }
    >`
      select split_part(current_setting('server_version'), ' ', 1) as version,
        current_setting('transaction_read_only') = 'on' as "isReadOnly",
        (extract(epoch from clock_timestamp()) * 1000)::float8 as now,
        coalesce(has_schema_privilege(current_schema(), 'create'), false) as "mayCreateTables",
        (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as used,
        current_setting('max_connections')::int as max`.execute(db)
    const { rows: lacking } = await sql<{ name: string }>`
      select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = current_schema() and c.relkind in ('r', 'p')
        and not (has_table_privilege(c.oid, 'select') and has_table_privilege(c.oid, 'insert')
          and has_table_privilege(c.oid, 'update') and has_table_privilege(c.oid, 'delete'))
      order by 1`.execute(db)
    const [row] = rows
    if (!row) throw new Error('the database returned no facts about itself')
    const { used, max, ...facts } = row
    return { ...facts, tablesWithoutRights: lacking.map(({ name }) => name), connections: { used, max } }
  },
}
