// Makes the empty database that a small instance starts with (`server/src/storage/prepared/prepared-database.ts`). Run it after
// an upgrade of PGlite: npx node tools/make-pglite-database.ts
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { PGlite } from '@electric-sql/pglite'
import { installedPglite, PREPARED_FILE, type PreparedIndex } from '../server/src/storage/prepared/prepared-database.ts'

/** Nobody needs these: the process that has made it, and the write-ahead log but for its last, nearly empty segment. */
const isLeftOut = (path: string, lastSegment: string): boolean =>
  path === 'postmaster.pid' || (/^pg_wal\/[0-9A-F]{24}$/.test(path) && path !== `pg_wal/${lastSegment}`)

const folder = await mkdtemp(join(tmpdir(), 'bowerbird-pglite-'))
try {
  const database = await PGlite.create(folder)
  await database.exec('select pg_switch_wal()')
  await database.exec('checkpoint')
  const { rows } = await database.query<{ name: string }>('select pg_walfile_name(pg_current_wal_lsn()) as name')
  const lastSegment = rows[0]?.name ?? ''
  await database.close()
  const entries = (await readdir(folder, { recursive: true, withFileTypes: true }))
    .map((entry) => ({ path: relative(folder, join(entry.parentPath, entry.name)), isFolder: entry.isDirectory() }))
    .filter(({ path }) => !isLeftOut(path, lastSegment))
    .toSorted((one, other) => (one.path < other.path ? -1 : 1))
  const paths = entries.filter(({ isFolder }) => !isFolder).map(({ path }) => path)
  const contents = await Promise.all(paths.map((path) => readFile(join(folder, path))))
  const index: PreparedIndex = {
    pglite: await installedPglite(),
    folders: entries.filter(({ isFolder }) => isFolder).map(({ path }) => path),
    files: paths.map((path, at) => ({ path, bytes: contents[at]?.length ?? 0 })),
  }
  const whole = Buffer.concat([Buffer.from(`${JSON.stringify(index)}\n`), ...contents])
  const compressed = brotliCompressSync(whole, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: 24 },
  })
  await writeFile(PREPARED_FILE, compressed)
  process.stdout.write(`${whole.length} bytes of ${paths.length} files in ${compressed.length}\n`)
} finally {
  await rm(folder, { recursive: true, force: true })
}
