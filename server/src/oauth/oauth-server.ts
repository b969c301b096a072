// The authorization server itself: oidc-provider, set up as the MCP specification asks. Only `oauth.ts` loads this file,
// on the first request that needs it, because the library takes 15 MB.
//
// The library never sees a connection or a cookie of the browser: requests reach it in memory. Its own session and its
// cookies between two requests are left out, since the website's session says who someone is, and `oauth.ts` checks that
// the person who consented is the one who comes back.
import { hash, randomBytes } from 'node:crypto'
import { parseJson } from '@bowerbird/engines/parsing/parse-json.ts'
import inject from 'light-my-request'
import {
  errors,
  interactionPolicy,
  type KoaContextWithOIDC,
  Provider,
  type Configuration as ProviderConfiguration,
} from 'oidc-provider'
import { VERSION } from '../config/version.ts'
import type { AdminContext } from '../keys/admin-context.ts'
import { mintKey } from '../keys/key-format.ts'
import type { Log } from '../log.ts'
import { isDatabaseAway } from '../store/database.ts'
import { AUTHORIZE_PATH, CONSENT_PATH, REGISTER_PATH, REVOKE_PATH, TOKEN_PATH } from '../text/mcp-paths.ts'
import { createPageFetch } from '../upstream/page-fetch.ts'
import { FetchRefusal, type UntrustedFetchOptions } from '../upstream/untrusted-fetch.ts'
import { type ClientMetadata, type ClientPolicy, readClient } from './oauth-clients.ts'
import { OAUTH_SCOPES } from './oauth-metadata.ts'
import { createOauthStore } from './oauth-store.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const DOCUMENT_TIMEOUT_MS = 5_000
const MAX_DOCUMENT_BYTES = 65_536
const DOCUMENT_CACHE_SECONDS = 5 * MINUTE

export interface OauthParts {
  access: AdminContext
  /** PUBLIC_URL. */
  issuer: string
  /** The URL that access is granted to: that of the MCP server. */
  resource: string
  policy: ClientPolicy
  /** How documents of clients are fetched: as pages are. */
  fetchOptions: UntrustedFetchOptions
  log: Log
}

export interface OauthRequest {
  method: 'GET' | 'POST'
  url: string
  type?: string
  body?: string
  /** The request for consent that is resumed. */
  resumed?: string
}

export interface OauthReply {
  status: number
  headers: Readonly<Record<string, unknown>>
  body: string
}

/** What a client asks of a person. */
export interface ConsentRequest {
  client: string
  /** The client's own claim. */
  name: string
  /** Where the browser goes afterwards. */
  redirect: string
  /** What the client asked for, known here or not. */
  scopes: string[]
  /** undefined: nobody has decided yet. */
  decision: { userId: string | undefined } | undefined
}

export interface OauthServer {
  ask: (request: OauthRequest) => Promise<OauthReply>
  findConsentRequest: (id: string) => Promise<ConsentRequest | undefined>
  /** Whose consent it was, and the key that came of it; undefined: they refused. */
  finish: (id: string, consent: { userId: string; keyId: string } | undefined) => Promise<void>
  close: () => Promise<void>
}

export function createOauthServer(parts: OauthParts): OauthServer {
  const { issuer, log } = parts
  const documents = createClientDocuments(parts)
  const provider = new Provider(issuer, configurationOf(parts, documents.fetch))
  // URLs are made from these two headers, which `ask` sets.
  provider.proxy = true
  // Koa would print errors.
  provider.silent = true
  provider.on('server_error', (context, error) => {
    const isAway = isDatabaseAway(error)
    context.status = isAway ? 503 : 500
    if (isAway) context.set('Retry-After', '5')
    else log.error({ err: error, route: context.path })
  })
  useKeySecrets(provider, parts)
  const handle = provider.callback()
  const { host, protocol } = new URL(issuer)

  return {
    async ask({ method, url, type, body, resumed }) {
      const headers = {
        host,
        'x-forwarded-proto': protocol.slice(0, -1),
        accept: 'application/json',
        ...(type !== undefined && { 'content-type': type }),
        // The library finds the request for consent by this cookie, which no browser has.
        ...(resumed !== undefined && { cookie: `${provider.cookieName('resume')}=${resumed}` }),
      }
      const reply = await inject((request, response) => void handle(request, response), {
        method,
        url,
        headers,
        ...(body !== undefined && { payload: body }),
      })
      return { status: reply.statusCode, headers: reply.headers, body: reply.body }
    },
    async findConsentRequest(id) {
      const found = await provider.Interaction.find(id)
      if (!found) return undefined
      const { params, prompt, result } = found
      const { client_id: client, redirect_uri: redirect, scope } = params
      const { name } = prompt.details
      return {
        client: String(client),
        name: String(name),
        redirect: String(redirect),
        scopes: typeof scope === 'string' ? scope.split(' ') : [],
        decision: result && { userId: result.login?.accountId },
      }
    },
    async finish(id, consent) {
      const found = await provider.Interaction.find(id)
      if (!found) throw new Error('a request for consent expired while it was answered')
      found.result = consent
        ? { login: { accountId: consent.userId }, consent: { grantId: consent.keyId } }
        : { error: 'access_denied', error_description: 'The person refused.' }
      await found.persist()
    },
    close: documents.close,
  }
}

/** An access token is a secret of the grant's key, in a key's form. */
function useKeySecrets(provider: Provider, { access }: OauthParts): void {
  // The library has no setting for the form of a token. `format` is what it sets itself when it makes one.
  Object.defineProperty(provider.AccessToken.prototype, 'generateTokenId', {
    value(this: { format?: string }) {
      this.format = 'opaque'
      return mintKey(access.randomBytes).full
    },
  })
}

function configurationOf(parts: OauthParts, fetchDocument: typeof fetch): ProviderConfiguration {
  const { access, resource } = parts
  const { db } = access
  const off = { enabled: false } as const
  return {
    adapter: createOauthStore(parts),
    routes: { authorization: AUTHORIZE_PATH, token: TOKEN_PATH, registration: REGISTER_PATH, revocation: REVOKE_PATH },
    scopes: [...OAUTH_SCOPES, 'offline_access'],
    responseTypes: ['code'],
    clientAuthMethods: ['none'],
    clientDefaults: { id_token_signed_response_alg: 'EdDSA' },
    pkce: { required: () => true },
    ttl: {
      AuthorizationCode: MINUTE,
      AccessToken: HOUR,
      RefreshToken: 90 * DAY,
      Interaction: 15 * MINUTE,
      Session: 1,
      Grant: 1,
    },
    // The library would give one only to clients that ask for `offline_access` and `prompt=consent`, and few do both.
    issueRefreshToken: async (_context, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    expiresWithSession: async () => false,
    revokeGrantPolicy: async () => true,
    loadExistingGrant: async ({ oidc }) => {
      const id = oidc.result?.consent?.grantId
      return id === undefined ? undefined : await oidc.provider.Grant.find(id)
    },
    async findAccount(_context, id) {
      const user = await db.selectFrom('users').select('disabled_at').where('id', '=', id).executeTakeFirst()
      return user?.disabled_at === null ? { accountId: id, claims: () => ({ sub: id }) } : undefined
    },
    interactions: { policy: alwaysAsk(), url: (_context, { uid }) => CONSENT_PATH.replace(':requestId', uid) },
    renderError(context, out) {
      context.body = out
    },
    fetch: fetchDocument,
    fetchResponseBodyLimits: { 'client_id metadata document': MAX_DOCUMENT_BYTES },
    // The library's cookies are never sent.
    cookies: { keys: [randomBytes(32).toString('base64url')], long: { signed: false }, short: { signed: false } },
    // It needs a key for ID tokens, which there are none of: this one can't sign.
    jwks: { keys: [{ kty: 'OKP', crv: 'Ed25519', x: 'none', d: 'none' }] },
    features: {
      devInteractions: off,
      userinfo: off,
      rpInitiatedLogout: off,
      dPoP: off,
      pushedAuthorizationRequests: off,
      revocation: { enabled: true },
      registration: { enabled: true, issueRegistrationAccessToken: false, idFactory: clientIdFor },
      clientIdMetadataDocument: {
        enabled: true,
        ack: 'draft-02',
        cacheDuration: { min: DOCUMENT_CACHE_SECONDS, max: DOCUMENT_CACHE_SECONDS },
        allowFetch: async (context, id) => isSignedIn(context) || (await isConnected(parts, id)),
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => resource,
        useGrantedResource: () => true,
        getResourceServerInfo(_context, asked) {
          if (asked !== resource) throw new errors.InvalidTarget()
          return { scope: OAUTH_SCOPES.join(' '), audience: resource, accessTokenFormat: 'opaque' }
        },
      },
    },
  }
}

/** A person decides each time, whatever they decided before: only the name and the addresses of a client are known. */
function alwaysAsk(): interactionPolicy.DefaultPolicy {
  const { Check, Prompt, base } = interactionPolicy
  const policy = base()
  policy.clear()
  const undecided = new Check(
    'undecided',
    'The person has not decided.',
    ({ oidc }) => oidc.result?.consent === undefined,
  )
  const describe = ({ oidc }: KoaContextWithOIDC) => ({ name: oidc.client?.clientName })
  policy.add(new Prompt({ name: 'consent', requestable: true }, describe, undecided))
  // Being signed in is the website's business; a client may still ask for it.
  policy.add(new Prompt({ name: 'login', requestable: true }))
  return policy
}

/** The same name and addresses make the same client, so that one that registers for every connection adds no rows. */
function clientIdFor({ oidc }: KoaContextWithOIDC): string {
  // `oauth.ts` has read it.
  const { client_name, redirect_uris } = oidc.body as unknown as ClientMetadata
  return hash('sha256', JSON.stringify([client_name, redirect_uris.toSorted()]), 'base64url').slice(0, 32)
}

/** Only signed-in people reach the authorization endpoint; outside of a request, their consent is being shown. */
const isSignedIn = (context: KoaContextWithOIDC | undefined): boolean =>
  context === undefined || ['authorization', 'resume'].includes(context.oidc.route)

/** Otherwise anyone could make us fetch anything through the token endpoint. */
async function isConnected({ access }: OauthParts, client: string): Promise<boolean> {
  const key = await access.db
    .selectFrom('api_keys')
    .select('id')
    .where('oauth_client', '=', client)
    .where('revoked_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return key !== undefined
}

/** Client ID metadata documents, fetched as pages are, but without redirects: the address is the client's identity. */
function createClientDocuments({ issuer, policy, fetchOptions }: OauthParts) {
  const pages = createPageFetch({
    userAgent: () => `Bowerbird/${VERSION} (+${issuer})`,
    ownHost: new URL(issuer).hostname,
    timeoutMs: DOCUMENT_TIMEOUT_MS,
    ...fetchOptions,
  })
  return {
    fetch: async (address: Parameters<typeof fetch>[0]): Promise<Response> => {
      const url = address instanceof Request ? address.url : address.toString()
      let requests = 0
      const { bytes } = await pages.fetch(url, {
        maxBytes: MAX_DOCUMENT_BYTES,
        async beforeRequest() {
          requests += 1
          if (requests > 1) throw new FetchRefusal('redirects')
        },
      })
      const read = readClient(parseJson(bytes.toString()), policy)
      if (!read.ok) throw new errors.InvalidClientMetadata(read.description)
      return Response.json(read.client)
    },
    close: pages.close,
  }
}
