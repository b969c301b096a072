// A backup holds everything, exactly, at one moment, and can be restored into either kind of database.
import { randomUUID } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { gunzipSync, gzipSync } from 'node:zlib'
import { type Insertable, type Kysely, sql } from 'kysely'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { eventually } from '../../test/support/eventually.ts'
import { DATABASE_KINDS, openTestDatabase, rowsAsJson, useTestDatabase } from '../keys/access.test-database.ts'
import { type BackupOptions, createBackupFile, listTables, writeBackup } from './backup.ts'
import { getStatements } from './get-statements.ts'
import { migrate } from './migrations.ts'
import { restoreBackup } from './restore.ts'
import type { Schema } from './schema.ts'
import { toMicros } from './sqlite-values.ts'

const folder = mkdtempSync(join(inject('temporaryFolder'), 'backup-'))
let number = 0
const freshPath = (): string => join(folder, `backup-${++number}`)

const LARGE = '9007199254740993'
const NOW = new Date('2026-11-15T01:02:03.456Z')

/** Rows of most tables, with values that are easily spoilt: large numbers, bytes, arrays, moments, quotes. */
async function fill(db: Kysely<Schema>): Promise<void> {
  const names = ['user-1', 'user-2', 'user-3']
  const people = names.map((username) => ({ username, password_hash: `a "hash" with \\ and ü of ${username}` }))
  await db.insertInto('users').values(people).execute()
  await db.deleteFrom('users').where('username', '=', 'user-3').execute()
  const users = await db.selectFrom('users').select('id').orderBy('id').execute()
  for (const { id } of users) {
    const key = { user_id: id, name: 'two\nlines', scopes: ['search', 'a,b'] }
    const { id: key_id } = await db.insertInto('api_keys').values(key).returning('id').executeTakeFirstOrThrow()
    const secret_hash = Buffer.from('deadbeef00', 'hex')
    await db
      .insertInto('key_secrets')
      .values({ prefix: `p${id}`, key_id, secret_hash })
      .execute()
    const event = { at: NOW, event: 'sign-in', outcome: 'ok', user_id: id, via: 'website', network: '', detail: '' }
    await db
      .insertInto('audit_events')
      .values(event as Insertable<Schema['audit_events']>)
      .execute()
  }
  const days = Array.from({ length: 1_100 }, (_, i) => ({
    day: new Date(Date.UTC(2026, 0, 30 + (i % 60))).toISOString().slice(0, 10),
    key_id: LARGE,
    endpoint: 'web',
    source: `source-${i}`,
    counted: sql<number>`${sql.lit(BigInt(LARGE))}`,
  }))
  await db.insertInto('usage_daily').values(days).execute()
  await db
    .insertInto('provider_transitions')
    .values({
      id: randomUUID(),
      provider: 'brave',
      provider_group: 'web',
      from_state: 'up',
      to_state: 'down',
      at: NOW,
      reason: '',
    })
    .execute()
  await db
    .insertInto('passkeys')
    .values({
      user_id: users[0]?.id ?? '',
      credential_id: Buffer.from([1]),
      public_key: Buffer.alloc(0),
      counter: 0,
      transports: [],
      name: '',
      created_at: NOW,
    })
    .execute()
  await db.insertInto('instance_secret').values({ secret: 'a secret' }).execute()
}

/** Every row of every table, and the counters. */
async function contentsOf(db: Kysely<Schema>): Promise<Record<string, unknown>> {
  const contents: Record<string, unknown> = {}
  for (const { table, counters } of await listTables(db)) {
    const rows = await rowsAsJson(db, table as keyof Schema)
    contents[table] = { counters, rows: rows.map(withoutStyle).toSorted() }
  }
  return contents
}

/** The stores write moments with more or fewer zeros, and objects with or without spaces. */
const withoutStyle = (row: string): string =>
  row.replaceAll(/"(\d{4}-\d\d-\d\dT[^"]+)"/g, (_, moment: string) => String(toMicros(moment))).replaceAll(' ', '')

const writeBackupFile = (db: Kysely<Schema>, path: string, options: Partial<BackupOptions> = {}) =>
  createBackupFile(path, (output) => writeBackup(db, output, { force: false, withSecret: true, ...options }))

const restore = async (db: Kysely<Schema>, path: string, force = false) =>
  await restoreBackup(db, Readable.from([await readFile(path)]), { force })

const readText = async (path: string) => gunzipSync(await readFile(path)).toString()

/** What may have happened to a backup on its way, as a change of its bytes. */
const DAMAGES: Record<string, (whole: Buffer) => Buffer> = {
  'is cut in half': (whole) => whole.subarray(0, whole.length / 2),
  'lacks its last bytes': (whole) => whole.subarray(0, whole.length - 9),
  'is something else': () => Buffer.from('hello'),
  'has a day that is none': replacing(/"day":"2026-01-30"/, '"day":"2026-13-45"'),
  'has a key without its user': replacing(/"user_id":1,/, '"user_id":99,'),
  'has a text for a number': replacing(/"user_id":1,/, '"user_id":"one",'),
  'has a number for a moment': replacing(/"created_at":"[^"]+","updated_at"/, '"created_at":1,"updated_at"'),
  'has bytes that are none': replacing(/\\\\xdeadbeef00/, '\\\\xzz'),
}

function replacing(pattern: RegExp, wrong: string) {
  return (whole: Buffer): Buffer => {
    const text = gunzipSync(whole).toString()
    expect(text).toMatch(pattern)
    return gzipSync(text.replace(pattern, wrong))
  }
}

describe.each(DATABASE_KINDS)('a backup of %s', (kind) => {
  const used = useTestDatabase(kind)
  const path = freshPath()
  let summary: Awaited<ReturnType<typeof writeBackupFile>>
  let before: Awaited<ReturnType<typeof contentsOf>>
  beforeAll(async () => {
    await fill(used.db)
    summary = await writeBackupFile(used.db, path)
    before = await contentsOf(used.db)
  })

  it('can be restored into PostgreSQL, and everything is equal', async () => {
    expect(summary.rows).toBeGreaterThan(1_100)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    const other = await openTestDatabase('postgres')
    try {
      const { db } = other.database
      expect(await restore(db, path)).toEqual(summary)
      expect(await contentsOf(db)).toEqual(before)
      // A number that was given out is not given out again.
      await sql`insert into users (username, password_hash) values ('new', '')`.execute(db)
      const { rows } = await sql`select id from users where username = 'new'`.execute(db)
      expect(rows).toEqual([{ id: '4' }])
      expect(await getStatements(db).hasTable(db, 'usage_daily_2026_02')).toBe(true)
    } finally {
      await other.drop()
    }
  })

  it('can be restored where it came from, if forced', async () => {
    await sql`update users set password_hash = 'changed'`.execute(used.db)
    await expect(restore(used.db, path)).rejects.toMatchObject({ status: 409 })
    await restore(used.db, path, true)
    expect(await contentsOf(used.db)).toEqual(before)
  })

  it.each(Object.entries(DAMAGES))('that %s changes nothing', async (_, damage) => {
    await writeFile(`${path}.damaged`, damage(await readFile(path)))
    await expect(restore(used.db, `${path}.damaged`, true)).rejects.toMatchObject({ status: 400 })
    expect(await contentsOf(used.db)).toEqual(before)
  })

  it('brings back no session, no sign-in under way and no challenge', async () => {
    const { db } = used
    const { id: user_id } = await db.selectFrom('users').select('id').limit(1).executeTakeFirstOrThrow()
    const token_hash = Buffer.from([1])
    const expires_at = new Date(Date.now() + 86_400_000)
    const session = { token_hash, user_id, browser: '', created_at: NOW, last_seen_at: NOW, expires_at }
    await db.insertInto('sessions').values(session).execute()
    await db.insertInto('sign_in_tickets').values({ token_hash, user_id, step: 'code', expires_at }).execute()
    const challenge = { challenge_hash: token_hash, purpose: 'sign-in', expires_at } as const
    await db.insertInto('passkey_challenges').values(challenge).execute()
    const withSessions = freshPath()
    await writeBackupFile(db, withSessions)
    expect(await readText(withSessions)).not.toMatch(/sessions|tickets|challenges/)
    await restore(db, withSessions, true)
    for (const table of ['sessions', 'sign_in_tickets', 'passkey_challenges']) {
      expect((await sql`select 1 from ${sql.table(table)}`.execute(db)).rows, table).toEqual([])
    }
    expect((await sql`select 1 from users`.execute(db)).rows).toHaveLength(2)
  })

  it('leaves the secret out unless asked for it, and then keeps the one that is there', async () => {
    const { db } = used
    const secret = async () => (await sql<{ secret: string }>`select secret from instance_secret`.execute(db)).rows
    const bare = freshPath()
    await writeBackupFile(db, bare, { withSecret: false })
    expect(await readText(path)).toContain('a secret')
    expect(await readText(bare)).not.toContain('a secret')
    await sql`update instance_secret set secret = 'a newer secret'`.execute(db)
    await restore(db, bare, true)
    expect(await secret()).toEqual([{ secret: 'a newer secret' }])
    await restore(db, path, true)
    expect(await secret()).toEqual([{ secret: 'a secret' }])
  })

  it('never replaces a file', async () => {
    const whole = await readFile(path)
    await expect(writeBackupFile(used.db, path)).rejects.toMatchObject({ status: 409 })
    expect(await readFile(path)).toEqual(whole)
    await expect(writeBackupFile(used.db, join(folder, 'none/there'))).rejects.toMatchObject({ status: 400 })
  })
})

/** An account and its key, always written together. */
async function write(db: Kysely<Schema>, writer: { isAsked: boolean; written: number }): Promise<void> {
  for (; writer.isAsked; writer.written++) {
    await db.transaction().execute(async (transaction) => {
      const user = { username: `writer-${writer.written}`, password_hash: '' }
      const { id } = await transaction.insertInto('users').values(user).returning('id').executeTakeFirstOrThrow()
      await transaction.insertInto('api_keys').values({ user_id: id, name: '', scopes: [] }).execute()
    })
    // SQLite answers at once, so nothing else would have a turn.
    await setImmediate()
  }
}

it('a database without accounts is not backed up, unless forced, and a backup of a newer version not restored', async () => {
  const { database, drop } = await openTestDatabase('postgres')
  try {
    const path = freshPath()
    await expect(writeBackupFile(database.db, path)).rejects.toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('add --force') },
    })
    await expect(stat(path)).rejects.toThrow('ENOENT')
    expect(await writeBackupFile(database.db, path, { force: true })).toMatchObject({ rows: 0 })
    const restoreText = (text: string) => restoreBackup(database.db, Readable.from([gzipSync(text)]), { force: false })
    const header = { bowerbird: 'backup', format: 1, version: '9.1.0', steps: ['9999-from-the-future'] }
    await expect(restoreText(`${JSON.stringify(header)}\n{"end":true}\n`)).rejects.toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('version 9.1.0') },
    })
    await expect(restoreText('{"some":"json"}\n')).rejects.toMatchObject({ status: 400 })
  } finally {
    await drop()
  }
})

it('a backup from before a step of the schema is restored after it', async () => {
  const { database, drop } = await openTestDatabase('postgres')
  const later = await openTestDatabase('postgres')
  try {
    await fill(database.db)
    const path = freshPath()
    const summary = await writeBackupFile(database.db, path)
    const up = async (db: Kysely<Schema>) => {
      await sql`alter table users add column nickname text not null default 'none'`.execute(db)
      await sql`alter table users drop column preferences`.execute(db)
    }
    await migrate(later.database.db, { version: '9.1.0', steps: { '9001-nicknames': { isAdditive: false, up } } })
    expect(await restore(later.database.db, path)).toEqual(summary)
    const { rows } = await sql`select username, nickname from users order by id`.execute(later.database.db)
    expect(rows).toEqual([
      { username: 'user-1', nickname: 'none' },
      { username: 'user-2', nickname: 'none' },
    ])
  } finally {
    await later.drop()
    await drop()
  }
})

it.each(DATABASE_KINDS)('a backup of %s is one moment, whatever is written meanwhile', async (kind) => {
  const { database, drop } = await openTestDatabase(kind)
  const other = await openTestDatabase('postgres')
  try {
    const { db } = database
    await fill(db)
    const writer = { isAsked: true, written: 0 }
    const writing = write(db, writer)
    expect(await eventually(async () => writer.written >= 20, 20_000)).toBe(true)
    const path = freshPath()
    await writeBackupFile(db, path)
    writer.isAsked = false
    await writing
    await restore(other.database.db, path)
    const { rows } = await sql<{ users: number; keys: number }>`
      select (select count(*)::int from users where username like 'writer-%') as users,
        (select count(*)::int from api_keys where name = '') as keys`.execute(other.database.db)
    expect(rows[0]?.users).toBeGreaterThanOrEqual(20)
    expect(rows[0]?.users).toBe(rows[0]?.keys)
  } finally {
    await other.drop()
    await drop()
  }
})
