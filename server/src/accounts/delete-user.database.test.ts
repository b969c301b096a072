// What is left after a deletion is `test/spec/delete-account.test.ts`'s subject; here is who can be deleted, and when.
import { describe, expect, it } from 'vitest'
import { DATABASE_KINDS } from '../keys/access.test-database.ts'
import { createKey } from '../keys/keys.ts'
import { setUpAccounts } from './accounts.test-harness.ts'
import { deleteUser } from './delete-user.ts'
import { createInvitation, listInvitations } from './invitations.ts'
import { findUser, setAdmin } from './users.ts'

describe.each(DATABASE_KINDS)('deleting an account on %s', (kind) => {
  const stage = setUpAccounts(kind)

  it('takes the keys and sessions with it at once, and leaves others alone', async () => {
    const [gone, other] = [await stage.addUser(), await stage.addUser()]
    const [session, otherSession] = [await stage.openSession(gone.username), await stage.openSession(other.username)]
    for (const { id } of [gone, other]) await createKey(stage.access, { owner: { userId: id } })
    expect(await stage.accounts.sessions.find(session)).toBeDefined()
    await deleteUser(stage.access, gone.username)
    expect(await stage.accounts.sessions.find(session)).toBeUndefined()
    expect(await stage.accounts.sessions.find(otherSession)).toBeDefined()
    const keys = await stage.access.db.selectFrom('api_keys').select('user_id').execute()
    expect(keys.map(({ user_id }) => user_id)).toEqual([other.id])
    expect(await findUser(stage.access, gone.username)).toBeUndefined()
    await expect(deleteUser(stage.access, gone.username)).rejects.toMatchObject({ status: 404 })
  })

  it('409: the last administrator stays, with everything; another one may go', async () => {
    const [first, second] = [await stage.addUser({ isAdmin: true }), await stage.addUser({ isAdmin: true })]
    await deleteUser(stage.access, first.username)
    await expect(deleteUser(stage.access, second.username)).rejects.toMatchObject({ status: 409 })
    expect(await findUser(stage.access, second.username)).toMatchObject({ isAdmin: true })
    const third = await stage.addUser()
    await setAdmin(stage.access, third.username, true)
    await deleteUser(stage.access, second.username)
  })

  it('of two administrators who delete each other at once, one stays', async () => {
    const admins = await stage.access.db.selectFrom('users').select('username').where('is_admin', '=', true).execute()
    const [one, two] = [await stage.addUser({ isAdmin: true }), await stage.addUser({ isAdmin: true })]
    for (const { username } of admins) await deleteUser(stage.access, username)
    const outcomes = await Promise.allSettled([one, two].map(({ username }) => deleteUser(stage.access, username)))
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  it('records who did it, unless it was the owner; invitations stay, without their name', async () => {
    const [admin, gone, own] = [await stage.addUser({ isAdmin: true }), await stage.addUser(), await stage.addUser()]
    const as = (userId: string) => stage.accounts.accessBy({ address: '192.0.2.7', userId })
    await createInvitation(as(gone.id), { isAdmin: false })
    await deleteUser(as(admin.id), gone.username)
    await deleteUser(as(own.id), own.username)
    const events = await stage.access.db
      .selectFrom('audit_events')
      .select(['actor_id', 'user_id', 'network'])
      .where('event', '=', 'user-deleted')
      .orderBy('id', 'desc')
      .limit(2)
      .execute()
    expect(events).toEqual([
      { actor_id: null, user_id: null, network: '' },
      { actor_id: admin.id, user_id: null, network: stage.accounts.networkOf('192.0.2.7') },
    ])
    expect(await listInvitations(stage.access)).toMatchObject([{ invitedBy: undefined }])
  })
})
