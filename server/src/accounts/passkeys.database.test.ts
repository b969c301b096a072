import { describe, expect, it } from 'vitest'
import { DATABASE_KINDS } from '../keys/access.test-database.ts'
import { CONFIRMED_MS } from './account-settings.ts'
import { PASSWORD, setUpAccounts, VISITOR } from './accounts.test-harness.ts'
import { listPasskeys } from './passkey-rows.ts'
import { SoftAuthenticator } from './soft-authenticator.test-harness.ts'
import { disableUser, resetPassword, type UserRecord } from './users.ts'

const PARTY = { id: 'search.example.org', origin: 'https://search.example.org' }
const WRONG = { outcome: 'refused', reason: 'wrong' }

describe.each(DATABASE_KINDS)('passkeys on %s', (kind) => {
  const stage = setUpAccounts(kind)
  const passkeys = () => stage.accounts.passkeys

  async function add(user: UserRecord, lies: Parameters<SoftAuthenticator['create']>[1] = {}) {
    const authenticator = new SoftAuthenticator(PARTY)
    const options = await passkeys().beginAdding(user, PARTY)
    const credential = authenticator.create(options, lies)
    const answer = { party: PARTY, credential, name: 'Telephone' }
    return { authenticator, answer, added: await stage.accounts.ownFactors.addPasskey(stage.member(user), answer) }
  }

  /** Signs in with a passkey alone. */
  async function signIn(authenticator: SoftAuthenticator, lies: Parameters<SoftAuthenticator['get']>[1] = {}) {
    const options = await passkeys().beginUse({ purpose: 'sign-in' }, PARTY)
    const answer = { party: PARTY, credential: authenticator.get(options, lies) }
    return await stage.accounts.signIn.withPasskey(answer, VISITOR)
  }

  async function ticketFor(username: string): Promise<string> {
    const verdict = await stage.signIn(username)
    if (verdict.outcome !== 'next') throw new Error(verdict.outcome)
    return verdict.ticket
  }

  it('the first passkey that is added comes with recovery codes', async () => {
    const user = await stage.addUser()
    const { added } = await add(user)
    expect(added.ok && added.value).toHaveLength(10)
    expect((await add(user)).added).toEqual({ ok: true, value: [] })
    expect(await listPasskeys(stage.access.db, user.id)).toMatchObject([{ name: 'Telephone' }, { name: 'Telephone' }])
    expect((await stage.eventsOf(user.id)).slice(-2)).toEqual(['passkey-added ok', 'passkey-added ok'])
  })

  it('sign in alone, without name or password', async () => {
    const user = await stage.addUser()
    const { authenticator } = await add(user)
    const verdict = await signIn(authenticator)
    if (verdict.outcome !== 'signed-in') throw new Error(verdict.outcome)
    expect(await stage.accounts.sessions.find(verdict.session)).toMatchObject({ username: user.username })
    expect((await stage.eventsOf(user.id)).at(-1)).toBe('sign-in ok passkey')
    expect(await signIn(authenticator)).toMatchObject({ outcome: 'signed-in' })
  })

  it('are a second factor: the password alone gives a ticket, and the passkey then a session', async () => {
    const user = await stage.addUser()
    const { authenticator } = await add(user)
    const ticket = await ticketFor(user.username)
    expect(await stage.accounts.signIn.findStep(ticket)).toMatchObject({ hasApp: false, hasPasskey: true })
    const options = await passkeys().beginUse({ purpose: 'second-factor', userId: user.id }, PARTY)
    // The password has been shown: that the authenticator checked its user is not asked for.
    const credential = authenticator.get(options, { isUserChecked: false })
    const use = () => stage.accounts.signIn.withPasskeyAfterPassword({ ticket, party: PARTY, credential }, VISITOR)
    expect(await use()).toMatchObject({ outcome: 'signed-in' })
    expect(await use()).toEqual({ outcome: 'refused', reason: 'expired' })
  })

  it('a recovery code works if the passkey is lost', async () => {
    const user = await stage.addUser()
    const { added } = await add(user)
    const [code = ''] = added.ok ? added.value : []
    const ticket = await ticketFor(user.username)
    expect(await stage.accounts.signIn.withCode({ ticket, code }, VISITOR)).toMatchObject({ outcome: 'signed-in' })
  })

  it.each([
    ['another origin', { origin: 'https://search.example.org.evil.example' }],
    ['another host', { rpId: 'evil.example' }],
    ['nobody checked', { isUserChecked: false }],
    ['a signature of somebody else', { signature: Buffer.from('3006020101020101', 'hex') }],
    ['the handle of somebody else', { userHandle: Buffer.alloc(32, 7).toString('base64url') }],
  ])('an answer with %s signs nobody in', async (_, lies) => {
    const user = await stage.addUser()
    const { authenticator } = await add(user)
    expect(await signIn(authenticator, lies)).toEqual(WRONG)
    expect(await signIn(authenticator)).toMatchObject({ outcome: 'signed-in' })
  })

  it('an answer works once, also if it was refused, for its own purpose, and for five minutes', async () => {
    const user = await stage.addUser()
    const { authenticator } = await add(user)
    const ask = () => passkeys().beginUse({ purpose: 'sign-in' }, PARTY)
    const give = (options: Awaited<ReturnType<typeof ask>>, lies = {}) =>
      stage.accounts.signIn.withPasskey({ party: PARTY, credential: authenticator.get(options, lies) }, VISITOR)
    const [used, refused, late] = [await ask(), await ask(), await ask()]
    expect(await give(used)).toMatchObject({ outcome: 'signed-in' })
    expect(await give(used)).toEqual(WRONG)
    expect(await give(refused, { origin: 'https://evil.example' })).toEqual(WRONG)
    expect(await give(refused)).toEqual(WRONG)
    expect(await give(await passkeys().beginUse({ purpose: 'confirm', userId: user.id }, PARTY))).toEqual(WRONG)
    stage.now += 5 * 60_000
    expect(await give(late)).toEqual(WRONG)
  })

  it("another user's passkey is not accepted as a second factor", async () => {
    const [lena, otto] = [await stage.addUser(), await stage.addUser()]
    await add(lena)
    const { authenticator } = await add(otto)
    const ticket = await ticketFor(lena.username)
    const options = await passkeys().beginUse({ purpose: 'second-factor', userId: lena.id }, PARTY)
    const given = { ticket, party: PARTY, credential: authenticator.get(options) }
    expect(await stage.accounts.signIn.withPasskeyAfterPassword(given, VISITOR)).toEqual(WRONG)
  })

  it('a counter that goes back or stands still is refused as a copy, unless it never counts', async () => {
    const user = await stage.addUser()
    const { authenticator } = await add(user)
    expect(await signIn(authenticator, { counter: 10 })).toMatchObject({ outcome: 'signed-in' })
    expect(await signIn(authenticator, { counter: 9 })).toEqual(WRONG)
    expect(await signIn(authenticator, { counter: 10 })).toEqual(WRONG)
    expect(await signIn(authenticator, { counter: 11 })).toMatchObject({ outcome: 'signed-in' })
    const { authenticator: uncounted } = await add(user, { counter: 0 })
    for (let n = 0; n < 2; n++) expect(await signIn(uncounted, { counter: 0 })).toMatchObject({ outcome: 'signed-in' })
  })

  it('an answer from another origin, for another user or used before adds no passkey', async () => {
    const [lena, otto] = [await stage.addUser(), await stage.addUser()]
    const refused = { ok: false, reason: 'passkey' }
    expect((await add(lena, { origin: 'https://evil.example' })).added).toEqual(refused)
    const { addPasskey } = stage.accounts.ownFactors
    const options = await passkeys().beginAdding(lena, PARTY)
    const credential = new SoftAuthenticator(PARTY).create(options)
    const answer = { party: PARTY, credential, name: '' }
    expect(await addPasskey(stage.member(otto), answer)).toEqual(refused)
    const { answer: used } = await add(lena)
    expect(await addPasskey(stage.member(lena), used)).toEqual(refused)
    expect(await listPasskeys(stage.access.db, otto.id)).toEqual([])
  })

  it('nonsense is refused, whatever it is', async () => {
    const texts = [
      '',
      '{}',
      'null',
      '[]',
      '"x"',
      '{"id":"a"}',
      'x'.repeat(30_000),
      `{"id":"a","rawId":"a","type":"public-key","response":{"clientDataJSON":"e30","authenticatorData":"AA","signature":"AA","attestationObject":"AA"}}`,
    ]
    const member = stage.member(await stage.addUser())
    for (const credential of texts) {
      const answer = { party: PARTY, credential }
      expect(await stage.accounts.signIn.withPasskey(answer, VISITOR)).toMatchObject({ outcome: 'refused' })
      expect(await stage.accounts.ownFactors.addPasskey(member, { ...answer, name: '' })).toMatchObject({ ok: false })
    }
  })

  it("a passkey doesn't sign in to a disabled account, and doesn't replace a temporary password", async () => {
    await stage.addUser({ isAdmin: true })
    const user = await stage.addUser()
    const { authenticator } = await add(user)
    await resetPassword(stage.access, user.username, { alsoRemoveSecondFactor: false })
    expect(await signIn(authenticator)).toMatchObject({ outcome: 'next', step: 'password' })
    await disableUser(stage.access, user.username)
    expect(await signIn(authenticator)).toEqual({ outcome: 'refused', reason: 'disabled' })
  })

  it('are removed with the password or by a reset; the last one takes the recovery codes with it', async () => {
    const user = await stage.addUser()
    const { authenticator } = await add(user)
    const [passkey] = await listPasskeys(stage.access.db, user.id)
    const remove = (password: string) =>
      stage.accounts.ownFactors.removePasskey(stage.member(user), { password, passkeyId: passkey?.id ?? '' })
    expect(await remove('wrong password')).toEqual({ ok: false, reason: 'password' })
    expect(await remove(PASSWORD)).toMatchObject({ ok: true })
    expect(await stage.accounts.secondFactor.describe(user.id)).toEqual({
      hasApp: false,
      passkeys: 0,
      recoveryCodesLeft: 0,
    })
    expect(await signIn(authenticator)).toEqual(WRONG)
    await add(user)
    await resetPassword(stage.access, user.username, { alsoRemoveSecondFactor: true })
    expect(await listPasskeys(stage.access.db, user.id)).toEqual([])
  })

  it("confirm the user's identity for ten minutes, with a new session token", async () => {
    const user = await stage.addUser()
    const token = await stage.openSession(user.username)
    stage.now += CONFIRMED_MS
    const { authenticator } = await add(user)
    const { sessionId = '' } = (await stage.accounts.sessions.find(token)) ?? {}
    const options = await passkeys().beginUse({ purpose: 'confirm', userId: user.id }, PARTY)
    const passkey = { party: PARTY, credential: authenticator.get(options) }
    const { ownAccount } = stage.accounts
    const confirmed = await ownAccount.confirmIdentity(stage.member(user), { sessionId, passkey })
    if (!confirmed.ok) throw new Error(confirmed.reason)
    expect(await stage.accounts.sessions.find(token)).toBeUndefined()
    expect(await stage.accounts.sessions.find(confirmed.value)).toMatchObject({ sessionId, confirmedAt: stage.now })
    expect(await ownAccount.confirmIdentity(stage.member(user), { sessionId, passkey })).toMatchObject({
      reason: 'passkey',
    })
  })
})
