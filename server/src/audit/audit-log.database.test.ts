import { pino } from 'pino'
import { beforeAll, describe, expect, it } from 'vitest'
import { createUser } from '../accounts/users.ts'
import { createAdminContext, DATABASE_KINDS, useTestDatabase } from '../keys/access.test-database.ts'
import { type AuditContext, pruneEvents, readEvents, recordEvent } from './audit-log.ts'

const DAY_MS = 86_400_000
const NOW = Date.UTC(2026, 10, 15)
describe.each(DATABASE_KINDS)('security events on %s', (kind) => {
  const used = useTestDatabase(kind)
  let userId: string
  let context: AuditContext
  const lines: string[] = []
  const log = pino({ base: null }, { write: (line: string) => void lines.push(line) })

  beforeAll(async () => {
    const { db } = used
    context = { db, clock: () => NOW, log, actor: { network: 'aa11' } }
    userId = (await createUser(createAdminContext(db), { username: 'lena', password: 'correct horse' })).id
  })

  it('each is one row and one line in the log, which say the same', async () => {
    await recordEvent(context, { event: 'sign-in', outcome: 'failed', userId, detail: 'password' })
    const [row] = await readEvents(context.db, { limit: 1 })
    expect(row).toEqual({
      id: expect.any(String),
      at: new Date(NOW),
      event: 'sign-in',
      outcome: 'failed',
      actor: undefined,
      user: { id: userId, username: 'lena' },
      key: undefined,
      via: 'website',
      systemUser: '',
      network: 'aa11',
      detail: 'password',
      isNewNetwork: false,
    })
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({
      msg: 'security event',
      event: 'sign-in',
      outcome: 'failed',
      user: userId,
      via: 'website',
      network: 'aa11',
      detail: 'password',
    })
  })

  it('a sign-in is marked as from a new network the first time, whatever failed or others did there before', async () => {
    const signIn = (network: string, outcome: 'ok' | 'failed' = 'ok', about = userId) =>
      recordEvent({ ...context, actor: { network } }, { event: 'sign-in', outcome, userId: about })
    const other = { username: 'otto', password: 'correct horse' }
    const { id: otto } = await createUser(createAdminContext(used.db), other)
    await signIn('bb22', 'failed')
    await signIn('bb22', 'ok', otto)
    for (const network of ['bb22', 'bb22', 'cc33']) await signIn(network)
    const events = await readEvents(context.db, { aboutUserId: userId, event: 'sign-in', outcome: 'ok', limit: 3 })
    expect(events.toReversed().map(({ isNewNetwork }) => isNewNetwork)).toEqual([true, false, true])
    const [, middle, oldest] = events
    const newer = { aboutUserId: userId, after: oldest?.id ?? '', limit: 10 }
    expect((await readEvents(context.db, newer)).at(-1)?.id).toBe(middle?.id)
    expect(await readEvents(context.db, { ...newer, except: ['sign-in'] })).toEqual([])
  })

  it('what is rolled back leaves no row', async () => {
    const count = async () => (await readEvents(context.db, { limit: 100 })).length
    const before = await count()
    const failing = context.db.transaction().execute(async (db) => {
      await recordEvent({ ...context, db }, { event: 'user-created', userId })
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await count()).toBe(before)
  })

  it('those that are too old are removed, and no others', async () => {
    for (const days of [1, 364, 366, 4_000]) {
      await recordEvent({ ...context, clock: () => NOW - days * DAY_MS }, { event: 'sign-out', userId })
    }
    expect(await pruneEvents(context.db, new Date(NOW - 365 * DAY_MS))).toBe(2)
    const left = await readEvents(context.db, { event: 'sign-out', limit: 100 })
    expect(left.map(({ at }) => (NOW - at.getTime()) / DAY_MS)).toEqual([364, 1])
  })
})
