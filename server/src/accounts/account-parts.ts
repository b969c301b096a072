// Dependencies shared by the account services, and the types of their callers.
import type { EventGate } from '../audit/audit-rate-limit.ts'
import type { AccessContext } from '../keys/admin-context.ts'
import type { AccountPolicy } from './account-policy.ts'
import type { OpaqueTokens } from './opaque-token.ts'
import type { SignInLimits } from './sign-in-limits.ts'

export interface AccountParts {
  access: AccessContext
  policy: AccountPolicy
  limits: SignInLimits
  /** Throttles events that anonymous visitors can cause. */
  gate: EventGate
  tokens: { session: OpaqueTokens; ticket: OpaqueTokens; setup: OpaqueTokens }
  networkMark: (address: string) => string
}

/** Where a request comes from. */
export interface Visitor {
  address: string
  userAgent: string
}

/** A signed-in user, acting on their own account. */
export interface Member extends Visitor {
  userId: string
}

/** Access on behalf of someone on the website. */
export const accessBy = (
  { access, networkMark }: Pick<AccountParts, 'access' | 'networkMark'>,
  { address, userId }: { address: string; userId?: string },
): AccessContext => ({ ...access, actor: { userId, network: networkMark(address) } })
