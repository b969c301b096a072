import { sql } from 'kysely'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createEmptyDatabase } from '../../test/support/temporary-database.ts'
import { DATABASE_KINDS, openTestDatabase } from '../keys/access.test-database.ts'
import { createLog } from '../log.ts'
import { createFirstSchema } from './first-schema.ts'
import { getStatements } from './get-statements.ts'
import { migrate, type SchemaStep } from './migrations.ts'
import { openPostgres } from './postgres.ts'
import type { Table } from './statements.ts'

const newTable: SchemaStep = {
  isAdditive: true,
  up: async (db) => void (await sql`create table from_the_future (id bigint)`.execute(db)),
}

const refusal = (detail: RegExp) => ({ status: 503, body: { detail: expect.stringMatching(detail) } })

describe.each(DATABASE_KINDS)('a schema (%s)', (kind) => {
  let opened: Awaited<ReturnType<typeof openTestDatabase>>
  beforeEach(async () => {
    opened = await openTestDatabase(kind)
  })
  afterEach(() => opened.drop())

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

  it('keeps what is in it when the next step changes it', async () => {
    const { db } = opened.database
    await sql`insert into users (username, password_hash) values ('ada', 'none')`.execute(db)
    const nicknames: SchemaStep = {
      isAdditive: true,
      async up(transaction) {
        await sql`alter table users add column nickname text not null default ''`.execute(transaction)
        await sql`update users set nickname = upper(username)`.execute(transaction)
      },
    }
    await migrate(db, { version: '7.1.0', steps: { ...(await stepsTaken()), '9001-nicknames': nicknames } })
    const { rows } = await sql`select username, nickname from users`.execute(db)
    expect(rows).toEqual([{ username: 'ada', nickname: 'ADA' }])
  })

  /** What has been taken already, as steps: what they did does not matter any more. */
  async function stepsTaken(): Promise<Record<string, SchemaStep>> {
    const rows = await opened.database.db.selectFrom('schema_steps').select('name').execute()
    return Object.fromEntries(rows.map(({ name }) => [name, { ...nothing, isAdditive: true }]))
  }
})

describe('nodes that start', () => {
  it('concurrently on an empty database run each step once', async () => {
    const temporary = await createEmptyDatabase()
    const nodes = Array.from({ length: 4 }, () => openPostgres(temporary.url, createLog('silent')))
    const steps = { '0001-first-schema': { isAdditive: true, up: createFirstSchema }, '0002-more': newTable }
    const taken = await Promise.all(nodes.map(({ db }) => migrate(db, { version: '7.1.0', steps })))
    expect(taken.filter((names) => names.length > 0)).toEqual([['0001-first-schema', '0002-more']])
    await Promise.all(nodes.map((node) => node.close()))
    await temporary.drop()
  })

  it('without the right to migrate say which role needs it', async () => {
    const temporary = await createEmptyDatabase()
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

it('the two stores have the same tables and columns, of the same types', async () => {
  const [server, file] = [await openTestDatabase('postgres'), await openTestDatabase('sqlite')]
  try {
    const [ours, theirs] = [server.database.db, file.database.db]
    expect((await getStatements(theirs).listTables(theirs)).map(inWordsOfPostgres)).toEqual(
      (await getStatements(ours).listTables(ours)).map(inWordsOfPostgres),
    )
  } finally {
    await server.drop()
    await file.drop()
  }
})

const OTHER_WORDS: Record<string, string> = {
  int: 'integer',
  timestamptz: 'timestamp with time zone',
  'timestamptz[]': 'timestamp with time zone[]',
}

const inWordsOfPostgres = ({ table, columns }: Table) => ({
  table,
  columns: columns.map(({ column, type, isIdentity, isRequired }) => ({
    column,
    isIdentity,
    isRequired: isRequired || isIdentity,
    type: isIdentity ? 'identity' : (OTHER_WORDS[type] ?? type),
  })),
})
