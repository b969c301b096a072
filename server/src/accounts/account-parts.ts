// What the account services share: their dependencies, the operator's policy, and who is acting.
import type { AdminContext } from '../keys/admin-context.ts'
import type { DeviceTokens } from './device-tokens.ts'
import type { SignInLimits } from './sign-in-limits.ts'
import type { OpaqueTokens } from './tokens.ts'

export interface AccountParts {
  access: AdminContext
  policy: AccountPolicy
  limits: SignInLimits
  tokens: { session: OpaqueTokens; ticket: OpaqueTokens; setup: OpaqueTokens; device: DeviceTokens }
  /** A name for the network of an address: the same for every address of it, without revealing which network it is. */
  networkPseudonym: (address: string) => string
}

/** Where a request comes from. */
export interface Visitor {
  address: string
  userAgent: string
  /** The token of `device-tokens.ts`, if the browser has sent one. */
  device?: string | undefined
}

/** A signed-in user, acting on their own account. */
export interface Member extends Visitor {
  userId: string
}

/** The context for acting on behalf of someone on the website. `db`: the current transaction, if there is one. */
export const accessBy = (
  { access, networkPseudonym }: Pick<AccountParts, 'access' | 'networkPseudonym'>,
  { address, userId }: { address: string; userId?: string | undefined },
  db = access.db,
): AdminContext => ({ ...access, db, actor: { userId, network: networkPseudonym(address) } })

/** Read from the environment by `settings/instance-settings.ts`. */
export interface AccountPolicy {
  /** Sessions end this long after sign-in, however often they are used. */
  sessionMaxDays: number
  /** How long a generated password works. */
  temporaryPasswordDays: number
  /** Who must have a second factor. */
  requireSecondFactor: 'off' | 'admins' | 'all'
  /** Whether people may sign in with a password. */
  isPasswordSignInOn: boolean
}

export const DEFAULT_POLICY: AccountPolicy = {
  sessionMaxDays: 90,
  temporaryPasswordDays: 7,
  requireSecondFactor: 'off',
  isPasswordSignInOn: true,
}

export const isSecondFactorRequired = ({ requireSecondFactor }: AccountPolicy, isAdmin: boolean): boolean =>
  requireSecondFactor === 'all' || (requireSecondFactor === 'admins' && isAdmin)
