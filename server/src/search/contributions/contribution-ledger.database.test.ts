import { ALL_ENGINES } from '@bowerbird/engines/all.ts'
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { writeCostRows } from '../../budget/cost-ledger.ts'
import { DATABASE_KINDS, openTestDatabase } from '../../keys/access.test-database.ts'
import { createLog } from '../../log.ts'
import { mergeRankings } from '../merge.ts'
import { webHit } from '../search.test-harness.ts'
import { createContributionLedger } from './contribution-ledger.ts'

const NOW = Date.UTC(2026, 10, 15, 12)
const DAY_MS = 86_400_000
const slugs = new Map(ALL_ENGINES.map(({ name, slug }) => [name, slug]))

const rankingOf = (name: string, urls: readonly string[]) => ({
  slot: name.toLowerCase(),
  name,
  weight: 1,
  hits: urls.map((url) => webHit(url)),
})

it('no two engines share a name, by which results are counted', () => {
  expect(slugs.size).toBe(ALL_ENGINES.length)
})

describe.each(DATABASE_KINDS)('what engines contribute (%s)', (kind) => {
  let opened: Awaited<ReturnType<typeof openTestDatabase>>
  beforeEach(async () => {
    opened = await openTestDatabase(kind)
  })
  afterEach(() => opened.drop())

  const ledgerAt = (clock: () => number) =>
    createContributionLedger({
      db: opened.database.db,
      clock,
      slugOf: (name) => slugs.get(name),
      log: createLog('silent'),
    })

  /** Brave and Mojeek agree on one of five results. */
  const countOnce = (ledger: ReturnType<typeof ledgerAt>) => {
    const results = mergeRankings([
      rankingOf('Brave', ['https://a.example/', 'https://b.example/', 'https://c.example/']),
      rankingOf('Mojeek', ['http://www.a.example', 'https://d.example/', 'https://e.example/']),
    ])
    ledger.countSearch({ engines: ['brave', 'mojeek'], results })
    ledger.countCall({ slug: 'brave', ms: 120, error: undefined })
    ledger.countCall({ slug: 'mojeek', ms: 80, error: undefined })
  }
  const COUNTED = { searches: 1, results: 5, returned: 3, alone: 2, calls: 1, failures: 0 }

  it('is counted by engine, and survives a restart', async () => {
    const first = ledgerAt(() => NOW)
    first.start()
    countOnce(first)
    const before = await first.readSince('2026-11-15')
    expect(before).toEqual([
      { engine: 'brave', ...COUNTED, answerMs: 120, micros: 0 },
      { engine: 'mojeek', ...COUNTED, answerMs: 80, micros: 0 },
    ])
    await first.stop()
    const second = ledgerAt(() => NOW)
    expect(await second.readSince('2026-11-15')).toEqual(before)
    countOnce(second)
    expect((await second.readSince('2026-11-15'))[0]).toMatchObject({ engine: 'brave', searches: 2, alone: 4 })
    await second.stop()
    await second.stop()
    expect((await ledgerAt(() => NOW).readSince('2026-11-15'))[0]).toMatchObject({ searches: 2, alone: 4, calls: 2 })
  })

  it('of failed calls is a failure without a time; of calls that were not made, nothing', async () => {
    const ledger = ledgerAt(() => NOW)
    ledger.countCall({ slug: 'brave', ms: 2_000, error: new UpstreamError('timeout', 'late') })
    for (const name of ['open', 'busy', 'overBudget'] as const) {
      ledger.countCall({ slug: 'brave', ms: 0, error: new UpstreamError(name, 'not called') })
    }
    ledger.countCall({ slug: 'brave', ms: 9, error: new UpstreamError('rejected', 'too odd', { isQueryFault: true }) })
    expect(await ledger.readSince('2026-11-15')).toMatchObject([{ calls: 2, failures: 1, answerMs: 0 }])
  })

  it('is read from a given day on, with the cost of the calls', async () => {
    let now = NOW - 31 * DAY_MS
    const ledger = ledgerAt(() => now)
    ledger.start()
    countOnce(ledger)
    now = NOW
    countOnce(ledger)
    await ledger.stop()
    const cost = { provider: 'brave', source: 'a', calls: 1, micros: 5_000 }
    await writeCostRows(opened.database.db, [
      { ...cost, day: '2026-11-15' },
      { ...cost, day: '2026-10-01' },
    ])
    const [brave] = await ledger.readSince('2026-10-17')
    expect(brave).toMatchObject({ engine: 'brave', searches: 1, micros: 5_000 })
    const { rows } = await sql`select engine, day from engine_contributions order by day, engine`.execute(
      opened.database.db,
    )
    expect(rows).toHaveLength(4)
  })
})
