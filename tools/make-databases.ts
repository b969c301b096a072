// Regenerates the databases stored as files. Run it after an upgrade of PGlite, and after a new migration in
// `postgres/migrations.ts`: npx node tools/make-databases.ts
//
// - the empty database that a small instance starts with: `EMPTY_DATABASE` in `postgres/database.ts`
// - a data folder of the current schema in `server/test/fixtures/data-folders/`, which later versions must open. Those
//   of earlier migrations are left as they are.
// - the same as a dump of PostgreSQL in `server/test/fixtures/databases/`
import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { PGlite } from '@electric-sql/pglite'
import { Kysely, PGliteDialect, sql } from 'kysely'
import { createLog } from '../server/src/log.ts'
import { EMPTY_DATABASE, openPostgres } from '../server/src/postgres/database.ts'
import { migrate } from '../server/src/postgres/migrations.ts'
import type { Schema } from '../server/src/postgres/schema.ts'
import { ensureUsagePartition } from '../server/src/postgres/usage-partitions.ts'
import { createTemporaryDatabase } from '../server/test/support/temporary-database.ts'

const FIXTURES = resolve(import.meta.dirname, '../server/test/fixtures')
/** New WAL segments are then all zeros, and old ones are removed. */
const SMALL_LOG = ['wal_recycle=off', 'min_wal_size=32MB', 'max_wal_size=32MB'].flatMap((setting) => ['-c', setting])

const folder = await mkdtemp(join(tmpdir(), 'bowerbird-pglite-'))
try {
  await (await PGlite.create(folder)).close()
  const pglite = await PGlite.create(folder, { startParams: [...PGlite.defaultStartParams, ...SMALL_LOG] })
  await writeFile(EMPTY_DATABASE, gzipSync(await dump(pglite), { level: 9 }))
  const step = await fill(new Kysely<Schema>({ dialect: new PGliteDialect({ pglite }) }))
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: 24 }
  await writeFile(join(FIXTURES, `data-folders/${step}.tar.br`), brotliCompressSync(await dump(pglite), { params }))
  await pglite.close()
  await dumpPostgres()
} finally {
  await rm(folder, { recursive: true, force: true })
}

async function dumpPostgres(): Promise<void> {
  const temporary = await createTemporaryDatabase()
  const { db, close } = openPostgres(temporary.url, createLog('silent'))
  const step = await fill(db)
  await close()
  const args = ['--inserts', '--no-owner', '--no-privileges', '--no-comments', temporary.url]
  // Lines with a backslash are commands of psql.
  const text = execFileSync('pg_dump', args, { encoding: 'utf8' }).replace(/^\\.*\n/gm, '')
  await writeFile(join(FIXTURES, `databases/${step}.sql`), text)
  await temporary.drop()
}

async function dump(pglite: PGlite): Promise<Uint8Array> {
  for (let i = 0; i < 2; i++) {
    await pglite.exec('select pg_switch_wal()')
    await pglite.exec('checkpoint')
  }
  return new Uint8Array(await (await pglite.dumpDataDir('none')).arrayBuffer())
}

/** The name of the last migration. */
async function fill(db: Kysely<Schema>): Promise<string | undefined> {
  const steps = await migrate(db)
  await ensureUsagePartition(db, '2026-11')
  await sql`insert into users (username, password_hash) values ('ada', 'none')`.execute(db)
  await sql`insert into api_keys (user_id, name, scopes) values (1, 'laptop', '{search}')`.execute(db)
  await sql`insert into key_secrets (prefix, key_id, secret_hash) values ('bb_ada', 1, 'hash')`.execute(db)
  await sql`
    insert into usage_daily (day, key_id, endpoint, source, counted)
    values ('2026-11-16', 1, 'web', 'one', 7)`.execute(db)
  await sql`insert into provider_costs (day, provider, source, calls) values ('2026-11-16', 'brave', 'one', 3)`.execute(
    db,
  )
  await sql`insert into rule_owners (user_id, version, rule_count) values (1, 1, 1)`.execute(db)
  await sql`
    insert into site_rules (owner_id, pattern, is_rewrite, action, target)
    values (1, 'example.org', false, 'block', '')`.execute(db)
  return steps.at(-1)
}
