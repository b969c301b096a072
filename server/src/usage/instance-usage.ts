// The usage of all keys together, by day and endpoint, for administrators. The database sums it up one day at a time,
// because with a million keys, a month would be too much for one statement. The totals of days that no longer change
// are stored in the database, so they're computed once for all nodes. The total of a recent day is cached in this process
// and recomputed when it's too old; a total that takes long to compute is cached for longer. Today's total is a few
// seconds behind, because processes write their counts once a second.
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../store/schema.ts'
import { dayOf } from '../text/utc-day.ts'
import type { DayCount } from './usage.ts'

interface InstanceUsageParts {
  db: Kysely<Schema>
  clock: () => number
}

interface CachedDay {
  counts: DayCount[]
  readAt: number
  tookMs: number
}

const DAY_MS = 86_400_000
/** Usage counted during an outage of the database may still arrive for this many days. */
const UNSETTLED_DAYS = 6
const TODAY_VALID_MS = 2_000
const UNSETTLED_VALID_MS = 60_000
/** A total is valid for at least this many times as long as it took to compute, to spare the database. */
const VALIDITY_FACTOR = 20

export function createInstanceUsage({ db, clock }: InstanceUsageParts) {
  const days = new Map<string, CachedDay>()

  function isValid(day: string, { readAt, tookMs }: CachedDay): boolean {
    const ms = day >= dayOf(readAt) ? TODAY_VALID_MS : UNSETTLED_VALID_MS
    return Math.abs(clock() - readAt) < Math.max(ms, tookMs * VALIDITY_FACTOR)
  }

  async function readUnsettled(day: string): Promise<DayCount[]> {
    const known = days.get(day)
    if (known && isValid(day, known)) return known.counts
    const readAt = clock()
    const counts = await sumOf(db, day)
    days.set(day, { counts, readAt, tookMs: clock() - readAt })
    return counts
  }

  return {
    /** Reads from a day (UTC, inclusive) until today. Rejects if the database is unavailable. */
    async read(sinceDay: string): Promise<DayCount[]> {
      const today = dayOf(clock())
      const firstUnsettled = dayOf(clock() - UNSETTLED_DAYS * DAY_MS)
      for (const day of days.keys()) if (day < firstUnsettled) days.delete(day)
      const stored = await readTotals(db, sinceDay, firstUnsettled)
      const counts: DayCount[] = []
      // One after another, to leave the other connections to searches.
      for (let day = sinceDay; day <= today; day = dayOf(Date.parse(day) + DAY_MS)) {
        if (day >= firstUnsettled) counts.push(...(await readUnsettled(day)))
        else counts.push(...(stored.get(day) ?? (await storeTotals(db, day))))
      }
      return counts.filter(({ count }) => count > 0)
    },
  }
}

/** Reads the stored totals by day; `until` is exclusive. */
async function readTotals(db: Kysely<Schema>, from: string, until: string): Promise<Map<string, DayCount[]>> {
  const rows = await db
    .selectFrom('usage_totals')
    .selectAll()
    .where('day', '>=', from)
    .where('day', '<', until)
    .orderBy('endpoint')
    .execute()
  return Map.groupBy(
    rows.map(({ day, endpoint, count }) => ({ day, endpoint, count: Number(count) })),
    ({ day }) => day,
  )
}

async function storeTotals(db: Kysely<Schema>, day: string): Promise<DayCount[]> {
  const counts = await sumOf(db, day)
  await db
    .insertInto('usage_totals')
    .values([{ day, endpoint: '', count: 0 }, ...counts])
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return counts
}

async function sumOf(db: Kysely<Schema>, day: string): Promise<DayCount[]> {
  const rows = await db
    .selectFrom('usage_daily')
    .select(['endpoint', sql<string>`sum(counted)`.as('count')])
    .where('day', '=', day)
    .groupBy('endpoint')
    .orderBy('endpoint')
    .execute()
  return rows.map(({ endpoint, count }) => ({ day, endpoint, count: Number(count) }))
}
