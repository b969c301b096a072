import { beforeEach, describe, expect, it } from 'vitest'
import { DATABASE_KINDS, emptyTables, useTestDatabase } from '../keys/access.test-database.ts'
import { createLog } from '../log.ts'
import { createCostLedger, readCostRows, writeCostRows } from './cost-ledger.ts'

const log = createLog('silent')
const NOON = Date.UTC(2026, 10, 15, 12)
const DAY_MS = 86_400_000

describe.each(DATABASE_KINDS)('the cost ledger (%s)', (kind) => {
  const opened = useTestDatabase(kind)
  beforeEach(() => emptyTables(opened.db, 'provider_costs'))

  function openLedger() {
    const time = { now: NOON }
    const ledger = createCostLedger({ db: opened.db, clock: () => time.now, log })
    return { ledger, time }
  }

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
    expect(await ledger.readCosts('2026-11')).toEqual([{ provider: 'brave', calls: 1, micros: 7 }])
    await ledger.flush()
    ledger.count('brave', 7)
    const expected = [{ provider: 'brave', calls: 2, micros: 14 }]
    expect(await ledger.readCosts('2026-11')).toEqual(expected)
    await ledger.flush()
    await ledger.flush()
    expect(await ledger.readCosts('2026-11')).toEqual(expected)
  })

  it('an older value that arrives late changes nothing', async () => {
    const row = { provider: 'brave', day: '2026-11-15', source: 'memory:1', calls: 5, micros: 50 }
    await writeCostRows(opened.db, [row])
    await writeCostRows(opened.db, [{ ...row, calls: 4, micros: 40 }])
    expect(await readCostRows(opened.db, '2026-11')).toEqual([row])
  })

  it('a new day begins at nothing and leaves the days before as they are', async () => {
    const { ledger, time } = openLedger()
    for (let day = 0; day < 3; day++) {
      ledger.count('brave', 7)
      time.now += DAY_MS
    }
    await ledger.flush()
    expect(await readCostRows(opened.db, '2026-11')).toMatchObject([
      { day: '2026-11-15', calls: 1 },
      { day: '2026-11-16', calls: 1 },
      { day: '2026-11-17', calls: 1 },
    ])
  })

  it('runs by itself once started, and writes the rest when stopped', async () => {
    const { ledger } = openLedger()
    ledger.start()
    ledger.count('brave', 7)
    const stored = async () => (await readCostRows(opened.db, '2026-11'))[0]?.calls
    await expect.poll(stored, { timeout: 5_000 }).toBe(1)
    ledger.count('brave', 7)
    await ledger.stop()
    expect(await stored()).toBe(2)
  })
})
