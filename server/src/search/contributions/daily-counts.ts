// A process' counters per UTC day: one object for each name and day, which callers change in place. Counting happens
// for every call and result, so today's objects are looked up by name alone.
import { dayOf } from '../../text/utc-day.ts'

interface DailyCounts<Count> {
  /** Today's counter. */
  of: (name: string) => Count
  /** Copies of all counters. */
  all: () => Count[]
  /** Drops the days before this one. */
  forgetBefore: (day: string) => void
}

const DAY_MS = 86_400_000

export function createDailyCounts<Count extends object>(
  clock: () => number,
  createCount: (name: string, day: string) => Count,
): DailyCounts<Count> {
  const days = new Map<string, Map<string, Count>>()
  let today = new Map<string, Count>()
  let day = ''
  let dayNumber = Number.NaN

  const startDay = (now: number): void => {
    dayNumber = Math.floor(now / DAY_MS)
    day = dayOf(now)
    today = days.get(day) ?? new Map<string, Count>()
    days.set(day, today)
  }

  return {
    of(name) {
      const now = clock()
      // Formatting the day costs more than everything else here, and the day rarely changes.
      if (Math.floor(now / DAY_MS) !== dayNumber) startDay(now)
      let count = today.get(name)
      if (!count) {
        count = createCount(name, day)
        today.set(name, count)
      }
      return count
    },
    all: () => [...days.values()].flatMap((counts) => [...counts.values()].map((count) => ({ ...count }))),
    forgetBefore(oldest) {
      for (const day of days.keys()) if (day < oldest) days.delete(day)
    },
  }
}
