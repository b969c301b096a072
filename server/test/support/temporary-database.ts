// A private database in the machine's PostgreSQL. With TEST_POOLER_URL, tests reach it through that pooler, as a role
// that may only read and write rows; migrations run before.
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
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

export async function createTemporaryDatabase(): Promise<TemporaryDatabase> {
  const name = `bb_test_${randomBytes(6).toString('hex')}`
  await execute(SERVER, `create database ${name}`)
  const url = urlOf(SERVER, name)
  const pooler = process.env['TEST_POOLER_URL']
  if (pooler) await prepareFor(new URL(pooler).username, url)
  return {
    url: pooler ? urlOf(pooler, name) : url,
    drop: () => execute(SERVER, `drop database if exists ${name} with (force)`),
  }
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

async function execute(url: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  for (const statement of statements) await client.query(statement)
  await client.end()
}
