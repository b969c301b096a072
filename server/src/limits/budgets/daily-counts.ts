// What a process counts of something for each UTC day: one object for each name and day, changed in place by whoever
// counts. Counting happens for every call and result, so the objects of today are found by their name alone.
import { dayOf } from '../usage-reading.ts'

interface DailyCounts<Count> {
  /** The one of today. */
  of: (name: string) => Count
  /** Copies of them all. */
  all: () => Count[]
  /** Days before this one. */
  forgetBefore: (day: string) => void
}

const DAY_MS = 86_400_000

export function createDailyCounts<Count extends object>(
  clock: () => number,
  begin: (name: string, day: string) => Count,
): DailyCounts<Count> {
  const days = new Map<string, Map<string, Count>>()
  let today = new Map<string, Count>()
  let day = ''
  let dayNumber = Number.NaN

  const turnTo = (now: number): void => {
    dayNumber = Math.floor(now / DAY_MS)
    day = dayOf(now)
    today = days.get(day) ?? new Map<string, Count>()
    days.set(day, today)
  }

  return {
    of(name) {
      const now = clock()
      // Formatting the day costs more than everything else here, and it rarely changes.
      if (Math.floor(now / DAY_MS) !== dayNumber) turnTo(now)
      let count = today.get(name)
      if (!count) {
        count = begin(name, day)
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
