// A PostgreSQL database of a test's own, migrated, dropped when the test is done.
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { createLog } from '../log.ts'
import { type Database, openPostgres } from './database.ts'
import { migrate } from './migrations.ts'

const SERVER = 'postgres://postgres@127.0.0.1:5432'

async function administer(statement: string): Promise<void> {
  const client = new pg.Client(`${SERVER}/test`)
  await client.connect()
  await client.query(statement)
  await client.end()
}

export async function openOwnDatabase(): Promise<Database> {
  const name = `bb_test_${randomBytes(6).toString('hex')}`
  await administer(`create database ${name}`)
  const database = openPostgres(`${SERVER}/${name}`, createLog('silent'))
  await migrate(database.db)
  return {
    ...database,
    async close() {
      await database.close()
      await administer(`drop database ${name} with (force)`)
    },
  }
}
