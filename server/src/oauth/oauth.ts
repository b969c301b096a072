// OAuth 2.1 for MCP: people connect assistants, which then act with a key of theirs. Codes, rotation and redirects are
// oidc-provider's business (`oauth-server.ts`); who someone is and what they consent to is the website's
// (`site/accounts/oauth-pages.ts`); programs talk to `compat/mcp/mcp-oauth.ts`. Here is what these three share.

import { Refusal } from '../errors.ts'
import type { AdminContext } from '../keys/admin-context.ts'
import { createClientKey } from '../keys/keys.ts'
import { AUTHORIZE_PATH, MCP_PATH, REGISTER_PATH } from '../text/mcp-paths.ts'
import { type ClientPolicy, isLoopback, readClient } from './oauth-clients.ts'
import { OAUTH_SCOPES } from './oauth-metadata.ts'
import type { ConsentRequest, OauthParts, OauthReply, OauthServer } from './oauth-server.ts'

/** Where the browser goes next, or what is wrong with the client's request, in the words of OAuth. */
export type OauthStep = { location: string } | { fault: string }

export interface Oauth {
  issuer: string
  /** The query of the client's request. The person is signed in. */
  authorize: (query: string) => Promise<OauthStep>
  findConsentRequest: (id: string) => Promise<ConsentRequest | undefined>
  /** Creates the key. Refuses as `createKey` does. */
  allow: (by: AdminContext, id: string, consent: { userId: string; scopes: readonly string[] }) => Promise<void>
  deny: (id: string) => Promise<void>
  /** After the decision. undefined: this person hasn't made it. */
  resume: (id: string, userId: string) => Promise<OauthStep | undefined>
  /** `body`: a form. */
  token: (path: string, body: string) => Promise<OauthReply>
  register: (metadata: unknown) => Promise<OauthReply>
  close: () => Promise<void>
}

const UNAVAILABLE = 'Programs cannot be connected right now. Try again in a few seconds.'
const LONGEST_GRANT_MS = 365 * 86_400_000

/** undefined: the operator has turned it off, or this isn't an address that a token may be sent to. */
export function oauthIssuer(publicUrl: string, policy: ClientPolicy | 'off'): string | undefined {
  const url = URL.parse(publicUrl)
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname))
  return isSafe && policy !== 'off' ? url.origin : undefined
}

export function createOauth(given: Omit<OauthParts, 'resource'>): Oauth {
  const parts: OauthParts = { ...given, resource: `${given.issuer}${MCP_PATH}` }
  let loading: Promise<OauthServer> | undefined
  const load = (): Promise<OauthServer> => {
    loading ??= import('./oauth-server.ts').then(({ createOauthServer }) => createOauthServer(parts))
    return loading
  }
  const prepare = (params: URLSearchParams): string => {
    const resources = params.getAll('resource')
    params.delete('resource')
    for (const asked of resources) params.append('resource', isResource(asked, parts) ? parts.resource : asked)
    return params.toString()
  }

  return {
    issuer: parts.issuer,
    async authorize(query) {
      const params = new URLSearchParams(query)
      // The library knows others, which answer with a page.
      if ((params.get('response_mode') ?? 'query') !== 'query') return { fault: 'response_mode must be query' }
      if (!params.get('scope')) params.set('scope', OAUTH_SCOPES.join(' '))
      return toStep(await (await load()).ask({ method: 'GET', url: `${AUTHORIZE_PATH}?${prepare(params)}` }))
    },
    findConsentRequest: async (id) => await (await load()).findConsentRequest(id),
    async allow(by, id, { userId, scopes }) {
      const server = await load()
      const request = await server.findConsentRequest(id)
      if (!request || request.decision) return
      const { client, name } = request
      // Refreshing must end some day, whatever the operator has set for keys.
      const expiresAt = by.defaultKeyDays === undefined && { expiresAt: new Date(by.clock() + LONGEST_GRANT_MS) }
      const keyId = await createClientKey(by, { owner: { userId }, name, scopes, client, ...expiresAt })
      await server.finish(id, { userId, keyId })
    },
    deny: async (id) => await (await load()).finish(id, undefined),
    async resume(id, userId) {
      const server = await load()
      const decision = (await server.findConsentRequest(id))?.decision
      if (!decision || (decision.userId !== undefined && decision.userId !== userId)) return undefined
      return toStep(await server.ask({ method: 'GET', url: `${AUTHORIZE_PATH}/${id}`, resumed: id }))
    },
    async token(url, body) {
      const type = 'application/x-www-form-urlencoded'
      return await (await load()).ask({ method: 'POST', url, type, body: prepare(new URLSearchParams(body)) })
    },
    async register(metadata) {
      const read = readClient(metadata, parts.policy)
      if (!read.ok) {
        const { error, description } = read
        return { status: 400, headers: {}, body: JSON.stringify({ error, error_description: description }) }
      }
      const body = JSON.stringify(read.client)
      return await (await load()).ask({ method: 'POST', url: REGISTER_PATH, type: 'application/json', body })
    },
    close: async () => await (await loading)?.close(),
  }
}

/** Clients send the address as a person typed it, with a slash at its end or with options. */
function isResource(asked: string, { resource }: OauthParts): boolean {
  const url = URL.parse(asked)
  return url !== null && url.hash === '' && url.origin + url.pathname.replace(/\/$/, '') === resource
}

function toStep({ status, headers, body }: OauthReply): OauthStep {
  const { location, 'content-type': type } = headers
  if ((status === 302 || status === 303) && typeof location === 'string') return { location }
  if (status >= 500 || !String(type).includes('json'))
    throw new Refusal('storage_unavailable', UNAVAILABLE, { 'Retry-After': '5' })
  // The library's errors are objects with these members.
  const { error_description: description, error } = JSON.parse(body) as Record<string, string | undefined>
  return { fault: description ?? error ?? 'invalid_request' }
}
