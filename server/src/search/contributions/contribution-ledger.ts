// Stores in the database what each engine contributed, by day. A process counts its own searches in memory and writes the
// absolute values every few seconds. A killed process loses its last seconds, which is harmless: nothing is billed by
// these counts.
import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Log } from '../../log.ts'
import type { Schema } from '../../store/schema.ts'
import { WriteBehind } from '../../store/write-behind.ts'
import { dayOf } from '../../text/utc-day.ts'
import { type ContributionCount, type ContributionCounts, createContributionCounts } from './contribution-counts.ts'
import { readContributionRows, readCostsSince, writeContributionRows } from './contribution-rows.ts'

/** The totals of one engine over all nodes. */
export interface EngineContribution extends Omit<ContributionCount, 'day' | 'source'> {
  /** The cost of its calls, in millionths of a US dollar. */
  micros: number
}

export interface ContributionLedger extends Pick<ContributionCounts, 'countSearch' | 'countCall'> {
  /** Since a day (UTC, inclusive), with what this process hasn't written yet. Rejects if the database is unavailable. */
  readSince: (day: string) => Promise<EngineContribution[]>
  start: () => void
  /** Stops, and writes what is left. */
  stop: () => Promise<void>
}

interface LedgerParts {
  db: Kysely<Schema>
  clock: () => number
  /** The slugs of engines by their display names. */
  slugOf: (name: string) => string | undefined
  log: Log
}

const WRITE_EVERY_MS = 5_000
const DAY_MS = 86_400_000

const keyOf = ({ day, engine, source }: ContributionCount): string => `${day} ${engine} ${source}`

export function createContributionLedger({ db, clock, slugOf, log }: LedgerParts): ContributionLedger {
  const ledger = new WriteBehind<ContributionCount>({
    name: 'what engines contributed',
    everyMs: WRITE_EVERY_MS,
    log,
    async write(rows) {
      await writeContributionRows(db, rows)
      counts.forgetBefore(dayOf(clock() - 2 * DAY_MS))
    },
  })
  const onChange = (count: ContributionCount) => ledger.put(keyOf(count), count)
  const counts = createContributionCounts({ clock, slugOf, source: randomBytes(8).toString('hex'), onChange })

  return {
    countSearch: counts.countSearch,
    countCall: counts.countCall,
    async readSince(day) {
      const [rows, costs] = await Promise.all([readContributionRows(db, day), readCostsSince(db, day)])
      const latest = new Map([...rows, ...counts.all().filter((own) => own.day >= day)].map((row) => [keyOf(row), row]))
      return sumByEngine([...latest.values()], costs)
    },
    start: () => ledger.start(),
    stop: () => ledger.stop(),
  }
}

const COUNTED = ['searches', 'results', 'returned', 'alone', 'calls', 'failures', 'answerMs'] as const

function sumByEngine(rows: readonly ContributionCount[], costs: ReadonlyMap<string, number>): EngineContribution[] {
  return [...Map.groupBy(rows, ({ engine }) => engine)]
    .map(([engine, engineRows]) => {
      const sum: EngineContribution = {
        engine,
        searches: 0,
        results: 0,
        returned: 0,
        alone: 0,
        calls: 0,
        failures: 0,
        answerMs: 0,
        micros: costs.get(engine) ?? 0,
      }
      for (const row of engineRows) for (const name of COUNTED) sum[name] += row[name]
      return sum
    })
    .sort((one, other) => (one.engine < other.engine ? -1 : 1))
}
