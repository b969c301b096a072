// A PostgreSQL database of a test's own, migrated, dropped when the test is done.
import { createTemporaryDatabase } from '../../test/support/temporary-database.ts'
import { createLog } from '../log.ts'
import type { Database } from '../store/database.ts'
import { openPostgres } from '../store/postgres.ts'

export async function openOwnDatabase(): Promise<Database> {
  const temporary = await createTemporaryDatabase()
  const database = openPostgres(temporary.url, createLog('silent'))
  return {
    ...database,
    async close() {
      await database.close()
      await temporary.drop()
    },
  }
}
