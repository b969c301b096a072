// A private database in the machine's PostgreSQL, copied from one that was migrated once: a copy takes a third of the time.
// With TEST_POOLER_URL, tests reach it through that pooler, as a role that may only read and write rows.
//
// The template's name carries its day and a hash of the sources that make the schema, so it is never stale, and worktrees
// with different schemas share one server. Those who copy it hold a shared lock, and the one who makes it an exclusive one.
import { createHash, randomBytes } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import pg from 'pg'
import { createLog } from '../../src/log.ts'
import { migrate } from '../../src/store/migrations.ts'
import { openPostgres } from '../../src/store/postgres.ts'
import { makeUsagePartitions } from '../../src/store/usage-partitions.ts'

const SERVER = process.env['TEST_POSTGRES_URL'] ?? 'postgres://root@127.0.0.1:5432/test'
const SECURITY = resolve(import.meta.dirname, '../../../docs/security/README.md')

export interface TemporaryDatabase {
  url: string
  drop: () => Promise<void>
}

/** An arbitrary number for the lock on templates. */
const LOCK = '6630417798112504471'
const STORE = resolve(import.meta.dirname, '../../src/store')
const SOURCES = globSync('*.ts', { cwd: STORE, exclude: ['*.test.ts'] }).toSorted()
const SCHEMA = createHash('sha256')
for (const file of ['../../package.json', ...SOURCES]) SCHEMA.update(readFileSync(resolve(STORE, file)))
const SCHEMA_HASH = SCHEMA.digest('hex').slice(0, 12)

/** Has all tables, and no rows. */
export const createTemporaryDatabase = (): Promise<TemporaryDatabase> =>
  withServer(async (server) => {
    const today = `bb_template_${new Date().toISOString().slice(0, 10).replaceAll('-', '')}`
    const template = `${today}_${SCHEMA_HASH}`
    await server.query(`select pg_advisory_lock_shared(${LOCK})`)
    while (!(await hasDatabase(server, template))) {
      await server.query(`select pg_advisory_unlock_shared(${LOCK}), pg_advisory_lock(${LOCK})`)
      if (!(await hasDatabase(server, template))) await makeTemplate(server, template, today)
      await server.query(`select pg_advisory_unlock(${LOCK}), pg_advisory_lock_shared(${LOCK})`)
    }
    return await create(server, template)
  })

/** Has no tables: for tests of the migration itself. */
export const createEmptyDatabase = (): Promise<TemporaryDatabase> => withServer((server) => create(server, 'template1'))

async function create(server: pg.Client, template: string): Promise<TemporaryDatabase> {
  const name = `bb_test_${randomBytes(6).toString('hex')}`
  await server.query(`create database ${name} template ${template}`)
  const url = urlOf(SERVER, name)
  const pooler = process.env['TEST_POOLER_URL']
  if (pooler) await prepareFor(new URL(pooler).username, url)
  return {
    url: pooler ? urlOf(pooler, name) : url,
    drop: () => execute(SERVER, `drop database if exists ${name} with (force)`),
  }
}

async function hasDatabase(server: pg.Client, name: string): Promise<boolean> {
  const { rowCount } = await server.query('select from pg_database where datname = $1', [name])
  return rowCount === 1
}

/** It gets its name when it is whole, and those of earlier days go. */
async function makeTemplate(server: pg.Client, template: string, today: string): Promise<void> {
  const earlier = await server.query<{ datname: string }>(
    "select datname from pg_database where datname like 'bb\\_template\\_%' and (datname < $1 or datname like '%\\_unfinished')",
    [today],
  )
  for (const { datname } of earlier.rows) await server.query(`drop database ${datname} with (force)`)
  await server.query(`create database ${template}_unfinished`)
  const { db, close } = openPostgres(urlOf(SERVER, `${template}_unfinished`), createLog('silent'))
  await migrate(db)
  await close()
  await server.query(`alter database ${template}_unfinished rename to ${template}`)
}

function urlOf(server: string, database: string): string {
  const url = new URL(server)
  url.pathname = `/${database}`
  return url.href
}

async function prepareFor(role: string, url: string): Promise<void> {
  const { db, close } = openPostgres(url, createLog('silent'))
  await migrate(db)
  await makeUsagePartitions(db, Date.now())
  await close()
  await execute(url, ...grantsTo(role, url))
}

/** The grants in the operator's documentation. */
function grantsTo(role: string, url: string): string[] {
  const { username, pathname } = new URL(url)
  const lines = readFileSync(SECURITY, 'utf8').split('\n')
  return lines
    .filter((line) => /^(?:grant|alter default privileges) .*bowerbird_rows;$/.test(line))
    .map((line) =>
      line
        .replaceAll('bowerbird_rows', role)
        .replace('database bowerbird ', `database ${pathname.slice(1)} `)
        .replace('role bowerbird ', `role ${username || 'root'} `),
    )
}

const execute = (url: string, ...statements: string[]): Promise<void> =>
  withServer(async (server) => {
    for (const statement of statements) await server.query(statement)
  }, url)

/** Locks that were taken end with the connection. */
async function withServer<Result>(work: (server: pg.Client) => Promise<Result>, url = SERVER): Promise<Result> {
  const server = new pg.Client(url)
  await server.connect()
  try {
    return await work(server)
  } finally {
    await server.end()
  }
}
