// For tests: a migrated database of one's own, on the real PostgreSQL or in a PGlite folder, gone afterwards.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTemporaryDatabase } from '../../test/support/temporary-database.ts'
import { createLog } from '../log.ts'
import { type Database, openPglite, openPostgres } from '../state/database.ts'
import { migrate } from '../storage/migrations.ts'

interface TestDatabase {
  database: Database
  drop: () => Promise<void>
}

export const DATABASE_KINDS = ['postgres', 'pglite'] as const
export type DatabaseKind = (typeof DATABASE_KINDS)[number]

export async function openTestDatabase(kind: DatabaseKind): Promise<TestDatabase> {
  const opened = kind === 'postgres' ? await openOnServer() : await openInFolder()
  await migrate(opened.database.db)
  return opened
}

async function openOnServer(): Promise<TestDatabase> {
  const temporary = await createTemporaryDatabase()
  const database = openPostgres(temporary.url, createLog('silent'))
  return {
    database,
    async drop() {
      await database.close()
      await temporary.drop()
    },
  }
}

async function openInFolder(): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'bowerbird-access-'))
  const database = await openPglite(folder)
  return {
    database,
    async drop() {
      await database.close()
      await rm(folder, { recursive: true })
    },
  }
}
