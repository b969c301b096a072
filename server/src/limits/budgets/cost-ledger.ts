// How often each provider was called and what that cost, by provider and UTC day, in PostgreSQL. Every process counts
// its own calls in memory and writes the absolute values about once a second. A repeated or late write changes nothing,
// and a failed one is simply made again with the next. A killed process loses what it counted in its last second,
// except for providers with a budget: those are also counted in Redis (`provider-budget.ts`), under the name of the
// process, and any remaining node writes them.
//
// If the ledger cannot be written, that is noticed within seconds, even when there is nothing to write, because a
// budget is only as good as the ledger it is restored from.
import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Log } from '../../log.ts'
import type { Schema } from '../../storage/schema.ts'
import { dayOf } from '../usage-reading.ts'
import { type CostCount, readCostRows, writeCostRows } from './cost-rows.ts'
import { createDailyCounts } from './daily-counts.ts'

export interface ProviderCost {
  provider: string
  calls: number
  /** Millionths of a US dollar. */
  micros: number
}

/** Counts kept outside this process; `isForced` returns them even if another node has just taken them. */
type ReadElsewhere = (isForced: boolean) => Promise<CostCount[]>

export interface CostLedger {
  /** Counts one call immediately, and returns this process' count of the day. */
  count: (provider: string, micros: number) => CostCount
  /** False if nothing could be written for ten seconds, or ever. */
  isWritable: () => boolean
  /** From now on the ledger writes these too, and monitors whether it can. */
  alsoWrite: (read: ReadElsewhere) => void
  /**
   * A provider's counts of a month ('2026-11'), including what this process has not written yet. Rejects if they cannot
   * be read.
   */
  readMonth: (provider: string, month: string) => Promise<CostCount[]>
  readCosts: (month: string) => Promise<ProviderCost[]>
  start: () => Promise<void>
  /** Stops the loop and writes what this process still holds. */
  stop: () => Promise<void>
  /** Writes everything known so far. False: it could not, and everything is kept. */
  flush: () => Promise<boolean>
}

interface LedgerParts {
  db: Kysely<Schema>
  clock: () => number
  log: Log
}

const EVERY_MS = 1_000
const WRITABLE_FOR_MS = 10_000
const DAY_MS = 86_400_000

/** Longer than counts are kept elsewhere. */
const REMEMBERED_DAYS = 70

const keyOf = ({ provider, day, source }: CostCount): string => `${day} ${provider} ${source}`

export function createCostLedger({ db, clock, log }: LedgerParts): CostLedger {
  const source = `memory:${randomBytes(8).toString('hex')}`
  /** What this process has counted itself. */
  const own = createDailyCounts(clock, (provider, day): CostCount => ({ provider, day, source, calls: 0, micros: 0 }))
  const elsewhere: ReadElsewhere[] = []
  /** Calls by key, as last written from here: a count that has not grown since need not be written again. */
  const written = new Map<string, number>()
  let writtenAt = Number.NEGATIVE_INFINITY
  let isFailing = false

  async function write(isForced: boolean): Promise<void> {
    const read = await Promise.all(elsewhere.map((read) => read(isForced)))
    const known = [...own.all(), ...read.flat()]
    const news = known.filter((count) => count.calls > (written.get(keyOf(count)) ?? 0))
    if (news.length > 0 || elsewhere.length > 0) await writeCostRows(db, news)
    for (const count of news) written.set(keyOf(count), Math.max(count.calls, written.get(keyOf(count)) ?? 0))
    writtenAt = clock()
    own.forgetBefore(dayOf(clock() - 2 * DAY_MS))
    const oldest = dayOf(clock() - REMEMBERED_DAYS * DAY_MS)
    for (const key of written.keys()) if (key.slice(0, oldest.length) < oldest) written.delete(key)
  }

  async function pass(isForced: boolean): Promise<boolean> {
    try {
      await write(isForced)
      if (isFailing) log.info('writing the cost ledger again')
      isFailing = false
    } catch (error) {
      if (!isFailing) log.warn({ err: new Error('could not write the cost ledger; will retry', { cause: error }) })
      isFailing = true
    }
    return !isFailing
  }

  async function readMonth(month: string, provider?: string): Promise<CostCount[]> {
    const latest = new Map((await readCostRows(db, month, provider)).map((count) => [keyOf(count), count]))
    for (const count of own.all()) {
      const isAskedFor = provider === undefined || count.provider === provider
      if (isAskedFor && count.day.startsWith(month)) latest.set(keyOf(count), count)
    }
    return [...latest.values()]
  }

  return {
    count(provider, micros) {
      const count = own.of(provider)
      count.calls++
      count.micros += Math.round(micros)
      return count
    },
    isWritable: () => clock() - writtenAt <= WRITABLE_FOR_MS,
    alsoWrite: (read) => void elsewhere.push(read),
    readMonth: (provider, month) => readMonth(month, provider),
    readCosts: async (month) => sumByProvider(await readMonth(month)),
    ...createLoop(pass),
  }
}

/** One pass after another, about once a second, never two at once. */
function createLoop(pass: (isForced: boolean) => Promise<boolean>) {
  let lastPass: Promise<boolean> = Promise.resolve(true)
  let timer: NodeJS.Timeout | undefined
  let isRunning = false

  function queue(isForced: boolean): Promise<boolean> {
    lastPass = lastPass.then(() => pass(isForced))
    return lastPass
  }

  async function tick(): Promise<void> {
    await queue(false)
    if (isRunning) schedule()
  }

  function schedule(): void {
    timer = setTimeout(() => void tick(), EVERY_MS).unref()
  }

  return {
    async start() {
      isRunning = true
      await queue(false)
      schedule()
    },
    async stop() {
      isRunning = false
      clearTimeout(timer)
      await queue(true)
    },
    flush: () => queue(true),
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
