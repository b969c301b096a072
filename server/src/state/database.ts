// PostgreSQL, or its twin in the process: PGlite, PostgreSQL compiled to WebAssembly, in the data folder.
// One SQL dialect serves both. The twin belongs to one process at a time, which `data-folder-lock.ts` sees to.
import { join } from 'node:path'
import { Kysely, PGliteDialect, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Log } from '../log.ts'
import { lockDataFolder } from './data-folder-lock.ts'
import type { Schema } from '../storage/schema.ts'

/** A statement on the hot path: prepared once for a connection under its name. */
export interface NamedStatement {
  name: string
  text: string
}

export interface Database {
  db: Kysely<Schema>
  query: <Row>(statement: NamedStatement, values: unknown[]) => Promise<Row[]>
  close: () => Promise<void>
}

/** Both drivers read these as text: a `Date` would move a day by the machine's time zone, a number would round an id. */
const DATE_OID = 1082
const BIGINT_OID = 20
const asText = (value: string): string => value
pg.types.setTypeParser(DATE_OID, asText)

const CONNECT_TIMEOUT_MS = 2_000
const QUERY_TIMEOUT_MS = 5_000

const AWAY_CODES = /^(?:ECONNREFUSED|ECONNRESET|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|08\w{3}|57P0[1-3]|53300)$/
/** The driver gives these no code. */
const AWAY_MESSAGES = /^(?:timeout exceeded when trying to connect|Query read timeout|Connection terminated)/

/** Whether a statement failed because there is no database to be asked, and not because of the statement. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if ('code' in error && typeof error.code === 'string' && AWAY_CODES.test(error.code)) return true
  // A host with several addresses fails with an error for each.
  if (error instanceof AggregateError) return error.errors.some(isDatabaseAway)
  return AWAY_MESSAGES.test(error.message)
}

export function openPostgres(url: string, log: Log): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    application_name: 'bowerbird',
    keepAlive: true,
  })
  pool.on('error', (error) => log.warn({ err: new Error('an idle PostgreSQL connection broke', { cause: error }) }))
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) })
  return {
    db,
    query: async <Row>(statement: NamedStatement, values: unknown[]) =>
      // The row type is the caller's own statement's: pg cannot know it.
      (await pool.query({ ...statement, values })).rows as Row[],
    close: () => db.destroy(),
  }
}

export async function openPglite(dataFolder: string): Promise<Database> {
  const unlock = await lockDataFolder(dataFolder)
  try {
    const { PGlite } = await import('@electric-sql/pglite')
    const pglite = await PGlite.create(join(dataFolder, 'postgres'), {
      parsers: { [DATE_OID]: asText, [BIGINT_OID]: asText },
    })
    const db = new Kysely<Schema>({ dialect: new PGliteDialect({ pglite }) })
    return {
      db,
      query: async <Row>({ text }: NamedStatement, values: unknown[]) => (await pglite.query<Row>(text, values)).rows,
      async close() {
        await pglite.close()
        await unlock()
      },
    }
  } catch (error) {
    await unlock()
    throw error
  }
}
