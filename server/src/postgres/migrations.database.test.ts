import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { type Kysely, sql } from 'kysely'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { createTemporaryDatabase } from '../../test/support/temporary-database.ts'
import { DATABASE_KINDS, openTestDatabase } from '../keys/access.test-database.ts'
import { createLog } from '../log.ts'
import { openPglite, openPostgres } from './database.ts'
import { migrate, type SchemaStep } from './migrations.ts'
import type { Schema } from './schema.ts'

const refusal = (detail: RegExp) => ({ status: 503, body: { detail: expect.stringMatching(detail) } })

describe.each(DATABASE_KINDS)('a schema (%s)', (kind) => {
  let opened: Awaited<ReturnType<typeof openTestDatabase>>
  beforeEach(async () => {
    opened = await openTestDatabase(kind)
  })
  afterEach(async () => {
    const { db } = opened.database
    await sql`delete from schema_steps where name like '9%'`.execute(db)
    await sql`drop table if exists from_the_future`.execute(db)
    await opened.drop()
  })

  const newTable: SchemaStep = {
    isAdditive: true,
    up: async (db) => void (await sql`create table from_the_future (id bigint)`.execute(db)),
  }
  const nothing = { up: () => Promise.resolve() }

  it('that a later version has only added to works with this version', async () => {
    const { db } = opened.database
    const later = {
      version: '7.1.0',
      steps: { '9001-more': newTable, '9002-yet-more': { ...nothing, isAdditive: true } },
    }
    // The later version knows our steps as well.
    expect(await migrate(db, { ...later, steps: { ...(await stepsTaken()), ...later.steps } })).toEqual([
      '9001-more',
      '9002-yet-more',
    ])
    expect(await migrate(db)).toEqual([])
  })

  it('that a later version has changed otherwise is refused with the version that is needed', async () => {
    const { db } = opened.database
    const steps = {
      '9001-more': newTable,
      '9002-other': { ...nothing, isAdditive: false },
      '9003-more': { ...nothing, isAdditive: true },
    }
    await migrate(db, { version: '8.0.0', steps: { ...(await stepsTaken()), ...steps } })
    await expect(migrate(db)).rejects.toMatchObject(
      refusal(
        /^Version \d+\.\d+\.\d+ cannot work with this database, whose schema is newer \(9002-other\)\. Start version 8\.0\.0 or later, or restore a backup from before the upgrade\.$/,
      ),
    )
  })

  it('is left as it was if a step fails', async () => {
    const { db } = opened.database
    const failing = { isAdditive: true, up: () => Promise.reject(new Error('no')) }
    const steps = { ...(await stepsTaken()), '9001-more': newTable, '9002-failing': failing }
    await expect(migrate(db, { version: '8.0.0', steps })).rejects.toThrow('no')
    expect(Object.keys(await stepsTaken())).not.toContain('9001-more')
    expect(await migrate(db)).toEqual([])
  })

  /** What has been taken already, as steps: what they did does not matter any more. */
  async function stepsTaken(): Promise<Record<string, SchemaStep>> {
    const rows = await opened.database.db.selectFrom('schema_steps').select('name').execute()
    return Object.fromEntries(rows.map(({ name }) => [name, { ...nothing, isAdditive: true }]))
  }
})

describe('the data of an earlier step', () => {
  const FIXTURES = resolve(import.meta.dirname, '../../test/fixtures')
  const FOLDERS = join(FIXTURES, 'data-folders')
  const DUMPS = join(FIXTURES, 'databases')

  it('is there for every step: see tools/make-databases.ts', async () => {
    const { database, drop } = await openTestDatabase('pglite')
    const steps = await database.db.selectFrom('schema_steps').select('name').orderBy('name').execute()
    expect(readdirSync(FOLDERS).toSorted()).toEqual(steps.map(({ name }) => `${name}.tar.br`))
    expect(readdirSync(DUMPS).toSorted()).toEqual(steps.map(({ name }) => `${name}.sql`))
    await drop()
  })

  it.each(readdirSync(FOLDERS))('is opened and migrated, and nothing is lost: data folder %s', async (name) => {
    const dataFolder = await mkdtemp(join(inject('temporaryFolder'), 'earlier-'))
    const tar = brotliDecompressSync(readFileSync(join(FOLDERS, name)))
    const { PGlite } = await import('@electric-sql/pglite')
    await (await PGlite.create(join(dataFolder, 'postgres'), { loadDataDir: new Blob([tar]) })).close()
    const old = await openPglite(dataFolder)
    await expectMigration(old.db, 'pglite')
    await old.close()
  })

  it.each(readdirSync(DUMPS))('is opened and migrated, and nothing is lost: PostgreSQL %s', async (name) => {
    const temporary = await createTemporaryDatabase()
    const client = new pg.Client(temporary.url)
    await client.connect()
    await client.query(readFileSync(join(DUMPS, name), 'utf8'))
    await client.end()
    const old = openPostgres(temporary.url, createLog('silent'))
    await expectMigration(old.db, 'postgres')
    await old.close()
    await temporary.drop()
  })

  async function expectMigration(db: Kysely<Schema>, kind: (typeof DATABASE_KINDS)[number]): Promise<void> {
    await migrate(db)
    const { database, drop } = await openTestDatabase(kind)
    expect(await describeSchema(db)).toEqual(await describeSchema(database.db))
    await drop()
    expect(await db.selectFrom('users').select('username').execute()).toEqual([{ username: 'ada' }])
    expect(await db.selectFrom('usage_daily').select(['day', 'counted']).execute()).toEqual([
      { day: '2026-11-16', counted: '7' },
    ])
  }

  /** Every column and index, but for those of a month's partition. */
  async function describeSchema(db: Kysely<Schema>): Promise<string[]> {
    const { rows } = await sql<{ line: string }>`
      select format('%s.%s %s %s %s', table_name, column_name, data_type, is_nullable, column_default) as line
      from information_schema.columns where table_schema = 'public' and table_name not like 'usage_daily_2%'
      union all select indexdef from pg_indexes where schemaname = 'public' and tablename not like 'usage_daily_2%'
      order by line`.execute(db)
    return rows.map(({ line }) => line)
  }
})

describe('nodes that start', () => {
  it('concurrently on an empty database run each step once', async () => {
    const temporary = await createTemporaryDatabase()
    const nodes = Array.from({ length: 4 }, () => openPostgres(temporary.url, createLog('silent')))
    const taken = await Promise.all(nodes.map(({ db }) => migrate(db)))
    expect(taken.filter((names) => names.length > 0)).toHaveLength(1)
    await Promise.all(nodes.map((node) => node.close()))
    await temporary.drop()
  })

  it('without the right to migrate say which role needs it', async () => {
    const temporary = await createTemporaryDatabase()
    const owner = new pg.Client(temporary.url)
    await owner.connect()
    const role = `bb_role_${new URL(temporary.url).pathname.slice(9)}`
    await owner.query(`create role ${role} login`)
    const url = new URL(temporary.url)
    url.username = role
    const node = openPostgres(url.href, createLog('silent'))
    await expect(migrate(node.db)).rejects.toMatchObject(refusal(/Run bowerbird migrate as the owner of the tables\.$/))
    await Promise.all([node.close(), owner.end()])
    await temporary.drop()
    const server = new pg.Client(temporary.url.replace(/[^/]*$/, 'postgres'))
    await server.connect()
    await server.query(`drop role ${role}`)
    await server.end()
  })
})
