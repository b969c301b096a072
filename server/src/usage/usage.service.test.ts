import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createLog } from '../log.ts'
import { openOwnDatabase } from '../rate-limit/own-database.test-rules.ts'
import { userSubject } from '../rate-limit/rate-limiter.ts'
import type { Database } from '../store/database.ts'
import { Usage } from './usage.ts'

const log = createLog('silent')
const NOON = Date.UTC(2026, 10, 15, 12)
const DAY_MS = 86_400_000

let database: Database
beforeAll(async () => {
  database = await openOwnDatabase()
  // The keys 1 to 3.
  await sql`
    with owner as (insert into users (username, password_hash) values ('lin', '') returning id)
    insert into api_keys (user_id, scopes) select id, '{search}' from owner, generate_series(1, 3)`.execute(database.db)
})
afterAll(() => database.close())
afterEach(async () => {
  await putBack()
  await sql`delete from usage_daily`.execute(database.db)
})

const takeAway = () => sql`alter table usage_daily rename to usage_away`.execute(database.db)
const putBack = () => sql`alter table if exists usage_away rename to usage_daily`.execute(database.db)

function openProcess() {
  const time = { now: NOON }
  const usage = new Usage({ db: database.db, clock: () => time.now, log })
  const count = (keyId: string, endpoint: string, times = 1) => {
    for (let i = 0; i < times; i++) usage.count(keyId, endpoint)
  }
  return { usage, count, time }
}

async function stored(): Promise<[day: string, keyId: string, endpoint: string, counted: number][]> {
  const rows = await database.db
    .selectFrom('usage_daily')
    .select([sql<string>`day::text`.as('day'), 'key_id', 'endpoint', sql<number>`sum(counted)::int`.as('counted')])
    .groupBy(['day', 'key_id', 'endpoint'])
    .orderBy('day')
    .orderBy('key_id')
    .orderBy('endpoint')
    .execute()
  return rows.map(({ day, key_id, endpoint, counted }) => [day, key_id, endpoint, counted])
}

const write = (day: string, keyId: string, values: { source: string; counted: number }) =>
  database.db
    .insertInto('usage_daily')
    .values({ day, key_id: keyId, endpoint: 'web_search', ...values })
    .execute()

describe('usage', () => {
  it('of a key that is gone is not written', async () => {
    const { usage, count } = openProcess()
    count('999', 'web_search')
    expect(await usage.flush()).toBe(true)
    expect(await stored()).toEqual([])
  })

  it('is written by key, day and endpoint, and once however often it is written', async () => {
    const { usage, count, time } = openProcess()
    count('1', 'web_search', 3)
    count('1', 'maps')
    count('2', 'web_search')
    expect(await usage.flush()).toBe(true)
    time.now += DAY_MS
    count('1', 'web_search', 2)
    expect([await usage.flush(), await usage.flush()]).toEqual([true, true])
    expect(await stored()).toEqual([
      ['2026-11-15', '1', 'maps', 1],
      ['2026-11-15', '1', 'web_search', 3],
      ['2026-11-15', '2', 'web_search', 1],
      ['2026-11-16', '1', 'web_search', 2],
    ])
  })

  it('is the sum over all processes, each of which goes on counting where it was', async () => {
    const [one, other] = [openProcess(), openProcess()]
    for (let round = 0; round < 3; round++) {
      one.count('1', 'web_search', 2)
      other.count('1', 'web_search')
      await Promise.all([one.usage.flush(), other.usage.flush()])
    }
    expect(await stored()).toEqual([['2026-11-15', '1', 'web_search', 9]])
  })

  it('is kept while PostgreSQL is away, over days, and written when it is back', async () => {
    const { usage, count, time } = openProcess()
    await takeAway()
    for (let day = 0; day < 4; day++) {
      count('1', 'web_search', day + 1)
      expect(await usage.flush()).toBe(false)
      time.now += DAY_MS
    }
    await putBack()
    expect(await usage.flush()).toBe(true)
    expect((await stored()).map(([, , , counted]) => counted)).toEqual([1, 2, 3, 4])
  })

  it('a statement that PostgreSQL runs late lowers no count', async () => {
    const { usage, count } = openProcess()
    count('1', 'web_search', 2)
    await usage.flush()
    await sql`update usage_daily set counted = 7`.execute(database.db)
    count('1', 'web_search')
    expect(await usage.flush()).toBe(true)
    expect(await stored()).toEqual([['2026-11-15', '1', 'web_search', 7]])
  })
})

describe('a reading', () => {
  it('of several keys has what PostgreSQL has and what this process has not written, each once', async () => {
    const { usage, count } = openProcess()
    count('1', 'web_search', 3)
    count('2', 'maps', 2)
    count('3', 'web_search')
    await usage.flush()
    count('1', 'web_search', 2)
    await write('2026-11-15', '1', { source: 'a', counted: 10 })
    await write('2026-10-20', '1', { source: 'a', counted: 4 })
    await write('2026-10-20', '1', { source: 'b', counted: 7 })
    await write('2026-10-16', '1', { source: 'b', counted: 9 })
    const { counts, isComplete } = await usage.readOfKeys(['1', '2'], '2026-10-17')
    expect(isComplete).toBe(true)
    expect(new Set(counts)).toEqual(
      new Set([
        { keyId: '1', day: '2026-10-20', endpoint: 'web_search', count: 11 },
        { keyId: '1', day: '2026-11-15', endpoint: 'web_search', count: 15 },
        { keyId: '2', day: '2026-11-15', endpoint: 'maps', count: 2 },
      ]),
    )
    for (const keyId of ['1', '2']) {
      const alone = await usage.read(keyId, '2026-10-17')
      expect(alone.counts.map((one) => ({ keyId, ...one }))).toEqual(counts.filter((one) => one.keyId === keyId))
    }
  })

  it('days that this process no longer remembers are read as it has written them', async () => {
    const { usage, count, time } = openProcess()
    for (const times of [1, 2, 3, 4]) {
      count('1', 'web_search', times)
      await usage.flush()
      time.now += DAY_MS
    }
    const { counts } = await usage.read('1', '2026-11-01')
    expect(new Map(counts.map((one) => [one.day, one.count]))).toEqual(
      new Map([
        ['2026-11-15', 1],
        ['2026-11-16', 2],
        ['2026-11-17', 3],
        ['2026-11-18', 4],
      ]),
    )
  })

  it('without PostgreSQL is what this process knows, and says that something is missing', async () => {
    const { usage, count } = openProcess()
    count('1', 'web_search')
    await takeAway()
    expect(await usage.readOfKeys(['1', '2'], '2026-10-17')).toEqual({
      counts: [{ keyId: '1', day: '2026-11-15', endpoint: 'web_search', count: 1 }],
      isComplete: false,
    })
  })
})

describe('the month of a cap', () => {
  it('is that of a key, or of all keys of a user, with what is not written yet', async () => {
    const { rows: users } = await sql<{ id: string }>`
      insert into users (username, password_hash) values ('ada', '') returning id`.execute(database.db)
    const userId = users[0]?.id ?? ''
    const { rows: keys } = await sql<{ id: string }>`
      insert into api_keys (user_id, name, scopes) select ${userId}, '', '{search}' from generate_series(1, 2)
      returning id`.execute(database.db)
    const [first = '', second = ''] = keys.map(({ id }) => id)
    const { usage, count } = openProcess()
    await write('2026-11-01', first, { source: 'a', counted: 4 })
    await write('2026-10-31', first, { source: 'a', counted: 100 })
    count(first, 'maps')
    count(second, 'web_search', 2)
    expect(await usage.loadMonth(first, '2026-11')).toEqual({ used: 5, validMs: 600_000 })
    expect(await usage.loadMonth(userSubject(userId), '2026-11')).toEqual({ used: 7, validMs: 600_000 })
    await takeAway()
    expect(await usage.loadMonth(second, '2026-11')).toEqual({ used: 2, validMs: 10_000 })
  })
})
