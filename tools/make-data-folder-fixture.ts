// Makes the data folder of the current schema that later versions must open: `server/test/fixtures/data-folders/` has one
// for each step of `storage/migrations.ts`. Run it with every new step, and leave the older ones as they are:
// npx node tools/make-data-folder-fixture.ts
import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { PGlite } from '@electric-sql/pglite'
import { Kysely, PGliteDialect, sql } from 'kysely'
import { migrate } from '../server/src/storage/migrations.ts'
import type { Schema } from '../server/src/storage/schema.ts'
import { ensureUsagePartition } from '../server/src/storage/usage-partitions.ts'

const FOLDER = resolve(import.meta.dirname, '../server/test/fixtures/data-folders')

// As little of the write-ahead log as possible: a new segment is all zeros.
const walSettings = ['wal_recycle=off', 'min_wal_size=32MB', 'max_wal_size=32MB'].flatMap((setting) => ['-c', setting])
const pglite = await PGlite.create({ startParams: [...PGlite.defaultStartParams, ...walSettings] })
const db = new Kysely<Schema>({ dialect: new PGliteDialect({ pglite }) })
const steps = await migrate(db)
await ensureUsagePartition(db, '2026-11')
await sql`insert into users (username, password_hash) values ('ada', 'none')`.execute(db)
await sql`insert into api_keys (user_id, name, scopes) values (1, 'laptop', '{search}')`.execute(db)
await sql`insert into key_secrets (prefix, key_id, secret_hash) values ('bb_ada', 1, 'hash')`.execute(db)
await sql`insert into usage_daily (day, key_id, endpoint, source, counted) values ('2026-11-16', 1, 'web', 'one', 7)`.execute(
  db,
)
await sql`insert into provider_costs (day, provider, source, calls) values ('2026-11-16', 'brave', 'one', 3)`.execute(
  db,
)
for (let i = 0; i < 2; i++) {
  await pglite.exec('select pg_switch_wal()')
  await pglite.exec('checkpoint')
}
const tar = new Uint8Array(await (await pglite.dumpDataDir('none')).arrayBuffer())
const file = resolve(FOLDER, `${steps.at(-1)}.tar.br`)
const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: 24 }
await writeFile(file, brotliCompressSync(tar, { params }))
await pglite.close()
process.stdout.write(`${file}\n`)
