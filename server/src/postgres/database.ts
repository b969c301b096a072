// Opens PostgreSQL, or PGlite in the data folder, which is PostgreSQL compiled to WebAssembly and runs in this process.
// Both speak the same SQL dialect. PGlite belongs to one process at a time; `data-folder.ts` ensures that.
import { existsSync, openAsBlob } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Kysely, type LogEvent, PGliteDialect, PostgresDialect } from 'kysely'
import pg from 'pg'
import { Refusal } from '../errors.ts'
import type { Log } from '../log.ts'
import { isTracing, traced, tracePast } from '../trace.ts'
import { closeDatabaseFiles, lockDataFolder, NoDatabase, requireUsedFolder, secureDataFolder } from './data-folder.ts'
import { explainForeignFile } from './data-folder-owner.ts'
import type { Schema } from './schema.ts'

/** A hot-path statement, prepared once per connection under its name, unless there's a pooler in between. */
export interface NamedStatement {
  name: string
  text: string
}

export interface Database {
  db: Kysely<Schema>
  query: <Row>(statement: NamedStatement, values: unknown[]) => Promise<Row[]>
  /** The pool's connections, and the number of statements waiting for one; undefined for PGlite, which has no pool. */
  pool?: () => { total: number; idle: number; waiting: number }
  /** For work without a time limit, such as an index on a large table. */
  withoutTimeout: <Result>(work: (db: Kysely<Schema>) => Promise<Result>) => Promise<Result>
  close: () => Promise<void>
}

/**
 * Both drivers read these as text: a `Date` would shift a day by the machine's time zone, a number would round an id.
 */
const DATE_OID = 1082
const BIGINT_OID = 20
const asText = (value: string): string => value
pg.types.setTypeParser(DATE_OID, asText)

/** PostgreSQL's default of 128 MB would all be allocated immediately. The system caches the files as well. */
const PGLITE_BUFFERS = '16MB'

/**
 * A dump of an empty PGlite database, made by `tools/make-empty-database.ts`. Running PostgreSQL's `initdb` instead
 * would take three times as long, and 650 MB. It holds no table and nothing secret.
 */
export const EMPTY_DATABASE = new URL('./pglite-0.5.16.tar.gz', import.meta.url)

const CONNECT_TIMEOUT_MS = 2_000
const QUERY_TIMEOUT_MS = 5_000

const AWAY_CODES = /^(?:ECONNREFUSED|ECONNRESET|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|08\w{3}|57P0[1-3]|53300)$/
/** The driver gives these no code. */
const AWAY_MESSAGES = /^(?:timeout exceeded when trying to connect|Query read timeout|Connection terminated)/

/** Whether a statement failed because the database is unavailable, rather than because of the statement itself. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if ('code' in error && typeof error.code === 'string' && AWAY_CODES.test(error.code)) return true
  // A host with several addresses fails with one error per address.
  if (error instanceof AggregateError) return error.errors.some(isDatabaseAway)
  return AWAY_MESSAGES.test(error.message)
}

const PERMISSION_DENIED = '42501'

export const isPermissionDenied = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === PERMISSION_DENIED

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
    query: async <Row>({ name, text }: NamedStatement, values: unknown[]) =>
      // The row type belongs to the caller's statement; pg cannot know it.
      (await traced(`postgres ${name}`, {}, () => pool.query(hasPooler() ? { text, values } : { name, text, values })))
        .rows as Row[],
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

const explainDamage = (folder: string): string =>
  `The database in ${resolve(folder)} cannot be opened. If the disk is not full, its files are damaged: move that folder away, and restore your last backup with bowerbird restore <file>.`

/** Unless it `mayCreate` a database, leaves a folder without one untouched. */
export async function openPglite(dataFolder: string, mayCreate = true): Promise<Database> {
  if (!mayCreate) requireUsedFolder(dataFolder)
  const unlock = await lockDataFolder(dataFolder)
  try {
    await secureDataFolder(dataFolder)
    const { PGlite } = await import('@electric-sql/pglite')
    const folder = join(dataFolder, 'postgres')
    const unfinished = `${folder}.unfinished`
    if (existsSync(unfinished)) await rm(folder, { recursive: true, force: true })
    const isNew = !existsSync(folder)
    if (isNew && !mayCreate) throw new NoDatabase(dataFolder)
    if (isNew) await writeFile(unfinished, '')
    const pglite = await PGlite.create(folder, {
      startParams: [...PGlite.defaultStartParams, '-c', `shared_buffers=${PGLITE_BUFFERS}`],
      ...(isNew && { loadDataDir: await openAsBlob(fileURLToPath(EMPTY_DATABASE), { type: 'application/gzip' }) }),
      parsers: { [DATE_OID]: asText, [BIGINT_OID]: asText },
    }).catch(async (error: unknown) => {
      // A failure of PostgreSQL itself ends as `Aborted()`, without a reason. The file system's errors have a code.
      if (error instanceof Error && 'code' in error && /^E[A-Z]/.test(String(error.code))) throw error
      throw new Refusal('storage_unavailable', (await explainForeignFile(dataFolder)) ?? explainDamage(folder))
    })
    await closeDatabaseFiles(dataFolder, isNew)
    if (isNew) await rm(unfinished)
    const db = new Kysely<Schema>({ dialect: new PGliteDialect({ pglite }) })
    return {
      db,
      query: async <Row>({ text }: NamedStatement, values: unknown[]) => (await pglite.query<Row>(text, values)).rows,
      withoutTimeout: (work) => work(db),
      async close() {
        await pglite.close()
        unlock()
      },
    }
  } catch (error) {
    unlock()
    throw error
  }
}
