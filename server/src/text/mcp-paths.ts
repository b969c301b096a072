// Where the MCP server is, and where programs that sign in by OAuth find what they need.

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
