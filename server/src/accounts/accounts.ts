// User accounts as one service: sessions, signing in, changing your own account, and the first run. Used by the code
// that builds an instance and by the site.
import { createAuditRateLimit } from '../audit/audit-rate-limit.ts'
import type { AdminContext } from '../keys/admin-context.ts'
import type { Database } from '../postgres/database.ts'
import { networksOf } from '../rate-limit/network-throttle.ts'
import { createKeyedHash } from '../text/cryptography.ts'
import { type AccountParts, type AccountPolicy, accessBy } from './account-parts.ts'
import { createOwnAccount } from './account-settings.ts'
import { createDeviceTokens } from './device-tokens.ts'
import { createFeeds } from './feeds.ts'
import { createFirstRun } from './first-run.ts'
import { Identities } from './identities.ts'
import { Invitations } from './invitations.ts'
import { Passkeys } from './passkeys.ts'
import { type Denial, recordDenied, recordLeftOut } from './record-attempt.ts'
import { SecondFactor } from './second-factor.ts'
import { SecondFactorSettings } from './second-factor-settings.ts'
import { Sessions } from './sessions.ts'
import { SignIn } from './sign-in.ts'
import { SignInElsewhere } from './sign-in-elsewhere.ts'
import { createSignInLimits } from './sign-in-limits.ts'
import { createOpaqueTokens } from './tokens.ts'

export type Accounts = ReturnType<typeof createAccounts>

interface AccountsParts {
  access: AdminContext
  database: Database
  /** Encrypts second factors. If it changes, they can no longer be checked. */
  instanceSecret: string
  /** From `createNetworkPseudonyms`. */
  networkPseudonyms: AccountParts['networkPseudonyms']
  policy: AccountPolicy
}

export function createAccounts({ access, database, instanceSecret, networkPseudonyms, policy }: AccountsParts) {
  const { randomBytes, clock } = access
  const tokensFor = (purpose: string) => createOpaqueTokens({ instanceSecret, purpose, randomBytes })
  const parts: AccountParts = {
    access,
    policy,
    limits: createSignInLimits(clock),
    auditLimit: createAuditRateLimit(clock),
    tokens: {
      session: tokensFor('session'),
      ticket: tokensFor('ticket'),
      setup: tokensFor('setup'),
      device: createDeviceTokens({ instanceSecret, randomBytes }),
    },
    networkPseudonyms,
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
    /** Records how many events were left out. Call it every minute. */
    recordLeftOut: () => recordLeftOut(parts),
    /** As it is recorded in events. */
    networkOf: (address: string): string => parts.networkPseudonyms(address)[0],
    firstRun: createFirstRun(parts),
  }
}

const PSEUDONYM_BYTES = 6

/**
 * A keyed hash shows that two events come from the same network, but not from which one without the instance's secret.
 */
export function createNetworkPseudonyms(instanceSecret: string): AccountParts['networkPseudonyms'] {
  const hash = createKeyedHash(instanceSecret, 'networks of events')
  const pseudonymOf = (network: string) => Buffer.from(hash(network), 'base64url').toString('hex', 0, PSEUDONYM_BYTES)
  return (address) => {
    const [narrowest, ...wider] = networksOf(address)
    return [pseudonymOf(narrowest), ...wider.map(pseudonymOf)]
  }
}
