// What the functions that read or change accounts and keys work with. Every door hands over the same one.
import type { Kysely } from 'kysely'
import type { Schema } from '../state/schema.ts'
import type { KeyChanges } from './key-changes.ts'
import type { RandomBytes } from './key-format.ts'

export interface AccessContext {
  db: Kysely<Schema>
  /** Milliseconds since 1970. */
  clock: () => number
  randomBytes: RandomBytes
  changes: KeyChanges
}
