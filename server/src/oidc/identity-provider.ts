// An identity provider that the operator has named: see `settings/sign-in-configuration.ts`.
import type { OutgoingProxy } from '../upstream/outgoing-proxy.ts'

export interface IdentityProvider {
  /** In paths: `oidc`, or its name in OIDC_PROVIDERS. */
  slug: string
  /** As people know it. */
  name: string
  /** A URL, as `URL` writes it. */
  issuer: string
  clientId: string
  /** undefined: a public client. */
  clientSecret: string | undefined
  scopes: string
  proxy: OutgoingProxy | 'direct' | undefined
  /** Whether someone who has no account here gets one. */
  createsUsers: boolean
  /** The claim with the person's groups or roles; a dot leads into an object. */
  roleClaim: string | undefined
  /** Values of the claim that make an administrator; none: roles are given here. */
  adminValues: readonly string[]
  /** Values of the claim of which a person must have one; none: everyone may come in. */
  allowedValues: readonly string[]
}
