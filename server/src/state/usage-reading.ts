// A key's usage, exact at once: what PostgreSQL has, joined with what the live counters have not yet rolled up. Both know
// a counter by its source, and a source only grows, so where both have a value the larger one is the later one.
import { type Kysely, sql } from 'kysely'
import type { Log } from '../log.ts'
import type { LoadMonthUsage, Meter, UsageCount } from './meter.ts'
import type { Schema } from './schema.ts'

export interface UsageReading {
  counts: { day: string; endpoint: string; count: number }[]
  /** False when PostgreSQL could not be asked: older usage is then missing. */
  isComplete: boolean
}

interface UsageContext {
  db: Kysely<Schema>
  meter: Pick<Meter, 'usageOf'>
  clock: () => number
  log: Log
}

interface UsageQuestion {
  keyId: string
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

export async function readUsage(context: UsageContext, { keyId, sinceDay }: UsageQuestion): Promise<UsageReading> {
  const [stored, live] = await Promise.all([
    readStored(context, { keyId, sinceDay }),
    readLive(context, { keyId, sinceDay }),
  ])
  const sources = new Map<string, UsageCount>()
  for (const count of [...(stored ?? []), ...live]) {
    const known = sources.get(sourceKey(count))
    sources.set(sourceKey(count), {
      ...count,
      counted: Math.max(count.counted, known?.counted ?? 0),
      refunded: Math.max(count.refunded, known?.refunded ?? 0),
    })
  }
  const sums = new Map<string, UsageReading['counts'][number]>()
  for (const { day, endpoint, counted, refunded } of sources.values()) {
    const sum = sums.get(`${day} ${endpoint}`) ?? { day, endpoint, count: 0 }
    sum.count += counted - refunded
    sums.set(`${day} ${endpoint}`, sum)
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

const sourceKey = ({ day, endpoint, source }: UsageCount): string => `${day} ${endpoint} ${source}`

async function readStored({ db, log }: UsageContext, { keyId, sinceDay }: UsageQuestion) {
  try {
    const rows = await db
      .selectFrom('usage_daily')
      .select([sql<string>`day::text`.as('day'), 'endpoint', 'source', 'counted', 'refunded'])
      .where('key_id', '=', keyId)
      .where('day', '>=', sinceDay)
      .execute()
    return rows.map((row) => ({ ...row, caller: keyId, counted: Number(row.counted), refunded: Number(row.refunded) }))
  } catch (error) {
    log.warn({ err: new Error('the usage history could not be read', { cause: error }) })
    return undefined
  }
}

async function readLive({ meter, clock }: UsageContext, { keyId, sinceDay }: UsageQuestion): Promise<UsageCount[]> {
  const today = clock()
  const days: string[] = []
  for (let offset = -LIVE_DAYS_BACK; offset <= LIVE_DAYS_AHEAD; offset++) days.push(dayOf(today + offset * DAY_MS))
  const live = await Promise.all(days.filter((day) => day >= sinceDay).map((day) => meter.usageOf(keyId, day)))
  return live.flat()
}
