// What clients read to find the authorization server: RFC 9728 about `/mcp`, and RFC 8414 about the server itself. Both are
// constant, so they are answered without loading it.
import { CHOOSABLE_SCOPES } from '../keys/scopes.ts'

export const AUTHORIZE_PATH = '/oauth/authorize'
export const CONSENT_PATH = '/oauth/consent/:requestId'
export const TOKEN_PATH = '/oauth/token'
export const REGISTER_PATH = '/oauth/register'
export const REVOKE_PATH = '/oauth/revoke'
export const MCP_PATH = '/mcp'
/** The form with the path is tried first. */
export const RESOURCE_METADATA_PATHS = [
  `/.well-known/oauth-protected-resource${MCP_PATH}`,
  '/.well-known/oauth-protected-resource',
] as const
export const SERVER_METADATA_PATH = '/.well-known/oauth-authorization-server'

/** What a client can be given; its person chooses from these. */
export const OAUTH_SCOPES = CHOOSABLE_SCOPES

const CODE_AND_REFRESH = ['authorization_code', 'refresh_token']

export const resourceMetadata = (issuer: string) => ({
  resource: `${issuer}${MCP_PATH}`,
  authorization_servers: [issuer],
  scopes_supported: OAUTH_SCOPES,
  bearer_methods_supported: ['header'],
  resource_name: 'Bowerbird',
})

export const serverMetadata = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}${AUTHORIZE_PATH}`,
  token_endpoint: `${issuer}${TOKEN_PATH}`,
  registration_endpoint: `${issuer}${REGISTER_PATH}`,
  revocation_endpoint: `${issuer}${REVOKE_PATH}`,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: CODE_AND_REFRESH,
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: ['none'],
  revocation_endpoint_auth_methods_supported: ['none'],
  scopes_supported: [...OAUTH_SCOPES, 'offline_access'],
  client_id_metadata_document_supported: true,
  authorization_response_iss_parameter_supported: true,
})

/** For `WWW-Authenticate`. `fault`: what is wrong with the token that was sent; undefined: none was. */
export function bearerChallenge(issuer: string, fault: string | undefined): string {
  const error = fault === undefined ? '' : `, error="invalid_token", error_description="${fault.replace(/["\\]/g, '')}"`
  return `Bearer resource_metadata="${issuer}${RESOURCE_METADATA_PATHS[0]}", scope="${OAUTH_SCOPES.join(' ')}"${error}`
}
