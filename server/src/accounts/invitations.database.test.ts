import { describe, expect, it } from 'vitest'
import { DATABASE_KINDS } from '../keys/access.test-database.ts'
import { PASSWORD, setUpAccounts, VISITOR } from './accounts.test-harness.ts'
import { createInvitation, listInvitations, revokeInvitation } from './invitations.ts'
import { findUser } from './users.ts'

const DAY_MS = 86_400_000

describe.each(DATABASE_KINDS)('invitations on %s', (kind) => {
  const stage = setUpAccounts(kind)
  const invite = (isAdmin = false, days?: number) => createInvitation(stage.access, { isAdmin, days })
  const accept = (token: string, username: string, password = PASSWORD) =>
    stage.accounts.invitations.accept({ token, username, password }, VISITOR)

  it('creates an account and a session, with the role that was chosen, once', async () => {
    const { token } = await invite(true)
    const verdict = await accept(token, 'invited')
    expect(verdict.ok && (await stage.accounts.sessions.find(verdict.session))).toMatchObject({
      username: 'invited',
      isAdmin: true,
    })
    const user = await findUser(stage.access, 'invited')
    expect(await stage.eventsOf(user?.id ?? '')).toEqual(['user-created ok administrator', 'invitation-accepted ok'])
    expect(await accept(token, 'another')).toEqual({ ok: false, reason: 'over' })
    expect(await findUser(stage.access, 'another')).toBeUndefined()
  })

  it('is stored as a hash only', async () => {
    const { token } = await invite()
    const rows = await stage.access.db.selectFrom('invitations').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(token)
    expect(rows.some(({ token_hash }) => Buffer.from(token_hash).toString('base64url') === token)).toBe(false)
  })

  it('of two people who use it at once, one gets in', async () => {
    const { token } = await invite()
    const verdicts = await Promise.all([accept(token, 'quick-one'), accept(token, 'quick-two')])
    expect(verdicts.filter(({ ok }) => ok)).toHaveLength(1)
  })

  it('stays valid if the name is taken or the password too weak', async () => {
    const { token } = await invite()
    const { username } = await stage.addUser()
    await expect(accept(token, username)).rejects.toMatchObject({ status: 409 })
    await expect(accept(token, 'fine', 'short')).rejects.toMatchObject({ status: 400 })
    expect((await accept(token, 'fine')).ok).toBe(true)
  })

  it('ends after seven days, or as many as were chosen, and when it is revoked', async () => {
    const [week, long, revoked] = [await invite(), await invite(false, 30), await invite()]
    await revokeInvitation(stage.access, revoked.invitation.id)
    expect(await accept(revoked.token, 'too-late')).toEqual({ ok: false, reason: 'over' })
    stage.now += 7 * DAY_MS
    expect(await accept(week.token, 'too-late')).toEqual({ ok: false, reason: 'over' })
    expect(await stage.accounts.invitations.find(week.token)).toBeUndefined()
    expect((await listInvitations(stage.access)).map(({ id }) => id)).toEqual([long.invitation.id])
    await stage.accounts.sessions.removeExpired()
    expect(await stage.access.db.selectFrom('invitations').select('id').execute()).toEqual([{ id: long.invitation.id }])
    expect((await accept(long.token, 'in-time')).ok).toBe(true)
  })

  it('404 and 400: there is nothing to revoke, or the days make no sense', async () => {
    for (const id of ['999999', 'x', '', "1' or true --"])
      await expect(revokeInvitation(stage.access, id)).rejects.toMatchObject({ status: 404 })
    for (const days of [0, -1, 366, 1.5, Number.NaN]) {
      await expect(invite(false, days)).rejects.toMatchObject({ status: 400 })
    }
  })

  it('a made-up token finds nothing', async () => {
    for (const token of ['', 'a', 'A'.repeat(43), '\0'.repeat(43), 'é'.repeat(43)])
      expect(await accept(token, 'nobody')).toEqual({ ok: false, reason: 'over' })
  })
})
