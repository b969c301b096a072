import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTcpForwarder, type TcpForwarder } from '../../test/support/tcp-forwarder.ts'
import { createTemporaryDatabase } from '../../test/support/temporary-database.ts'
import { createLog } from '../log.ts'
import { type Database, isDatabaseAway } from './database.ts'
import { openPostgres } from './postgres.ts'

const parts = new AsyncDisposableStack()
let forwarder: TcpForwarder
let directUrl: string
let postgresPort: number
let database: Database

beforeAll(async () => {
  const temporary = await createTemporaryDatabase()
  parts.defer(() => temporary.drop())
  directUrl = temporary.url
  const url = new URL(directUrl)
  postgresPort = Number(url.port || 5432)
  forwarder = await startTcpForwarder(postgresPort)
  parts.defer(() => forwarder.close())
  url.host = `127.0.0.1:${forwarder.port}`
  database = openPostgres(url.href, createLog('silent'))
  parts.defer(() => database.close())
})
afterAll(() => parts.disposeAsync())

it('opens no more connections than the pool may have, and lets statements wait for one', async () => {
  const small = openPostgres(directUrl, createLog('silent'), 2)
  parts.defer(() => small.close())
  const statements = Array.from({ length: 5 }, () => sql`select pg_sleep(0.1)`.execute(small.db))
  await Promise.race(statements)
  expect(small.pool?.()).toMatchObject({ total: 2 })
  expect(await Promise.all(statements)).toHaveLength(5)
})

// The driver reports a connection that breaks on the connection itself as well, and Node ends a process in which nobody
// listens to that. Vitest fails a run in which something was thrown that nobody caught.
it('fails a statement whose connection breaks, and nothing else', async () => {
  const inFlight = sql`select pg_sleep(5)`.execute(database.db).catch((error: unknown) => error)
  const inTransaction = database.db
    .transaction()
    .execute(async (transaction) => {
      await sql`select 1`.execute(transaction)
      await sleep(1_000)
      await sql`select 2`.execute(transaction)
    })
    .catch((error: unknown) => error)
  await sleep(300)
  forwarder.leadTo(postgresPort)
  expect(isDatabaseAway(await inFlight)).toBe(true)
  expect(await inTransaction).toBeInstanceOf(Error)
  expect((await sql<{ one: number }>`select 1 as one`.execute(database.db)).rows).toEqual([{ one: 1 }])
})
