import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { sql } from 'kysely'
import { expect, inject, it } from 'vitest'
import { createPgliteFolder } from '../../test/support/pglite-folder.ts'
import { NoDatabase } from './data-folder.ts'
import { EMPTY_DATABASE, openPglite } from './database.ts'

const newFolder = (): Promise<string> => mkdtemp(join(inject('temporaryFolder'), 'empty-'))

async function openAndClose(folder: string): Promise<void> {
  const { db, close } = await openPglite(folder)
  await sql`create table if not exists notes (id bigint)`.execute(db)
  await close()
}

it('the empty database was made by the PGlite that is installed: run tools/make-empty-database.ts', async () => {
  const manifest = new URL('../package.json', import.meta.resolve('@electric-sql/pglite'))
  const { version } = JSON.parse(await readFile(manifest, 'utf8'))
  expect(basename(EMPTY_DATABASE.pathname)).toBe(`pglite-${version}.tar.gz`)
})

it('a first start that was interrupted is begun again, and a database that is there is left alone', async () => {
  const folder = await newFolder()
  await mkdir(join(folder, 'postgres/base'), { recursive: true })
  await writeFile(join(folder, 'postgres/PG_VERSION'), '18')
  await writeFile(join(folder, 'postgres.unfinished'), '')
  await openAndClose(folder)
  expect(existsSync(join(folder, 'postgres.unfinished'))).toBe(false)
  const { db, close } = await openPglite(folder)
  expect((await sql`select * from notes`.execute(db)).rows).toEqual([])
  await close()
})

it('belongs to its owner alone', async () => {
  const folder = await newFolder()
  await openAndClose(folder)
  for (const path of await readdir(join(folder, 'postgres'), { recursive: true })) {
    expect([path, (await stat(join(folder, 'postgres', path))).mode & 0o077]).toEqual([path, 0])
  }
})

it('that cannot be opened is explained: restore a backup', async () => {
  const folder = await createPgliteFolder()
  await truncate(join(folder, 'postgres/global/pg_control'))
  await expect(openPglite(folder)).rejects.toMatchObject({
    body: { detail: expect.stringMatching(/^The database in \S+\/postgres cannot be opened\. .* bowerbird restore /) },
  })
})

it('is not created by a command that may not, not even half', async () => {
  const folder = await newFolder()
  await expect(openPglite(folder, false)).rejects.toThrow(NoDatabase)
  expect(await readdir(folder)).toEqual([])
  await writeFile(join(folder, 'bowerbird.lock.db'), '')
  await expect(openPglite(folder, false)).rejects.toThrow(NoDatabase)
  expect(await readdir(folder)).toEqual(['bowerbird.lock.db'])
})
