// Keeps the promise that a power cut takes at most the last second. With `synchronous = normal`, SQLite syncs its log only
// before a checkpoint, every thousand pages: a quiet instance would lose hours. With `full` it syncs at each commit, and
// all requests wait for the disk. So the log is synced here, beside SQLite, on another thread.
// This is safe: syncing changes nothing that SQLite sees, and SQLite holds no lock on the log that closing would drop.
import { open } from 'node:fs/promises'
import { type Kysely, sql } from 'kysely'
import type { Log } from '../log.ts'
import { repeat } from '../repeat.ts'
import type { Schema } from './schema.ts'

/** Half of the second, as a change may come just after one sync has begun, and the next takes its time. */
const SYNC_EVERY_MS = 500

/** The returned function stops it; call it before the database is closed. */
export function keepLogSynced(db: Kysely<Schema>, databasePath: string, log: Log): () => Promise<void> {
  let syncedChanges = 0
  let isFailing = false
  return repeat({
    everyMs: SYNC_EVERY_MS,
    async work() {
      try {
        // Waits for an open transaction, so all of these are committed. Even a sync of nothing would wake the disk.
        const { rows } = await sql<{ changes: number }>`select total_changes() as changes`.execute(db)
        const changes = rows[0]?.changes ?? 0
        if (changes === syncedChanges) return
        await using file = await open(`${databasePath}-wal`)
        await file.datasync()
        syncedChanges = changes
        isFailing = false
      } catch (error) {
        // SQLite says nothing of a disk that fails here.
        if (!isFailing) log.warn({ err: new Error('could not sync the database to the disk', { cause: error }) })
        isFailing = true
      }
    },
  })
}
