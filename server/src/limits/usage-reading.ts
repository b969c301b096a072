// The usage of keys, exact and up to date: what PostgreSQL has, combined with what has not yet been rolled up from the
// live counters. Both identify a counter by its source, and a source only grows, so if both have a value the larger one
// is the newer one.
import { type Kysely, sql } from 'kysely'
import type { Log } from '../log.ts'
import type { Schema } from '../storage/schema.ts'
import { type LoadMonthUsage, type RateLimiter, readUserCaller, type UsageCount } from './rate-limiter.ts'

export interface DayCount {
  /** UTC, '2026-11-15'. */
  day: string
  endpoint: string
  count: number
}

export interface UsageReading {
  counts: DayCount[]
  /** False if PostgreSQL could not be queried: older usage is then missing. */
  isComplete: boolean
}

export interface UsageOfKeys {
  counts: (DayCount & { keyId: string })[]
  isComplete: boolean
}

interface UsageContext {
  db: Kysely<Schema>
  rateLimiter: Pick<RateLimiter, 'usageOf'>
  clock: () => number
  log: Log
}

interface UsageQuestion {
  keyIds: readonly string[]
  /** UTC, inclusive. */
  sinceDay: string
}

const DAY_MS = 86_400_000
/**
 * Live counters go back at most this many days; anything older is only in PostgreSQL. Redis' clock may run ahead.
 */
const LIVE_DAYS_BACK = 5
const LIVE_DAYS_AHEAD = 1
const MONTH_USAGE_VALID_MS = 600_000
const INCOMPLETE_VALID_MS = 10_000

export const dayOf = (now: number): string => new Date(now).toISOString().slice(0, 10)
export const monthOf = (now: number): string => new Date(now).toISOString().slice(0, 7)
export const startOfMonth = (month: string): number => Date.parse(`${month}-01T00:00:00Z`)

export function endOfMonth(month: string): number {
  const start = new Date(startOfMonth(month))
  return start.setUTCMonth(start.getUTCMonth() + 1)
}

export async function readUsage(
  context: UsageContext,
  { keyId, sinceDay }: { keyId: string; sinceDay: string },
): Promise<UsageReading> {
  const { counts, isComplete } = await readUsageOfKeys(context, { keyIds: [keyId], sinceDay })
  return { counts: counts.map(({ day, endpoint, count }) => ({ day, endpoint, count })), isComplete }
}

/** PostgreSQL is queried once, however many keys there are. */
export async function readUsageOfKeys(context: UsageContext, question: UsageQuestion): Promise<UsageOfKeys> {
  const [stored, live] = await Promise.all([readStored(context, question), readLive(context, question)])
  const sources = new Map<string, UsageCount>()
  for (const count of [...(stored ?? []), ...live]) {
    const known = sources.get(sourceKey(count))
    sources.set(sourceKey(count), {
      ...count,
      counted: Math.max(count.counted, known?.counted ?? 0),
      refunded: Math.max(count.refunded, known?.refunded ?? 0),
    })
  }
  const sums = new Map<string, UsageOfKeys['counts'][number]>()
  for (const { caller, day, endpoint, counted, refunded } of sources.values()) {
    const key = `${caller} ${day} ${endpoint}`
    const sum = sums.get(key) ?? { keyId: caller, day, endpoint, count: 0 }
    sum.count += counted - refunded
    sums.set(key, sum)
  }
  return { counts: [...sums.values()].filter(({ count }) => count > 0), isComplete: stored !== undefined }
}

export const totalOf = ({ counts }: UsageReading): number => counts.reduce((total, { count }) => total + count, 0)

/** When many requests find a month unknown at the same time, PostgreSQL is queried once. */
export function createMonthUsageLoader(
  context: UsageContext,
  keysOf: (userId: string) => Promise<string[]>,
): LoadMonthUsage {
  const underWay = new Map<string, ReturnType<LoadMonthUsage>>()
  async function load(caller: string, month: string) {
    const userId = readUserCaller(caller)
    // Nobody knows what the user has used, if not even the keys are known.
    const keyIds = userId === undefined ? [caller] : await keysOf(userId).catch(() => undefined)
    if (!keyIds) return { used: 0, validMs: INCOMPLETE_VALID_MS }
    const { counts, isComplete } = await readUsageOfKeys(context, { keyIds, sinceDay: `${month}-01` })
    const used = totalOf({ counts: counts.filter(({ day }) => day.startsWith(month)), isComplete })
    return { used, validMs: isComplete ? MONTH_USAGE_VALID_MS : INCOMPLETE_VALID_MS }
  }
  return (caller, month) => {
    const key = `${caller} ${month}`
    const loading = underWay.get(key) ?? load(caller, month).finally(() => underWay.delete(key))
    underWay.set(key, loading)
    return loading
  }
}

const sourceKey = ({ caller, day, endpoint, source }: UsageCount): string => `${caller} ${day} ${endpoint} ${source}`

const firstLiveDay = ({ clock }: UsageContext): string => dayOf(clock() - LIVE_DAYS_BACK * DAY_MS)

/** Sources are kept apart only for days that live counters also have; older days are summed up. */
async function readStored(context: UsageContext, { keyIds, sinceDay }: UsageQuestion) {
  const { db, log } = context
  const source = sql<string>`case when day >= ${firstLiveDay(context)} then source else '' end`
  try {
    const rows = await db
      .selectFrom('usage_daily')
      .select([sql<string>`day::text`.as('day'), 'key_id', 'endpoint', source.as('source')])
      .select([sql<string>`sum(counted)`.as('counted'), sql<string>`sum(refunded)`.as('refunded')])
      .where('key_id', '=', sql<string>`any(${keyIds}::bigint[])`)
      .where('day', '>=', sinceDay)
      .groupBy([sql`1`, sql`2`, sql`3`, sql`4`])
      .execute()
    return rows.map(({ key_id, ...row }) => ({
      ...row,
      caller: key_id,
      counted: Number(row.counted),
      refunded: Number(row.refunded),
    }))
  } catch (error) {
    log.warn({ err: new Error('could not read the usage history', { cause: error }) })
    return undefined
  }
}

async function readLive(
  { rateLimiter, clock }: UsageContext,
  { keyIds, sinceDay }: UsageQuestion,
): Promise<UsageCount[]> {
  const today = clock()
  const days: string[] = []
  for (let offset = -LIVE_DAYS_BACK; offset <= LIVE_DAYS_AHEAD; offset++) days.push(dayOf(today + offset * DAY_MS))
  const asked = days.filter((day) => day >= sinceDay)
  const live = await Promise.all(keyIds.flatMap((keyId) => asked.map((day) => rateLimiter.usageOf(keyId, day))))
  return live.flat()
}
