import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Writable } from 'node:stream'
import { gunzipSync } from 'node:zlib'
import type { Kysely, Selectable } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import { readEvents } from '../audit/audit-log.ts'
import {
  createAdminContext,
  DATABASE_KINDS,
  emptyTables,
  rowsAsJson,
  useTestDatabase,
} from '../keys/access.test-database.ts'
import { createLocalChangeBus, subscribeToSettingsChanges } from '../keys/key-changes.ts'
import { writeBackup } from '../store/backup.ts'
import type { Schema } from '../store/schema.ts'
import { readConfiguration, requireConfiguration } from './configuration.ts'
import { createSettingsStore, reencryptSettings } from './stored-settings.ts'

const SECRET = 'the secret of an instance, long enough'
const KEY = 'BSA-canary-key'
const WITH_SECRET = { DATABASE_URL: 'postgres://one/bower', INSTANCE_SECRET: SECRET }

const DOCUMENT = readFileSync(new URL('notes-engine.test.json', import.meta.url), 'utf8')
const NOTES = DOCUMENT.trim().replace('{', '{ "private": true,')

type Content = Selectable<Schema['settings']>['content']

/** As nobody but the database could. */
async function rewrite(db: Kysely<Schema>, change: (content: Content) => Content): Promise<void> {
  const { content } = await db.selectFrom('settings').select('content').executeTakeFirstOrThrow()
  await db
    .updateTable('settings')
    .set({ content: JSON.stringify(change(content)) })
    .execute()
}

describe.each(DATABASE_KINDS)('settings in the database on %s', (kind) => {
  const used = useTestDatabase(kind)
  const changes = createLocalChangeBus()
  let announced = 0
  subscribeToSettingsChanges(changes, () => announced++)

  afterEach(() => emptyTables(used.db, 'settings', 'audit_events'))

  function open(env: NodeJS.ProcessEnv = WITH_SECRET, secret = SECRET) {
    const { db } = used
    const configuration = requireConfiguration(readConfiguration(env))
    const store = createSettingsStore({ db, configuration, readInstanceSecret: async () => secret, randomBytes })
    const by = { ...createAdminContext(db), changes }
    return { db, store, by, change: (edits: Record<string, string | undefined>) => store.change(by, edits) }
  }

  it('begin empty, and each change is a version, an announcement and one security event that names it', async () => {
    const { db, store, change } = open()
    expect(await store.read()).toEqual({ version: 0, values: {}, secrets: [], unreadable: [] })
    const before = announced
    expect(await change({ ENGINE_A: ' mojeek ', ENGINE_B: undefined })).toEqual(['ENGINE_A'])
    expect(await change({ ENGINE_A: 'mojeek' })).toEqual([])
    expect(await change({ ENGINE_B: 'brave', BRAVE_MONTHLY_USD: '20' })).toEqual(['BRAVE_MONTHLY_USD', 'ENGINE_B'])
    expect([await store.readVersion(), announced - before]).toEqual([2, 2])
    expect((await store.read()).values).toEqual({ ENGINE_A: 'mojeek', ENGINE_B: 'brave', BRAVE_MONTHLY_USD: '20' })
    expect(await change({ ENGINE_B: undefined, BRAVE_MONTHLY_USD: undefined })).toHaveLength(2)
    expect(await store.read()).toEqual({ version: 3, values: { ENGINE_A: 'mojeek' }, secrets: [], unreadable: [] })
    const events = await readEvents(db, { event: 'settings-changed', limit: 10 })
    expect(events.map(({ detail, via }) => `${via}: ${detail}`).toReversed()).toEqual([
      'command line: ENGINE_A',
      'command line: BRAVE_MONTHLY_USD ENGINE_B',
      'command line: BRAVE_MONTHLY_USD ENGINE_B',
    ])
  })

  it('concurrent changes are all kept', async () => {
    const { store, change } = open()
    await Promise.all(
      [1, 2, 3, 4, 5].map((weight) => change({ [`ENGINE_${'ABCDE'[weight - 1]}_WEIGHT`]: `${weight}` })),
    )
    const { version, values } = await store.read()
    expect([version, Object.keys(values)]).toEqual([5, expect.arrayContaining(['ENGINE_A_WEIGHT', 'ENGINE_E_WEIGHT'])])
  })

  it.each([
    [
      'a mistake, with the sentence of the start',
      { ENGINE_A: 'lanternfish' },
      /^ENGINE_A names an unknown engine\. Use /,
    ],
    [
      'a conflict between two',
      { ENGINE_A: 'mojeek', ENGINE_B: 'mojeek' },
      /^ENGINE_B binds mojeek to web, but ENGINE_A/,
    ],
    ['a setting that a start needs', { PORT: '80' }, /^PORT cannot be stored in the database/],
    ['what is no name', { 'rm -rf': '1' }, /^This is not the name of a setting/],
    ['several lines', { OPERATOR_CONTACT: 'a\nb' }, /^OPERATOR_CONTACT must be one line/],
    ['what the environment sets', { SUGGEST: 'none' }, /^SUGGEST is set in the environment, which comes first/],
  ])('%s is refused, and nothing is stored', async (_, edits, sentence) => {
    const { store, change } = open({ ...WITH_SECRET, SUGGEST: 'wikipedia' })
    await expect(change(edits)).rejects.toMatchObject({ body: { detail: expect.stringMatching(sentence) } })
    expect(await store.readVersion()).toBe(0)
  })

  it('a mistake that is there already, since the environment has changed, can be mended', async () => {
    await open().change({ ENGINE_A: 'mojeek' })
    const { store, change } = open({ ...WITH_SECRET, ENGINE_B: 'mojeek' })
    expect(await change({ ENGINE_C_WEIGHT: '2' })).toEqual(['ENGINE_C_WEIGHT'])
    expect(await change({ ENGINE_A: undefined })).toEqual(['ENGINE_A'])
    expect((await store.read()).values).toEqual({ ENGINE_C_WEIGHT: '2' })
  })

  it('a key is encrypted in the database and in a backup', async () => {
    const { db, store, change } = open()
    await change({ BRAVE_API_KEY: KEY })
    expect(await change({ BRAVE_API_KEY: KEY })).toEqual([])
    await change({ ENGINE_A_WEIGHT: '2' })
    expect((await store.read()).values['BRAVE_API_KEY']).toBe(KEY)
    const rows = await rowsAsJson(db, 'settings')
    const chunks: Buffer[] = []
    const output = new Writable({
      write: (chunk: Buffer, _, done) => {
        chunks.push(chunk)
        done()
      },
    })
    await writeBackup(db, output, { force: true, withSecret: true })
    const backup = gunzipSync(Buffer.concat(chunks)).toString()
    expect(backup).toContain('"BRAVE_API_KEY"')
    for (const text of [...rows.map((row) => row), backup]) {
      expect(text).not.toContain(KEY)
      expect(text).not.toContain(Buffer.from(KEY).toString('base64').slice(0, 12))
    }
  })

  it('a key is refused where the secret that would encrypt it is in the same PostgreSQL', async () => {
    const { change } = open({ DATABASE_URL: 'postgres://one/bower' })
    const detail = expect.stringMatching(/^A key is stored only if .* Set INSTANCE_SECRET on every node first/)
    await expect(change({ BRAVE_API_KEY: KEY })).rejects.toMatchObject({ body: { detail } })
    expect(await open({}).change({ BRAVE_API_KEY: KEY })).toEqual(['BRAVE_API_KEY'])
  })

  it('with another secret everything but keys is there, and those that must be set again are named', async () => {
    await open().change({ BRAVE_API_KEY: KEY, ENGINE_A_WEIGHT: '2' })
    const { store, change } = open(WITH_SECRET, 'another secret, after a restore elsewhere')
    const lost = { values: { ENGINE_A_WEIGHT: '2' }, secrets: [], unreadable: ['BRAVE_API_KEY'] }
    expect(await store.read()).toEqual({ version: 1, ...lost })
    await change({ ENGINE_B_WEIGHT: '3' })
    expect((await open().store.read()).values['BRAVE_API_KEY']).toBe(KEY)
    expect(await change({ BRAVE_API_KEY: 'a new key' })).toEqual(['BRAVE_API_KEY'])
    expect((await store.read()).unreadable).toEqual([])
  })

  it('after a rotation, they are readable with the new secret and not with the old', async () => {
    const { db, change } = open()
    await change({ BRAVE_API_KEY: KEY })
    const to = 'the secret that comes after the first'
    await reencryptSettings(db, { from: SECRET, to, randomBytes })
    expect((await open().store.read()).unreadable).toEqual(['BRAVE_API_KEY'])
    const { store } = open(WITH_SECRET, to)
    expect((await store.read()).values).toEqual({ BRAVE_API_KEY: KEY })
  })

  it('a key that was moved to another setting cannot be read', async () => {
    const { db, store, change } = open()
    await change({ BRAVE_API_KEY: KEY })
    await rewrite(db, ({ BRAVE_API_KEY: key = '' }) => ({ MOJEEK_API_KEY: key }))
    expect(await store.read()).toMatchObject({ values: {}, unreadable: ['MOJEEK_API_KEY'] })
  })

  describe('the document of an engine', () => {
    const ADDED = {
      ENGINE_DOCUMENT_NOTES: NOTES,
      NOTES_URL: 'http://10.0.0.7',
      NOTES_API_KEY: KEY,
      MINE: 'notes karakeep',
    }

    it('is stored with the settings of the engine, whose key is encrypted', async () => {
      const { db, store, change } = open()
      expect(await change(ADDED)).toEqual(Object.keys(ADDED).toSorted())
      expect(await store.read()).toMatchObject({ values: ADDED, secrets: ['NOTES_API_KEY'] })
      const rows = await rowsAsJson(db, 'settings')
      expect(rows.map((row) => row.includes(KEY))).toEqual([false])
    })

    it('takes everything with it when it goes', async () => {
      const { store, change } = open()
      await change({ ...ADDED, ENGINE_A_WEIGHT: '2', NOTES_RATE_LIMIT: '5/s' })
      const changed = await change({ ENGINE_DOCUMENT_NOTES: undefined })
      expect(changed).toEqual([...Object.keys(ADDED), 'NOTES_RATE_LIMIT'].toSorted())
      expect((await store.read()).values).toEqual({ MINE: 'karakeep', ENGINE_A_WEIGHT: '2' })
    })

    it('starts without a key that an earlier one of its name has left', async () => {
      const { db, store, change } = open()
      await change(ADDED)
      await rewrite(db, ({ NOTES_API_KEY: key = '', NOTES_URL: url = '' }) => ({ NOTES_API_KEY: key, NOTES_URL: url }))
      await change({ ENGINE_DOCUMENT_NOTES: NOTES, NOTES_URL: 'https://evil.example' })
      expect((await store.read()).values).toEqual({ ENGINE_DOCUMENT_NOTES: NOTES, NOTES_URL: 'https://evil.example' })
    })

    it.each([
      ['with a mistake', { ENGINE_DOCUMENT_NOTES: '{\n"bowerbird": 2\n}' }, /^ENGINE_DOCUMENT_NOTES line \d+: /],
      [
        'of more than 64 kB',
        { ENGINE_DOCUMENT_NOTES: ' '.repeat(70_000) },
        /^ENGINE_DOCUMENT_NOTES is larger than 64 kB/,
      ],
      ['that is missing has no settings', { NOTES_URL: 'http://10.0.0.7' }, /^NOTES_URL cannot be stored/],
    ])('%s is refused', async (_, edits, sentence) => {
      const { store, change } = open()
      await expect(change(edits)).rejects.toMatchObject({ body: { detail: expect.stringMatching(sentence) } })
      expect(await store.readVersion()).toBe(0)
    })
  })

  it('what a newer version has stored, or what must not come from there, is left alone', async () => {
    const { db, store, change } = open()
    await change({ ENGINE_A_WEIGHT: '2' })
    await rewrite(db, (content) => ({ ...content, FROM_THE_FUTURE: '1', HOST: '0.0.0.0' }))
    expect((await store.read()).values).toEqual({ ENGINE_A_WEIGHT: '2' })
    await change({ ENGINE_A_WEIGHT: '3' })
    const rows = await db.selectFrom('settings').select('content').execute()
    expect(rows).toEqual([{ content: { FROM_THE_FUTURE: '1', HOST: '0.0.0.0', ENGINE_A_WEIGHT: '3' } }])
  })
})
