// User accounts as one service: sessions, signing in, changing your own account, and the first run. Used by the code
// that builds an instance and by the site.
import { createAuditRateLimit } from '../audit/audit-rate-limit.ts'
import type { AdminContext } from '../keys/admin-context.ts'
import type { Database } from '../postgres/database.ts'
import { createKeyedHash } from '../text/cryptography.ts'
import { type AccountParts, type AccountPolicy, accessBy } from './account-parts.ts'
import { createOwnAccount, type OwnAccount } from './account-settings.ts'
import { createFirstRun, type FirstRun } from './first-run.ts'
import { createPasskeys, type Passkeys } from './passkeys.ts'
import { recordDenied } from './record-attempt.ts'
import { createSecondFactor, type SecondFactor } from './second-factor.ts'
import { createOwnFactors, type OwnFactors } from './second-factor-settings.ts'
import { createSessions, type Sessions } from './sessions.ts'
import { createSignIn, type SignIn } from './sign-in.ts'
import { createSignInLimits, type SignInLimits, toNetwork } from './sign-in-limits.ts'
import { createOpaqueTokens } from './tokens.ts'

export interface Accounts {
  /** For the functions shared with the command line: users and keys. */
  access: AdminContext
  /** The same, on behalf of someone on the website. */
  accessBy: (who: { address: string; userId?: string }) => AdminContext
  sessions: Sessions
  signIn: SignIn
  ownAccount: OwnAccount
  ownFactors: OwnFactors
  secondFactor: SecondFactor
  passkeys: Passkeys
  limits: SignInLimits
  /** Records that a user requested a page they may not see. */
  recordDenied: (denial: { userId: string; address: string; route: string }) => Promise<void>
  firstRun: FirstRun
}

interface AccountsParts {
  access: AdminContext
  database: Database
  /** Encrypts second factors. If it changes, they can no longer be checked. */
  instanceSecret: string
  policy: AccountPolicy
}

export function createAccounts({ access, database, instanceSecret, policy }: AccountsParts): Accounts {
  const { randomBytes, clock, log } = access
  const tokensFor = (purpose: string) => createOpaqueTokens({ instanceSecret, purpose, randomBytes })
  const parts: AccountParts = {
    access,
    policy,
    limits: createSignInLimits(clock),
    auditLimit: createAuditRateLimit(clock, log),
    tokens: { session: tokensFor('session'), ticket: tokensFor('ticket'), setup: tokensFor('setup') },
    networkPseudonym: createNetworkPseudonym(instanceSecret),
  }
  const factors = {
    secondFactor: createSecondFactor({ access, instanceSecret }),
    passkeys: createPasskeys(access),
  }
  return {
    access,
    accessBy: (who) => accessBy(parts, who),
    sessions: createSessions({ ...parts, database }),
    signIn: createSignIn({ ...parts, ...factors }),
    ownAccount: createOwnAccount({ ...parts, ...factors }),
    ownFactors: createOwnFactors({ ...parts, ...factors }),
    ...factors,
    limits: parts.limits,
    recordDenied: (denial) => recordDenied(parts, denial),
    firstRun: createFirstRun(parts),
  }
}

const PSEUDONYM_BYTES = 6

/**
 * A keyed hash shows that two events come from the same network, but not from which one without the instance's secret.
 */
function createNetworkPseudonym(instanceSecret: string): (address: string) => string {
  const hash = createKeyedHash(instanceSecret, 'networks of events')
  return (address) => Buffer.from(hash(toNetwork(address)), 'base64url').toString('hex', 0, PSEUDONYM_BYTES)
}
