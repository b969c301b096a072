// Regenerates the empty database that a small instance starts with: `EMPTY_DATABASE` in `postgres/database.ts`. Run it
// after an upgrade of PGlite: npx node tools/make-empty-database.ts
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { PGlite } from '@electric-sql/pglite'
import { EMPTY_DATABASE } from '../server/src/postgres/database.ts'

/** New WAL segments are then all zeros, and old ones are removed. */
const SMALL_LOG = ['wal_recycle=off', 'min_wal_size=32MB', 'max_wal_size=32MB'].flatMap((setting) => ['-c', setting])

const folder = await mkdtemp(join(tmpdir(), 'bowerbird-pglite-'))
try {
  await (await PGlite.create(folder)).close()
  const pglite = await PGlite.create(folder, { startParams: [...PGlite.defaultStartParams, ...SMALL_LOG] })
  for (let i = 0; i < 2; i++) {
    await pglite.exec('select pg_switch_wal()')
    await pglite.exec('checkpoint')
  }
  const dump = await pglite.dumpDataDir('none')
  await writeFile(EMPTY_DATABASE, gzipSync(await dump.arrayBuffer(), { level: 9 }))
  await pglite.close()
} finally {
  await rm(folder, { recursive: true, force: true })
}
