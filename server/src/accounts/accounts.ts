// User accounts as one service: sessions, signing in, changing your own account, and the first run. Used by the code
// that builds an instance and by the site.
import type { AdminContext } from '../keys/admin-context.ts'
import type { Database } from '../store/database.ts'
import { createKeyedHash } from '../text/cryptography.ts'
import { type AccountParts, type AccountPolicy, accessBy } from './account-parts.ts'
import { createOwnAccount } from './account-settings.ts'
import { createDeviceTokens } from './device-tokens.ts'
import { createFeeds } from './feeds.ts'
import { createFirstRun } from './first-run.ts'
import { Identities } from './identities.ts'
import { Invitations } from './invitations.ts'
import { Passkeys } from './passkeys.ts'
import { type Denial, recordDenied } from './record-attempt.ts'
import { SecondFactor } from './second-factor.ts'
import { SecondFactorSettings } from './second-factor-settings.ts'
import { Sessions } from './sessions.ts'
import { SignIn } from './sign-in.ts'
import { SignInElsewhere } from './sign-in-elsewhere.ts'
import { createSignInLimits, toNetwork } from './sign-in-limits.ts'
import { createOpaqueTokens } from './tokens.ts'

export type Accounts = ReturnType<typeof createAccounts>

interface AccountsParts {
  access: AdminContext
  database: Database
  /** Encrypts second factors. If it changes, they can no longer be checked. */
  instanceSecret: string
  policy: AccountPolicy
}

export function createAccounts({ access, database, instanceSecret, policy }: AccountsParts) {
  const { randomBytes, clock } = access
  const tokensFor = (purpose: string) => createOpaqueTokens({ instanceSecret, purpose, randomBytes })
  const parts: AccountParts = {
    access,
    policy,
    limits: createSignInLimits(clock),
    tokens: {
      session: tokensFor('session'),
      ticket: tokensFor('ticket'),
      setup: tokensFor('setup'),
      device: createDeviceTokens({ instanceSecret, randomBytes }),
    },
    networkPseudonym: createNetworkPseudonym(instanceSecret),
  }
  const factors = {
    secondFactor: new SecondFactor({ access, instanceSecret }),
    passkeys: new Passkeys(access),
  }
  const identities = new Identities(parts)
  return {
    policy,
    /** For the functions shared with the command line: users and keys. */
    access,
    /** The same, on behalf of someone on the website. */
    accessBy: (who: { address: string; userId?: string }) => accessBy(parts, who),
    sessions: new Sessions({ ...parts, database }),
    signIn: new SignIn({ ...parts, ...factors }),
    signInElsewhere: new SignInElsewhere(parts),
    identities,
    invitations: new Invitations(parts),
    feeds: createFeeds({ access, instanceSecret }),
    ownAccount: createOwnAccount({ ...parts, ...factors, identities }),
    ownFactors: new SecondFactorSettings({ ...parts, ...factors }),
    ...factors,
    limits: parts.limits,
    /** Records that a user requested a page they may not see. */
    recordDenied: (denial: Denial) => recordDenied(parts, denial),
    /** As it is recorded in events. */
    networkOf: parts.networkPseudonym,
    firstRun: createFirstRun(parts),
  }
}

const PSEUDONYM_BYTES = 6

/**
 * A keyed hash shows that two events come from the same network, but not from which one without the instance's secret.
 */
function createNetworkPseudonym(instanceSecret: string): AccountParts['networkPseudonym'] {
  const hash = createKeyedHash(instanceSecret, 'networks of events')
  return (address) => Buffer.from(hash(toNetwork(address)), 'base64url').toString('hex', 0, PSEUDONYM_BYTES)
}
