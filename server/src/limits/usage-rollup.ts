// Moves usage into PostgreSQL about once a second, as absolute values of counters that only grow. A write that is
// repeated, late, or made by two nodes at once changes nothing, so no leader is needed and a failed write is simply
// retried. Whatever must not be lost is in Redis, and `redis-usage.ts` explains why nothing is lost. If Redis itself
// loses it, the nodes that heard of it write it (`unrolled-usage.ts`). The counters in this process' memory are written
// by this process, and once more when it stops. `rollup/shared-usage-pass.ts` is the part that concerns Redis.
import { type Kysely, sql } from 'kysely'
import type { Log } from '../log.ts'
import { isDatabaseAway } from '../storage/database.ts'
import type { Schema } from '../storage/schema.ts'
import { makeUsagePartitions } from '../storage/usage-partitions.ts'
import type { UsageCount } from './rate-limiter.ts'
import type { RateLimiterWithFallback } from './rate-limiter-with-fallback.ts'
import { passSharedUsage } from './rollup/shared-usage-pass.ts'
import type { UsageCounters } from './usage-counters.ts'
import { dayOf, readUsage, readUsageOfKeys, type UsageOfKeys, type UsageReading } from './usage-reading.ts'

export interface UsageRollup {
  /** When a pass last succeeded (milliseconds since 1970, 0: never), and how long the last one took. */
  state: () => { succeededAt: number; lastMs: number }
  start: () => Promise<void>
  /** Stops the loop and writes what this process still holds. */
  stop: () => Promise<void>
  /** Writes everything known so far. False: something could not be written, and is kept. */
  flush: () => Promise<boolean>
  readUsage: (keyId: string, sinceDay: string) => Promise<UsageReading>
  readUsageOfKeys: (keyIds: readonly string[], sinceDay: string) => Promise<UsageOfKeys>
}

interface RollupParts {
  db: Kysely<Schema>
  rateLimiter: RateLimiterWithFallback
  clock: () => number
  log: Log
}

const EVERY_MS = 1_000
const DAY_MS = 86_400_000
const ROWS_A_STATEMENT = 500

export function createUsageRollup({ db, rateLimiter, clock, log }: RollupParts): UsageRollup {
  const { fallback, sharedUsage } = rateLimiter
  const makePartitions = createPartitionMaker({ db, clock, log })
  let timer: NodeJS.Timeout | undefined
  let lastPass: Promise<boolean> = Promise.resolve(true)
  let isRunning = false
  let isFailing = false
  const state = { succeededAt: 0, lastMs: 0 }

  async function pass(kind: 'own' | 'turns' | 'forced'): Promise<boolean> {
    try {
      await rateLimiter.settle()
      await makePartitions()
      await writeTaken(db, fallback.usage.takeUnwritten())
      if (sharedUsage) await writeTaken(db, sharedUsage.unrolled.takeLost(sharedUsage.runs()))
      fallback.usage.forgetBefore(dayOf(clock() - DAY_MS))
      const write = (counts: UsageCount[]) => writeCounts(db, counts)
      const isWhole = !sharedUsage || kind === 'own' || (await passSharedUsage(sharedUsage, write, kind === 'forced'))
      if (isFailing) log.info('rolling up usage again')
      isFailing = false
      return isWhole && !sharedUsage?.isAway()
    } catch (error) {
      if (!isFailing) log.warn({ err: new Error('could not roll up usage; will retry', { cause: error }) })
      isFailing = true
      return false
    }
  }

  /** One pass after another, never two at once. */
  function queue(kind: 'own' | 'turns' | 'forced'): Promise<boolean> {
    lastPass = lastPass.then(() => measured(state, clock, () => pass(kind)))
    return lastPass
  }

  async function tick(): Promise<void> {
    await queue('turns')
    if (isRunning) schedule()
  }

  function schedule(): void {
    timer = setTimeout(() => void tick(), EVERY_MS).unref()
  }

  const flush = () => queue('forced')

  return {
    state: () => state,
    async start() {
      isRunning = true
      await queue('own')
      schedule()
    },
    async stop() {
      isRunning = false
      clearTimeout(timer)
      await flush()
    },
    flush,
    readUsage: (keyId, sinceDay) => readUsage({ db, rateLimiter, clock, log }, { keyId, sinceDay }),
    readUsageOfKeys: (keyIds, sinceDay) => readUsageOfKeys({ db, rateLimiter, clock, log }, { keyIds, sinceDay }),
  }
}

async function measured(
  state: ReturnType<UsageRollup['state']>,
  clock: () => number,
  pass: () => Promise<boolean>,
): Promise<boolean> {
  const started = performance.now()
  const isDone = await pass()
  state.lastMs = performance.now() - started
  if (isDone) state.succeededAt = clock()
  return isDone
}

/**
 * Ensures once a day that the partitions of this month and the next exist. Without one, rows go to the default
 * partition, so a role that may not create tables does not stop the roll-up.
 */
function createPartitionMaker({ db, clock, log }: Pick<RollupParts, 'db' | 'clock' | 'log'>): () => Promise<void> {
  let triedOn = ''
  return async () => {
    const today = dayOf(clock())
    if (today === triedOn) return
    try {
      await makeUsagePartitions(db, clock(), 1)
    } catch (error) {
      if (isDatabaseAway(error)) throw error
      log.warn({ err: new Error('could not create a partition for usage; run bowerbird migrate', { cause: error }) })
    }
    triedOn = today
  }
}

async function writeTaken(
  db: Kysely<Schema>,
  { counts, putBack }: ReturnType<UsageCounters['takeUnwritten']>,
): Promise<void> {
  try {
    await writeCounts(db, counts)
  } catch (error) {
    putBack()
    throw error
  }
}

async function writeCounts(db: Kysely<Schema>, counts: UsageCount[]): Promise<void> {
  // Only keys have usage; requests by address are never counted.
  const rows = counts.filter(({ caller }) => /^[0-9]+$/.test(caller))
  for (let i = 0; i < rows.length; i += ROWS_A_STATEMENT) await writeRows(db, rows.slice(i, i + ROWS_A_STATEMENT))
}

/** In a fixed order, so that two nodes writing the same rows wait for each other and do not deadlock. */
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
