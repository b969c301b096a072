// Counts, in memory, what each engine contributes to the searches of this process: only numbers, never a query or a
// URL. Only searches that called a provider count. A search answered from the cache adds nothing: its results were
// counted when its responses were fetched.
import type { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import { dayOf } from '../../text/utc-day.ts'
import type { MergedHit } from '../merge.ts'

export interface ContributionCount {
  engine: string
  /** UTC, '2026-11-15'. */
  day: string
  /** The process that counted it. */
  source: string
  /** Searches that used its response. */
  searches: number
  /** All results of those searches, from any engine. */
  results: number
  /** Of `results`: returned by this engine, perhaps by others too. */
  returned: number
  /** Of `returned`: returned by no other engine. */
  alone: number
  /** Calls to the provider. */
  calls: number
  failures: number
  /** The total duration of the calls without an error. */
  answerMs: number
}

/** A search that called a provider. */
export interface CountedSearch {
  /** The slugs of the engines whose responses it used. */
  engines: readonly string[]
  results: readonly Pick<MergedHit, 'contributions'>[]
}

export interface CountedCall {
  slug: string
  ms: number
  error: UpstreamError | undefined
}

export interface ContributionCounts {
  countSearch: (search: CountedSearch) => void
  countCall: (call: CountedCall) => void
  all: () => ContributionCount[]
  /** Forgets the days before this one. */
  forgetBefore: (day: string) => void
}

interface CountingParts {
  clock: () => number
  source: string
  /** The slugs of engines by display name, which is what a merged result has. */
  slugOf: (name: string) => string | undefined
  /** Called with a copy of each count that has changed. */
  onChange: (count: ContributionCount) => void
}

export function createContributionCounts({ clock, source, slugOf, onChange }: CountingParts): ContributionCounts {
  const nothing = { searches: 0, results: 0, returned: 0, alone: 0, calls: 0, failures: 0, answerMs: 0 }
  const counts = createDailyCounts(clock, (engine, day): ContributionCount => ({ engine, day, source, ...nothing }))

  return {
    countSearch({ engines, results }) {
      const changed = new Set<ContributionCount>()
      for (const engine of engines) {
        const count = counts.of(engine)
        changed.add(count)
        count.searches++
        count.results += results.length
      }
      for (const { contributions } of results) {
        for (const { name } of contributions) {
          const engine = slugOf(name)
          if (engine === undefined) continue
          const count = counts.of(engine)
          changed.add(count)
          count.returned++
          if (contributions.length === 1) count.alone++
        }
      }
      for (const count of changed) onChange({ ...count })
    },
    countCall({ slug, ms, error }) {
      if (error?.wasDeclined) return
      const count = counts.of(slug)
      count.calls++
      if (error === undefined) count.answerMs += ms
      else if (!error.isQueryFault) count.failures++
      onChange({ ...count })
    },
    all: counts.all,
    forgetBefore: counts.forgetBefore,
  }
}

/** Counters per UTC day: one object for each name and day, changed in place. */
interface DailyCounts<Count> {
  /** Today's counter. */
  of: (name: string) => Count
  /** Copies of all counters. */
  all: () => Count[]
  /** Drops the days before this one. */
  forgetBefore: (day: string) => void
}

const DAY_MS = 86_400_000

function createDailyCounts<Count extends object>(
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
