// The OAuth addresses that programs call: the metadata by which they find the authorization server, and the endpoints for
// registering, fetching tokens and revoking them. People's part of it is `site/accounts/oauth-pages.ts`. Errors have the
// form of RFC 6749, since that is what clients read.
//
// Nothing but registering is limited by address: an assistant's servers come from a few addresses for all of its users.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { readFields, readJsonBody } from '../../api/pipeline/read-body.ts'
import { PRIVATE_NO_STORE } from '../../api/pipeline/serve-endpoint.ts'
import { Refusal } from '../../errors.ts'
import type { Oauth } from '../../oauth/oauth.ts'
import { resourceMetadata, serverMetadata } from '../../oauth/oauth-metadata.ts'
import type { OauthReply } from '../../oauth/oauth-server.ts'
import { createNetworkThrottle } from '../../rate-limit/network-throttle.ts'
import {
  REGISTER_PATH,
  RESOURCE_METADATA_PATHS,
  REVOKE_PATH,
  SERVER_METADATA_PATH,
  TOKEN_PATH,
} from '../../text/mcp-paths.ts'
import { refuseOtherMethods } from '../../text/refuse-other-methods.ts'
import { OPEN } from '../../text/surface.ts'
import { type CompatFrame, createErrorHandler } from '../mount-compat-route.ts'

const MAX_BODY_BYTES = 16_384
const METADATA_CACHE = 'public, max-age=3600'
const TOKEN_FIELDS = [
  'grant_type',
  'code',
  'code_verifier',
  'redirect_uri',
  'refresh_token',
  'client_id',
  'resource',
  'scope',
] as const
const REVOKE_FIELDS = ['token', 'token_type_hint', 'client_id'] as const
const REGISTER_FIELDS = ['client_name', 'redirect_uris'] as const
/** Of the library's headers, those that are the client's business. */
const PASSED_HEADERS = ['content-type', 'www-authenticate', 'retry-after'] as const

const perMinute = (count: number) => ({ count, windowMs: 60_000 })
const perDay = (count: number) => ({ count, windowMs: 86_400_000 })
/** Assistants register for every connection of every user, from few addresses. */
const REGISTER_LIMITS = {
  networks: [[perMinute(30), perDay(2_000)], [perMinute(60)], [perMinute(120)]],
  everyone: [perMinute(300)],
}

export function mountMcpOauth({ http, pipeline }: CompatFrame, oauth: Oauth): void {
  const documents = [
    ...RESOURCE_METADATA_PATHS.map((path) => [path, JSON.stringify(resourceMetadata(oauth.issuer))] as const),
    [SERVER_METADATA_PATH, JSON.stringify(serverMetadata(oauth.issuer))] as const,
  ]
  for (const [path, document] of documents) {
    http.get(path, { config: { surface: OPEN } }, (_request, reply) =>
      reply.header('Cache-Control', METADATA_CACHE).type('application/json').send(document),
    )
    refuseOtherMethods(http, { path, methods: ['GET'] })
  }

  const errorHandler = createErrorHandler(pipeline.log, ({ status, sentence }) => ({
    error: status >= 500 ? 'server_error' : 'invalid_request',
    error_description: sentence,
  }))
  const mount = (path: string, fields: readonly string[], answer: (request: FastifyRequest) => Promise<OauthReply>) => {
    const onRequest = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
      send(reply, await answer(request))
    const config = { surface: { access: 'anyone', fields } } as const
    // The body is read here, not by Fastify.
    http.route({
      method: 'POST',
      url: path,
      onRequest,
      handler: onRequest,
      errorHandler,
      bodyLimit: MAX_BODY_BYTES,
      config,
    })
    refuseOtherMethods(http, { path, methods: ['POST'] }, { errorHandler })
  }
  const askWithForm = (path: string, names: readonly string[]) => async (request: FastifyRequest) => {
    const fields = await readFields(request, { names, maxBytes: MAX_BODY_BYTES })
    if (fields instanceof Refusal) throw fields
    return await oauth.token(path, toForm(fields))
  }
  mount(TOKEN_PATH, TOKEN_FIELDS, askWithForm(TOKEN_PATH, TOKEN_FIELDS))
  mount(REVOKE_PATH, REVOKE_FIELDS, askWithForm(REVOKE_PATH, REVOKE_FIELDS))

  const throttle = createNetworkThrottle(REGISTER_LIMITS, () => performance.now())
  mount(REGISTER_PATH, REGISTER_FIELDS, async (request) => {
    const seconds = throttle.waitOf(request.ip)
    if (seconds > 0) {
      const sentence = `Too many clients are being registered. Try again in ${seconds} seconds.`
      throw new Refusal('rate_limited', sentence, { 'Retry-After': String(seconds) })
    }
    throttle.record(request.ip)
    const body = await readJsonBody(request, MAX_BODY_BYTES)
    if (body instanceof Refusal) throw body
    return await oauth.register(body)
  })
}

/** A field that was sent twice stays so: the library refuses it. */
function toForm(fields: Record<string, unknown>): string {
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) {
    for (const one of [value].flat()) if (typeof one === 'string') form.append(name, one)
  }
  return form.toString()
}

function send(reply: FastifyReply, { status, headers, body }: OauthReply): FastifyReply {
  reply.code(status).header('Cache-Control', PRIVATE_NO_STORE).type('application/json')
  for (const name of PASSED_HEADERS) if (headers[name] !== undefined) reply.header(name, headers[name])
  return reply.send(body)
}
