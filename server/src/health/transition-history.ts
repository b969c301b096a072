// The history of the providers' health in PostgreSQL: a row for each transition, for a status page to tell of outages.
// Adding is not waited for. What cannot be written is kept and tried again; each row carries an identifier of its own,
// so that a write that succeeded without our knowing is not made twice.
import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Log } from '../log.ts'
import type { Schema } from '../storage/schema.ts'

export interface ProviderTransition {
  /** The provider's own slug, whatever slot it is bound to. */
  provider: string
  group: string
  from: 'up' | 'down' | 'unknown'
  to: 'up' | 'down' | 'unknown'
  /** Milliseconds since 1970. */
  at: number
  /** The kind of the error that decided, or 'ok'. */
  reason: string
}

export interface TransitionHistory {
  add: (transition: ProviderTransition) => void
  /** Oldest first; of very many, the newest. Rejects when PostgreSQL is away. */
  read: (sinceMs: number) => Promise<ProviderTransition[]>
  /** Tries a last time to write what is left. */
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
      if (retryMs !== firstRetryMs) log.info('the history of provider health is written again')
      retryMs = firstRetryMs
    } catch (error) {
      if (retryMs === firstRetryMs)
        log.warn({
          err: new Error('the history of provider health could not be written; it is kept', { cause: error }),
        })
      if (!isClosed) timer = setTimeout(flush, retryMs).unref()
      retryMs = Math.min(retryMs * 2, LONGEST_RETRY_MS)
    }
  }

  function flush(): void {
    timer = undefined
    underWay ??= write().finally(() => {
      underWay = undefined
      // What was added meanwhile; after a failure the timer sees to it.
      if (waiting.size > 0 && !timer && !isClosed) flush()
    })
  }

  return {
    add(transition) {
      waiting.add({ ...transition, id: randomUUID() })
      for (const oldest of waiting) {
        if (waiting.size <= MOST_WAITING) break
        waiting.delete(oldest)
        log.warn('a transition of provider health was dropped: PostgreSQL is away for too long')
      }
      if (!timer) flush()
    },
    read: (sinceMs) => readSince(db, sinceMs),
    async close() {
      isClosed = true
      clearTimeout(timer)
      await underWay
      if (waiting.size > 0) await write()
      if (waiting.size > 0) log.warn({ lost: waiting.size }, 'transitions of provider health were not written')
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
