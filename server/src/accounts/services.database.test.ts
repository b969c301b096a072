// Accounts of services own keys, and nothing signs them in.
import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { DATABASE_KINDS } from '../keys/access.test-database.ts'
import { createKey } from '../keys/keys.ts'
import { PASSWORD, setUpAccounts, VISITOR } from './accounts.test-harness.ts'
import { addSession } from './sessions.ts'
import { SoftAuthenticator } from './soft-authenticator.test-harness.ts'
import { createService, resetPassword, setAdmin, setPassword } from './users.ts'

const PARTY = { id: 'localhost', origin: 'http://localhost' }

describe.each(DATABASE_KINDS)('a service on %s', (kind) => {
  const stage = setUpAccounts(kind)
  let services = 0
  const addService = () => createService(stage.access, `service${++services}`)

  it('is as unknown to the sign-in form as a name that nobody has, whatever the password', async () => {
    const { username } = await addService()
    for (const password of [PASSWORD, '', ' ', 'null'])
      expect(await stage.signIn(username, password)).toEqual({ outcome: 'refused', reason: 'wrong' })
  })

  it('409: gets no password and no role', async () => {
    const { username } = await addService()
    const refused = { status: 409 }
    await expect(setPassword(stage.access, username, PASSWORD)).rejects.toMatchObject(refused)
    await expect(resetPassword(stage.access, username, { alsoRemoveSecondFactor: true })).rejects.toMatchObject(refused)
    await expect(setAdmin(stage.access, username, true)).rejects.toMatchObject(refused)
  })

  it('owns keys, and is refused with a passkey, an identity and a trusted header, should it ever have one', async () => {
    const { id, username } = await addService()
    const { key } = await createKey(stage.access, { owner: { username } })
    expect(key.userId).toBe(id)
    const identity = { issuer: 'https://id.example/', subject: 'a service' }
    await stage.access.db
      .insertInto('identities')
      .values({ ...identity, user_id: id, grants_admin: false })
      .execute()
    const proven = { ...identity, provider: 'oidc', username, createsUser: true, isAdmin: undefined }
    const elsewhere = stage.accounts.signInElsewhere
    const refused = { outcome: 'refused', reason: 'service' }
    expect(await elsewhere.withIdentity(proven, VISITOR)).toEqual(refused)
    expect(await elsewhere.withTrustedName({ username, createsUser: true }, VISITOR)).toEqual(refused)

    const authenticator = new SoftAuthenticator(PARTY)
    const options = await stage.accounts.passkeys.beginAdding({ id, username }, PARTY)
    const made = await stage.accounts.passkeys.verifyNew(id, {
      party: PARTY,
      credential: authenticator.create(options),
    })
    if (!made) throw new Error('the passkey is not right')
    await stage.access.db
      .insertInto('passkeys')
      .values({ ...made, user_id: id, name: '', created_at: new Date() })
      .execute()
    const question = await stage.accounts.passkeys.beginUse({ purpose: 'sign-in' }, PARTY)
    const answer = { party: PARTY, credential: authenticator.get(question) }
    expect(await stage.accounts.signIn.withPasskey(answer, VISITOR)).toEqual(refused)
    expect(await stage.eventsOf(id)).toEqual([
      'user-created ok service',
      'key-created ok',
      'sign-in failed service',
      'sign-in failed service',
      'sign-in failed service',
    ])
  })

  it('gets no session, whoever asks', async () => {
    const { id } = await addService()
    const parts = { access: stage.access, tokens: { session: mintNothing, device: mintNothing } }
    const starting = stage.access.db
      .transaction()
      .execute((transaction) => addSession(parts as never, transaction, { userId: id, userAgent: '' }))
    await expect(starting).rejects.toThrow()
    const sessions = await stage.access.db.selectFrom('sessions').select('id').where('user_id', '=', id).execute()
    expect(sessions).toEqual([])
  })
})

const mintNothing = { mint: () => ({ token: '', tokenHash: randomBytes(32) }) }
