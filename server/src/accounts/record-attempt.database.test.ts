// What is recorded of attempts that anyone can make, however many they make.
import { describe, expect, it } from 'vitest'
import { readEvents } from '../audit/audit-log.ts'
import { DATABASE_KINDS } from '../keys/access.test-database.ts'
import { setUpAccounts } from './accounts.test-harness.ts'

const DAY_MS = 86_400_000

describe.each(DATABASE_KINDS)('failed attempts on %s', (kind) => {
  const stage = setUpAccounts(kind)
  const guess = (username: string, address: string) => stage.signIn(username, 'wrong password', { address })

  /** How many events something leaves, a day after everything before it. */
  async function countEvents(work: () => Promise<unknown>): Promise<number> {
    stage.now += DAY_MS
    const count = async () => (await readEvents(stage.access.db, { limit: 2_000 })).length
    const before = await count()
    await work()
    return (await count()) - before
  }

  it('at made-up names, from one address, leave few events and hide no guess at a real one', async () => {
    const { id, username } = await stage.addUser()
    const left = await countEvents(async () => {
      for (let n = 0; n < 900; n++) await guess(`made-up-${n}`, '198.51.100.1')
    })
    // Those that were checked, and the first of those that had to wait.
    expect(left).toBe(21 + 6)
    await guess(username, '203.0.113.5')
    expect((await stage.eventsOf(id)).at(-1)).toBe('sign-in failed password')
  })

  it('at a real name are recorded for every network, with the first of those that had to wait', async () => {
    const { id, username } = await stage.addUser()
    stage.now += DAY_MS
    for (let n = 0; n < 60; n++) await guess(username, `198.51.100.${n % 3}`)
    const events = (await stage.eventsOf(id)).filter((event) => event.startsWith('sign-in'))
    expect(events.filter((event) => event === 'sign-in failed password')).toHaveLength(6)
    expect(events.filter((event) => event === 'sign-in throttled password')).toHaveLength(3 * 6)
  })

  it('are counted together when they come from many /64s of one /48', async () => {
    const left = await countEvents(async () => {
      for (let n = 0; n < 900; n++) await guess(`made-up-${n}`, `2001:db8:9:${(n * 64).toString(16)}::1`)
    })
    expect(left).toBe(201 + 201)
  })

  it('to see a page of administration leave few events', async () => {
    const { id: userId } = await stage.addUser()
    const denial = { userId, address: '198.51.100.7', route: '/admin' }
    const left = await countEvents(async () => {
      for (let n = 0; n < 900; n++) await stage.accounts.recordDenied(denial)
    })
    expect(left).toBe(6)
  })
})
