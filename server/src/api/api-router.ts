// The API as a table of contents: which endpoints there are, and what a request to anything else under /api/ gets.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ApiServices } from './api-services.ts'
import { createAuthenticate } from './authenticate.ts'
import type { Endpoint } from './endpoint.ts'
import { imagesEndpoint, similarImagesEndpoint } from './images-endpoint.ts'
import { keyEndpoint } from './key-endpoint.ts'
import { newsEndpoint } from './news-endpoint.ts'
import { openapiDocument } from './openapi.ts'
import { OPENAPI_PATH, rootEndpoint } from './root-endpoint.ts'
import { baseUrlOf, serveEndpoint } from './serve-endpoint.ts'
import { statusEndpoint } from './status-endpoint.ts'
import { suggestEndpoint } from './suggest-endpoint.ts'
import { usageEndpoint } from './usage-endpoint.ts'
import { videosEndpoint } from './videos-endpoint.ts'
import { webEndpoint } from './web-endpoint.ts'

const endpointsOf = ({ search }: ApiServices): Endpoint[] => [
  webEndpoint(search),
  imagesEndpoint(search),
  similarImagesEndpoint(search),
  newsEndpoint(search),
  videosEndpoint(search),
  suggestEndpoint,
  statusEndpoint,
  keyEndpoint,
  usageEndpoint,
]

export function mountApi(http: FastifyInstance, services: ApiServices): void {
  const listed = endpointsOf(services)
  const endpoints = [rootEndpoint(listed), ...listed]
  const authenticate = createAuthenticate(services.keys, services.meter)
  for (const endpoint of endpoints) {
    http.get(endpoint.path, serveEndpoint(endpoint, services, authenticate))
    refuseOtherMethods(http, endpoint.path)
  }
  // Anybody may ask for it without a key, so it is made once.
  const document = openapiDocument(endpoints)
  http.get(OPENAPI_PATH, (request, reply) =>
    reply.send({ ...document, servers: [{ url: baseUrlOf(request, services.publicUrl) }] }),
  )
  refuseOtherMethods(http, OPENAPI_PATH)
}

const OTHER_METHODS = ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'] as const

/** Before the body is read: a wrong method is told, whatever its body is like. */
function refuseOtherMethods(http: FastifyInstance, url: string): void {
  const refuse = async (request: FastifyRequest, reply: FastifyReply) =>
    await reply
      .code(405)
      .header('Allow', 'GET, HEAD')
      .send({ detail: `Method ${request.method} is not allowed here. Use GET.` })
  http.route({ method: [...OTHER_METHODS], url, onRequest: refuse, handler: refuse })
}
