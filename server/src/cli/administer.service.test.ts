import { randomBytes } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CHEAP_PASSWORDS } from '../../test/support/cheap-passwords.ts'
import { createDataFolder } from '../../test/support/data-folder.ts'
import { isPasswordRight } from '../accounts/passwords.ts'
import { readKey } from '../keys/key-format.ts'
import { createLog } from '../log.ts'
import type { SettingsContext } from '../settings/stored-settings.ts'
import { DataFolderInUse } from '../store/data-folder.ts'
import type { Database } from '../store/database.ts'
import { migrate } from '../store/migrations.ts'
import { openSqlite } from '../store/sqlite.ts'
import { listenForAdministration } from './administration-socket.ts'
import type { CliHost } from './cli-host.ts'
import {
  databaseAway,
  hostWith,
  bowerbird as runBowerbird,
  json as runJson,
  typed,
  withSettings,
} from './command-line.test-harness.ts'
import { runCli } from './program.ts'

const NOW = Date.UTC(2026, 10, 15, 12)
const PASSWORD = 'correct horse battery'
const log = createLog('silent')

let folder: string
let database: Database
let access: SettingsContext

const toAccess = ({ db }: Database) => withSettings({ ...databaseAway, db, clock: () => NOW, randomBytes })

beforeAll(async () => {
  folder = await createDataFolder()
  database = await openSqlite(folder, log)
  await migrate(database.db)
  access = toAccess(database)
})

afterAll(() => database.close())

const local = () => ({ dataFolder: folder, openAccess: async () => ({ access, close: () => Promise.resolve() }) })
const bowerbird = (line: string, changes: Partial<CliHost> = {}) => runBowerbird(line, { ...local(), ...changes })
const json = (line: string, changes: Partial<CliHost> = {}) => runJson(line, { ...local(), ...changes })
const addUser = (username: string) => json(`user create ${username} --password-stdin`, typed(`${PASSWORD}\n`))

describe('users', () => {
  it('are created with the password on the first line of standard input', async () => {
    const user = await json('user create Ada --admin --password-stdin', typed(` ${PASSWORD} \r\nignored\n`))
    expect(user).toEqual({
      id: expect.stringMatching(/^\d+$/),
      username: 'ada',
      is_admin: true,
      is_service: false,
      state: 'active',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      disabled_at: null,
    })
    expect(await isPasswordRight(await hashOf('ada'), ` ${PASSWORD} `, CHEAP_PASSWORDS)).toBe(true)
  })

  it('are created with a password typed twice at a terminal, which never reaches the output', async () => {
    const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => stdin })
    const { host, stdout, stderr } = hostWith({ ...local(), stdin })
    const done = runCli(['user', 'create', 'typist', '--json'], host)
    for (const question of ['Password', 'Confirm password']) {
      await expect.poll(() => stderr.text).toContain(question)
      for (const character of `${PASSWORD}\r`) stdin.write(character)
    }
    expect(await done).toBe(0)
    expect(JSON.parse(stdout.text)).toMatchObject({ username: 'typist' })
    expect(stdout.text + stderr.text).not.toContain(PASSWORD)
    expect(await isPasswordRight(await hashOf('typist'), PASSWORD, CHEAP_PASSWORDS)).toBe(true)
  })

  it('are not created without a password, and the error says how to give one', async () => {
    const { code, out, err } = await bowerbird('user create nobody')
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain('--password-stdin')
    expect((await bowerbird('user create nobody --password-stdin')).err).toMatch(/^password: /)
    expect(await hashOf('nobody')).toBeUndefined()
  })

  it('are disabled, enabled and listed, as text and as JSON', async () => {
    await addUser('grace')
    expect(await json('user disable grace')).toMatchObject({
      state: 'disabled',
      disabled_at: new Date(NOW).toISOString(),
    })
    expect((await bowerbird('user list')).out).toMatch(
      /^USERNAME +STATE +ROLE +CREATED \(UTC\)\n(.*\n)*grace +disabled +user +\d/,
    )
    expect((await bowerbird('user enable grace')).out).toBe('grace is enabled.\n')
    expect(await json('user list')).toMatchObject({
      users: expect.arrayContaining([expect.objectContaining({ username: 'grace', state: 'active' })]),
    })
  })

  it('get a new password', async () => {
    await addUser('edsger')
    const { out } = await bowerbird('user set-password edsger --password-stdin', typed('another long one'))
    expect(out).toBe('Changed the password of edsger.\n')
    expect(await isPasswordRight(await hashOf('edsger'), 'another long one', CHEAP_PASSWORDS)).toBe(true)
  })
})

describe('keys', () => {
  beforeAll(async () => {
    await addUser('kay')
  })

  it('can read pages with --read: those found by its searches, or any', async () => {
    const scopesOf = async (line: string) => (await json(`key create kay ${line}`))['scopes']
    expect(await scopesOf('--read found')).toEqual(['search', 'maps', 'translate', 'answers', 'read'])
    expect(await scopesOf('--scopes search --read links')).toEqual(['search', 'read', 'read_links'])
    expect(await scopesOf('--scopes search --read any')).toEqual(['search', 'read', 'read_any'])
  })

  it('are issued with every option of the command', async () => {
    const key = await json(
      'key create kay --name laptop --scopes maps,search --expires 2027-01-31 --burst 120/min --sustained 20000/day --networks 192.0.2.0/24,2001:db8::/32',
    )
    expect(key).toEqual({
      key: expect.any(String),
      id: expect.stringMatching(/^\d+$/),
      prefix: readKey(String(key['key']))?.prefix,
      username: 'kay',
      name: 'laptop',
      state: 'active',
      scopes: ['search', 'maps'],
      burst: '120/min',
      sustained: '20000/day',
      networks: ['192.0.2.0/24', '2001:db8::/32'],
      created_at: expect.any(String),
      last_used_at: null,
      expires_at: '2027-01-31T00:00:00.000Z',
      revoked_at: null,
      older_prefixes: [],
    })
    expect(await json('key create kay --expires 90d')).toMatchObject({ expires_at: '2027-02-13T12:00:00.000Z' })
    expect(await json('key create kay --expires never')).toMatchObject({ expires_at: null, networks: [] })
  })

  it('are shown in full once, with a command to try them if PUBLIC_URL is set', async () => {
    const { out } = await bowerbird('key create kay')
    expect(out).toMatch(/\n {2}bowerbird_\w{8}\.\w{49}\n/)
    expect(out).toContain('will not be shown again')
    expect(out).not.toContain('curl')
    const known = await bowerbird('key create kay', { publicUrl: 'https://search.example' })
    expect(known.out).toMatch(
      /curl -H 'Authorization: Api-Key bowerbird_\S+' 'https:\/\/search.example\/api\/v1\/key\/'/,
    )
  })

  it('are listed without anything secret', async () => {
    const { key, prefix } = await json('key create kay --name visible')
    const secret = readKey(String(key))?.secret ?? 'none'
    for (const line of ['key list', 'key list kay --json', 'user list --json']) {
      const { out } = await bowerbird(line)
      expect(out).not.toContain(secret)
      expect(out).not.toMatch(/hash|argon|secret/i)
    }
    expect((await bowerbird('key list')).out).toMatch(
      new RegExp(`\\d+ +${String(prefix)} +kay +active +all +- +- +- +visible\n`),
    )
  })

  it('are rotated with a grace period, and revoked by the prefix of either secret', async () => {
    const old = await json('key create kay')
    const rotated = await json(`key rotate ${String(old['prefix'])} --grace 15m`)
    expect(rotated).toMatchObject({
      id: old['id'],
      older_prefixes: [{ prefix: old['prefix'], expires_at: new Date(NOW + 900_000).toISOString() }],
    })
    expect(rotated['key']).not.toBe(old['key'])
    const human = await bowerbird(`key rotate ${String(rotated['key'])}`)
    expect(human.out).toContain(`The old secret (${String(rotated['prefix'])}) works until 2026-11-16 12:00 UTC.`)
    const revoked = await json(`key revoke ${String(old['prefix'])}`)
    expect(revoked).toMatchObject({ id: old['id'], state: 'revoked', revoked_at: new Date(NOW).toISOString() })
    expect(revoked).not.toHaveProperty('key')
  })

  it('are listed completely, page by page', async () => {
    await addUser('collector')
    await addManyKeys('collector', 2_500)
    const { keys } = await json('key list collector')
    expect(new Set((keys as { id: string }[]).map(({ id }) => id)).size).toBe(2_500)
    expect((await bowerbird('key list collector')).out.split('\n')).toHaveLength(2_502)
    const ids = (keys as { id: string }[]).map(({ id }) => id)
    const part = await json(`key list collector --limit 1200 --after ${ids[99]}`)
    expect((part['keys'] as { id: string }[]).map(({ id }) => id)).toEqual(ids.slice(100, 1_300))
    expect((await json('user list --after coll --limit 1'))['users']).toMatchObject([{ username: 'collector' }])
    expect(await bowerbird('key list --after last')).toMatchObject({ code: 2, out: '' })
  })

  it('a user without keys has an empty list; a mistyped name is an error', async () => {
    await addUser('keyless')
    expect(await json('key list keyless')).toEqual({ keys: [] })
    expect((await bowerbird('key list keyless')).out).toContain('bowerbird key create')
    expect(await bowerbird('key list keylesss')).toEqual({
      code: 1,
      out: '',
      err: 'There is no user with this name.\n',
    })
  })
})

describe('a running instance that owns the data folder', () => {
  const openAccess = async () => {
    // The lock is really held: by this very process.
    const second = await openSqlite(folder, log)
    return { access: toAccess(second), close: second.close }
  }

  it('runs the command itself, with the same output', async () => {
    await expect(openAccess()).rejects.toThrow(DataFolderInUse)
    const socket = await listenForAdministration(folder, access, log)
    try {
      const changes = { openAccess }
      await json('user create remote --password-stdin', { ...changes, ...typed(PASSWORD) })
      const key = await json('key create remote --expires 90d', changes)
      expect(key).toMatchObject({ username: 'remote', expires_at: '2027-02-13T12:00:00.000Z' })
      await addManyKeys('remote', 1_500)
      for (const line of ['key list remote', 'key list remote --json', 'user list', 'key create remote --burst fast']) {
        expect(await bowerbird(line, changes)).toEqual(await bowerbird(line))
      }
      expect(await bowerbird('user disable ghost', changes)).toEqual({
        code: 1,
        out: '',
        err: 'There is no user with this name.\n',
      })
      expect(await json(`key revoke ${String(key['prefix'])}`, changes)).toMatchObject({ state: 'revoked' })
      // The instance records who ran the command, not who runs the instance.
      const { events } = (await json('audit --limit 1', changes)) as { events: unknown[] }
      expect(events).toMatchObject([{ event: 'key-revoked', via: 'command line', system_user: 'uid 0, ada' }])
    } finally {
      await socket.close()
    }
    await expect(stat(join(folder, 'administration.sock'))).rejects.toThrow('ENOENT')
  })

  it('a command waits while it starts', async () => {
    let attempts = 0
    const listing = bowerbird('user list', {
      openAccess: () => {
        attempts++
        return openAccess()
      },
    })
    await expect.poll(() => attempts).toBeGreaterThan(1)
    const socket = await listenForAdministration(folder, access, log)
    expect((await listing).code).toBe(0)
    await socket.close()
  })

  it('is named in the error if it does not respond', async () => {
    const { code, err } = await bowerbird('user list', { openAccess, patienceMs: 150 })
    expect(code).toBe(1)
    expect(err).toContain(`in use by another process of Bowerbird`)
  })
})

async function hashOf(username: string): Promise<string | undefined> {
  const row = await access.db
    .selectFrom('users')
    .select('password_hash')
    .where('username', '=', username)
    .executeTakeFirst()
  return row?.password_hash
}

async function addManyKeys(username: string, count: number): Promise<void> {
  const { db } = access
  const user = await db.selectFrom('users').select('id').where('username', '=', username).executeTakeFirstOrThrow()
  const keys = Array.from({ length: count }, () => ({ user_id: user.id, name: '', scopes: ['search'] }))
  const made = await db.insertInto('api_keys').values(keys).returning('id').execute()
  const secrets = made.map(({ id }) => ({
    prefix: `k${id.padStart(7, '0')}`,
    key_id: id,
    secret_hash: Buffer.alloc(0),
  }))
  await db.insertInto('key_secrets').values(secrets).execute()
}
