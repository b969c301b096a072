// Counts as pages show them: the last 30 days, and totals by kind of request. Days are UTC days, like the counters'.
import { dayOf, monthOf } from '../../text/utc-day.ts'

/** Requests of one kind on one day. */
interface Count {
  day: string
  endpoint: string
  count: number
}

export interface DaySum {
  day: string
  count: number
}

export interface KindSum {
  endpoint: string
  /** This month, and over the last days. */
  month: number
  days: number
}

export const DAYS_SHOWN = 30
const DAY_MS = 86_400_000

const firstShown = (now: number): string => dayOf(now - (DAYS_SHOWN - 1) * DAY_MS)

/** The first day to read counts for: on the 31st, the 1st isn't among the last 30 days, but the month needs it. */
export function firstDayNeeded(now: number): string {
  const firstOfMonth = `${monthOf(now)}-01`
  const first = firstShown(now)
  return first < firstOfMonth ? first : firstOfMonth
}

/** Oldest first; the last is today. */
export function lastDays(counts: readonly Count[], now: number): DaySum[] {
  const sums = new Map<string, number>()
  for (const { day, count } of counts) sums.set(day, (sums.get(day) ?? 0) + count)
  return Array.from({ length: DAYS_SHOWN }, (_, index) => {
    const day = dayOf(now - (DAYS_SHOWN - 1 - index) * DAY_MS)
    return { day, count: sums.get(day) ?? 0 }
  })
}

/** The most frequent first. */
export function sumByKind(counts: readonly Count[], now: number): KindSum[] {
  const kinds = Map.groupBy(counts, ({ endpoint }) => endpoint)
  return [...kinds]
    .map(([endpoint, of]) => ({ endpoint, ...sumsOf(of, now) }))
    .sort((one, other) => other.days - one.days || other.month - one.month || (one.endpoint < other.endpoint ? -1 : 1))
}

export function sumsOf(counts: readonly Count[], now: number): { month: number; days: number } {
  const [month, first] = [monthOf(now), firstShown(now)]
  let [inMonth, inDays] = [0, 0]
  for (const { day, count } of counts) {
    if (day.startsWith(month)) inMonth += count
    if (day >= first) inDays += count
  }
  return { month: inMonth, days: inDays }
}
