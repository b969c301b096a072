// What the functions that read or change accounts and keys need. The API, the site and the command line all pass in the
// same one; the site adds who is acting.
import type { AuditContext } from '../audit/record-event.ts'
import type { KeyChanges } from './key-changes.ts'
import type { RandomBytes } from './key-format.ts'

export interface AccessContext extends AuditContext {
  randomBytes: RandomBytes
  changes: KeyChanges
  /** How many keys a user may have that are neither revoked nor expired; `keys.ts` has the usual number. */
  maxKeysPerUser?: number
  /** What hashing a new password costs; `accounts/passwords.ts` has the cost for people's own. */
  passwordCost: PasswordCost
}

/** Of argon2id. */
export interface PasswordCost {
  /** KiB. */
  memoryCost: number
  timeCost: number
  parallelism: number
}
