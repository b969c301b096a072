// What the functions that read or change accounts and keys work with. Every door hands over the same one.
import type { Kysely } from 'kysely'
import type { Schema } from '../storage/schema.ts'
import type { KeyChanges } from '../keys/key-changes.ts'
import type { RandomBytes } from '../keys/key-format.ts'

export interface AccessContext {
  db: Kysely<Schema>
  /** Milliseconds since 1970. */
  clock: () => number
  randomBytes: RandomBytes
  changes: KeyChanges
}
