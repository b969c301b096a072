// The API as a table of contents: which endpoints there are, and what a request to anything else under /api/ gets.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { publicAddress } from '../text/public-address.ts'
import type { ApiServices } from './api-services.ts'
import { createAuthenticate } from './authenticate.ts'
import { cardsEndpoint } from './endpoints/cards-endpoint.ts'
import type { Endpoint } from './endpoint.ts'
import { imagesEndpoint, similarImagesEndpoint } from './endpoints/images-endpoint.ts'
import { instantEndpoint } from './instant-endpoint.ts'
import { keyEndpoint } from './endpoints/key-endpoint.ts'
import { mapsEndpoint } from './endpoints/maps-endpoint.ts'
import { newsEndpoint } from './endpoints/news-endpoint.ts'
import { openapiDocument } from './openapi.ts'
import { readBody } from './pipeline/read-body.ts'
import { OPENAPI_PATH, rootEndpoint } from './endpoints/root-endpoint.ts'
import { addressReader, serveEndpoint } from './serve-endpoint.ts'
import { statusEndpoint } from './endpoints/status-endpoint.ts'
import { suggestEndpoint } from './endpoints/suggest-endpoint.ts'
import { translateEndpoint, translateLanguagesEndpoint } from './endpoints/translate-endpoint.ts'
import { usageEndpoint } from './endpoints/usage-endpoint.ts'
import { videosEndpoint } from './endpoints/videos-endpoint.ts'
import { webEndpoint } from './endpoints/web-endpoint.ts'

const endpointsOf = ({ search, translate, answers, cards }: ApiServices): Endpoint[] => [
  webEndpoint(search),
  imagesEndpoint(search),
  similarImagesEndpoint(search),
  newsEndpoint(search),
  videosEndpoint(search),
  mapsEndpoint,
  translateEndpoint(translate),
  translateLanguagesEndpoint,
  instantEndpoint(answers),
  cardsEndpoint(cards, search.slotNames),
  suggestEndpoint,
  statusEndpoint,
  keyEndpoint,
  usageEndpoint,
]

/** Returns the document that describes it. */
export function mountApi(http: FastifyInstance, services: ApiServices): unknown {
  const listed = endpointsOf(services)
  const endpoints = [rootEndpoint(listed), ...listed]
  const authenticate = createAuthenticate(services.keys, services.meter)
  for (const endpoint of endpoints) {
    http.get(endpoint.path, serveEndpoint(endpoint, services, { authenticate, read: addressReader(endpoint) }))
    if (endpoint.post) {
      const read = (request: FastifyRequest) => readBody(endpoint, request)
      const serve = serveEndpoint(endpoint, services, { authenticate, read })
      // Answered before Fastify looks at the body: it is ours to read, and only for a good key.
      http.route({ method: 'POST', url: endpoint.path, onRequest: serve, handler: serve })
    }
    refuseOtherMethods(http, endpoint.path, endpoint.post ? ['GET', 'POST'] : ['GET'])
  }
  // Anybody may ask for it without a key, so it is made once.
  const document = openapiDocument(endpoints)
  http.get(OPENAPI_PATH, (request, reply) =>
    reply.send({ ...document, servers: [{ url: publicAddress(request, services.publicUrl) }] }),
  )
  refuseOtherMethods(http, OPENAPI_PATH, ['GET'])
  return document
}

const OTHER_METHODS = ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'] as const

/** Before the body is read: a wrong method is told, whatever its body is like. */
function refuseOtherMethods(http: FastifyInstance, url: string, allowed: readonly ('GET' | 'POST')[]): void {
  const allow = ['GET', 'HEAD', ...allowed.slice(1)].join(', ')
  const refuse = async (request: FastifyRequest, reply: FastifyReply) =>
    await reply
      .code(405)
      .header('Allow', allow)
      .send({ detail: `Method ${request.method} is not allowed here. Use ${allowed.join(' or ')}.` })
  const others = OTHER_METHODS.filter((method) => !allowed.some((known) => known === method))
  http.route({ method: others, url, onRequest: refuse, handler: refuse })
}
