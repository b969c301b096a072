// The MCP server: POST /mcp, Streamable HTTP, stateless, for both generations of the protocol (that of 2025 with a
// handshake, that of 2026 with self-contained requests). A refusal is a JSON-RPC error with our message, because that is
// what clients show. As everywhere, the body is read only for a valid key: a refusal before that has no id.
//
// The protocol's package takes a tenth of a second and 15 MB to load, so it is loaded on the first request.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Admit } from '../../api/pipeline/admission.ts'
import { readJsonBody } from '../../api/pipeline/read-body.ts'
import { type Pipeline, PRIVATE_NO_STORE } from '../../api/pipeline/serve-endpoint.ts'
import type { AllowedOrigins } from '../../config/setting-types.ts'
import { type ErrorCode, Refusal } from '../../errors.ts'
import type { Scope } from '../../keys/scopes.ts'
import type { VerifiedKey } from '../../keys/verify-key.ts'
import { bearerChallenge, scopeChallenge } from '../../oauth/oauth-metadata.ts'
import { MCP_PATH } from '../../text/mcp-paths.ts'
import { refuseOtherMethods } from '../../text/refuse-other-methods.ts'
import { pathKeyOf } from '../key-location.ts'
import {
  type CompatError,
  type CompatFrame,
  createErrorHandler,
  hideReferrer,
  sendCompatError,
  toCompatError,
} from '../mount-compat-route.ts'
import type { ToolServices } from '../tools/tool.ts'

const MAX_BODY_BYTES = 65_536
/** In the range that JSON-RPC reserves for servers. */
const REFUSED = -32_001
const NO_SUCH_METHOD = -32_601
const INVALID_REQUEST = -32_600
/** The headers that the protocol's package may see: neither key nor cookie. */
const PROTOCOL_HEADER = /^(?:accept|content-type|mcp-[\w-]+)$/

type Id = string | number | null

/** The members of a message that we need ourselves. */
interface Message {
  id: Id
  method: string
}

interface Received {
  services: ToolServices
  key: VerifiedKey
  message: Message
  /** The whole message. */
  body: unknown
}

interface McpParts {
  current: () => ToolServices
  /** Of the tokens that are accepted besides keys; undefined: none are. */
  issuer: string | undefined
  /** The origins whose pages may call the server from a browser; undefined: none. */
  corsOrigins: AllowedOrigins | undefined
}

export function mountMcp(
  { http, pipeline, authenticate }: CompatFrame,
  { current, issuer, corsOrigins }: McpParts,
): void {
  let loading: Promise<typeof import('./mcp-server.ts')> | undefined
  let handle: ReturnType<typeof import('./mcp-server.ts')['createMcp']> | undefined

  async function respond(request: FastifyRequest, reply: FastifyReply, received: Received) {
    const { services, key, message, body } = received
    let isAdmitted = false
    const admit: Admit = (...args) => {
      isAdmitted = true
      return pipeline.admit(...args)
    }
    // A call is admitted with its tool, which knows what it counts as. A call without an id is a notification.
    const isCall = message.method === 'tools/call' && message.id !== null
    if (!isCall) await admit(key, reply, undefined)
    if (message.method === 'subscriptions/listen')
      return errorReply({ id: message.id }, NO_SUCH_METHOD, 'Nothing here ever changes.')
    loading ??= import('./mcp-server.ts')
    handle ??= (await loading).createMcp(pipeline)
    let missing: Scope | undefined
    const response = await handle(toWebRequest(request), {
      services,
      body,
      key,
      reply,
      request,
      admit,
      onMissingScope(scope) {
        missing = scope
      },
    })
    // A program can have its person asked for one more; the owner of a key reads the sentence in the result.
    if (missing !== undefined && key.isGrant && issuer !== undefined) {
      const sentence = `This connection does not have the ${missing} scope.`
      const challenge = scopeChallenge(issuer, new Set([...key.scopes, missing]), sentence)
      throw new Refusal('scope_missing', sentence, { 'WWW-Authenticate': challenge })
    }
    // The package refused the call before it reached a tool.
    if (!isAdmitted) await admit(key, reply, undefined)
    reply.code(response.status)
    if (response.status >= 400)
      reply.header('Error-Code', (response.status < 500 ? 'message_invalid' : 'internal_error') satisfies ErrorCode)
    const type = response.headers.get('content-type')
    if (type !== null) reply.header('Content-Type', type)
    return response.text()
  }

  /** Says where a token can be had, unless the client has a key in its URL and so no use for one. */
  function withChallenge(error: CompatError, { raw }: FastifyRequest): CompatError {
    if (issuer === undefined || error.status !== 401 || pathKeyOf(raw) !== undefined) return error
    const fault = error.headers['Error-Code'] === ('key_missing' satisfies ErrorCode) ? undefined : error.sentence
    return { ...error, headers: { ...error.headers, 'WWW-Authenticate': bearerChallenge(issuer, fault) } }
  }

  const onRequest = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const services = current()
    reply.header('Cache-Control', PRIVATE_NO_STORE)
    hideReferrer(request, reply)
    let id: Id = null
    try {
      requireKnownOrigin(request, { publicUrl: pipeline.publicUrl, corsOrigins })
      const key = await authenticate(request)
      request.keyId = key.keyId
      const body = await readJsonBody(request, MAX_BODY_BYTES)
      const message = messageOf(body)
      if (message instanceof Refusal) {
        await pipeline.admit(key, reply, undefined)
        throw message
      }
      id = message.id
      const sent = await respond(request, reply, { services, key, message, body })
      return typeof sent === 'string' ? reply.send(sent) : reply.type('application/json').send(JSON.stringify(sent))
    } catch (thrown) {
      const error = toCompatError(thrown, request, pipeline.log)
      sendCompatError(reply, withChallenge(error, request), describeError(error, id))
      return reply
    }
  }
  const errorHandler = createErrorHandler(pipeline.log, (error) => describeError(error, null))
  // Each tool has its own scope and fields; `tools/list` names them.
  const config = { surface: { access: 'key' } } as const
  const bodyLimit = MAX_BODY_BYTES
  http.route({ method: 'POST', url: MCP_PATH, onRequest, handler: onRequest, errorHandler, bodyLimit, config })
  // Clients of the 2025 protocol try to open an event stream with GET, and carry on without one if it is refused.
  refuseOtherMethods(http, { path: MCP_PATH, methods: ['POST'] }, { errorHandler })
}

const errorReply = ({ id }: { id: Id }, code: number, message: string) => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
})

const describeError = ({ status, sentence }: CompatError, id: Id) =>
  errorReply({ id }, status === 400 ? INVALID_REQUEST : REFUSED, sentence)

/** The protocol no longer has batches. */
function messageOf(body: unknown): Message | Refusal {
  if (body instanceof Refusal) return body
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    return new Refusal('body_invalid', 'Send one JSON-RPC message.')
  const { id, method } = body as Record<string, unknown>
  const isId = typeof id === 'string' || typeof id === 'number'
  return { id: isId ? id : null, method: typeof method === 'string' ? method : '' }
}

const LOOPBACK = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/

/**
 * Keeps web pages from using an instance on their visitor's machine, and from trying keys there; programs send no
 * Origin. A page served from this machine itself is allowed: no name server can make another page look like it.
 */
function requireKnownOrigin(
  { headers: { origin }, host }: FastifyRequest,
  { publicUrl, corsOrigins }: Pick<Pipeline, 'publicUrl'> & Pick<McpParts, 'corsOrigins'>,
): void {
  if (origin === undefined || corsOrigins === '*' || corsOrigins?.has(origin)) return
  if (publicUrl !== '' && URL.parse(publicUrl)?.origin === origin) return
  if (LOOPBACK.test(origin) && URL.parse(origin)?.host === host) return
  throw new Refusal('origin_not_allowed', 'Pages on this origin may not call this instance. See CORS_ORIGINS.')
}

function toWebRequest({ headers, url }: FastifyRequest): Request {
  const passed = new Headers()
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === 'string' && PROTOCOL_HEADER.test(name)) passed.set(name, value)
  }
  return new Request(`http://localhost${url}`, { method: 'POST', headers: passed })
}
