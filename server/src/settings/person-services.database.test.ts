import { randomBytes } from 'node:crypto'
import { Writable } from 'node:stream'
import { gunzipSync } from 'node:zlib'
import { ALL_ENGINES } from '@bowerbird/engines/all.ts'
import type { Engine } from '@bowerbird/engines/engine.ts'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { CHEAP_PASSWORDS } from '../../test/support/cheap-passwords.ts'
import { placesOf } from '../../test/support/stored-data.ts'
import { createUser } from '../accounts/users.ts'
import { readEvents } from '../audit/audit-log.ts'
import { DATABASE_KINDS, openTestDatabase } from '../keys/access.test-database.ts'
import type { AdminContext } from '../keys/admin-context.ts'
import { createLocalChangeBus, subscribeToUserChanges } from '../keys/key-changes.ts'
import { createLog } from '../log.ts'
import { writeBackup } from '../postgres/backup.ts'
import { createPersonServices, MAX_SERVICES, reencryptServices } from './person-services.ts'

const SECRET = 'the secret of an instance, long enough'
const TOKEN = 'canary-of-the-token'
const ADDRESS = 'https://links.example.org'
const GIVEN = { baseUrl: ADDRESS, apiKey: TOKEN }

const engineOf = (slug: string): Engine =>
  ALL_ENGINES.find((engine) => engine.slug === slug) ?? expect.unreachable(`no ${slug}`)
const karakeep = engineOf('karakeep')

describe.each(DATABASE_KINDS)('services of people on %s', (kind) => {
  let temporary: Awaited<ReturnType<typeof openTestDatabase>>
  const changes = createLocalChangeBus()
  const announced: string[] = []
  subscribeToUserChanges(changes, (userId) => announced.push(userId))
  let by: AdminContext
  let ada: string
  let linus: string

  beforeAll(async () => {
    temporary = await openTestDatabase(kind)
    const { db } = temporary.database
    by = { db, clock: Date.now, randomBytes, changes, log: createLog('silent'), passwordCost: CHEAP_PASSWORDS }
    const idOf = async (username: string) => (await createUser(by, { username, password: 'correct horse battery' })).id
    ada = await idOf('ada')
    linus = await idOf('linus')
  })
  afterEach(() => sql`truncate person_services, audit_events`.execute(temporary.database.db))
  afterAll(() => temporary.drop())

  const open = ({ secret = SECRET, allowed = [] as string[], engines = ALL_ENGINES } = {}) =>
    createPersonServices({
      db: temporary.database.db,
      canStore: true,
      allEngines: () => engines,
      allowedHosts: () => allowed,
      instanceSecret: secret,
      randomBytes,
    })
  const add = (userId: string, given: Record<string, string> = GIVEN, engine = karakeep) =>
    open().save(by, userId, { id: undefined, engine, given })

  it('are of one person, and each change is announced and one security event without a detail', async () => {
    announced.length = 0
    const saved = await add(ada)
    await add(linus, { ...GIVEN, apiKey: 'another' })
    const [mine] = await open().list(ada)
    expect(mine).toMatchObject({ id: saved.ok && saved.id, slug: 'karakeep', engine: karakeep })
    expect(mine?.settings).toEqual({ ...GIVEN, linkUrl: '' })
    expect((await open().list(linus)).map(({ settings }) => settings?.['apiKey'])).toEqual(['another'])
    await open().remove(by, linus, mine?.id ?? '')
    expect(await open().list(ada)).toHaveLength(1)
    await open().remove(by, ada, mine?.id ?? '')
    expect(await open().list(ada)).toEqual([])
    expect(announced).toEqual([ada, linus, linus, ada])
    const events = await readEvents(temporary.database.db, { event: 'services-changed', limit: 10 })
    expect(events.map(({ detail }) => detail)).toEqual(['', '', ''])
  })

  it('are changed in place, by their owner alone', async () => {
    const saved = await add(ada)
    const id = saved.ok ? saved.id : expect.unreachable('not saved')
    const given = { baseUrl: 'https://other.example', apiKey: 'new' }
    expect(await open().save(by, ada, { id, engine: karakeep, given })).toEqual({ ok: true, id })
    expect((await open().list(ada)).map(({ settings }) => settings?.baseUrl)).toEqual(['https://other.example'])
    // For anyone else it would be a new one.
    const others = await open().save(by, linus, { id, engine: karakeep, given: GIVEN })
    expect(others).not.toEqual({ ok: true, id })
    expect((await open().list(ada))[0]?.settings?.['apiKey']).toBe('new')
  })

  it(`are at most ${MAX_SERVICES}, even if they are added at once`, async () => {
    const all = await Promise.all(Array.from({ length: MAX_SERVICES + 3 }, () => add(ada)))
    expect(all.filter(({ ok }) => ok)).toHaveLength(MAX_SERVICES)
    expect(all.find(({ ok }) => !ok)).toEqual({ ok: false, mistakes: 'full' })
    const [first] = await open().list(ada)
    expect((await open().save(by, ada, { id: first?.id, engine: karakeep, given: GIVEN })).ok).toBe(true)
  })

  it.each([
    [{}, { baseUrl: 'missing', apiKey: 'missing' }],
    [{ baseUrl: ADDRESS }, { apiKey: 'missing' }],
    [{ baseUrl: 'links.example.org', apiKey: TOKEN }, { baseUrl: 'address' }],
    [{ baseUrl: 'http://10.0.0.7', apiKey: TOKEN }, { baseUrl: 'notAllowed' }],
    [{ ...GIVEN, apiKey: 'two\nlines' }, { apiKey: 'unreadable' }],
    [{ ...GIVEN, apiKey: 'x'.repeat(1_001) }, { apiKey: 'unreadable' }],
    [{ ...GIVEN, linkUrl: 'javascript:alert(1)' }, { linkUrl: 'address' }],
  ])('%j is not saved', async (given, mistakes) => {
    expect(await add(ada, given)).toEqual({ ok: false, mistakes })
    expect(await open().list(ada)).toEqual([])
  })

  it('have the choices and defaults of their engine, and a private address if the operator allows it', async () => {
    const gitlab = engineOf('gitlab')
    expect(await add(ada, { ...GIVEN, scope: 'users' }, gitlab)).toEqual({
      ok: false,
      mistakes: { scope: 'unreadable' },
    })
    const allowing = open({ allowed: ['10.0.0.7:8000'] })
    const given = { baseUrl: 'http://10.0.0.7:8000', linkUrl: 'http://10.0.0.7:9000', apiKey: TOKEN }
    expect((await allowing.save(by, ada, { id: undefined, engine: gitlab, given })).ok).toBe(true)
    expect((await open().list(ada))[0]?.settings).toEqual({ ...given, scope: 'projects' })
  })

  it('are of engines that find private things at an address that has to be named', () => {
    const slugs = open()
      .presets()
      .map(({ slug }) => slug)
    expect(slugs).toEqual(expect.arrayContaining(['karakeep', 'nextcloud', 'kiwix']))
    for (const slug of ['brave', 'bowerbird', 'wiby', 'searxng']) expect(slugs).not.toContain(slug)
  })

  it('are listed without settings if their engine is gone or the secret is another, and can be removed', async () => {
    await add(ada)
    expect(await open({ engines: [] }).list(ada)).toMatchObject([
      { slug: 'karakeep', engine: undefined, settings: undefined },
    ])
    const [lost] = await open({ secret: `${SECRET} not` }).list(ada)
    expect([lost?.engine, lost?.settings]).toEqual([karakeep, undefined])
  })

  it('can’t be decrypted in another person’s row, or as another engine', async () => {
    await add(ada)
    const { db } = temporary.database
    await sql`update person_services set user_id = ${linus}`.execute(db)
    expect((await open().list(linus)).map(({ settings }) => settings)).toEqual([undefined])
    await sql`update person_services set user_id = ${ada}, engine = 'linkding'`.execute(db)
    expect((await open().list(ada)).map(({ settings }) => settings)).toEqual([undefined])
  })

  it('are in no table and no backup in a readable form', async () => {
    await add(ada)
    const { db } = temporary.database
    const { rows } = await sql<{ row: string }>`select p::text as row from person_services p`.execute(db)
    const chunks: Buffer[] = []
    const into = new Writable({
      write(chunk: Buffer, _, done) {
        chunks.push(chunk)
        done()
      },
    })
    await writeBackup(db, into, { force: true, withSecret: true })
    const kept = new Map([
      ['table', rows.map(({ row }) => row).join('\n')],
      ['backup', gunzipSync(Buffer.concat(chunks)).toString()],
    ])
    expect(placesOf(kept, 'karakeep')).toEqual(['table', 'backup'])
    for (const text of [TOKEN, 'links.example.org']) expect(placesOf(kept, text)).toEqual([])
  })

  it('are readable with the new secret alone once it has been rotated', async () => {
    await add(ada)
    const to = 'the next secret of the instance, long enough'
    await reencryptServices(temporary.database.db, { from: SECRET, to, randomBytes })
    // What is encrypted with a secret that nobody has stays as it is.
    await reencryptServices(temporary.database.db, { from: SECRET, to: 'yet another secret', randomBytes })
    expect((await open().list(ada))[0]?.settings).toBeUndefined()
    expect((await open({ secret: to }).list(ada))[0]?.settings).toEqual({ ...GIVEN, linkUrl: '' })
  })

  it('are deleted with the account', async () => {
    const { id } = await createUser(by, { username: 'gone', password: 'correct horse battery' })
    await add(id)
    const { db } = temporary.database
    await sql`truncate audit_events`.execute(db)
    await db.deleteFrom('users').where('id', '=', id).execute()
    expect(await db.selectFrom('person_services').selectAll().execute()).toEqual([])
  })
})
