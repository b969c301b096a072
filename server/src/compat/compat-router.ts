// Mounts the compatible APIs, which clients of other services can use. None of them knows about engines or storage;
// they all use the same services as our own API.
import type { FastifyInstance } from 'fastify'
import type { ApiServices } from '../api/api-services.ts'
import type { CheckKey } from '../api/pipeline/authenticate.ts'
import type { Oauth } from '../oauth/oauth.ts'
import { mountFirecrawl } from './firecrawl/firecrawl-api.ts'
import { mountGoogle } from './google-api.ts'
import { createCompatAuthenticate, NOT_FOUND_PATH } from './key-location.ts'
import { mountMcp } from './mcp/mcp-api.ts'
import { mountMcpOauth } from './mcp/mcp-oauth.ts'
import { mountNotFound } from './mount-compat-route.ts'
import { mountSearxng } from './searxng/searxng-api.ts'
import { mountTavily } from './tavily/tavily-api.ts'
import { mountExtract } from './tavily/tavily-extract-api.ts'
import { mountToolServer } from './tools/tool-server.ts'

interface CompatParts {
  services: () => ApiServices
  checkKey: CheckKey
  /** Left out: no program signs in by OAuth. */
  oauth?: Oauth | undefined
}

export function mountCompatApis(http: FastifyInstance, { services, checkKey, oauth }: CompatParts): void {
  const frame = { http, services, authenticate: createCompatAuthenticate(checkKey) }
  mountSearxng(frame)
  mountTavily(frame)
  const { reader } = services()
  if (reader) mountExtract(frame, reader)
  mountFirecrawl(frame)
  mountGoogle(frame)
  mountToolServer(frame)
  mountMcp(frame, oauth?.issuer)
  if (oauth) mountMcpOauth(frame, oauth)
  // Also for a path whose key has been removed from the URL.
  mountNotFound(frame, {
    path: NOT_FOUND_PATH,
    describeError: ({ sentence }) => ({ detail: sentence }),
    headers: { 'Referrer-Policy': 'no-referrer' },
  })
}
