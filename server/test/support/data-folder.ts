// A data folder of a small instance that has been started once; it goes with all others of the run.
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { inject } from 'vitest'
import { createLog } from '../../src/log.ts'
import { migrate } from '../../src/store/migrations.ts'
import { openSqlite } from '../../src/store/sqlite.ts'

export async function createDataFolder(): Promise<string> {
  const folder = await mkdtemp(join(inject('temporaryFolder'), 'data-'))
  const { db, close } = await openSqlite(folder, createLog('silent'))
  await migrate(db)
  await close()
  return folder
}
