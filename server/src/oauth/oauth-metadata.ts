// What clients read to find the authorization server: RFC 9728 about `/mcp`, and RFC 8414 about the server itself. Both are
// constant, so they are answered without loading it.
import { CHOOSABLE_SCOPES, type Scope } from '../keys/scopes.ts'
import {
  AUTHORIZE_PATH,
  MCP_PATH,
  REGISTER_PATH,
  RESOURCE_METADATA_PATHS,
  REVOKE_PATH,
  TOKEN_PATH,
} from '../text/mcp-paths.ts'

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

const challengeOf = (issuer: string, scopes: Iterable<Scope>): string =>
  `Bearer resource_metadata="${issuer}${RESOURCE_METADATA_PATHS[0]}", scope="${[...scopes].join(' ')}"`

const errorIn = (error: string, description: string): string =>
  `, error="${error}", error_description="${description.replace(/["\\]/g, '')}"`

/** For `WWW-Authenticate`. `fault`: what is wrong with the token that was sent; undefined: none was. */
export const bearerChallenge = (issuer: string, fault: string | undefined): string =>
  challengeOf(issuer, OAUTH_SCOPES) + (fault === undefined ? '' : errorIn('invalid_token', fault))

/** For a token that lacks a scope: names all that it then has to have, so that a client asks its person once. */
export const scopeChallenge = (issuer: string, scopes: Iterable<Scope>, fault: string): string =>
  challengeOf(issuer, scopes) + errorIn('insufficient_scope', fault)
