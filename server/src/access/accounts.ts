// Accounts for people, put together: sessions, signing in, what users change themselves, and the first run. One object
// for whoever builds an instance and for the site.
import type { Log } from '../log.ts'
import type { Database } from '../state/database.ts'
import type { AccessContext } from './access-context.ts'
import { createFirstRun, type FirstRun } from '../accounts/first-run.ts'
import { createOwnAccount, type OwnAccount } from './own-account.ts'
import { createSecondFactor, type SecondFactor } from '../accounts/second-factor.ts'
import { createSessions, type Sessions } from './sessions.ts'
import { createSignIn, type SignIn } from './sign-in.ts'
import { createSignInLimits } from './sign-in-limits.ts'

export interface Accounts {
  /** For the functions that the command line uses as well: users and keys. */
  access: AccessContext
  sessions: Sessions
  signIn: SignIn
  ownAccount: OwnAccount
  secondFactor: SecondFactor
  firstRun: FirstRun
}

interface AccountsParts {
  access: AccessContext
  database: Database
  /** What second factors are sealed with. When it changes, they can no longer be checked. */
  instanceSecret: string
  random: () => number
  log: Log
}

export function createAccounts({ access, database, instanceSecret, random, log }: AccountsParts): Accounts {
  const secondFactor = createSecondFactor({ access, instanceSecret })
  const limits = createSignInLimits(access.clock)
  return {
    access,
    sessions: createSessions({ access, database, random, log }),
    signIn: createSignIn({ access, secondFactor, limits }),
    ownAccount: createOwnAccount({ access, secondFactor, limits }),
    secondFactor,
    firstRun: createFirstRun(access),
  }
}
