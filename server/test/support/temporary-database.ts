// A database of the test's own in the PostgreSQL of the machine.
import { randomBytes } from 'node:crypto'
import pg from 'pg'

const SERVER = process.env['TEST_POSTGRES_URL'] ?? 'postgres://root@127.0.0.1:5432/test'

export interface TemporaryDatabase {
  url: string
  drop: () => Promise<void>
}

export async function createTemporaryDatabase(): Promise<TemporaryDatabase> {
  const name = `bb_test_${randomBytes(6).toString('hex')}`
  await onServer(`create database ${name}`)
  const url = new URL(SERVER)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => onServer(`drop database if exists ${name} with (force)`) }
}

async function onServer(statement: string): Promise<void> {
  const client = new pg.Client(SERVER)
  await client.connect()
  await client.query(statement)
  await client.end()
}
