// Runs deletion tasks once an hour, on the node that holds the lease. A task that fails is retried an hour later and
// doesn't stop the others. Rows are deleted in batches.
import { type Kysely, sql } from 'kysely'
import type { Log } from '../log.ts'
import type { NodeLease } from '../redis/node-lease.ts'
import { repeat } from '../repeat.ts'
import type { Schema } from './schema.ts'

export interface PruningTask {
  /** For the log: `old security events`. */
  name: string
  prune: () => Promise<unknown>
}

interface PruningParts {
  tasks: readonly PruningTask[]
  lease: NodeLease
  random: () => number
  log: Log
}

const EVERY_MS = 3_600_000
/** Longer than the interval, so that the same node keeps the lease. */
const LEASE_MS = 1.5 * EVERY_MS
/** Small enough to keep each statement short. */
const BATCH = 5_000

/** Returns a function that stops it. */
export function startPruning({ tasks, lease, random, log }: PruningParts): () => Promise<void> {
  const work = async () => {
    if (!(await lease.hold(LEASE_MS))) return
    for (const { name, prune } of tasks) {
      try {
        await prune()
      } catch (error) {
        log.warn({ err: new Error(`could not delete ${name}`, { cause: error }) })
      }
    }
  }
  const stop = repeat({ everyMs: EVERY_MS, random, work })
  return async () => {
    await stop()
    await lease.release()
  }
}

/** Deletes the rows of all days before `firstDay` ('2026-11-15'). `key` is the table's primary key. */
export function pruneDays(
  db: Kysely<Schema>,
  firstDay: string,
  { table, key }: { table: keyof Schema; key: readonly string[] },
): Promise<number> {
  const columns = sql.join(key.map((column) => sql.ref(column)))
  return pruneInBatches(() =>
    sql`
      delete from ${sql.table(table)} where (${columns}) in (
        select ${columns} from ${sql.table(table)} where day < ${firstDay} limit ${BATCH})`.execute(db),
  )
}

/** Deletes the rows from before a moment. */
export const pruneOlder = (
  db: Kysely<Schema>,
  table: 'audit_events' | 'provider_transitions',
  before: Date,
): Promise<number> =>
  pruneInBatches(() =>
    sql`
      delete from ${sql.table(table)}
      where id in (select id from ${sql.table(table)} where at < ${before} order by at limit ${BATCH})`.execute(db),
  )

/**
 * Deletes the secrets that ended before a moment, and the keys that were revoked or expired before it. Neither can gain
 * a secret in between: a key that has ended isn't rotated.
 */
export async function pruneEndedKeys(db: Kysely<Schema>, before: Date): Promise<number> {
  const keyHasEnded = sql`k.revoked_at < ${before} or k.expires_at < ${before}`
  await pruneInBatches(() =>
    sql`
      delete from key_secrets where prefix in (
        select s.prefix from key_secrets s join api_keys k on k.id = s.key_id
        where s.expires_at < ${before} or ${keyHasEnded} limit ${BATCH})`.execute(db),
  )
  return await pruneInBatches(() =>
    sql`delete from api_keys where id in (select k.id from api_keys k where ${keyHasEnded} limit ${BATCH})`.execute(db),
  )
}

/** Repeats a statement that deletes one batch, until a batch isn't full. Returns the number of deleted rows. */
async function pruneInBatches(deleteBatch: () => Promise<{ numAffectedRows?: bigint }>): Promise<number> {
  let removed = 0
  for (;;) {
    const { numAffectedRows = 0n } = await deleteBatch()
    removed += Number(numAffectedRows)
    if (numAffectedRows < BATCH) return removed
  }
}
