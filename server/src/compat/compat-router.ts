// Mounts the compatible APIs, which clients of other services can use. None of them knows about engines or storage;
// they all use the same services as our own API, and each says which.
import type { FastifyInstance } from 'fastify'
import type { KeyUsage } from '../api/endpoints/key-endpoint.ts'
import type { CheckKey } from '../api/pipeline/authenticate.ts'
import type { Pipeline } from '../api/pipeline/serve-endpoint.ts'
import type { AllowedOrigins } from '../config/setting-types.ts'
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
import type { ToolServices } from './tools/tool.ts'
import { mountToolServer } from './tools/tool-server.ts'

export interface CompatMount extends KeyUsage {
  /** What changes with the settings: a request takes it when it begins. The tools use all that the others do. */
  current: () => ToolServices
  pipeline: Pipeline
  /** The origins whose pages may call the MCP server from a browser; undefined: none. */
  corsOrigins: AllowedOrigins | undefined
}

interface Access {
  checkKey: CheckKey
  /** Left out: no program signs in by OAuth. */
  oauth?: Oauth | undefined
}

export function mountCompatApis(
  http: FastifyInstance,
  { current, pipeline, corsOrigins, limits, readUsage, clock }: CompatMount,
  { checkKey, oauth }: Access,
): void {
  const { reader, admit, publicUrl, log } = pipeline
  const frame = { http, pipeline, authenticate: createCompatAuthenticate(checkKey) }
  mountSearxng(frame, { current, admit, log })
  mountTavily(frame, { current, reader, admit })
  if (reader) mountExtract(frame, { reader, admit })
  mountFirecrawl(frame, { current, reader, admit, limits, readUsage, clock })
  mountGoogle(frame, { current })
  mountToolServer(frame, { current, reader, admit, publicUrl })
  mountMcp(frame, { current, issuer: oauth?.issuer, corsOrigins })
  if (oauth) mountMcpOauth(frame, oauth)
  // Also for a path whose key has been removed from the URL.
  mountNotFound(frame, {
    path: NOT_FOUND_PATH,
    describeError: ({ sentence }) => ({ detail: sentence }),
    headers: { 'Referrer-Policy': 'no-referrer' },
  })
}
