import { randomBytes } from 'node:crypto'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DATABASE_KINDS, openTestDatabase } from './access.test-database.ts'
import type { AccessContext } from './access-context.ts'
import { createLocalChanges } from './key-changes.ts'
import { createKey } from './keys.ts'
import { isPasswordRight } from './passwords.ts'
import { createUser, disableUser, enableUser, findUser, listUsers, setPassword } from './users.ts'

const PASSWORD = 'correct horse'

describe.each(DATABASE_KINDS)('users on %s', (kind) => {
  let temporary: Awaited<ReturnType<typeof openTestDatabase>>
  let context: AccessContext
  let now = Date.UTC(2026, 10, 15)

  beforeAll(async () => {
    temporary = await openTestDatabase(kind)
    context = { db: temporary.database.db, clock: () => now, randomBytes, changes: createLocalChanges() }
  })
  afterAll(() => temporary.drop())

  const hashOf = async (username: string) =>
    (await context.db.selectFrom('users').select('password_hash').where('username', '=', username).executeTakeFirst())
      ?.password_hash

  it('a user is created, found whatever the case, and listed by name in pages', async () => {
    const created = await createUser(context, { username: 'Lena', password: PASSWORD })
    await createUser(context, { username: 'adam', password: PASSWORD, isAdmin: true })
    expect(created).toMatchObject({ username: 'lena', isAdmin: false, disabledAt: undefined })
    expect(await findUser(context, 'LENA')).toEqual(created)
    expect((await listUsers(context)).map(({ username }) => username)).toEqual(['adam', 'lena'])
    expect((await listUsers(context, { limit: 1 })).map(({ isAdmin }) => isAdmin)).toEqual([true])
    expect(await listUsers(context, { after: 'adam' })).toEqual([created])
  })

  it('409: a name that is taken is refused, in any case', async () => {
    await createUser(context, { username: 'taken', password: PASSWORD })
    await expect(createUser(context, { username: 'TAKEN', password: PASSWORD })).rejects.toMatchObject({
      status: 409,
      body: { detail: 'There is already a user of this name.' },
    })
  })

  it('400: a name that is not one, or a short password, is refused in plain words', async () => {
    for (const username of ['', 'a', '-ab', '.ab', 'a b', 'ab\n', 'ab\0', 'é1', 'x'.repeat(65), '\u212aelvin']) {
      await expect(createUser(context, { username, password: PASSWORD })).rejects.toMatchObject({
        status: 400,
        body: { username: [expect.stringContaining('2 to 64')] },
      })
    }
    await expect(createUser(context, { username: 'short', password: 'short' })).rejects.toMatchObject({ status: 400 })
    expect(await findUser(context, 'short')).toBeUndefined()
  })

  it('404: nobody is disabled, enabled or given a password under a name nobody has', async () => {
    const missing = { status: 404, body: { detail: 'There is no user of this name.' } }
    await expect(disableUser(context, 'nobody')).rejects.toMatchObject(missing)
    await expect(enableUser(context, 'nobody')).rejects.toMatchObject(missing)
    await expect(setPassword(context, 'nobody', PASSWORD)).rejects.toMatchObject(missing)
    await expect(createKey(context, { owner: { username: 'nobody' } })).rejects.toMatchObject(missing)
  })

  it('any text at all can be asked for', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), async (text) => {
        fc.pre(!['lena', 'adam', 'taken', 'ines', 'otto'].includes(text.toLowerCase()))
        expect(await findUser(context, text)).toBeUndefined()
      }),
      { numRuns: 50 },
    )
  })

  it('a new password replaces the old one', async () => {
    await createUser(context, { username: 'ines', password: PASSWORD })
    await setPassword(context, 'Ines', 'battery staple')
    expect(await isPasswordRight(await hashOf('ines'), 'battery staple')).toBe(true)
    expect(await isPasswordRight(await hashOf('ines'), PASSWORD)).toBe(false)
  })

  it('disabling keeps its first moment, enabling clears it, and both move and announce every key', async () => {
    await createUser(context, { username: 'otto', password: PASSWORD })
    const keys = [
      await createKey(context, { owner: { username: 'otto' } }),
      await createKey(context, { owner: { username: 'otto' } }),
    ]
    const versions = async () =>
      (await context.db.selectFrom('api_keys').select('updated_at').orderBy('id').execute()).map(({ updated_at }) =>
        updated_at.getTime(),
      )
    const announced: string[] = []
    context.changes.subscribe((message) => announced.push(...message.split(' ')))
    const before = await versions()

    const disabled = await disableUser(context, 'otto')
    now += 60_000
    expect((await disableUser(context, 'otto')).disabledAt).toEqual(disabled.disabledAt)
    expect((await findUser(context, 'otto'))?.disabledAt).toEqual(disabled.disabledAt)
    expect((await enableUser(context, 'otto')).disabledAt).toBeUndefined()

    const after = await versions()
    expect(after.every((version, at) => version > (before[at] ?? Infinity))).toBe(true)
    expect(announced.sort()).toEqual(
      keys.flatMap(({ key }) => key.secrets.flatMap(({ prefix }) => [prefix, prefix, prefix])).sort(),
    )
  })
})
