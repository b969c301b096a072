// Deleting an account leaves nothing of it: a person who has everything that an account can have is deleted, and then
// looked for in every row of every table, every key and value of Redis, the log that follows and a backup made afterwards.
//
// Which tables an account can have rows in is read from the database itself, so a new table that refers to people or keys
// fails here until the person has a row in it, and the row goes with the account.
import { randomBytes } from 'node:crypto'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { createGunzip } from 'node:zlib'
import { sql } from 'kysely'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deleteUser } from '../../src/accounts/delete-user.ts'
import { createInvitation } from '../../src/accounts/invitations.ts'
import { createUser, disableUser, enableUser, type UserRecord } from '../../src/accounts/users.ts'
import { createKey } from '../../src/keys/keys.ts'
import { writeBackup } from '../../src/store/backup.ts'
import { eventually } from '../support/eventually.ts'
import { type FormBrowser, openFormBrowser } from '../support/form-browser.ts'
import { choosePort, connect, signIn } from '../support/oauth-walk.ts'
import { placesOf, readRedis, readTables } from '../support/stored-data.ts'
import { startTestInstance, type TestInstance } from '../support/test-instance.ts'
import { WITHOUT_RATE_LIMIT } from './without-upstream-rate-limit.ts'

const PASSWORD = 'correct horse battery'
const CANARY = 'bilby5e2d9f'
/** Numbers that nothing else has, so that ids can be looked for like words. */
const FIRST_USER_ID = 70_070_700_701
const FIRST_KEY_ID = 80_080_800_801
const ADDRESS = '203.0.113.201'
const FROM = { 'x-forwarded-for': ADDRESS }
/** What Redis has while all keys of a user are limited together, and while each is on its own. */
const LIMITS = {
  'each key on its own': { API_MONTHLY_CAP: '100000' },
  'all keys together': { API_MONTHLY_CAP: '100000', USER_MONTHLY_CAP: '100000', USER_RATE_LIMIT_BURST: '1000/min' },
}

describe.each(Object.entries(LIMITS))('with limits for %s', (_name, limits) => {
  let server: TestInstance
  let person: UserRecord
  let browser: FormBrowser
  let keys: { id: string; full: string }[]
  /** Everything that identifies the person, from every row that they had. */
  let traces: string[]

  beforeAll(async () => {
    const port = await choosePort()
    server = await startTestInstance({
      ...WITHOUT_RATE_LIMIT,
      ...limits,
      PORT: String(port),
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      INSTANCE_SECRET: 'a secret that is kept elsewhere, long enough',
      TRUSTED_PROXIES: '127.0.0.1',
      LOG_LEVEL: 'trace',
    })
    const { db } = server.instance.services.access
    await sql.raw(`alter table users alter column id restart with ${FIRST_USER_ID}`).execute(db)
    await sql.raw(`alter table api_keys alter column id restart with ${FIRST_KEY_ID}`).execute(db)
    ;({ person, browser, keys } = await createCanary(server))
    // Counters of the database have the number of somebody else now.
    const { access } = server.instance.services
    await createUser(access, { username: 'someone-else', password: PASSWORD })
    await server.createKey()
    traces = await collectTraces(server, [person.id, ...keys.map(({ id }) => id)])
  })
  afterAll(() => server?.close())

  it('had a row in every table that an account can have rows in', async () => {
    const { db } = server.instance.services.access
    const ids = [person.id, ...keys.map(({ id }) => id)]
    const without: string[] = []
    for (const { table, column } of await findOwnedColumns(server)) {
      const owners = await ownersIn(server, column, ids)
      const { rows } = await sql`
        select 1 from ${sql.table(table)} where ${sql.ref(column.name)}::text = any(${owners}) limit 1`.execute(db)
      if (rows.length === 0) without.push(`${table}.${column.name}`)
    }
    expect(without).toEqual([])
  })

  it('was in Redis, the log and a backup before', async () => {
    const before = await readStored(server)
    const places = new Set(traces.flatMap((trace) => placesOf(before, trace)))
    expect([...places].some((place) => place === 'Redis keys')).toBe(true)
    expect(places).toContain('backup')
    expect(server.logged()).toContain(person.id)
    expect((await api(server, keys[0]?.full)).status).toBe(200)
    expect((await browser.ask('/settings/account')).status).toBe(200)
  })

  it('could be downloaded before, without a secret or a hash', async () => {
    const { status, body } = await browser.fillIn('/settings/account/data', '/settings/account/data/download')
    expect(status).toBe(200)
    const exported = JSON.parse(body)
    const sites = {
      rules: [{ pattern: `${CANARY}.example` }],
      lists: [{ address: `https://${CANARY}.example/list.txt` }],
    }
    expect(exported).toMatchObject({
      account: { username: CANARY, is_admin: true },
      preferences: expect.stringContaining('lang=de'),
      sessions: [{ browser: expect.any(String) }],
      passkeys: [{ name: `${CANARY} phone` }],
      identities: [{ issuer: 'https://id.example/', subject: CANARY }],
      second_factor: { app_since: expect.any(String), recovery_codes_left: 10 },
      invitations: [{ is_admin: false }],
      sites,
      feeds: [{ search: { q: CANARY }, last_fetched_at: null }],
    })
    const [laptop, ...programs] = exported.keys
    expect(laptop).toMatchObject({
      name: `${CANARY} laptop`,
      networks: ['203.0.113.0/24'],
      sites,
      usage: [{ count: expect.any(Number) }],
    })
    expect(programs).toMatchObject([{ name: `${CANARY} assistant` }, { name: `${CANARY} assistant` }])
    const events = exported.events.map(({ event }: { event: string }) => event)
    expect(events).toEqual(expect.arrayContaining(['user-created', 'sign-in', 'key-created', 'user-disabled']))
    const secrets = (await readPersonal(server, [person.id, ...keys.map(({ id }) => id)])).filter(
      (text) => /^(?:[\da-f]{2}){8,}$/.test(text) || text.startsWith('$argon2'),
    )
    expect(secrets.length).toBeGreaterThan(15)
    for (const secret of secrets)
      for (const form of ['hex', 'utf8', 'base64', 'base64url'] as const)
        expect(body).not.toContain(Buffer.from(secret, secret.startsWith('$') ? 'utf8' : 'hex').toString(form))
    // Who else is here is nobody's business.
    expect(body).not.toMatch(/root|someone-else/)
  })

  it('is gone from every table, Redis, the log to come and a backup made afterwards', async () => {
    const { access } = server.instance.services
    const logged = server.logged().length
    await deleteUser({ ...access, actor: { userId: person.id, network: 'abcdef012345' } }, person.username)
    const refused = await Promise.all(keys.filter(({ full }) => full !== '').map(({ full }) => api(server, full)))
    expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 401))
    expect((await browser.ask('/settings/account')).location).toBe('/login?next=%2Fsettings%2Faccount')
    const again = await signIn(server.url, person.username, PASSWORD)
    expect((await again.ask('/settings/account')).status).toBe(303)
    // Whatever a node had counted and not written.
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    const stored = await readStored(server)
    stored.set('log to come', server.logged().slice(logged))
    const found = traces.flatMap((trace) => placesOf(stored, trace).map((place) => `${trace} in ${place}`))
    expect(found).toEqual([])
  })

  it('leaves what the person did to others, without their name, and that an account was deleted', async () => {
    const { db } = server.instance.services.access
    const { rows } = await sql<{ event: string; actor_id: string | null; network: string }>`
      select event, actor_id, network from audit_events where event in ('user-disabled', 'user-deleted')
      order by id`.execute(db)
    expect(rows).toEqual([
      { event: 'user-disabled', actor_id: null, network: '' },
      { event: 'user-deleted', actor_id: null, network: '' },
    ])
  })
})

it('every reference to an account or key says what becomes of the row', async () => {
  const server = await startTestInstance()
  try {
    const { rows } = await sql<{ name: string }>`
      select conrelid::regclass || '.' || conname as name from pg_constraint
      where contype = 'f' and confrelid in ('users'::regclass, 'api_keys'::regclass, 'rule_owners'::regclass)
        and confdeltype not in ('c', 'n')`.execute(server.instance.services.access.db)
    expect(rows).toEqual([])
  } finally {
    await server.close()
  }
})

/** A person with everything that an account can have. */
async function createCanary(server: TestInstance) {
  const { access, accounts, website } = server.instance.services
  const { db } = access
  const person = await createUser(access, { username: CANARY, password: PASSWORD, isAdmin: true })
  const userId = person.id
  const other = await createUser(access, { username: 'root', password: PASSWORD, isAdmin: true })
  const by = accounts.accessBy({ address: ADDRESS, userId })
  const member = { userId, address: ADDRESS, userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/130.0' }
  const browser = openFormBrowser(server.url, FROM)
  await browser.submit('/login', [
    ['username', CANARY],
    ['password', PASSWORD],
  ])
  const ofKey = { owner: { userId }, scopes: ['search', 'read'], burst: '1000/min', sustained: '100000/day' }
  const issued = await createKey(by, { ...ofKey, name: `${CANARY} laptop`, networks: ['203.0.113.0/24'] })
  const keyId = issued.key.id
  await browser.submit('/settings/search', [['theme', 'dark']])
  await accounts.ownAccount.savePreferences(userId, `lang=de&theme=dark&interface=${CANARY}`)
  await disableUser(by, other.username)
  await enableUser(access, other.username)
  await access.settings.change(by, { INSTANCE_NAME: 'Another name' })
  await createInvitation(by, { isAdmin: false })

  const programs = await connect(server.url, browser, `${CANARY} assistant`)
  await programs.redeem(server.url)
  const begun = await connect(server.url, browser, `${CANARY} assistant`)

  for (const owner of [{ kind: 'person', userId } as const, { kind: 'key', keyId } as const]) {
    await website.frame.rules.set(owner, { pattern: `${CANARY}.example`, action: 'block' }, by)
    await website.frame.rules.subscribe(owner, { address: `https://${CANARY}.example/list.txt`, action: 'block' }, by)
  }
  expect(await accounts.feeds.create(by, userId, { q: CANARY })).toBeDefined()
  await accounts.identities.connect(member, { issuer: 'https://id.example/', subject: CANARY })
  await addPasskey(server, userId)
  await accounts.passkeys.beginUse({ purpose: 'confirm', userId }, { id: 'localhost', origin: 'http://localhost' })

  await api(server, issued.full)
  await browser.ask('/search?q=climate')
  const isCounted = async () =>
    (await sql`select 1 from usage_daily where key_id = ${keyId}`.execute(db)).rows.length > 0
  expect(await eventually(isCounted, 10_000)).toBe(true)

  // Last, because signing in then takes a second step, which is left half done.
  const { secret } = await accounts.secondFactor.begin({ userId, username: CANARY, issuer: 'Bowerbird' })
  const code = new TOTP({ secret: Secret.fromBase32(secret.replaceAll(' ', '')) }).generate()
  await db.transaction().execute((transaction) => accounts.secondFactor.confirm(transaction, userId, code))
  const half = await accounts.signIn.withPassword({ username: CANARY, password: PASSWORD }, member)
  expect(half.outcome).toBe('next')
  expect(begun.code).not.toBe('')
  const { rows } = await sql<{ id: string }>`select id from api_keys where user_id = ${userId}`.execute(db)
  return { person, browser, keys: rows.map(({ id }) => ({ id, full: id === keyId ? issued.full : '' })) }
}

async function addPasskey(server: TestInstance, userId: string): Promise<void> {
  await server.instance.services.access.db
    .insertInto('passkeys')
    .values({
      user_id: userId,
      credential_id: randomBytes(24),
      public_key: randomBytes(40),
      counter: 0,
      transports: ['internal'],
      name: `${CANARY} phone`,
      created_at: new Date(),
    })
    .execute()
}

const api = (server: TestInstance, key = ''): Promise<Response> =>
  fetch(`${server.url}/api/v1/web/?q=climate`, { headers: { authorization: `Api-Key ${key}`, ...FROM } })

interface OwnedColumn {
  table: string
  /** `of`: the table whose ids it has. */
  column: { name: string; of: string }
}

/** Every column that refers to users, keys, or what belongs to one of them; by a foreign key, or by its name alone. */
async function findOwnedColumns(server: TestInstance): Promise<OwnedColumn[]> {
  const { rows } = await sql<{ table: string; name: string; of: string }>`
    select k.table_name as "table", k.column_name as name, u.table_name as "of"
    from information_schema.referential_constraints r
    join information_schema.key_column_usage k using (constraint_schema, constraint_name)
    join information_schema.constraint_column_usage u using (constraint_schema, constraint_name)
    where u.table_name in ('users', 'api_keys', 'rule_owners')
    union
    select table_name, column_name, case when column_name ~ 'key' then 'api_keys' else 'users' end
    from information_schema.columns
    where table_schema = 'public' and column_name ~ '(^|_)(user|actor|key)_id$'
      and table_name not in (select inhrelid::regclass::text from pg_inherits)`.execute(
    server.instance.services.access.db,
  )
  return rows.map(({ table, ...column }) => ({ table, column }))
}

/** The person's ids in a table. */
async function ownersIn(server: TestInstance, { of }: OwnedColumn['column'], ids: readonly string[]) {
  if (of !== 'rule_owners') return ids
  const { rows } = await sql<{ id: string }>`
    select id::text from rule_owners where user_id::text = any(${ids}) or key_id::text = any(${ids})`.execute(
    server.instance.services.access.db,
  )
  return rows.map(({ id }) => id)
}

/** What identifies the person, or lets somebody in as them, by table and column. */
const PERSONAL: Record<string, string[]> = {
  users: ['password_hash', 'passkey_handle'],
  sessions: ['token_hash'],
  sign_in_tickets: ['token_hash'],
  second_factors: ['sealed_secret'],
  recovery_codes: ['code_hash'],
  passkeys: ['credential_id', 'public_key'],
  passkey_challenges: ['challenge_hash'],
  feeds: ['token_hash', 'sealed_search'],
  api_keys: ['oauth_client'],
  key_secrets: ['prefix', 'secret_hash'],
}
const OWNERS: Record<string, string> = { users: 'id', key_secrets: 'key_id' }

/** As PostgreSQL writes them: bytes in hexadecimal. */
async function readPersonal(server: TestInstance, ids: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const [table, columns] of Object.entries(PERSONAL)) {
    for (const column of columns) {
      const { rows } = await sql<{ value: string | null }>`
        select ${sql.ref(column)}::text as value from ${sql.table(table)}
        where ${sql.ref(OWNERS[table] ?? 'user_id')}::text = any(${ids})`.execute(server.instance.services.access.db)
      for (const { value } of rows) if (value && value.length > 7) found.push(value.replace(/^\\x|[{}]/g, ''))
    }
  }
  return found
}

async function collectTraces(server: TestInstance, ids: readonly string[]): Promise<string[]> {
  const network = server.instance.services.accounts.networkOf(ADDRESS)
  return [...new Set([CANARY, ADDRESS, network, ...ids, ...(await readPersonal(server, ids))])]
}

async function readStored(server: TestInstance): Promise<Map<string, string>> {
  const output = new PassThrough()
  const backup = text(output.pipe(createGunzip()))
  await writeBackup(server.instance.services.access.db, output, { force: true, withSecret: true })
  return new Map([
    ['backup', await backup],
    ...(await readTables(server.databaseUrl)),
    ...(await readRedis(server.redisUrl)),
  ])
}
