// A provider's share of uptime for each of the last days (UTC), from its transitions. Time without any observation
// counts neither for nor against it.
import type { ProviderTransition } from './transition-history.ts'

type State = ProviderTransition['to']

export interface DayHealth {
  /** '2026-11-15' */
  day: string
  /** 0 to 1; undefined: nothing was observed. */
  upShare: number | undefined
}

export interface DayHistory {
  /** Oldest first; the last is today. */
  days: DayHealth[]
  /** Over all these days. */
  upShare: number | undefined
  /** The reason for its state: the kind of the deciding error, or 'ok'; '' if there were no transitions. */
  reason: string
}

interface HistoryParts {
  /** Of this provider only, oldest first, none older than the first day. */
  transitions: readonly ProviderTransition[]
  /** Its current state. Without a transition, it has been in this state all along. */
  state: State
  now: number
  dayCount: number
}

const MS_A_DAY = 86_400_000

/** The start of the first of this many days. */
export const firstDayMs = (now: number, dayCount: number): number =>
  (Math.floor(now / MS_A_DAY) - dayCount + 1) * MS_A_DAY

export function dayHistory({ transitions, state, now, dayCount }: HistoryParts): DayHistory {
  const start = firstDayMs(now, dayCount)
  const totals = Array.from({ length: dayCount }, () => ({ up: 0, down: 0 }))
  let from = start
  let current: State = transitions[0]?.from ?? state
  for (const { at, to } of [...transitions, { at: now, to: state }]) {
    if (current !== 'unknown') spread(totals, { state: current, from: from - start, to: Math.min(at, now) - start })
    from = Math.max(from, at)
    current = to
  }
  return {
    days: totals.map((total, index) => ({
      day: new Date(start + index * MS_A_DAY).toISOString().slice(0, 10),
      upShare: shareOf(total),
    })),
    upShare: shareOf({
      up: totals.reduce((sum, { up }) => sum + up, 0),
      down: totals.reduce((sum, { down }) => sum + down, 0),
    }),
    reason: transitions.at(-1)?.reason ?? '',
  }
}

/** Adds a period to the days it covers. */
function spread(
  totals: { up: number; down: number }[],
  { state, from, to }: { state: 'up' | 'down'; from: number; to: number },
): void {
  for (let at = from; at < to; ) {
    const index = Math.floor(at / MS_A_DAY)
    const end = Math.min(to, (index + 1) * MS_A_DAY)
    const total = totals[index]
    if (total) total[state] += end - at
    at = end
  }
}

const shareOf = ({ up, down }: { up: number; down: number }): number | undefined =>
  up + down === 0 ? undefined : up / (up + down)
