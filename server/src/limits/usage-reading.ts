// The usage of keys, exact at once: what PostgreSQL has, joined with what the live counters have not yet rolled up. Both
// know a counter by its source, and a source only grows, so where both have a value the larger one is the later one.
import { type Kysely, sql } from 'kysely'
import type { Log } from '../log.ts'
import type { LoadMonthUsage, Meter, UsageCount } from '../state/meter.ts'
import type { Schema } from '../storage/schema.ts'

export interface DayCount {
  /** UTC, '2026-11-15'. */
  day: string
  endpoint: string
  count: number
}

export interface UsageReading {
  counts: DayCount[]
  /** False when PostgreSQL could not be asked: older usage is then missing. */
  isComplete: boolean
}

export interface UsageOfKeys {
  counts: (DayCount & { keyId: string })[]
  isComplete: boolean
}

interface UsageContext {
  db: Kysely<Schema>
  meter: Pick<Meter, 'usageOf'>
  clock: () => number
  log: Log
}

interface UsageQuestion {
  keyIds: readonly string[]
  /** UTC, inclusive. */
  sinceDay: string
}

const DAY_MS = 86_400_000
/** Live counters hold these days at most; whatever is older is in PostgreSQL only. Redis' clock may be ahead of ours. */
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

/** However many keys there are, PostgreSQL is asked once. */
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

/** Many requests that find a month unknown at once ask PostgreSQL once. */
export function createMonthUsageLoader(context: UsageContext): LoadMonthUsage {
  const underWay = new Map<string, ReturnType<LoadMonthUsage>>()
  async function load(caller: string, month: string) {
    const { counts, isComplete } = await readUsage(context, { keyId: caller, sinceDay: `${month}-01` })
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

/** Sources are told apart only for days that live counters have as well: what is older comes summed up. */
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
    log.warn({ err: new Error('the usage history could not be read', { cause: error }) })
    return undefined
  }
}

async function readLive({ meter, clock }: UsageContext, { keyIds, sinceDay }: UsageQuestion): Promise<UsageCount[]> {
  const today = clock()
  const days: string[] = []
  for (let offset = -LIVE_DAYS_BACK; offset <= LIVE_DAYS_AHEAD; offset++) days.push(dayOf(today + offset * DAY_MS))
  const asked = days.filter((day) => day >= sinceDay)
  const live = await Promise.all(keyIds.flatMap((keyId) => asked.map((day) => meter.usageOf(keyId, day))))
  return live.flat()
}
