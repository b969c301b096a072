import { hash, randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { DATABASE_KINDS } from '../keys/access.test-database.ts'
import { createLocalChangeBus } from '../keys/key-changes.ts'
import type { Database } from '../store/database.ts'
import { PASSWORD, setUpAccounts, VISITOR } from './accounts.test-harness.ts'
import { describeBrowser } from './sessions.ts'
import { disableUser, enableUser, setAdmin, setPassword } from './users.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

describe.each(DATABASE_KINDS)('sessions on %s', (kind) => {
  const stage = setUpAccounts(kind)
  const find = (token: string) => stage.accounts.sessions.find(token)

  /** Signs out of the session that a token opens. */
  async function end(token: string, by = stage.accounts) {
    const viewer = await by.sessions.find(token)
    if (viewer) await by.sessions.end({ ...VISITOR, userId: viewer.userId }, viewer.sessionId)
  }

  /** Counts what the database is asked, and may hold its answers back. */
  function tap() {
    const state = { asked: 0, isCut: false, beforeAnswer: async () => undefined as unknown }
    const database: Database = {
      ...stage.database,
      async query(statement, values) {
        state.asked++
        if (state.isCut) throw new Error('connection refused')
        const rows = await stage.database.query(statement, values)
        await state.beforeAnswer()
        // The rows are the caller's own statement's.
        return rows as never
      },
    }
    return { state, database }
  }

  it('a session is found by its token, which every sign-in gets anew, and says who it is', async () => {
    const user = await stage.addUser({ isAdmin: true })
    const token = await stage.openSession(user.username)
    expect(token).toMatch(/^[\w-]{43}$/)
    expect(await stage.openSession(user.username)).not.toBe(token)
    expect(await find(token)).toEqual({
      sessionId: expect.stringMatching(/^\d+$/),
      userId: user.id,
      username: user.username,
      isAdmin: true,
      confirmedAt: stage.now,
      mustEnrol: false,
      signedInBy: null,
      preferences: null,
    })
    for (const wrong of ['', token.slice(1), `${token}x`, randomBytes(32).toString('base64url'), "' or 1=1 --"]) {
      expect(await find(wrong)).toBeUndefined()
    }
  })

  it('the table has the hash of the token and neither the token nor an address', async () => {
    const { id, username } = await stage.addUser()
    const token = await stage.openSession(username)
    const rows = await stage.access.db.selectFrom('sessions').selectAll().where('user_id', '=', id).execute()
    expect(rows).toHaveLength(1)
    expect(Buffer.from(rows[0]?.token_hash ?? [])).toEqual(hash('sha256', token, 'buffer'))
    expect(JSON.stringify(rows)).not.toContain(token)
    expect(JSON.stringify(rows)).not.toContain(VISITOR.address)
    expect(rows[0]?.browser).toBe('Firefox, Linux')
  })

  it('an account has 100 of them at most: one more ends the one that was used least recently', async () => {
    const { id, username } = await stage.addUser()
    const [first, second] = [await stage.openSession(username), await stage.openSession(username)]
    stage.now += MINUTE_MS
    const at = new Date(stage.now)
    const others = Array.from({ length: 98 }, () => ({
      token_hash: randomBytes(32),
      user_id: id,
      browser: '',
      created_at: at,
      last_seen_at: at,
      expires_at: new Date(stage.now + DAY_MS),
    }))
    await stage.access.db.insertInto('sessions').values(others).execute()
    stage.now += MINUTE_MS
    // The oldest is used again, so the second is the next to go.
    expect(await find(first)).toBeDefined()
    await stage.openSession(username)
    stage.now += 10_000
    expect(await stage.accounts.sessions.list(id)).toHaveLength(100)
    expect(await find(first)).toMatchObject({ userId: id })
    expect(await find(second)).toBeUndefined()
  })

  it('it ends 30 days after the last visit, not after the first', async () => {
    const { username } = await stage.addUser()
    const token = await stage.openSession(username)
    for (let visit = 0; visit < 2; visit++) {
      stage.now += 29 * DAY_MS
      expect(await find(token)).toMatchObject({ username })
    }
    stage.now += 30 * DAY_MS
    expect(await find(token)).toBeUndefined()
  })

  it('the last visit is noted to the minute', async () => {
    const { id, username } = await stage.addUser()
    const token = await stage.openSession(username)
    const begun = stage.now
    const lastSeen = async () => (await stage.accounts.sessions.list(id))[0]?.lastSeenAt.getTime()
    stage.now += MINUTE_MS - 1
    await find(token)
    expect(await lastSeen()).toBe(begun)
    stage.now += 10_000
    await find(token)
    expect(await lastSeen()).toBe(stage.now)
  })

  it('a page costs one statement at most, and none for a few seconds after', async () => {
    const { username } = await stage.addUser()
    const token = await stage.openSession(username)
    const { state, database } = tap()
    const node = stage.createNode(createLocalChangeBus(), database)
    for (let n = 0; n < 10; n++) await node.sessions.find(token)
    expect(state.asked).toBe(1)
    stage.now += 5_000
    await node.sessions.find(token)
    expect(state.asked).toBe(2)
    await node.sessions.find('nonsense')
    expect(state.asked).toBe(2)
  })

  it('signing out ends the session at once here and within seconds elsewhere', async () => {
    const { username } = await stage.addUser()
    const [token, other] = [await stage.openSession(username), await stage.openSession(username)]
    const deafNode = stage.createNode()
    expect([await find(token), await deafNode.sessions.find(token)]).not.toContain(undefined)
    await end(token)
    expect(await find(token)).toBeUndefined()
    stage.now += 5_000
    expect(await deafNode.sessions.find(token)).toBeUndefined()
    expect(await find(other)).toBeDefined()
    await end(token)
  })

  it('a sign-out that overtakes a look-up is not undone by it', async () => {
    const { username } = await stage.addUser()
    const token = await stage.openSession(username)
    const { state, database } = tap()
    const node = stage.createNode(stage.access.changes, database)
    state.beforeAnswer = () => {
      state.beforeAnswer = async () => undefined
      return end(token)
    }
    expect(await node.sessions.find(token)).toBeDefined()
    expect(await node.sessions.find(token)).toBeUndefined()
  })

  it('a disabled user is signed out at once, and stays so when enabled again', async () => {
    await stage.addUser({ isAdmin: true })
    const { username } = await stage.addUser()
    const token = await stage.openSession(username)
    expect(await find(token)).toBeDefined()
    await disableUser(stage.access, username)
    expect(await find(token)).toBeUndefined()
    await enableUser(stage.access, username)
    expect(await find(token)).toBeUndefined()
  })

  it("a disabled user's session is refused even if it still exists", async () => {
    const { id, username } = await stage.addUser()
    const token = await stage.openSession(username)
    await stage.access.db.updateTable('users').set({ disabled_at: new Date() }).where('id', '=', id).execute()
    expect(await find(token)).toBeUndefined()
  })

  it('a new password from an administrator ends all sessions; a new role is seen at once', async () => {
    const { username } = await stage.addUser()
    const token = await stage.openSession(username)
    expect(await find(token)).toMatchObject({ isAdmin: false })
    await setAdmin(stage.access, username, true)
    expect(await find(token)).toMatchObject({ isAdmin: true })
    await setPassword(stage.access, username, 'battery staple')
    expect(await find(token)).toBeUndefined()
  })

  it('a user sees and ends only their own sessions', async () => {
    const [lena, otto] = [await stage.addUser(), await stage.addUser()]
    const token = await stage.openSession(lena.username)
    const { sessions } = stage.accounts
    const [own] = await sessions.list(lena.id)
    expect(own).toEqual({
      id: (await find(token))?.sessionId,
      browser: 'Firefox, Linux',
      createdAt: new Date(stage.now),
      lastSeenAt: new Date(stage.now),
    })
    expect(await sessions.list(otto.id)).toEqual([])
    await sessions.endElsewhere(stage.member(otto), own?.id ?? '')
    await sessions.endElsewhere(stage.member(lena), 'nonsense')
    expect(await find(token)).toBeDefined()
    await sessions.endElsewhere(stage.member(lena), own?.id ?? '')
    expect(await find(token)).toBeUndefined()
  })

  it('signing out everywhere ends all sessions of the user and no others', async () => {
    const [lena, otto] = [await stage.addUser(), await stage.addUser()]
    const tokens = [await stage.openSession(lena.username), await stage.openSession(lena.username)]
    const others = await stage.openSession(otto.username)
    await stage.accounts.sessions.endAll(stage.member(lena))
    for (const token of tokens) expect(await find(token)).toBeUndefined()
    expect(await find(others)).toBeDefined()
  })

  it('what has expired is removed', async () => {
    const { id, username } = await stage.addUser()
    await stage.openSession(username)
    stage.now += 31 * DAY_MS
    const fresh = await stage.openSession(username)
    await stage.accounts.sessions.removeExpired()
    const rows = await stage.access.db.selectFrom('sessions').select('id').where('user_id', '=', id).execute()
    expect(rows).toHaveLength(1)
    expect(await find(fresh)).toBeDefined()
  })

  it('503: while the database is away nobody is taken for signed out, and who was just seen goes on', async () => {
    const { username } = await stage.addUser()
    const [known, unknown] = [await stage.openSession(username, PASSWORD), await stage.openSession(username)]
    const { state, database } = tap()
    const node = stage.createNode(createLocalChangeBus(), database)
    await node.sessions.find(known)
    state.isCut = true
    expect(await node.sessions.find(known)).toMatchObject({ username })
    await expect(node.sessions.find(unknown)).rejects.toMatchObject({ status: 503, headers: { 'Retry-After': '5' } })
    stage.now += 9 * 60_000
    expect(await node.sessions.find(known)).toMatchObject({ username })
    stage.now += 2 * 60_000
    await expect(node.sessions.find(known)).rejects.toMatchObject({ status: 503 })
  })
})

describe('a browser in a few words', () => {
  it('is its name and its system, and nothing that tells one user from another', async () => {
    expect(await describeBrowser(VISITOR.userAgent)).toBe('Firefox, Linux')
    expect(await describeBrowser('curl/8.5.0')).toBe('')
    expect(await describeBrowser('')).toBe('')
  })

  it('is short and plain, whatever the browser says', async () => {
    for (const hostile of ['x'.repeat(100_000), '<script>alert(1)</script>/1.0', '\u202eMozilla/5.0 (\0', ';;;(((']) {
      expect(await describeBrowser(hostile)).toMatch(/^[\x20-\x7e]{0,60}$/)
    }
  })
})
