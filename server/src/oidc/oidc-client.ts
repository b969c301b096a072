// openid-client, set up for one identity provider. Only `oidc.ts` loads this file, when the first person signs in that
// way. The provider's document is read then, and again every day; its keys, whenever a token names one that isn't known.
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  calculatePKCECodeChallenge,
  clockTolerance,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  None,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client'
import type { IssuerFetch } from '../upstream/issuer-fetch.ts'
import type { IdentityProvider } from './identity-provider.ts'
import type { PendingSignIn } from './pending-sign-in.ts'

export type Claims = Readonly<Record<string, unknown>> & { sub: string }

export interface OidcClient {
  /** Where the browser goes, and what its answer must match. */
  begin: (options: {
    isFresh: boolean
  }) => Promise<{ location: string; secrets: Omit<PendingSignIn, 'intent' | 'expiresAt'> }>
  /**
   * `answer`: the URL that the provider sent the browser to. Rejects if it is no proof. `isFresh`: the person must have
   * given their password, or whatever the provider asks for, in the last minutes.
   */
  finish: (answer: URL, pending: PendingSignIn, options: { isFresh: boolean }) => Promise<Claims>
  /** undefined: the provider has no way to sign out. */
  endSessionUrl: (returnTo: string) => string | undefined
  /** Whether its document says that it checks what binds a code to the browser that asked for it. */
  hasPkce: boolean
}

interface ClientParts {
  provider: IdentityProvider
  /** Where the provider sends people back to. */
  redirectUri: string
  /** The claims that are looked for. */
  wanted: readonly string[]
  fetch: IssuerFetch['fetch']
}

const CLOCK_TOLERANCE_SECONDS = 30
/** Longer than it takes to come back from the provider. */
const FRESH_SECONDS = 300

export async function openOidcClient({ provider, redirectUri, wanted, fetch }: ClientParts): Promise<OidcClient> {
  const config = await configure(provider, fetch)
  return {
    hasPkce: config.serverMetadata().supportsPKCE(),
    async begin({ isFresh }) {
      const secrets = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() }
      const location = buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: provider.scopes,
        state: secrets.state,
        nonce: secrets.nonce,
        code_challenge: await calculatePKCECodeChallenge(secrets.verifier),
        code_challenge_method: 'S256',
        ...(isFresh && { prompt: 'login', max_age: String(FRESH_SECONDS) }),
      })
      return { location: requireWebAddress(location, provider), secrets }
    },
    async finish(answer, { state, nonce, verifier }, { isFresh }) {
      const tokens = await authorizationCodeGrant(config, answer, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
        ...(isFresh && { maxAge: FRESH_SECONDS }),
      })
      const claims = tokens.claims()
      if (!claims) throw new Error('the identity provider sent no ID token')
      // The library looks at this only if the token is for several clients.
      if (claims['azp'] !== undefined && claims['azp'] !== provider.clientId)
        throw new Error('the ID token was issued to another client')
      const hasAll = wanted.every((name) => claims[name] !== undefined)
      if (hasAll || config.serverMetadata().userinfo_endpoint === undefined) return claims
      // The library compares the subject of the reply. What is signed wins over what isn't.
      return { ...(await fetchUserInfo(config, tokens.access_token, claims.sub)), ...claims }
    },
    endSessionUrl(returnTo) {
      if (config.serverMetadata().end_session_endpoint === undefined) return undefined
      return requireWebAddress(buildEndSessionUrl(config, { post_logout_redirect_uri: returnTo }), provider)
    },
  }
}

async function configure(provider: IdentityProvider, fetch: IssuerFetch['fetch']): Promise<Configuration> {
  const { issuer, clientId, clientSecret } = provider
  const isLocal = issuer.startsWith('http:')
  const found = await discovery(new URL(issuer), clientId, undefined, None(), {
    [customFetch]: fetch,
    execute: isLocal ? [allowInsecureRequests] : [],
  })
  const metadata = found.serverMetadata()
  const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  const withSecret = methods.includes('client_secret_basic') ? ClientSecretBasic : ClientSecretPost
  const authentication = clientSecret === undefined ? None() : withSecret(clientSecret)
  const config = new Configuration(
    metadata,
    clientId,
    { [clockTolerance]: CLOCK_TOLERANCE_SECONDS, ...(clientSecret !== undefined && { client_secret: clientSecret }) },
    authentication,
  )
  config[customFetch] = fetch
  // By default the library trusts the connection that a token came over. We check the signature as well.
  enableNonRepudiationChecks(config)
  if (isLocal) allowInsecureRequests(config)
  return config
}

/** The provider's document says where browsers go; no other scheme than the issuer's own will do. */
function requireWebAddress(url: URL, { issuer }: IdentityProvider): string {
  const isWeb = url.protocol === 'https:' || (url.protocol === 'http:' && issuer.startsWith('http:'))
  if (!isWeb || url.username !== '' || url.password !== '')
    throw new Error('the identity provider names no web address')
  return url.href
}
