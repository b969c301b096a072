import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createPgliteFolder } from '../../../test/support/pglite-folder.ts'
import { createTemporaryDatabase, type TemporaryDatabase } from '../../../test/support/temporary-database.ts'
import { createLog } from '../../log.ts'
import { type Database, openPglite, openPostgres } from '../../storage/database.ts'
import { migrate } from '../../storage/migrations.ts'
import { createCostLedger } from './cost-ledger.ts'
import { readCostRows, writeCostRows } from './cost-rows.ts'

const log = createLog('silent')
const NOON = Date.UTC(2026, 10, 15, 12)

let place: TemporaryDatabase
let database: Database
beforeAll(async () => {
  place = await createTemporaryDatabase()
  database = openPostgres(place.url, log)
  await migrate(database.db)
})
afterAll(async () => {
  await database.close()
  await place.drop()
})
beforeEach(() => sql`truncate provider_costs`.execute(database.db))
afterEach(() => sql`alter table if exists costs_away rename to provider_costs`.execute(database.db))

function openLedger() {
  const time = { now: NOON }
  const ledger = createCostLedger({ db: database.db, clock: () => time.now, log })
  return { ledger, time }
}
const nothingElsewhere = async () => []

describe('the cost ledger', () => {
  it('adds up calls and money by provider, over all processes, for the month asked for', async () => {
    const [one, other] = [openLedger(), openLedger()]
    for (let i = 0; i < 3; i++) one.ledger.count('brave', 5_000)
    one.ledger.count('mojeek', 0)
    other.time.now = Date.UTC(2026, 10, 30, 23, 59, 59, 999)
    other.ledger.count('brave', 5_000)
    other.time.now = Date.UTC(2026, 11, 1)
    other.ledger.count('brave', 5_000)
    await Promise.all([one.ledger.flush(), other.ledger.flush()])
    expect(await one.ledger.readCosts('2026-11')).toEqual([
      { provider: 'brave', calls: 4, micros: 20_000 },
      { provider: 'mojeek', calls: 1, micros: 0 },
    ])
    expect(await one.ledger.readCosts('2026-12')).toEqual([{ provider: 'brave', calls: 1, micros: 5_000 }])
    expect(await one.ledger.readCosts('2026-10')).toEqual([])
  })

  it('knows its own calls before they are written, and does not count them twice after', async () => {
    const { ledger } = openLedger()
    ledger.count('brave', 7)
    const expected = [{ provider: 'brave', calls: 1, micros: 7 }]
    expect(await ledger.readCosts('2026-11')).toEqual(expected)
    await ledger.flush()
    await ledger.flush()
    expect(await ledger.readCosts('2026-11')).toEqual(expected)
  })

  it('an older value that arrives late changes nothing', async () => {
    const row = { provider: 'brave', day: '2026-11-15', source: 'memory:1', calls: 5, micros: 50 }
    await writeCostRows(database.db, [row, { ...row, calls: 3, micros: 30 }])
    await writeCostRows(database.db, [{ ...row, calls: 4, micros: 40 }])
    expect(await readCostRows(database.db, '2026-11')).toEqual([row])
  })

  it('more rows than a statement are all written', async () => {
    const rows = Array.from({ length: 1_100 }, (_, i) => ({
      provider: 'brave',
      day: '2026-11-15',
      source: `memory:${i}`,
      calls: 1,
      micros: 2,
    }))
    await writeCostRows(database.db, rows)
    expect(await openLedger().ledger.readCosts('2026-11')).toEqual([{ provider: 'brave', calls: 1_100, micros: 2_200 }])
  })

  it('what could not be written is kept and written later', async () => {
    const { ledger } = openLedger()
    ledger.count('brave', 7)
    await sql`alter table provider_costs rename to costs_away`.execute(database.db)
    expect(await ledger.flush()).toBe(false)
    await sql`alter table costs_away rename to provider_costs`.execute(database.db)
    ledger.count('brave', 7)
    expect(await ledger.flush()).toBe(true)
    expect(await openLedger().ledger.readCosts('2026-11')).toEqual([{ provider: 'brave', calls: 2, micros: 14 }])
  })

  it('writes what others have counted, each value once', async () => {
    const { ledger } = openLedger()
    const dead = { provider: 'brave', day: '2026-11-14', source: 'memory:dead', calls: 9, micros: 90 }
    ledger.alsoWrite(async () => [dead])
    await ledger.flush()
    await sql`truncate provider_costs`.execute(database.db)
    await ledger.flush()
    expect(await readCostRows(database.db, '2026-11')).toEqual([])
    dead.calls++
    await ledger.flush()
    expect(await readCostRows(database.db, '2026-11')).toEqual([dead])
  })

  it('forgets days that are over and written, and nothing is lost by it', async () => {
    const { ledger, time } = openLedger()
    ledger.count('brave', 7)
    await ledger.flush()
    time.now += 3 * 86_400_000
    await ledger.flush()
    ledger.count('brave', 7)
    await ledger.flush()
    expect(await ledger.readCosts('2026-11')).toEqual([{ provider: 'brave', calls: 2, micros: 14 }])
  })

  it('is not writable before it was written, nor when the last success is more than ten seconds old', async () => {
    const { ledger, time } = openLedger()
    ledger.alsoWrite(nothingElsewhere)
    expect(ledger.isWritable()).toBe(false)
    await ledger.flush()
    expect(ledger.isWritable()).toBe(true)
    await sql`alter table provider_costs rename to costs_away`.execute(database.db)
    time.now += 10_000
    await ledger.flush()
    expect(ledger.isWritable()).toBe(true)
    time.now += 1
    expect(ledger.isWritable()).toBe(false)
    await sql`alter table costs_away rename to provider_costs`.execute(database.db)
    await ledger.flush()
    expect(ledger.isWritable()).toBe(true)
  })

  it('a database that can only be read is noticed with nothing to write', async () => {
    const url = new URL(place.url)
    url.searchParams.set('options', '-c default_transaction_read_only=on')
    const readOnly = openPostgres(url.href, log)
    const ledger = createCostLedger({ db: readOnly.db, clock: () => NOON, log })
    ledger.alsoWrite(nothingElsewhere)
    expect(await ledger.flush()).toBe(false)
    expect(ledger.isWritable()).toBe(false)
    await readOnly.close()
  })

  it('runs by itself once started, and writes the rest when stopped', async () => {
    const { ledger } = openLedger()
    await ledger.start()
    ledger.count('brave', 7)
    const stored = async () => (await readCostRows(database.db, '2026-11'))[0]?.calls
    await expect.poll(stored, { timeout: 5_000 }).toBe(1)
    ledger.count('brave', 7)
    await ledger.stop()
    expect(await stored()).toBe(2)
  })

  it('works on PGlite', async () => {
    const { db, close } = await openPglite(await createPgliteFolder())
    await migrate(db)
    const ledger = createCostLedger({ db, clock: () => NOON, log })
    ledger.alsoWrite(nothingElsewhere)
    expect(await ledger.flush()).toBe(true)
    ledger.count('brave', 7)
    expect(await ledger.flush()).toBe(true)
    expect(await readCostRows(db, '2026-11')).toMatchObject([{ provider: 'brave', day: '2026-11-15', calls: 1 }])
    await close()
  })
})
