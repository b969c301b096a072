// What each engine contributed over the last days, kept in PostgreSQL. A process counts its own searches in memory and
// writes the absolute values every few seconds and when it stops; one that is killed loses its last seconds, which
// nobody bills. While PostgreSQL is away everything is kept and written later.
import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import { dayOf } from '../../limits/usage-reading.ts'
import type { Log } from '../../log.ts'
import { repeat } from '../../repeat.ts'
import type { Schema } from '../../storage/schema.ts'
import { type ContributionCount, type ContributionCounts, createContributionCounts } from './contribution-counts.ts'
import { readContributionRows, readCostsSince, writeContributionRows } from './contribution-rows.ts'

/** Of one engine, over all nodes. */
export interface EngineContribution extends Omit<ContributionCount, 'day' | 'source'> {
  /** What its calls have cost, in millionths of a US dollar. */
  micros: number
}

export interface ContributionLedger extends Pick<ContributionCounts, 'countSearch' | 'countCall'> {
  /** Since a day (UTC, inclusive), with what this process has not written yet. Rejects when PostgreSQL is away. */
  readSince: (day: string) => Promise<EngineContribution[]>
  start: () => void
  /** Stops, and writes what is left. */
  stop: () => Promise<void>
}

interface LedgerParts {
  db: Kysely<Schema>
  clock: () => number
  /** The slugs of engines by their display names. */
  slugOf: ReadonlyMap<string, string>
  log: Log
}

const EVERY_MS = 5_000
const DAY_MS = 86_400_000
const keyOf = ({ day, engine, source }: ContributionCount): string => `${day} ${engine} ${source}`

export function createContributionLedger({ db, clock, slugOf, log }: LedgerParts): ContributionLedger {
  const counts = createContributionCounts({ clock, slugOf, source: randomBytes(8).toString('hex') })
  /** How many searches and calls had been counted in each row when it was last written. */
  const written = new Map<string, number>()
  const sizeOf = ({ searches, calls }: ContributionCount) => searches + calls
  let isFailing = false
  let stopWriting = () => Promise.resolve()

  async function write(): Promise<void> {
    // Of now: what is counted during the write must not be forgotten after it.
    const oldest = dayOf(clock() - 2 * DAY_MS)
    try {
      const news = counts.all().filter((count) => sizeOf(count) > (written.get(keyOf(count)) ?? 0))
      await writeContributionRows(db, news)
      for (const count of news) written.set(keyOf(count), sizeOf(count))
      counts.forgetBefore(oldest)
      for (const key of written.keys()) if (key.slice(0, oldest.length) < oldest) written.delete(key)
      isFailing = false
    } catch (error) {
      if (!isFailing) log.warn({ err: new Error('could not write what engines contributed', { cause: error }) })
      isFailing = true
    }
  }

  return {
    countSearch: counts.countSearch,
    countCall: counts.countCall,
    async readSince(day) {
      const [rows, costs] = await Promise.all([readContributionRows(db, day), readCostsSince(db, day)])
      const latest = new Map([...rows, ...counts.all().filter((own) => own.day >= day)].map((row) => [keyOf(row), row]))
      return sumByEngine([...latest.values()], costs)
    },
    start() {
      stopWriting = repeat({ everyMs: EVERY_MS, random: Math.random, work: write })
    },
    async stop() {
      await stopWriting()
      await write()
    },
  }
}

const COUNTED = ['searches', 'results', 'returned', 'alone', 'calls', 'failures', 'answerMs'] as const

function sumByEngine(rows: readonly ContributionCount[], costs: ReadonlyMap<string, number>): EngineContribution[] {
  return [...Map.groupBy(rows, ({ engine }) => engine)]
    .map(([engine, own]) => {
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
      for (const row of own) for (const name of COUNTED) sum[name] += row[name]
      return sum
    })
    .sort((one, other) => (one.engine < other.engine ? -1 : 1))
}
