import { beforeAll, describe, expect, it } from 'vitest'
import { createUser, disableUser } from '../accounts/users.ts'
import { getStatements } from '../store/get-statements.ts'
import type { Schema } from '../store/schema.ts'
import { createAdminContext, DATABASE_KINDS, rowsAsJson, useTestDatabase } from './access.test-database.ts'
import type { AdminContext } from './admin-context.ts'
import { readKey } from './key-format.ts'
import { listKeys } from './key-records.ts'
import { createKey, type NewKey, revokeKey, rotateKey } from './keys.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000

describe.each(DATABASE_KINDS)('keys on %s', (kind) => {
  const used = useTestDatabase(kind)
  let context: AdminContext
  let now = Date.now()
  beforeAll(async () => {
    context = createAdminContext(used.db, () => now)
    for (const username of ['lena', 'otto']) await createUser(context, { username, password: 'correct horse' })
  })

  const create = (input: Omit<NewKey, 'owner'> = {}) => createKey(context, { owner: { username: 'lena' }, ...input })

  it("a key has the default scopes, no expiry and the instance's limits by default", async () => {
    const { key, full } = await create()
    expect(key).toMatchObject({
      username: 'lena',
      name: '',
      state: 'active',
      scopes: ['search', 'maps', 'translate', 'answers'],
      burst: undefined,
      sustained: undefined,
      expiresAt: undefined,
      lastUsedAt: undefined,
      revokedAt: undefined,
    })
    expect(key.secrets).toEqual([{ prefix: readKey(full)?.prefix, createdAt: expect.any(Date), expiresAt: undefined }])
  })

  it('a key has the name, scopes, expiry and limits it was given, whether its owner is given by name or id', async () => {
    const expiresAt = new Date(now + DAY_MS)
    const owner = { userId: (await create()).key.userId }
    const input = { name: ' My agent 🦜 ', scopes: ['maps', 'search', 'maps'], burst: '120/min', sustained: '9000/day' }
    const networks = ['192.0.2.0/24', '2001:db8::1']
    const { key } = await createKey(context, { owner, expiresAt, networks, ...input })
    expect(key).toMatchObject({
      name: 'My agent 🦜',
      scopes: ['search', 'maps'],
      burst: '120/min',
      sustained: '9000/day',
      networks,
      expiresAt,
    })
  })

  it('409: a user has at most as many active keys as allowed; revoked and expired ones do not count', async () => {
    const [owner, few] = [{ username: 'mara' }, { ...context, maxKeysPerUser: 3 }]
    await createUser(context, { username: 'mara', password: 'correct horse' })
    const createOne = (expiresAt?: Date) => createKey(few, { owner, ...(expiresAt && { expiresAt }) })
    const made = await Promise.allSettled(Array.from({ length: 6 }, () => createOne(new Date(now + DAY_MS))))
    const issued = made.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    expect(issued).toHaveLength(3)
    await expect(createOne()).rejects.toMatchObject({
      status: 409,
      body: { detail: 'The number of active keys per user is limited to 3. Revoke a key first.' },
    })
    await revokeKey(context, issued[0]?.key.id ?? '')
    await createOne()
    await expect(createOne()).rejects.toMatchObject({ status: 409 })
    await rotateKey(context, { key: issued[1]?.key.id ?? '' })
    now += DAY_MS
    await createOne()
    await createOne()
    await expect(createOne()).rejects.toMatchObject({ status: 409 })
  })

  it('25 keys are the maximum unless the operator says otherwise', async () => {
    await createUser(context, { username: 'nils', password: 'correct horse' })
    const createOne = () => createKey(context, { owner: { username: 'nils' } })
    for (let i = 0; i < 25; i++) await createOne()
    await expect(createOne()).rejects.toMatchObject({ status: 409 })
  })

  it('429: on the website, a user makes at most ten secrets an hour, on all nodes together; the command line is exempt', async () => {
    const { id } = await createUser(context, { username: 'pia', password: 'correct horse' })
    const website = { ...context, actor: { userId: id, network: '' } }
    const owner = { username: 'pia' }
    const first = await createKey(website, { owner })
    now += 60_000
    const steps = Array.from({ length: 14 }, (_, n) => (n % 2 === 0 ? 'create' : 'rotate'))
    const made = await Promise.allSettled(
      steps.map((step) =>
        step === 'create' ? createKey(website, { owner }) : rotateKey(website, { key: first.key.id }),
      ),
    )
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(9)
    // Revoking a key makes no room for another.
    await revokeKey(website, first.key.id)
    await expect(createKey(website, { owner })).rejects.toMatchObject({
      status: 429,
      headers: { 'Retry-After': String((HOUR_MS - 60_000) / 1_000) },
      body: { detail: 'You can create or rotate at most 10 keys an hour. Try again in 59 minutes.' },
    })
    await createKey(website, { owner: { username: 'lena' } })
    await createKey(context, { owner })
    now += HOUR_MS - 60_000
    // Nine and the command line's are still in the hour.
    await expect(createKey(website, { owner })).rejects.toMatchObject({ status: 429 })
    now += 60_000
    await createKey(website, { owner })
  })

  it('a key has three living secrets at most: one more rotation ends the oldest', async () => {
    const issued = [await create()]
    const keyId = issued[0]?.key.id ?? ''
    for (let n = 0; n < 4; n++) {
      now += 1_000
      issued.push(await rotateKey(context, { key: keyId, graceSeconds: 7 * 86_400 }))
    }
    const living = issued.at(-1)?.key.secrets.map(({ prefix }) => prefix)
    expect(living).toEqual(
      issued
        .slice(-3)
        .toReversed()
        .map(({ full }) => readKey(full)?.prefix),
    )
  })

  it("a key expires when the operator's default says, unless its creator chooses", async () => {
    const withDefault = { ...context, defaultKeyDays: 90 }
    const expiryOf = async (input: Partial<NewKey>) =>
      (await createKey(withDefault, { owner: { username: 'lena' }, ...input })).key.expiresAt
    expect(await expiryOf({})).toEqual(new Date(now + 90 * DAY_MS))
    expect(await expiryOf({ expiresAt: new Date(now + DAY_MS) })).toEqual(new Date(now + DAY_MS))
    expect(await expiryOf({ expiresAt: null })).toBeUndefined()
  })

  it('400: all mistakes in a new key are reported together', async () => {
    const wrong = {
      name: `${'x'.repeat(101)}\u202e`,
      scopes: ['everything'],
      expiresAt: new Date(now),
      burst: 'fast',
      sustained: '0',
      networks: [...Array.from({ length: 20 }, () => '192.0.2.1'), 'home'],
    }
    await expect(create(wrong)).rejects.toMatchObject({
      status: 400,
      body: {
        name: [expect.stringContaining('100'), expect.stringContaining('plain text')],
        scopes: [expect.stringContaining('search, maps')],
        expires_at: [expect.stringContaining('future')],
        burst: [expect.stringContaining('60/min')],
        sustained: [expect.stringContaining('60/min')],
        networks: [expect.stringContaining('at most 20'), expect.stringContaining('192.0.2.0/24')],
      },
    })
    for (const name of ['two\nlines', 'nul\0', '\ud800'])
      await expect(create({ name })).rejects.toMatchObject({ status: 400 })
    await expect(create({ scopes: [] })).rejects.toMatchObject({ status: 400 })
    await expect(create({ expiresAt: new Date(Number.NaN) })).rejects.toMatchObject({ status: 400 })
  })

  it('409: a disabled account gets no new key', async () => {
    await createUser(context, { username: 'gone', password: 'correct horse' })
    await disableUser(context, 'gone')
    await expect(createKey(context, { owner: { username: 'gone' } })).rejects.toMatchObject({ status: 409 })
  })

  it('404: an unknown key is neither rotated nor revoked', async () => {
    for (const key of ['', '0', '999999999999999999', 'nosuchky', 'bowerbird_nosuchky', "'; drop table users", '\0']) {
      const missing = { status: 404, body: { detail: 'No key has this prefix or id.' } }
      await expect(revokeKey(context, key)).rejects.toMatchObject(missing)
      await expect(rotateKey(context, { key })).rejects.toMatchObject(missing)
    }
  })

  it('rotation adds a secret; older ones expire after the grace period, never later than before', async () => {
    const { key: first } = await create({ name: 'rotating' })
    const [firstSecret] = first.secrets
    const second = await rotateKey(context, { key: firstSecret?.prefix ?? '', graceSeconds: 3_600 })
    const third = await rotateKey(context, { key: second.full })
    expect(third.key).toMatchObject({ id: first.id, name: 'rotating', state: 'active' })
    expect(third.key.secrets.map(({ prefix, expiresAt }) => [prefix, expiresAt?.getTime()])).toEqual([
      [readKey(third.full)?.prefix, undefined],
      [readKey(second.full)?.prefix, now + DAY_MS],
      [firstSecret?.prefix, now + 3_600_000],
    ])
    now += 3_600_000
    const [listed] = (await listKeys(context, { username: 'lena' })).filter(({ id }) => id === first.id)
    expect(listed?.secrets).toHaveLength(2)
  })

  it('concurrent rotations of one key all succeed and leave exactly one secret without an expiry', async () => {
    const { key } = await create()
    await Promise.all(Array.from({ length: 5 }, () => rotateKey(context, { key: key.id })))
    const [listed] = (await listKeys(context)).filter(({ id }) => id === key.id)
    expect(listed?.secrets).toHaveLength(3)
    expect(listed?.secrets.filter(({ expiresAt }) => expiresAt === undefined)).toHaveLength(1)
  })

  it('400 and 409: no rotation with an odd grace, of a revoked or of an expired key', async () => {
    const { key } = await create({ expiresAt: new Date(now + 1_000) })
    for (const graceSeconds of [-1, Number.NaN, Infinity]) {
      await expect(rotateKey(context, { key: key.id, graceSeconds })).rejects.toMatchObject({ status: 400 })
    }
    now += 1_000
    await expect(rotateKey(context, { key: key.id })).rejects.toMatchObject({ status: 409 })
    const revoked = await revokeKey(context, (await create()).key.id)
    await expect(rotateKey(context, { key: revoked.id })).rejects.toMatchObject({ status: 409 })
  })

  it('a key is revoked by prefix, labelled prefix, full key or id, once', async () => {
    for (const write of ['prefix', 'label', 'full', 'id'] as const) {
      const { key, full } = await create()
      const prefix = readKey(full)?.prefix ?? ''
      const written = { prefix, label: `bowerbird_${prefix}`, full, id: key.id }[write]
      const revoked = await revokeKey(context, written)
      expect(revoked).toMatchObject({ id: key.id, state: 'revoked', revokedAt: new Date(now) })
      now += 1_000
      expect((await revokeKey(context, written)).revokedAt).toEqual(revoked.revokedAt)
    }
  })

  it('keys are listed for one user or for all, in pages, each with its state', async () => {
    await createUser(context, { username: 'olga', password: 'correct horse' })
    const expiring = await createKey(context, { owner: { username: 'olga' }, expiresAt: new Date(now + 1_000) })
    const revoked = await createKey(context, { owner: { username: 'olga' } })
    const active = await createKey(context, { owner: { username: 'olga' } })
    await revokeKey(context, revoked.full)
    now += 1_000
    const states = (await listKeys(context, { username: 'OLGA' })).map(({ id, state }) => [id, state])
    expect(states).toEqual([
      [expiring.key.id, 'expired'],
      [revoked.key.id, 'revoked'],
      [active.key.id, 'active'],
    ])
    const page = await listKeys(context, { username: 'olga', after: expiring.key.id, limit: 1 })
    expect(page.map(({ id }) => id)).toEqual([revoked.key.id])
    expect((await listKeys(context)).length).toBeGreaterThan(10)
    expect(await listKeys(context, { username: 'no\0body' })).toEqual([])
  })

  it('every change is announced after its commit, with every prefix of the key', async () => {
    const announced: string[] = []
    context.changes.subscribe((message) => announced.push(message))
    const { key, full } = await create()
    const rotated = await rotateKey(context, { key: key.id, graceSeconds: 0 })
    await revokeKey(context, key.id)
    const [one, other] = [readKey(full)?.prefix ?? '', readKey(rotated.full)?.prefix ?? '']
    const both = [one, other].sort().join(' ')
    expect(announced.map((message) => message.split(' ').sort().join(' '))).toEqual([one, both, both])
  })

  it('disabling an account while a key is created misses no key', async () => {
    for (let n = 0; n < 10; n++) {
      const username = `racer${n}`
      await createUser(context, { username, password: 'correct horse' })
      const announced: string[] = []
      context.changes.subscribe((message) => announced.push(...message.split(' ')))
      const creation = createKey(context, { owner: { username } }).catch(() => undefined)
      await disableUser(context, username)
      const created = await creation
      // Either the account was disabled already, or the new key went through the change like any other.
      const [secret] = created?.key.secrets ?? []
      if (secret) expect(announced.filter((prefix) => prefix === secret.prefix)).toHaveLength(2)
    }
  })

  it('no table holds a secret or a full key', async () => {
    const { full } = await create({ name: 'canary' })
    const rotated = await rotateKey(context, { key: full })
    const tables = await getStatements(context.db).listTables(context.db)
    const dump: string[] = []
    for (const { table } of tables) dump.push(...(await rowsAsJson(context.db, table as keyof Schema)))
    const text = dump.join('\n')
    expect(text).toContain('canary')
    for (const presented of [full, rotated.full]) {
      const { prefix = '', secret = '' } = readKey(presented) ?? {}
      expect(text).toContain(prefix)
      for (const form of ['utf8', 'hex', 'base64'] as const) {
        expect(text.includes(Buffer.from(secret).toString(form).slice(0, 20))).toBe(false)
      }
    }
  })
})
