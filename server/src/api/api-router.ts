// Mounts every endpoint of the API and its OpenAPI document; any other method on their paths gets a 405.
import type { FastifyInstance } from 'fastify'
import type { AllowedOrigins } from '../config/setting-types.ts'
import { publicAddress } from '../text/public-address.ts'
import { refuseOtherMethods } from '../text/refuse-other-methods.ts'
import { OPEN, type Surface } from '../text/surface.ts'
import type { Api } from './api.ts'
import type { Endpoint } from './endpoint.ts'
import { OPENAPI_PATH } from './endpoints/root-endpoint.ts'
import { createAnswerCache } from './pipeline/answer-cache.ts'
import { type CheckKey, createAuthenticate } from './pipeline/authenticate.ts'
import { answerCors } from './pipeline/cors.ts'
import { readBody } from './pipeline/read-body.ts'
import { sendTagged } from './pipeline/send-json.ts'
import { createEndpointHandler, type Pipeline, readUrl } from './pipeline/serve-endpoint.ts'

export interface ApiMount {
  /** Built again when settings change, with the same names of endpoints: call it once for each request. */
  api: () => Api
  pipeline: Pipeline
  /** The origins whose pages may call the API from a browser; undefined: none. */
  corsOrigins: AllowedOrigins | undefined
  clock: () => number
}

/** Returns a function that gives the OpenAPI document of the settings in force. */
export function mountApi(
  http: FastifyInstance,
  { api, pipeline, corsOrigins, clock }: ApiMount,
  checkKey: CheckKey,
): () => object {
  const authenticate = createAuthenticate(checkKey)
  const answers = createAnswerCache<Record<string, unknown>>(clock)
  answerCors(http, corsOrigins)
  for (const endpoint of api().endpoints.values()) {
    const { name, path, post } = endpoint
    const parts = { pipeline, authenticate, current: () => requireEndpoint(api(), name) }
    const config = { surface: surfaceOf(endpoint) }
    http.get(path, { config }, createEndpointHandler(endpoint, { ...parts, read: readUrl, answers }))
    if (post) {
      const handler = createEndpointHandler(endpoint, { ...parts, read: readBody })
      // The first hook replies, before Fastify reads the body: we read it ourselves, and only for a valid key. `handler`
      // never runs, but Fastify requires one.
      const bodyLimit = post.maxBodyBytes
      http.route({ method: 'POST', url: path, onRequest: handler, handler, bodyLimit, config })
    }
    refuseOtherMethods(http, { path, methods: post ? ['GET', 'POST'] : ['GET'] })
  }
  const openapi = () => api().openapi()
  mountDocument(http, openapi, pipeline)
  return openapi
}

function requireEndpoint({ endpoints }: Api, name: string): Endpoint {
  const endpoint = endpoints.get(name)
  if (!endpoint) throw new Error(`the endpoint ${name} has gone with a change of settings`)
  return endpoint
}

const surfaceOf = ({ scope, params }: Endpoint): Surface => ({
  access: 'key',
  scope,
  fields: Object.keys(params.shape),
})

function mountDocument(http: FastifyInstance, openapi: () => object, { publicUrl }: Pipeline): void {
  http.get(OPENAPI_PATH, { config: { surface: OPEN } }, (request, reply) => {
    const url = publicAddress(request, publicUrl)
    return sendTagged(reply.header('Cache-Control', 'no-cache'), { ...openapi(), servers: [{ url }] })
  })
  refuseOtherMethods(http, { path: OPENAPI_PATH, methods: ['GET'] })
}
