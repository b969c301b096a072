// The history of provider health in PostgreSQL: one row per transition, so that the status page can show outages.
// Adding is not waited for. A row that cannot be written is kept and retried; each row has its own id, so a write that
// succeeded without our knowing is not made twice.
import { randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Log } from '../log.ts'
import { PRUNE_BATCH, pruneInBatches } from '../storage/pruning.ts'
import type { Schema } from '../storage/schema.ts'

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
  /** Oldest first; if there are very many, only the newest. Rejects if PostgreSQL is unavailable. */
  read: (sinceMs: number) => Promise<ProviderTransition[]>
  /** Tries one last time to write what is left. */
  close: () => Promise<void>
}

interface HistoryParts {
  db: Kysely<Schema>
  log: Log
  firstRetryMs?: number
}

const MOST_WAITING = 1_000
const MOST_READ = 10_000
const LONGEST_RETRY_MS = 30_000

export function createTransitionHistory({ db, log, firstRetryMs = 1_000 }: HistoryParts): TransitionHistory {
  const waiting = new Set<ProviderTransition & { id: string }>()
  let underWay: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let retryMs = firstRetryMs
  let isClosed = false

  async function write(): Promise<void> {
    const rows = [...waiting]
    try {
      await insert(db, rows)
      for (const row of rows) waiting.delete(row)
      if (retryMs !== firstRetryMs) log.info('writing the provider health history again')
      retryMs = firstRetryMs
    } catch (error) {
      if (retryMs === firstRetryMs)
        log.warn({
          err: new Error('could not write the provider health history; will retry', { cause: error }),
        })
      if (!isClosed) timer = setTimeout(flush, retryMs).unref()
      retryMs = Math.min(retryMs * 2, LONGEST_RETRY_MS)
    }
  }

  function flush(): void {
    timer = undefined
    underWay ??= write().finally(() => {
      underWay = undefined
      // Writes what was added in the meantime; after a failure, the timer does.
      if (waiting.size > 0 && !timer && !isClosed) flush()
    })
  }

  return {
    add(transition) {
      waiting.add({ ...transition, id: randomUUID() })
      for (const oldest of waiting) {
        if (waiting.size <= MOST_WAITING) break
        waiting.delete(oldest)
        log.warn('dropped a provider health transition: PostgreSQL has been unavailable for too long')
      }
      if (!timer) flush()
    },
    read: (sinceMs) => readSince(db, sinceMs),
    async close() {
      isClosed = true
      clearTimeout(timer)
      await underWay
      if (waiting.size > 0) await write()
      if (waiting.size > 0) log.warn({ lost: waiting.size }, 'provider health transitions were lost at shutdown')
    },
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
