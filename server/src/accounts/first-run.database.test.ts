import { randomBytes } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { DATABASE_KINDS } from '../keys/access.test-database.ts'
import { setUpAccounts, VISITOR } from './accounts.test-harness.ts'
import { createUser, listUsers } from './users.ts'

const ADMINISTRATOR = { username: 'lena', password: 'correct horse', ...VISITOR }

describe.each(DATABASE_KINDS)('the first run on %s', (kind) => {
  const stage = setUpAccounts(kind)

  beforeEach(async () => {
    const tables = ['audit_events', 'sessions', 'users', 'setup_tokens'] as const
    for (const table of tables) await stage.access.db.deleteFrom(table).execute()
  })

  /** Each node that starts has a token of its own. */
  async function startNode() {
    stage.now++
    const node = stage.createNode().firstRun
    return { node, token: (await node.issueToken()) ?? '' }
  }

  it('the token creates an administrator, who is signed in, and then nothing more', async () => {
    const { node, token } = await startNode()
    expect(await node.isNeeded()).toBe(true)
    const verdict = await node.createAdministrator({ ...ADMINISTRATOR, token })
    expect(verdict).toEqual({
      ok: true,
      session: expect.stringMatching(/^[\w-]{43}$/),
      device: expect.stringMatching(/^[\w-]{22}\.[\w-]{22}$/),
    })
    expect(await listUsers(stage.access)).toMatchObject([{ username: 'lena', isAdmin: true }])
    expect(await node.isNeeded()).toBe(false)
    const again = await node.createAdministrator({ ...ADMINISTRATOR, username: 'otto', token })
    expect(again).toEqual({ ok: false, reason: 'over' })
    expect(await stage.access.db.selectFrom('setup_tokens').selectAll().execute()).toEqual([])
  })

  it('nothing but the token creates an administrator', async () => {
    const { node, token } = await startNode()
    for (const wrong of ['', 'nonsense', randomBytes(32).toString('base64url'), token.toLowerCase()]) {
      const verdict = await node.createAdministrator({ ...ADMINISTRATOR, token: wrong })
      expect(verdict).toEqual({ ok: false, reason: 'wrong' })
    }
    expect(await listUsers(stage.access)).toEqual([])
  })

  it('many wrong tokens leave few events', async () => {
    const { node } = await startNode()
    for (let n = 0; n < 100; n++) await node.createAdministrator({ ...ADMINISTRATOR, token: `wrong-${n}` })
    expect(await stage.access.db.selectFrom('audit_events').select(['event', 'outcome']).execute()).toEqual(
      Array.from({ length: 6 }, () => ({ event: 'setup', outcome: 'failed' })),
    )
  })

  it('the token of one node works on another, and after a new start', async () => {
    const first = await startNode()
    const second = await startNode()
    expect(second.token).not.toBe(first.token)
    expect(await second.node.createAdministrator({ ...ADMINISTRATOR, token: first.token })).toMatchObject({ ok: true })
    expect(await first.node.isNeeded()).toBe(false)
  })

  it('of many who come at once with good tokens, one becomes the administrator', async () => {
    const { node, token } = await startNode()
    const other = await startNode()
    const verdicts = await Promise.all(
      ['lena', 'otto', 'ines', 'hans'].map((username, at) =>
        node.createAdministrator({ ...ADMINISTRATOR, username, token: at % 2 === 0 ? token : other.token }),
      ),
    )
    expect(verdicts.filter(({ ok }) => ok)).toHaveLength(1)
    expect(await listUsers(stage.access)).toHaveLength(1)
  })

  it('400: an unacceptable name or password leaves the token valid', async () => {
    const { node, token } = await startNode()
    await expect(node.createAdministrator({ ...ADMINISTRATOR, token, password: 'short' })).rejects.toMatchObject({
      status: 400,
    })
    await expect(node.createAdministrator({ ...ADMINISTRATOR, token, username: '!' })).rejects.toMatchObject({
      status: 400,
    })
    expect(await node.createAdministrator({ ...ADMINISTRATOR, token })).toMatchObject({ ok: true })
  })

  it('is over once there is a user, however it was created', async () => {
    const { node, token } = await startNode()
    await createUser(stage.access, { username: 'otto', password: 'correct horse' })
    expect(await node.createAdministrator({ ...ADMINISTRATOR, token })).toEqual({ ok: false, reason: 'over' })
    expect(await node.isNeeded()).toBe(false)
    expect(await stage.createNode().firstRun.issueToken()).toBeUndefined()
  })

  it('the database stores only hashes of tokens, at most fifty', async () => {
    const { token } = await startNode()
    for (let n = 0; n < 60; n++) await startNode()
    const rows = await stage.access.db.selectFrom('setup_tokens').selectAll().execute()
    expect(rows).toHaveLength(50)
    expect(JSON.stringify(rows)).not.toContain(token)
    const { node, token: last } = await startNode()
    expect(await node.createAdministrator({ ...ADMINISTRATOR, token: last })).toMatchObject({ ok: true })
  })
})
