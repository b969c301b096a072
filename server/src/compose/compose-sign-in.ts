// Accounts, and every way to sign in to one: here, at an identity provider, by a header of a trusted proxy, and for programs
// by OAuth.
import { randomBytes } from 'node:crypto'
import { createAccounts } from '../accounts/accounts.ts'
import { requireWayIn } from '../accounts/way-in.ts'
import type { Log } from '../log.ts'
import { createOauth, oauthIssuer } from '../oauth/oauth.ts'
import { createOidc } from '../oidc/oidc.ts'
import type { Configuration } from '../settings/configuration.ts'
import type { SettingsContext } from '../settings/stored-settings.ts'
import { createTrustedHeader } from '../site/http/trusted-header.ts'
import type { Database } from '../store/database.ts'

interface SignInParts {
  access: SettingsContext
  database: Database
  instanceSecret: string
  fetchOptions: Parameters<typeof createOauth>[0]['fetchOptions']
  clock: () => number
  log: Log
}

/** Whatever it opens, it closes with `opening`. */
export async function composeSignIn(opening: AsyncDisposableStack, configuration: Configuration, parts: SignInParts) {
  const { access, database, instanceSecret, fetchOptions, clock, log } = parts
  const { identityProviders, outgoingProxy, publicUrl } = configuration
  const { policy, trustedHeader } = configuration.accounts
  const accounts = createAccounts({ access, database, instanceSecret, policy })
  await requireWayIn(
    {
      hasPasswords: policy.isPasswordSignInOn,
      hasTrustedHeader: trustedHeader !== undefined,
      identityProviders,
    },
    accounts,
  )
  const { oauthClients } = configuration.site
  const issuer = oauthIssuer(publicUrl, oauthClients)
  const oidc =
    identityProviders.length === 0
      ? undefined
      : createOidc({ providers: identityProviders, publicUrl, outgoingProxy, instanceSecret, randomBytes, clock, log })
  opening.defer(async () => await oidc?.close())
  const oauth =
    issuer === undefined || oauthClients === 'off'
      ? undefined
      : createOauth({ access, issuer, policy: oauthClients, fetchOptions, log })
  opening.defer(async () => await oauth?.close())
  return { accounts, oidc, oauth, trustedHeader: trustedHeader && createTrustedHeader(trustedHeader) }
}

export type SignIn = Awaited<ReturnType<typeof composeSignIn>>
