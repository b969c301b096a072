// The usage of all keys together by day and endpoint, for administrators. PostgreSQL sums it up a day at a time, because
// with a million keys a month is too much for one statement. Days gone by are remembered: what they had is not going to
// change, or only when PostgreSQL was away for long. So it is a few seconds behind the live counters, which know no list
// of keys.
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../storage/schema.ts'
import { type DayCount, dayOf } from '../limits/usage-reading.ts'

export interface InstanceUsage {
  /** From a day (UTC, inclusive) until today. Rejects when PostgreSQL is away. */
  read: (sinceDay: string) => Promise<DayCount[]>
}

interface InstanceUsageParts {
  db: Kysely<Schema>
  clock: () => number
}

interface Remembered {
  counts: DayCount[]
  readAt: number
}

const DAY_MS = 86_400_000
/** Within these days usage may still arrive that was counted while PostgreSQL was away. */
const UNSETTLED_DAYS = 6
const TODAY_VALID_MS = 2_000
const UNSETTLED_VALID_MS = 60_000

export function createInstanceUsage({ db, clock }: InstanceUsageParts): InstanceUsage {
  const days = new Map<string, Remembered>()

  function validMs(day: string, now: number): number {
    if (day >= dayOf(now)) return TODAY_VALID_MS
    return day >= dayOf(now - UNSETTLED_DAYS * DAY_MS) ? UNSETTLED_VALID_MS : DAY_MS
  }

  async function readDay(day: string): Promise<DayCount[]> {
    const known = days.get(day)
    if (known && Math.abs(clock() - known.readAt) < validMs(day, known.readAt)) return known.counts
    const readAt = clock()
    const counts = await sumOf(db, day)
    days.set(day, { counts, readAt })
    return counts
  }

  return {
    async read(sinceDay) {
      const counts: DayCount[] = []
      const today = dayOf(clock())
      for (const day of days.keys()) if (day < sinceDay) days.delete(day)
      // One after another: the connections are for those who search.
      for (let day = sinceDay; day <= today; day = dayOf(Date.parse(day) + DAY_MS)) counts.push(...(await readDay(day)))
      return counts
    },
  }
}

async function sumOf(db: Kysely<Schema>, day: string): Promise<DayCount[]> {
  const rows = await db
    .selectFrom('usage_daily')
    .select(['endpoint', sql<string>`sum(counted - refunded)`.as('count')])
    .where('day', '=', day)
    .groupBy('endpoint')
    .orderBy('endpoint')
    .execute()
  return rows.map(({ endpoint, count }) => ({ day, endpoint, count: Number(count) })).filter(({ count }) => count > 0)
}
