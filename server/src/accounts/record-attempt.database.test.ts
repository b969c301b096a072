// What is recorded of attempts that anyone can make, however many they make.
import { describe, expect, it } from 'vitest'
import { readEvents } from '../audit/audit-log.ts'
import { DATABASE_KINDS } from '../keys/access.test-database.ts'
import { setUpAccounts } from './accounts.test-harness.ts'

const MINUTE_MS = 60_000

describe.each(DATABASE_KINDS)('failed attempts on %s', (kind) => {
  const stage = setUpAccounts(kind)
  const countEvents = async () => (await readEvents(stage.access.db, { limit: 2_000 })).length
  const guess = (username: string, address: string) => stage.signIn(username, 'wrong password', { address })

  it('at made-up names, from one address, leave few events and hide no guess at a real one', async () => {
    const { id, username } = await stage.addUser()
    stage.now += MINUTE_MS
    const before = await countEvents()
    for (let n = 0; n < 900; n++) await guess(`made-up-${n}`, '198.51.100.1')
    expect(await countEvents()).toBe(before + 5)
    await guess(username, '203.0.113.5')
    await guess(username, '198.51.100.1')
    expect((await stage.eventsOf(id)).slice(-2)).toEqual(['sign-in failed password', 'sign-in throttled password'])
    stage.now += MINUTE_MS
    await stage.accounts.recordLeftOut()
    const [summary] = await readEvents(stage.access.db, { event: 'events-left-out', limit: 1 })
    expect(summary).toMatchObject({
      outcome: 'throttled',
      detail: '895',
      network: stage.accounts.networkOf('198.51.100.1'),
      user: undefined,
      actor: undefined,
    })
  })

  it('at a real name are recorded for every network, and those that had to wait once a minute', async () => {
    const { id, username } = await stage.addUser()
    stage.now += MINUTE_MS
    for (let n = 0; n < 60; n++) await guess(username, `198.51.100.${n % 3}`)
    const events = (await stage.eventsOf(id)).filter((event) => event.startsWith('sign-in'))
    expect(events.filter((event) => event === 'sign-in failed password')).toHaveLength(6)
    expect(events.filter((event) => event === 'sign-in throttled password')).toHaveLength(3)
    stage.now += MINUTE_MS
    await stage.accounts.recordLeftOut()
    const summaries = await readEvents(stage.access.db, { event: 'events-left-out', limit: 3 })
    expect(summaries.map(({ detail }) => Number(detail)).reduce((sum, count) => sum + count)).toBe(60 - 6 - 3)
  })

  it('are counted together when they come from many /64s of one /48', async () => {
    stage.now += MINUTE_MS
    const before = await countEvents()
    for (let n = 0; n < 300; n++) await guess(`made-up-${n}`, `2001:db8:9:${(n * 200).toString(16)}::1`)
    expect(await countEvents()).toBe(before + 50)
    stage.now += MINUTE_MS
    await stage.accounts.recordLeftOut()
    expect(await countEvents()).toBe(before + 51)
  })
})
