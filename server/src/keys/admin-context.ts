// The dependencies of the functions that read or change accounts and keys. The API, the site and the command line all
// pass in the same context; the site adds the acting user.
import type { AuditContext } from '../audit/audit-log.ts'
import type { ChangeBus } from './key-changes.ts'
import type { RandomBytes } from './key-format.ts'

export interface AdminContext extends AuditContext {
  randomBytes: RandomBytes
  changes: ChangeBus
  /** How many keys that are neither revoked nor expired a user may have; the default is in `keys.ts`. */
  maxKeysPerUser?: number
  /** How long a new key works unless its creator says otherwise; undefined for ever. */
  defaultKeyDays?: number | undefined
  /** Deletes what Redis has of an account. Undefined without Redis. */
  forgetShared?: ((gone: GoneAccount) => Promise<void>) | undefined
  /** The cost of hashing a new password; outside tests, `RECOMMENDED_COST` of `accounts/passwords.ts`. */
  passwordCost: PasswordCost
}

/** The parameters of argon2id. */
export interface PasswordCost {
  /** KiB. */
  memoryCost: number
  timeCost: number
  parallelism: number
}

/** An account that has been deleted, and its keys. */
export interface GoneAccount {
  userId: string
  keyIds: readonly string[]
}
