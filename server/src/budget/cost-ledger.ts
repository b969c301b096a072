// The calls to each provider and their cost, by UTC day, in PostgreSQL. Calls to a provider with a cap are recorded
// there before they are made (`provider-budget.ts`). All others are counted here, in memory, and written about once a
// second as absolute values under this process' own source; a killed process loses its last second.
import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Log } from '../log.ts'
import type { Schema } from '../postgres/schema.ts'
import { WriteBehind } from '../postgres/write-behind.ts'
import { dayOf } from '../text/utc-day.ts'
import { type CostCount, readCostRows, writeCostRows } from './cost-rows.ts'

export interface ProviderCost {
  provider: string
  calls: number
  /** Millionths of a US dollar. */
  micros: number
}

export interface CostLedger {
  /** Counts one call to a provider without a cap. */
  count: (provider: string, micros: number) => void
  /** Reads a month ('2026-11'), including this process' unwritten calls. Rejects if PostgreSQL is unavailable. */
  readCosts: (month: string) => Promise<ProviderCost[]>
  start: () => void
  /** Stops, and writes what is left. */
  stop: () => Promise<void>
  /** Writes everything counted so far. False if that failed; the counts are kept. */
  flush: () => Promise<boolean>
}

interface LedgerParts {
  db: Kysely<Schema>
  clock: () => number
  log: Log
}

const EVERY_MS = 1_000

const keyOf = ({ provider, day, source }: CostCount): string => `${day} ${provider} ${source}`

export function createCostLedger({ db, clock, log }: LedgerParts): CostLedger {
  const source = `memory:${randomBytes(8).toString('hex')}`
  /** Each provider's count on the last day that this process called it. */
  const counts = new Map<string, CostCount>()
  const writeBehind = new WriteBehind<CostCount>({
    name: 'provider costs',
    everyMs: EVERY_MS,
    log,
    write: (rows) => writeCostRows(db, rows),
  })

  return {
    count(provider, micros) {
      const day = dayOf(clock())
      const last = counts.get(provider)
      const { calls, micros: before } = last?.day === day ? last : { calls: 0, micros: 0 }
      const count = { provider, day, source, calls: calls + 1, micros: before + micros }
      counts.set(provider, count)
      writeBehind.put(keyOf(count), count)
    },
    async readCosts(month) {
      const unwritten = writeBehind.unwritten().filter(({ day }) => day.startsWith(month))
      const latest = new Map((await readCostRows(db, month)).map((count) => [keyOf(count), count]))
      // Rows written in the meantime are newer.
      for (const count of unwritten) {
        if (count.calls > (latest.get(keyOf(count))?.calls ?? 0)) latest.set(keyOf(count), count)
      }
      return sumByProvider([...latest.values()])
    },
    start: () => writeBehind.start(),
    stop: () => writeBehind.stop(),
    flush: () => writeBehind.flush(),
  }
}

function sumByProvider(counts: CostCount[]): ProviderCost[] {
  const sums = new Map<string, ProviderCost>()
  for (const { provider, calls, micros } of counts) {
    const sum = sums.get(provider) ?? { provider, calls: 0, micros: 0 }
    sums.set(provider, { provider, calls: sum.calls + calls, micros: sum.micros + micros })
  }
  return [...sums.values()].sort((a, b) => (a.provider < b.provider ? -1 : 1))
}
