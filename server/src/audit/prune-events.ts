// Deletes security events that are older than the retention period.
import { type Kysely, sql } from 'kysely'
import { PRUNE_BATCH, pruneInBatches } from '../postgres/pruning.ts'
import type { Schema } from '../postgres/schema.ts'

/** Returns how many were deleted. */
export const pruneEvents = (db: Kysely<Schema>, before: Date): Promise<number> =>
  pruneInBatches(() =>
    sql`
      delete from audit_events
      where id in (select id from audit_events where at < ${before} order by at limit ${PRUNE_BATCH})`.execute(db),
  )
