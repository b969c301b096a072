// The history of provider health in PostgreSQL: one row per transition, so that the status page can show outages. Rows
// are written behind; each has its own id, so a write that succeeded without our knowledge isn't repeated.
import { randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Log } from '../log.ts'
import { PRUNE_BATCH, pruneInBatches } from '../postgres/pruning.ts'
import type { Schema } from '../postgres/schema.ts'
import { WriteBehind } from '../postgres/write-behind.ts'

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

export interface TransitionHistory {
  add: (transition: ProviderTransition) => void
  /** Oldest first; only the newest if there are more than `MOST_READ`. Rejects if PostgreSQL is unavailable. */
  read: (sinceMs: number) => Promise<ProviderTransition[]>
  /** Tries once more to write what is left. */
  close: () => Promise<void>
}

interface HistoryParts {
  db: Kysely<Schema>
  log: Log
  everyMs?: number
}

const EVERY_MS = 1_000
const MOST_WAITING = 1_000
const MOST_READ = 10_000

export function createTransitionHistory({ db, log, everyMs = EVERY_MS }: HistoryParts): TransitionHistory {
  const ledger = new WriteBehind<ProviderTransition & { id: string }>({
    name: 'the provider health history',
    everyMs,
    log,
    maxRows: MOST_WAITING,
    write: (rows) => insert(db, rows),
  })
  ledger.start()
  return {
    add(transition) {
      const id = randomUUID()
      ledger.put(id, { ...transition, id })
    },
    read: (sinceMs) => readSince(db, sinceMs),
    close: () => ledger.stop(),
  }
}

async function insert(db: Kysely<Schema>, rows: readonly (ProviderTransition & { id: string })[]): Promise<void> {
  await db
    .insertInto('provider_transitions')
    .values(
      rows.map(({ id, provider, group, from, to, at, reason }) => ({
        id,
        provider,
        provider_group: group,
        from_state: from,
        to_state: to,
        at: new Date(at),
        reason,
      })),
    )
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

/** Returns how many were deleted. */
export const pruneTransitions = (db: Kysely<Schema>, before: Date): Promise<number> =>
  pruneInBatches(() =>
    sql`
      delete from provider_transitions
      where id in (select id from provider_transitions where at < ${before} order by at limit ${PRUNE_BATCH})`.execute(
      db,
    ),
  )

async function readSince(db: Kysely<Schema>, sinceMs: number): Promise<ProviderTransition[]> {
  const rows = await db
    .selectFrom('provider_transitions')
    .select(['provider', 'provider_group as group', 'from_state as from', 'to_state as to', 'at', 'reason'])
    .where('at', '>=', new Date(sinceMs))
    .orderBy('at', 'desc')
    .orderBy('number', 'desc')
    .limit(MOST_READ)
    .execute()
  return rows.reverse().map((row) => ({ ...row, at: row.at.getTime() }))
}
