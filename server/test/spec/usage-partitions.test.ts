// Usage is recorded even without a partition for its month, by a role that may only read and write rows.
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createLog } from '../../src/log.ts'
import { openOwnDatabase } from '../../src/rate-limit/own-database.test-rules.ts'
import type { Database } from '../../src/store/database.ts'
import { makeUsagePartitions } from '../../src/store/usage-partitions.ts'
import { Usage } from '../../src/usage/usage.ts'

const log = createLog('silent')
const role = `bb_role_${randomBytes(6).toString('hex')}`
/** No partitions exist for that year yet. */
const clock = () => Date.UTC(2031, 4, 31, 23)

let database: Database
beforeAll(async () => {
  database = await openOwnDatabase()
  await run(`with owner as (insert into users (username, password_hash) values ('lin', '') returning id)
    insert into api_keys (user_id, scopes) select id, '{search}' from owner`)
  await run(`create role ${role}`)
  await run(`grant select, insert, update, delete on all tables in schema public to ${role}`)
})
afterAll(async () => {
  await run(`drop owned by ${role}`)
  await run(`drop role ${role}`)
  await database.close()
})

const run = (statement: string) => sql.raw(statement).execute(database.db)

async function partitions(): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select inhrelid::regclass::text || ' ' || array_to_string(reloptions, ',') as name
    from pg_inherits join pg_class on pg_class.oid = inhrelid
    where inhparent = 'usage_daily'::regclass order by name`.execute(database.db)
  return rows.map(({ name }) => name)
}

async function placeOf(keyId: string): Promise<string | undefined> {
  const { rows } = await sql<{ place: string }>`
    select tableoid::regclass::text as place from usage_daily where key_id = ${keyId}`.execute(database.db)
  return rows[0]?.place
}

async function countOnce(keyId: string): Promise<void> {
  await database.db.connection().execute(async (db) => {
    await sql.raw(`set role ${role}`).execute(db)
    const usage = new Usage({ db, clock, log })
    usage.count(keyId, 'web')
    expect(await usage.flush()).toBe(true)
    await sql`reset role`.execute(db)
  })
}

// One scenario: an instance whose role may only read and write rows.
it('usage of a month without a partition is kept, and stays in place when partitions are created', async () => {
  await countOnce('1')
  expect(await placeOf('1')).toBe('usage_daily_other')
  await makeUsagePartitions(database.db, clock())
  expect(await placeOf('1')).toBe('usage_daily_other')
  const made = await partitions()
  expect(made).toHaveLength(13)
  expect(made).not.toContain('usage_daily_2031_05 fillfactor=70')
  expect(made).toContain('usage_daily_2031_06 fillfactor=70')
  expect(made).toContain('usage_daily_2032_05 fillfactor=70')
  expect(made).toContain('usage_daily_other fillfactor=70')
})
