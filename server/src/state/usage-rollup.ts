// Moves the usage into PostgreSQL, about once a second, by absolute values of counters that only grow: a write that is
// repeated, late, or made by two nodes at once changes nothing, so no leader is needed and a failure is simply tried
// again. What must not be lost lies in Redis, and `shared-usage.ts` says why nothing is; the counters of this process'
// memory are written by this process, and once more when it ends.
//
// A pass looks at what was announced since the last complete pass, and a little before: an announcement stands for the
// second after it. The entries that are quiet for a minute are read a last time and then forgotten.
import { type Kysely, sql } from 'kysely'
import type { Log } from '../log.ts'
import type { UsageCount } from './meter.ts'
import type { MeterWithTwin } from './meter-with-twin.ts'
import { ensureUsagePartition } from '../storage/migrations.ts'
import type { Schema } from '../storage/schema.ts'
import { DIRTY_PAGE, type SharedUsage } from './shared-usage.ts'
import type { UsageCounters } from '../limits/usage-counters.ts'
import {
  dayOf,
  endOfMonth,
  monthOf,
  readUsage,
  readUsageOfKeys,
  type UsageOfKeys,
  type UsageReading,
} from '../limits/usage-reading.ts'

export interface UsageRollup {
  start: () => Promise<void>
  /** Ends the loop and writes what this process still holds. */
  stop: () => Promise<void>
  /** Writes everything known by now. False: something could not be written, and is kept. */
  flush: () => Promise<boolean>
  readUsage: (keyId: string, sinceDay: string) => Promise<UsageReading>
  readUsageOfKeys: (keyIds: readonly string[], sinceDay: string) => Promise<UsageOfKeys>
}

interface RollupParts {
  db: Kysely<Schema>
  meter: MeterWithTwin
  clock: () => number
  log: Log
}

const EVERY_MS = 1_000
/** Somewhat less than the interval, so that all nodes together make one pass in each. */
const TURN_MS = 900
const DAY_MS = 86_400_000
const ROWS_A_STATEMENT = 500
/** Scores are in microseconds. */
const LOOK_BACK = 2_000_000
const QUIET = 60_000_000

export function createUsageRollup({ db, meter, clock, log }: RollupParts): UsageRollup {
  const { twin, sharedUsage } = meter
  const makePartitions = createPartitionMaker(db, clock)
  let timer: NodeJS.Timeout | undefined
  let lastPass: Promise<boolean> = Promise.resolve(true)
  let isRunning = false
  let isFailing = false

  async function pass(isOurTurn: () => Promise<boolean>): Promise<boolean> {
    try {
      await makePartitions()
      await writeMemory(db, twin.usage)
      twin.usage.forgetBefore(dayOf(clock() - DAY_MS))
      const isAway = sharedUsage?.isAway() ?? false
      if (sharedUsage && !isAway && (await isOurTurn())) await writeShared(db, sharedUsage)
      if (isFailing) log.info('the usage is rolled up again')
      isFailing = false
      return !isAway
    } catch (error) {
      if (!isFailing) log.warn({ err: new Error('the usage could not be rolled up; it is kept', { cause: error }) })
      isFailing = true
      return false
    }
  }

  /** One pass after another, never two at once. */
  function queue(isOurTurn: () => Promise<boolean>): Promise<boolean> {
    lastPass = lastPass.then(() => pass(isOurTurn))
    return lastPass
  }

  async function tick(): Promise<void> {
    await queue(async () => (await sharedUsage?.takeTurn(TURN_MS)) ?? false)
    if (isRunning) schedule()
  }

  function schedule(): void {
    timer = setTimeout(() => void tick(), EVERY_MS).unref()
  }

  const flush = () => queue(async () => true)

  return {
    async start() {
      isRunning = true
      await queue(async () => false)
      schedule()
    },
    async stop() {
      isRunning = false
      clearTimeout(timer)
      await flush()
    },
    flush,
    readUsage: (keyId, sinceDay) => readUsage({ db, meter, clock, log }, { keyId, sinceDay }),
    readUsageOfKeys: (keyIds, sinceDay) => readUsageOfKeys({ db, meter, clock, log }, { keyIds, sinceDay }),
  }
}

/** The partitions of this month and the next, looked after once a day. */
function createPartitionMaker(db: Kysely<Schema>, clock: () => number): () => Promise<void> {
  let madeOn = ''
  return async () => {
    const today = dayOf(clock())
    if (today === madeOn) return
    const month = monthOf(clock())
    await ensureUsagePartition(db, month)
    await ensureUsagePartition(db, monthOf(endOfMonth(month)))
    madeOn = today
  }
}

async function writeMemory(db: Kysely<Schema>, usage: UsageCounters): Promise<void> {
  const { counts, putBack } = usage.takeUnwritten()
  try {
    await writeCounts(db, counts)
  } catch (error) {
    putBack()
    throw error
  }
}

async function writeShared(db: Kysely<Schema>, shared: SharedUsage): Promise<void> {
  const startedAt = await shared.now()
  await eachPage(
    shared,
    { from: (await shared.rolledThrough()) - LOOK_BACK, to: Number.POSITIVE_INFINITY },
    async (page) => {
      await writeCounts(db, await readPage(shared, page))
    },
  )
  await eachPage(shared, { from: Number.NEGATIVE_INFINITY, to: startedAt - QUIET }, async (page) => {
    await writeCounts(db, await readPage(shared, page))
    await shared.forget(page)
  })
  await shared.setRolledThrough(startedAt)
}

type Page = Awaited<ReturnType<SharedUsage['dirty']>>

/** An entry that is announced meanwhile moves to a later page, and is seen there. */
async function eachPage(
  shared: SharedUsage,
  { from, to }: { from: number; to: number },
  visit: (page: Page) => Promise<void>,
): Promise<void> {
  let page = await shared.dirty(from, to)
  await visit(page)
  while (page.length === DIRTY_PAGE) {
    // Inclusive, as entries may share a score; the few that are seen twice do no harm.
    page = await shared.dirty(page.at(-1)?.score ?? to, to)
    await visit(page)
  }
}

const readPage = async (shared: SharedUsage, page: Page): Promise<UsageCount[]> =>
  (await Promise.all(page.map(({ caller, day }) => shared.read(caller, day)))).flat()

async function writeCounts(db: Kysely<Schema>, counts: UsageCount[]): Promise<void> {
  // Only keys have usage: a caller that is an address never counts.
  const rows = counts.filter(({ caller }) => /^[0-9]+$/.test(caller))
  for (let i = 0; i < rows.length; i += ROWS_A_STATEMENT) await writeRows(db, rows.slice(i, i + ROWS_A_STATEMENT))
}

/** In one order, so that two nodes writing the same rows wait for each other and do not deadlock. */
async function writeRows(db: Kysely<Schema>, rows: UsageCount[]): Promise<void> {
  const column = (name: keyof UsageCount) => rows.map((row) => row[name])
  await sql`
    insert into usage_daily (day, key_id, endpoint, source, counted, refunded)
    select * from unnest(
      ${column('day')}::date[], ${column('caller')}::bigint[], ${column('endpoint')}::text[],
      ${column('source')}::text[], ${column('counted')}::bigint[], ${column('refunded')}::bigint[]
    ) as news (day, key_id, endpoint, source, counted, refunded)
    order by key_id, day, endpoint, source
    on conflict (key_id, day, endpoint, source) do update
      set counted = greatest(usage_daily.counted, excluded.counted),
          refunded = greatest(usage_daily.refunded, excluded.refunded)
      where usage_daily.counted < excluded.counted or usage_daily.refunded < excluded.refunded`.execute(db)
}
