import { describe, expect, it } from 'vitest'
import { DATABASE_KINDS } from '../keys/access.test-database.ts'
import { PASSWORD, setUpAccounts, VISITOR } from './accounts.test-harness.ts'

describe.each(DATABASE_KINDS)('your own account on %s', (kind) => {
  const stage = setUpAccounts(kind)
  const change = (userId: string, present: string, next: string) =>
    stage.accounts.ownAccount.changePassword({ ...VISITOR, userId, username: 'lena' }, { current: present, next })

  it('a new password needs the old one', async () => {
    const { id, username } = await stage.addUser()
    const token = await stage.openSession(username)
    expect(await change(id, 'wrong password', 'battery staple')).toEqual({ ok: false, reason: 'password' })
    expect(await stage.accounts.sessions.find(token)).toBeDefined()
    expect(await stage.signIn(username)).toMatchObject({ outcome: 'signed-in' })
  })

  it('a new password ends every session and begins a new one', async () => {
    const { id, username } = await stage.addUser()
    const [here, elsewhere] = [await stage.openSession(username), await stage.openSession(username)]
    const changed = await change(id, PASSWORD, 'battery staple')
    if (!changed.ok) throw new Error(changed.reason)
    const { sessions } = stage.accounts
    expect(await Promise.all([here, elsewhere, changed.value.session].map(sessions.find))).toEqual([
      undefined,
      undefined,
      expect.objectContaining({ username }),
    ])
    expect(await stage.signIn(username)).toEqual({ outcome: 'refused', reason: 'wrong' })
    expect(await stage.signIn(username, 'battery staple')).toMatchObject({ outcome: 'signed-in' })
  })

  it('a new password must be different and long enough', async () => {
    const { id } = await stage.addUser()
    expect(await change(id, PASSWORD, PASSWORD)).toEqual({ ok: false, reason: 'same' })
    await expect(change(id, PASSWORD, 'short')).rejects.toMatchObject({ status: 400 })
  })

  it('of two changes at once one fails, and the password is that of the other', async () => {
    const { id, username } = await stage.addUser()
    const passwords = ['battery staple', 'staple battery']
    const changes = await Promise.all(passwords.map((next) => change(id, PASSWORD, next)))
    expect(changes.filter(({ ok }) => ok)).toHaveLength(1)
    const winner = passwords[changes.findIndex(({ ok }) => ok)]
    expect(await stage.signIn(username, winner)).toMatchObject({ outcome: 'signed-in' })
  })

  it('guessing the old password is throttled', async () => {
    const { id } = await stage.addUser()
    for (let n = 0; n < 6; n++) await change(id, `guess number ${n}`, 'battery staple')
    expect(await change(id, PASSWORD, 'battery staple')).toEqual({ ok: false, reason: 'wait', retryAfterSeconds: 2 })
  })

  it('the second factor is switched on with the password and a code, and off with both', async () => {
    const user = await stage.addUser()
    const { ownFactors, secondFactor } = stage.accounts
    const member = { ...stage.member(user), issuer: 'Bowerbird' }
    expect(await ownFactors.beginApp(member, 'wrong password')).toEqual({ ok: false, reason: 'password' })
    const begun = await ownFactors.beginApp(member, PASSWORD)
    if (!begun.ok) throw new Error(begun.reason)
    const { secret } = begun.value
    expect(await ownFactors.confirmApp(member, '12345')).toEqual({ ok: false, reason: 'code' })
    expect(await ownFactors.confirmApp(member, stage.codeFor(secret))).toMatchObject({ ok: true })

    stage.now += 60_000
    const off = (password: string, code: string) => ownFactors.switchOffApp(member, { password, code })
    expect(await off('wrong password', stage.codeFor(secret))).toEqual({ ok: false, reason: 'password' })
    expect(await off(PASSWORD, '12345')).toEqual({ ok: false, reason: 'code' })
    expect(await secondFactor.describe(user.id)).toMatchObject({ hasApp: true })
    expect(await off(PASSWORD, stage.codeFor(secret))).toEqual({ ok: true, value: undefined })
    expect(await secondFactor.describe(user.id)).toEqual({ hasApp: false, passkeys: 0, recoveryCodesLeft: 0 })
    expect(await stage.signIn(user.username)).toMatchObject({ outcome: 'signed-in' })
  })

  it('a recovery code switches the second factor off as well', async () => {
    const user = await stage.addUser()
    const { recoveryCodes } = await stage.enrol(user)
    const proof = { password: PASSWORD, code: recoveryCodes[3] ?? '' }
    expect(await stage.accounts.ownFactors.switchOffApp(stage.member(user), proof)).toMatchObject({ ok: true })
  })
})
