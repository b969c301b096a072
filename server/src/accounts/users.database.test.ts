import { beforeAll, describe, expect, it } from 'vitest'
import { CHEAP_PASSWORDS } from '../../test/support/cheap-passwords.ts'
import { createAdminContext, DATABASE_KINDS, useTestDatabase } from '../keys/access.test-database.ts'
import type { AdminContext } from '../keys/admin-context.ts'
import { createKey } from '../keys/keys.ts'
import { isPasswordRight } from './passwords.ts'
import { isSecondFactorOn } from './second-factor.ts'
import {
  createUser,
  createUserWithPassword,
  disableUser,
  enableUser,
  findUser,
  listUsers,
  resetPassword,
  setAdmin,
  setPassword,
} from './users.ts'

const PASSWORD = 'correct horse'

describe.each(DATABASE_KINDS)('users on %s', (kind) => {
  const used = useTestDatabase(kind)
  let context: AdminContext
  let now = Date.UTC(2026, 10, 15)
  beforeAll(() => {
    context = createAdminContext(used.db, () => now)
  })

  const hashOf = async (username: string) =>
    (await context.db.selectFrom('users').select('password_hash').where('username', '=', username).executeTakeFirst())
      ?.password_hash

  const isTemporary = async (username: string) =>
    (
      await context.db
        .selectFrom('users')
        .select('password_is_temporary')
        .where('username', '=', username)
        .executeTakeFirst()
    )?.password_is_temporary

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
      body: { detail: 'There is already a user with this name.' },
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

  it('404: an unknown name cannot be disabled, enabled or given a password', async () => {
    const missing = { status: 404, body: { detail: 'There is no user with this name.' } }
    await expect(disableUser(context, 'nobody')).rejects.toMatchObject(missing)
    await expect(enableUser(context, 'nobody')).rejects.toMatchObject(missing)
    await expect(setPassword(context, 'nobody', PASSWORD)).rejects.toMatchObject(missing)
    await expect(createKey(context, { owner: { username: 'nobody' } })).rejects.toMatchObject(missing)
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
    const toldOfUser: string[] = []
    context.changes.subscribe((message) => {
      if (message.startsWith('user:')) toldOfUser.push(message)
      else announced.push(...message.split(' '))
    })
    const before = await versions()

    const disabled = await disableUser(context, 'otto')
    now += 60_000
    expect((await disableUser(context, 'otto')).disabledAt).toEqual(disabled.disabledAt)
    expect((await findUser(context, 'otto'))?.disabledAt).toEqual(disabled.disabledAt)
    expect((await enableUser(context, 'otto')).disabledAt).toBeUndefined()

    expect(toldOfUser).toEqual(Array(3).fill(`user:${disabled.id}`))
    const after = await versions()
    expect(after.every((version, at) => version > (before[at] ?? Infinity))).toBe(true)
    expect(announced.sort()).toEqual(
      keys.flatMap(({ key }) => key.secrets.flatMap(({ prefix }) => [prefix, prefix, prefix])).sort(),
    )
  })

  it('somebody who is invited has a password that was made for them and is told to be temporary', async () => {
    const { user, password } = await createUserWithPassword(context, { username: 'Hans', isAdmin: false })
    expect(user).toMatchObject({ username: 'hans', isAdmin: false })
    expect(password).toMatch(/^[\da-z]{4}(-[\da-z]{4}){6}$/)
    expect(await isPasswordRight(await hashOf('hans'), password, CHEAP_PASSWORDS)).toBe(true)
    expect(await isTemporary('hans')).toBe(true)
    await expect(createUserWithPassword(context, { username: 'hans' })).rejects.toMatchObject({ status: 409 })
  })

  it('a reset generates a new password, which is temporary until the user sets one', async () => {
    await createUser(context, { username: 'greta', password: PASSWORD })
    const [first, second] = [
      await resetPassword(context, 'greta', { alsoRemoveSecondFactor: false }),
      await resetPassword(context, 'greta', { alsoRemoveSecondFactor: false }),
    ]
    expect(second.password).not.toBe(first.password)
    expect(await isPasswordRight(await hashOf('greta'), first.password, CHEAP_PASSWORDS)).toBe(false)
    expect(await isPasswordRight(await hashOf('greta'), second.password, CHEAP_PASSWORDS)).toBe(true)
    expect(await isTemporary('greta')).toBe(true)
    await setPassword(context, 'greta', PASSWORD)
    expect(await isTemporary('greta')).toBe(false)
    await expect(resetPassword(context, 'nobody', { alsoRemoveSecondFactor: true })).rejects.toMatchObject({
      status: 404,
    })
  })

  it('a reset removes the second factor only when asked to', async () => {
    const { id } = await createUser(context, { username: 'karl', password: PASSWORD })
    const codes = () => context.db.selectFrom('recovery_codes').select('user_id').where('user_id', '=', id).execute()
    await context.db
      .insertInto('second_factors')
      .values({ user_id: id, sealed_secret: Buffer.of(1), confirmed_at: new Date(now) })
      .execute()
    await context.db
      .insertInto('recovery_codes')
      .values({ user_id: id, code_hash: Buffer.of(1) })
      .execute()
    await resetPassword(context, 'karl', { alsoRemoveSecondFactor: false })
    expect([await isSecondFactorOn(context.db, id), await codes()]).toEqual([true, [{ user_id: id }]])
    await resetPassword(context, 'karl', { alsoRemoveSecondFactor: true })
    expect([await isSecondFactorOn(context.db, id), await codes()]).toEqual([false, []])
  })

  it('409: the last enabled administrator can be neither disabled nor demoted', async () => {
    const last = { status: 409, body: { detail: expect.stringContaining('last enabled administrator') } }
    expect((await listUsers(context)).filter(({ isAdmin }) => isAdmin).map(({ username }) => username)).toEqual([
      'adam',
    ])
    await expect(disableUser(context, 'adam')).rejects.toMatchObject(last)
    await expect(setAdmin(context, 'adam', false)).rejects.toMatchObject(last)
    expect(await setAdmin(context, 'lena', true)).toMatchObject({ username: 'lena', isAdmin: true })
    expect(await disableUser(context, 'lena')).toMatchObject({ disabledAt: expect.any(Date) })
    await expect(disableUser(context, 'adam')).rejects.toMatchObject(last)
    await enableUser(context, 'lena')
    expect(await setAdmin(context, 'adam', false)).toMatchObject({ isAdmin: false })
    await expect(setAdmin(context, 'lena', false)).rejects.toMatchObject(last)
    await expect(setAdmin(context, 'nobody', true)).rejects.toMatchObject({ status: 404 })
    await setAdmin(context, 'adam', true)
  })

  it('of two administrators who disable each other concurrently, one stays enabled', async () => {
    for (let round = 0; round < 5; round++) {
      const outcomes = await Promise.allSettled([disableUser(context, 'adam'), disableUser(context, 'lena')])
      expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
      await Promise.all([enableUser(context, 'adam'), enableUser(context, 'lena')])
    }
  })
})
