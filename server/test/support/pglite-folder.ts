// A private data folder already initialized by PGlite: its very first start takes seconds, so that is done once per
// version and kept in node_modules.
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { inject } from 'vitest'
import { openPglite } from '../../src/postgres/database.ts'

const MODULES = resolve(import.meta.dirname, '../../../node_modules')

export async function createPgliteFolder(): Promise<string> {
  const started = await startedFolder()
  const folder = await mkdtemp(join(inject('temporaryFolder'), 'pglite-'))
  await cp(started, folder, { recursive: true })
  return folder
}

async function startedFolder(): Promise<string> {
  const { version } = JSON.parse(await readFile(join(MODULES, '@electric-sql/pglite/package.json'), 'utf8'))
  const kept = join(MODULES, '.cache', `bowerbird-pglite-${version}`)
  if (existsSync(kept)) return kept
  await mkdir(dirname(kept), { recursive: true })
  const fresh = await mkdtemp(`${kept}-`)
  const { close } = await openPglite(fresh)
  await close()
  // Another worker may have been faster; its folder will do.
  await rename(fresh, kept).catch(() => rm(fresh, { recursive: true }))
  return kept
}
