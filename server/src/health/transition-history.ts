// The history of provider health in the database: one row per transition, from which the status page shows outages and
// the share of uptime per day. Rows are written in the background. Each has its own id, so that repeating a write that
// had succeeded without our knowledge adds nothing.
import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Log } from '../log.ts'
import { pruneOlder } from '../store/pruning.ts'
import type { Schema } from '../store/schema.ts'
import { WriteBehind } from '../store/write-behind.ts'

export interface ProviderTransition {
  /** The provider's own slug, whatever slot it is bound to. */
  provider: string
  group: string
  from: 'up' | 'down' | 'unknown'
  to: 'up' | 'down' | 'unknown'
  /** Milliseconds since 1970. */
  at: number
  /** `Reason` of the deciding observation. */
  reason: string
}

export type TransitionHistory = ReturnType<typeof createTransitionHistory>

interface HistoryParts {
  db: Kysely<Schema>
  log: Log
  everyMs?: number
}

const EVERY_MS = 1_000
const MAX_UNWRITTEN = 1_000
const MAX_READ = 10_000

export function createTransitionHistory({ db, log, everyMs = EVERY_MS }: HistoryParts) {
  const ledger = new WriteBehind<ProviderTransition & { id: string }>({
    name: 'the provider health history',
    everyMs,
    log,
    maxRows: MAX_UNWRITTEN,
    write: (rows) => insert(db, rows),
  })
  ledger.start()
  return {
    add(transition: ProviderTransition): void {
      const id = randomUUID()
      ledger.put(id, { ...transition, id })
    },
    /** Oldest first; only the newest if there are more than `MAX_READ`. Rejects if the database is unavailable. */
    read: (sinceMs: number) => readSince(db, sinceMs),
    /** Tries once more to write what is left. */
    close: () => ledger.stop(),
  }
}

async function insert(db: Kysely<Schema>, rows: readonly (ProviderTransition & { id: string })[]): Promise<void> {
  await db
    .insertInto('provider_transitions')
    .values(
      rows.map(({ group, from, to, at, ...row }) => ({
        ...row,
        provider_group: group,
        from_state: from,
        to_state: to,
        at: new Date(at),
      })),
    )
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

/** Returns how many were deleted. */
export const pruneTransitions = (db: Kysely<Schema>, before: Date): Promise<number> =>
  pruneOlder(db, 'provider_transitions', before)

async function readSince(db: Kysely<Schema>, sinceMs: number): Promise<ProviderTransition[]> {
  const rows = await db
    .selectFrom('provider_transitions')
    .select(['provider', 'provider_group as group', 'from_state as from', 'to_state as to', 'at', 'reason'])
    .where('at', '>=', new Date(sinceMs))
    .orderBy('at', 'desc')
    .orderBy('number', 'desc')
    .limit(MAX_READ)
    .execute()
  return rows.reverse().map((row) => ({ ...row, at: row.at.getTime() }))
}

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

interface DayHistoryParts {
  /** Of this provider only, oldest first, none older than the first day. */
  transitions: readonly ProviderTransition[]
  /** Its current state. Without a transition, it has been in this state all along. */
  state: State
  now: number
  dayCount: number
}

const MS_PER_DAY = 86_400_000

/** The start of the first of this many days. */
export const firstDayMs = (now: number, dayCount: number): number =>
  (Math.floor(now / MS_PER_DAY) - dayCount + 1) * MS_PER_DAY

/**
 * A provider's share of uptime for each of the last days (UTC), from its transitions. Time without any observation
 * counts neither for nor against it.
 */
export function dayHistory({ transitions, state, now, dayCount }: DayHistoryParts): DayHistory {
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
      day: new Date(start + index * MS_PER_DAY).toISOString().slice(0, 10),
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
    const index = Math.floor(at / MS_PER_DAY)
    const end = Math.min(to, (index + 1) * MS_PER_DAY)
    const total = totals[index]
    if (total) total[state] += end - at
    at = end
  }
}

const shareOf = ({ up, down }: { up: number; down: number }): number | undefined =>
  up + down === 0 ? undefined : up / (up + down)
