// Opens PostgreSQL.
import { Kysely, type LogEvent, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Log } from '../log.ts'
import { isTracing, traced, tracePast } from '../trace.ts'
import type { Database } from './database.ts'
import { POSTGRES_NAMED } from './postgres-statements.ts'
import type { Schema } from './schema.ts'
import type { StatementName } from './statements.ts'

/** Read as text: a `Date` would shift a day by the machine's time zone. */
const DATE_OID = 1082
pg.types.setTypeParser(DATE_OID, (value: string): string => value)

const CONNECT_TIMEOUT_MS = 2_000
const QUERY_TIMEOUT_MS = 5_000

/** Traces only the first word of a statement: `select`, `insert`. */
const traceStatement = ({ query, queryDurationMillis }: LogEvent): void =>
  tracePast(`postgres ${query.sql.trimStart().split(/\s/, 1)[0] ?? ''}`, {}, queryDurationMillis)

export function openPostgres(url: string, log: Log, poolSize = 10): Database {
  const { isSeen: hasPooler, look: lookForPooler } = createPoolerCheck()
  const openPool = (options: pg.PoolConfig): pg.Pool => {
    const pool = new pg.Pool({
      connectionString: url,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      application_name: 'bowerbird',
      keepAlive: true,
      onConnect: lookForPooler,
      ...options,
    })
    // A connection that breaks during a statement rejects the statement and then emits 'error' itself; without a
    // listener, that would end the process.
    pool.on('connect', (client) => client.on('error', () => undefined))
    pool.on('error', (error) => log.warn({ err: new Error('an idle PostgreSQL connection failed', { cause: error }) }))
    return pool
  }
  const tracing = isTracing ? { log: traceStatement } : {}
  const toKysely = (pool: pg.Pool) => new Kysely<Schema>({ dialect: new PostgresDialect({ pool }), ...tracing })
  const pool = openPool({ max: poolSize, query_timeout: QUERY_TIMEOUT_MS })
  const db = toKysely(pool)
  return {
    db,
    async query<Row>(name: StatementName, values: readonly unknown[]) {
      const statement = { text: POSTGRES_NAMED[name], values: [...values] }
      // Prepared under its name, unless there's a pooler in between.
      const run = () => pool.query(hasPooler() ? statement : { name, ...statement })
      // The row type belongs to the caller; pg cannot know it.
      return (await traced(`postgres ${name}`, {}, run)).rows as Row[]
    },
    pool: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    async withoutTimeout(work) {
      const patient = toKysely(openPool({ max: 1 }))
      try {
        return await work(patient)
      } finally {
        await patient.destroy()
      }
    },
    close: () => db.destroy(),
  }
}

/**
 * Detects a pooler such as PgBouncer, which may run every transaction on another connection, where a statement prepared
 * earlier is missing. The process id gives it away: PostgreSQL's own differs from the one that the pooler made up at
 * connect. Every process migrates first, so this is known before the first named statement.
 */
function createPoolerCheck() {
  let isSeen = false
  const ask = async (client: pg.ClientBase): Promise<void> => {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    // The driver has this property, but its types don't.
    const announced = (client as { processID?: number | null }).processID
    if (rows[0]?.pid !== announced) isSeen = true
  }
  // The pool awaits the promise, although its types don't say so.
  const look = (client: pg.ClientBase): unknown => ask(client)
  return { isSeen: () => isSeen, look }
}
