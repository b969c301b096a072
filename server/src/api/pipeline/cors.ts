// Lets web pages on other origins call the API, and the MCP server with the addresses where a page gets its token, from a
// browser (CORS_ORIGINS), by the rules of the Fetch standard. Off by default; the OpenAPI document and the metadata of the
// MCP server are open to every page. A key travels in a header that the page sets itself, so there
// are no cookies to protect, and credentials are never allowed.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AllowedOrigins } from '../../config/setting-types.ts'
import {
  MCP_PATH,
  REGISTER_PATH,
  RESOURCE_METADATA_PATHS,
  REVOKE_PATH,
  SERVER_METADATA_PATH,
  TOKEN_PATH,
} from '../../text/mcp-paths.ts'
import { findRoute } from '../../text/refuse-other-methods.ts'
import { OPENAPI_PATH } from '../endpoints/root-endpoint.ts'
import { addVary, CLIENT_HEADERS } from './send-json.ts'

const METHODS = 'GET, HEAD, POST'
const REQUEST_HEADERS =
  'Authorization, Content-Type, If-None-Match, Last-Event-ID, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id'
const RESPONSE_HEADERS = CLIENT_HEADERS.join(', ')
/** The most that Chromium honours. */
const PREFLIGHT_SECONDS = 7_200

const OPEN_DOCUMENTS: ReadonlySet<string | undefined> = new Set([
  OPENAPI_PATH,
  SERVER_METADATA_PATH,
  ...RESOURCE_METADATA_PATHS,
])
const OF_MCP: ReadonlySet<string | undefined> = new Set([MCP_PATH, TOKEN_PATH, REGISTER_PATH, REVOKE_PATH])

const isForPages = (request: FastifyRequest): boolean =>
  request.url.startsWith('/api/') || OF_MCP.has(findRoute(request))

/** Adds the headers to every API response, errors included: a page must be able to read why it was refused. */
export function answerCors(http: FastifyInstance, origins: AllowedOrigins | undefined): void {
  http.addHook('onRequest', (request, reply, done) => {
    const isDocument = OPEN_DOCUMENTS.has(findRoute(request))
    if (!isDocument && (origins === undefined || !isForPages(request))) return done()
    const allowed = isDocument ? '*' : allowedOrigin(origins, request, reply)
    if (allowed === undefined) return done()
    reply.header('Access-Control-Allow-Origin', allowed)
    if (isPreflight(request)) return void sendPreflight(reply)
    reply.header('Access-Control-Expose-Headers', RESPONSE_HEADERS)
    done()
  })
}

function allowedOrigin(
  origins: AllowedOrigins | undefined,
  { headers: { origin } }: FastifyRequest,
  reply: FastifyReply,
): string | undefined {
  if (origins === '*' || origins === undefined) return origins
  addVary(reply, 'Origin')
  return origin !== undefined && origins.has(origin) ? origin : undefined
}

/** A browser sends a preflight before it sends a key, and names the method it would use. */
const isPreflight = ({ method, headers }: FastifyRequest): boolean =>
  method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined

const sendPreflight = (reply: FastifyReply): FastifyReply =>
  reply
    .code(204)
    .headers({
      'Access-Control-Allow-Methods': METHODS,
      'Access-Control-Allow-Headers': REQUEST_HEADERS,
      'Access-Control-Max-Age': String(PREFLIGHT_SECONDS),
    })
    .send()
