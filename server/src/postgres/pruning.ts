// Runs deletion tasks once an hour, on the node that holds the lease. A task that fails is retried an hour later and
// doesn't stop the others.
import type { Log } from '../log.ts'
import type { NodeLease } from '../redis/node-lease.ts'
import { repeat } from '../repeat.ts'

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
export const PRUNE_BATCH = 5_000

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

/** Repeats a statement that deletes one batch, until a batch isn't full. Returns the number of deleted rows. */
export async function pruneInBatches(deleteBatch: () => Promise<{ numAffectedRows?: bigint }>): Promise<number> {
  let removed = 0
  for (;;) {
    const { numAffectedRows = 0n } = await deleteBatch()
    removed += Number(numAffectedRows)
    if (numAffectedRows < PRUNE_BATCH) return removed
  }
}
