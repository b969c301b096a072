// What Redis has counted for this node and PostgreSQL may not have yet. Redis can lose its data, or fail over to a
// replica that is a little behind, and then these counts would be gone. A script that counts therefore returns the new
// value of its counter. Whatever the highest value is that a node has heard of, that many requests were counted, by
// whichever nodes; so the node can write it to PostgreSQL itself, as an absolute value of the same source, and it does
// not matter what others have already written. It does so when the connection was lost; otherwise it waits until the
// roll-up has passed.
import type { UsageCount } from './rate-limiter.ts'
import { dayOf } from './usage-reading.ts'

/** The value of a counter in Redis. */
export interface CounterValue {
  caller: string
  /** Days since 1970. */
  day: number
  endpoint: string
  /** The run of the server, and when its hash was created. */
  run: string
  born: number
  counted: number
  refunded: number
}

interface Entry extends CounterValue {
  /** When this process last heard of it. */
  at: number
  /** Redis no longer has it, although the server is the same. */
  isLost: boolean
}

export interface UnrolledUsage {
  note: (value: CounterValue) => void
  /** Redis no longer has this counter. */
  noteLoss: (counter: Pick<CounterValue, 'caller' | 'day' | 'endpoint' | 'born'>) => void
  of: (caller: string, day: string) => UsageCount[]
  /** Takes what no server has that is in one of these runs. To be written or put back. */
  takeLost: (runs: ReadonlySet<string>) => { counts: UsageCount[]; putBack: () => void }
  /** What this process has heard of by that time was rolled up; it depends on the caller. */
  forget: (heardBy: (caller: string) => number) => void
  isEmpty: () => boolean
}

const DAY_MS = 86_400_000

export function createUnrolledUsage(clock: () => number): UnrolledUsage {
  const callers = new Map<string, Entry[]>()

  function note(value: CounterValue, isLost = false): void {
    const entries = callers.get(value.caller)
    const at = clock()
    if (!entries) {
      callers.set(value.caller, [{ ...value, at, isLost }])
      return
    }
    let known: Entry | undefined
    for (const entry of entries) {
      if (!isSameCounter(entry, value) || entry.run !== value.run) continue
      if (entry.born === value.born) known = entry
      else if (entry.born < value.born) entry.isLost = true
    }
    if (!known) {
      entries.push({ ...value, at, isLost })
      return
    }
    known.isLost ||= isLost
    // Replies to different commands may be noted in another order than they were given.
    known.counted = Math.max(known.counted, value.counted)
    known.refunded = Math.max(known.refunded, value.refunded)
    known.at = at
  }

  /** Removes and returns the entries that match. */
  function remove(matches: (entry: Entry) => boolean): Entry[] {
    const removed: Entry[] = []
    for (const [caller, entries] of callers) {
      const kept = entries.filter((entry) => !matches(entry))
      if (kept.length === entries.length) continue
      removed.push(...entries.filter(matches))
      if (kept.length > 0) callers.set(caller, kept)
      else callers.delete(caller)
    }
    return removed
  }

  return {
    note: (value) => note(value),
    noteLoss(counter) {
      for (const entry of callers.get(counter.caller) ?? [])
        if (isSameCounter(entry, counter) && entry.born === counter.born) entry.isLost = true
    },
    of: (caller, day) => (callers.get(caller) ?? []).map(toCount).filter((count) => count.day === day),
    takeLost(runs) {
      const taken = remove((entry) => entry.isLost || !runs.has(entry.run))
      return {
        counts: taken.map(toCount),
        putBack() {
          for (const entry of taken) note(entry, entry.isLost)
        },
      }
    },
    forget: (heardBy) => void remove((entry) => !entry.isLost && entry.at <= heardBy(entry.caller)),
    isEmpty: () => callers.size === 0,
  }
}

const isSameCounter = (
  one: Pick<CounterValue, 'day' | 'endpoint'>,
  other: Pick<CounterValue, 'day' | 'endpoint'>,
): boolean => one.endpoint === other.endpoint && one.day === other.day

const toCount = ({ caller, day, endpoint, run, born, counted, refunded }: CounterValue): UsageCount => ({
  caller,
  day: dayOf(day * DAY_MS),
  endpoint,
  source: `redis:${run}:${born}`,
  counted,
  refunded,
})
