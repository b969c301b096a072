// That somebody can sign in at all.
import { Refusal } from '../errors.ts'
import type { Accounts } from './accounts.ts'

const LOCKED_OUT =
  'With PASSWORD_SIGN_IN=off, no administrator could sign in. Set it to on, sign in as one, connect the account to an identity provider on its account page, and turn it off again.'

interface WaysIn {
  hasPasswords: boolean
  hasTrustedHeader: boolean
  identityProviders: readonly { issuer: string; createsUsers: boolean; adminValues: readonly string[] }[]
}

/** Refuses to start an instance that its administrators couldn't sign in to. */
export async function requireWayIn(
  { hasPasswords, hasTrustedHeader, identityProviders }: WaysIn,
  { identities }: Pick<Accounts, 'identities'>,
): Promise<void> {
  if (hasPasswords || hasTrustedHeader) return
  const createsAdmins = identityProviders.some(
    ({ createsUsers, adminValues }) => createsUsers && adminValues.length > 0,
  )
  const issuers = identityProviders.map(({ issuer }) => issuer)
  if (createsAdmins || (await identities.canAdministratorSignIn(issuers))) return
  throw new Refusal('parameter_invalid', LOCKED_OUT)
}
