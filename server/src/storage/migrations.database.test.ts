import { sql } from 'kysely'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createTemporaryDatabase } from '../../test/support/temporary-database.ts'
import { DATABASE_KINDS, openTestDatabase } from '../keys/access.test-database.ts'
import { createLog } from '../log.ts'
import { openPostgres } from './database.ts'
import { runMigrations, type SchemaStep } from './migration-runner.ts'
import { migrate } from './migrations.ts'

const refusal = (detail: RegExp) => ({ status: 503, body: { detail: expect.stringMatching(detail) } })

describe.each(DATABASE_KINDS)('a schema (%s)', (kind) => {
  let opened: Awaited<ReturnType<typeof openTestDatabase>>
  beforeEach(async () => {
    opened = await openTestDatabase(kind)
  })
  afterEach(async () => {
    const { db } = opened.database
    await sql`delete from kysely_migration where name like '9%'`.execute(db)
    await sql`delete from schema_steps where name like '9%'`.execute(db)
    await sql`drop table if exists from_the_future`.execute(db)
    await opened.drop()
  })

  const newTable: SchemaStep = {
    isAdditive: true,
    up: async (db) => void (await sql`create table from_the_future (id bigint)`.execute(db)),
  }
  const nothing = { up: () => Promise.resolve() }

  it('that a later version has only added to is one that this version works with', async () => {
    const { db } = opened.database
    const later = {
      version: '7.1.0',
      steps: { '9001-more': newTable, '9002-yet-more': { ...nothing, isAdditive: true } },
    }
    // The later version knows our steps as well.
    expect(await runMigrations(db, { ...later, steps: { ...(await stepsTaken()), ...later.steps } })).toEqual([
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
    await runMigrations(db, { version: '8.0.0', steps: { ...(await stepsTaken()), ...steps } })
    await expect(migrate(db)).rejects.toMatchObject(
      refusal(
        /^Version \d+\.\d+\.\d+ cannot work with this database, whose schema is newer \(9002-other\)\. Start version 8\.0\.0 or later, or restore a backup from before the upgrade\.$/,
      ),
    )
  })

  it('with a step that nobody has described is refused', async () => {
    const { db } = opened.database
    await sql`insert into kysely_migration values ('9001-unknown', '2026-01-01T00:00:00.000Z')`.execute(db)
    await expect(migrate(db)).rejects.toMatchObject(refusal(/Start the version that migrated it/))
  })

  it('is left as it was if a step fails', async () => {
    const { db } = opened.database
    const failing = { isAdditive: true, up: () => Promise.reject(new Error('no')) }
    const steps = { ...(await stepsTaken()), '9001-more': newTable, '9002-failing': failing }
    await expect(runMigrations(db, { version: '8.0.0', steps })).rejects.toThrow('no')
    expect(Object.keys(await stepsTaken())).not.toContain('9001-more')
    expect(await migrate(db)).toEqual([])
  })

  /** What has been taken already, as steps: what they did does not matter any more. */
  async function stepsTaken(): Promise<Record<string, SchemaStep>> {
    const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(
      opened.database.db,
    )
    return Object.fromEntries(rows.map(({ name }) => [name, { ...nothing, isAdditive: true }]))
  }
})

describe('nodes that start', () => {
  it('at once on an empty database take each step once', async () => {
    const temporary = await createTemporaryDatabase()
    const nodes = Array.from({ length: 4 }, () => openPostgres(temporary.url, createLog('silent')))
    const taken = await Promise.all(nodes.map(({ db }) => migrate(db)))
    expect(taken.filter((names) => names.length > 0)).toHaveLength(1)
    await Promise.all(nodes.map((node) => node.close()))
    await temporary.drop()
  })

  it('without the right to migrate say who has it', async () => {
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
