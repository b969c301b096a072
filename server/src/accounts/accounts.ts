// User accounts as one service: sessions, signing in, changing your own account, and the first run. Used by the code
// that builds an instance and by the site.
import { createEventGate } from '../audit/audit-rate-limit.ts'
import type { AccessContext } from '../keys/admin-context.ts'
import type { Database } from '../postgres/database.ts'
import { type AccountParts, accessBy } from './account-parts.ts'
import type { AccountPolicy } from './account-policy.ts'
import { createOwnAccount, type OwnAccount } from './account-settings.ts'
import { createFirstRun, type FirstRun } from './first-run.ts'
import { createNetworkMark } from './network-mark.ts'
import { createOpaqueTokens } from './opaque-token.ts'
import { createPasskeys, type Passkeys } from './passkeys/passkeys.ts'
import { tellDenied } from './record-attempt.ts'
import { createSecondFactor, type SecondFactor } from './second-factor.ts'
import { createOwnFactors, type OwnFactors } from './second-factor-settings.ts'
import { createSessions, type Sessions } from './sessions.ts'
import { createSignIn, type SignIn } from './sign-in.ts'
import { createSignInLimits, type SignInLimits } from './sign-in-limits.ts'

export interface Accounts {
  /** For the functions shared with the command line: users and keys. */
  access: AccessContext
  /** The same, on behalf of someone on the website. */
  accessBy: (who: { address: string; userId?: string }) => AccessContext
  sessions: Sessions
  signIn: SignIn
  ownAccount: OwnAccount
  ownFactors: OwnFactors
  secondFactor: SecondFactor
  passkeys: Passkeys
  limits: SignInLimits
  /** Records that a user requested a page they may not see. */
  tellDenied: (denial: { userId: string; address: string; route: string }) => Promise<void>
  firstRun: FirstRun
}

interface AccountsParts {
  access: AccessContext
  database: Database
  /** Encrypts second factors. If it changes, they can no longer be checked. */
  instanceSecret: string
  policy: AccountPolicy
  random: () => number
}

export function createAccounts({ access, database, instanceSecret, policy, random }: AccountsParts): Accounts {
  const { randomBytes, clock, log } = access
  const tokensFor = (purpose: string) => createOpaqueTokens({ instanceSecret, purpose, randomBytes })
  const parts: AccountParts = {
    access,
    policy,
    limits: createSignInLimits(clock),
    gate: createEventGate(clock, log),
    tokens: { session: tokensFor('session'), ticket: tokensFor('ticket'), setup: tokensFor('setup') },
    networkMark: createNetworkMark(instanceSecret),
  }
  const factors = {
    secondFactor: createSecondFactor({ access, instanceSecret }),
    passkeys: createPasskeys(access),
  }
  return {
    access,
    accessBy: (who) => accessBy(parts, who),
    sessions: createSessions({ ...parts, database, random }),
    signIn: createSignIn({ ...parts, ...factors }),
    ownAccount: createOwnAccount({ ...parts, ...factors }),
    ownFactors: createOwnFactors({ ...parts, ...factors }),
    ...factors,
    limits: parts.limits,
    tellDenied: (denial) => tellDenied(parts, denial),
    firstRun: createFirstRun(parts),
  }
}
