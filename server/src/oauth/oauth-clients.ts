// What a client may say about itself, when it registers or in its client ID metadata document: a name, and where codes are
// sent. Everything else is the same for all: public clients, for which PKCE stands in for a secret.
//
// The name is the client's own claim. What can be relied on is the redirect address, so that is what MCP_OAUTH_CLIENTS and
// the consent page are about.
import { visibleText } from '@bowerbird/reader/visible-text.ts'
import { z } from 'zod'

/** `known`: only the assistants that we know, and programs on the person's own computer. */
export type ClientPolicy = 'any' | 'known'

export type ReadClient =
  | { ok: true; client: ClientMetadata }
  | { ok: false; error: 'invalid_client_metadata' | 'invalid_redirect_uri'; description: string }

/** In the words of RFC 7591. */
export interface ClientMetadata {
  client_id?: string
  client_name: string
  redirect_uris: string[]
  application_type: 'native'
  token_endpoint_auth_method: 'none'
  response_types: ['code']
  grant_types: ['authorization_code', 'refresh_token']
}

const KNOWN_HOSTS: ReadonlySet<string> = new Set(['claude.ai', 'claude.com', 'chatgpt.com'])
const KNOWN_SCHEMES: ReadonlySet<string> = new Set(['cursor:', 'vscode:', 'vscode-insiders:'])
const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

const MAX_NAME_LENGTH = 100
const MAX_REDIRECTS = 10
const MAX_REDIRECT_LENGTH = 1_000

const CLIENT = z.object({
  client_id: z.string().optional(),
  client_name: z.string().catch(''),
  redirect_uris: z.array(z.string().max(MAX_REDIRECT_LENGTH)).min(1).max(MAX_REDIRECTS),
})

/** Hosts are shown to people and named in a policy; the URL standard allows more characters than any real one has. */
const HOST = /^(?:[a-z\d.-]{1,253}|\[[\da-f:]{2,39}\])$/

export const isLoopback = (host: string): boolean => LOOPBACK_HOSTS.has(host)

export function readClient(given: unknown, policy: ClientPolicy): ReadClient {
  const read = CLIENT.safeParse(given)
  if (!read.success) {
    const description = `Send redirect_uris: a list of 1 to ${MAX_REDIRECTS} URLs.`
    return { ok: false, error: 'invalid_client_metadata', description }
  }
  const { client_id, client_name, redirect_uris } = read.data
  if (!redirect_uris.every((address) => isAllowedRedirect(address, policy))) {
    return { ok: false, error: 'invalid_redirect_uri', description: REDIRECT_RULES[policy] }
  }
  const client: ClientMetadata = {
    ...(client_id !== undefined && { client_id }),
    client_name: cleanName(client_name) || redirectHost(redirect_uris[0] ?? ''),
    redirect_uris,
    // Redirects to a loopback address may then name any port, which such programs choose when they start.
    application_type: 'native',
    token_endpoint_auth_method: 'none',
    response_types: ['code'],
    grant_types: ['authorization_code', 'refresh_token'],
  }
  return { ok: true, client }
}

const REDIRECT_RULES: Record<ClientPolicy, string> = {
  any: 'Use https, or http with localhost, 127.0.0.1 or [::1], for every redirect address, without a fragment.',
  known:
    'This instance accepts only known assistants and programs on your own computer: its operator has set MCP_OAUTH_CLIENTS=known.',
}

function isAllowedRedirect(address: string, policy: ClientPolicy): boolean {
  const url = URL.parse(address)
  if (!url || address.includes('#') || url.username !== '' || url.password !== '') return false
  const { protocol, hostname } = url
  const isProgram = protocol !== 'http:' && protocol !== 'https:'
  if (!isProgram && !HOST.test(hostname)) return false
  if (protocol === 'http:') return isLoopback(hostname)
  if (protocol === 'https:') return policy === 'any' ? !isLoopback(hostname) : KNOWN_HOSTS.has(hostname)
  // A scheme of a program's own is the reverse of a domain that its maker owns, as in RFC 8252.
  return KNOWN_SCHEMES.has(protocol) || (policy === 'any' && protocol.includes('.'))
}

/** Where the browser goes with the code, as a person reads it: a host, or the scheme of a program. */
export function redirectHost(address: string): string {
  const url = URL.parse(address)
  return url?.host || url?.protocol || ''
}

const cleanName = (name: string): string =>
  Array.from(visibleText(name.toWellFormed()).replace(/\s+/g, ' ').trim()).slice(0, MAX_NAME_LENGTH).join('')
