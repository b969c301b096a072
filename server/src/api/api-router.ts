// Mounts every endpoint of the API and its OpenAPI document; any other method on their paths gets a 405.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { publicAddress } from '../text/public-address.ts'
import { refuseOtherMethods } from '../text/refuse-other-methods.ts'
import { OPEN, type Surface } from '../text/surface.ts'
import type { ApiServices } from './api-services.ts'
import { type Endpoint, ofThoseListed } from './endpoint.ts'
import { cardsEndpoint } from './endpoints/cards-endpoint.ts'
import { imagesEndpoint, similarImagesEndpoint } from './endpoints/images-endpoint.ts'
import { instantEndpoint } from './endpoints/instant-endpoint.ts'
import { keyEndpoint } from './endpoints/key-endpoint.ts'
import { mapsEndpoint } from './endpoints/maps-endpoint.ts'
import { newsEndpoint } from './endpoints/news-endpoint.ts'
import { createPageContents, type PageContents } from './endpoints/page-contents.ts'
import { planEndpoint } from './endpoints/plan-endpoint.ts'
import { readEndpoint } from './endpoints/read-endpoint.ts'
import { OPENAPI_PATH, rootEndpoint } from './endpoints/root-endpoint.ts'
import { statusEndpoint } from './endpoints/status-endpoint.ts'
import { suggestEndpoint } from './endpoints/suggest-endpoint.ts'
import { translateEndpoint, translateLanguagesEndpoint } from './endpoints/translate-endpoint.ts'
import { usageEndpoint } from './endpoints/usage-endpoint.ts'
import { videosEndpoint } from './endpoints/videos-endpoint.ts'
import { codeEndpoint, mineEndpoint, scienceEndpoint, webEndpoint } from './endpoints/web-endpoint.ts'
import { openapiDocument } from './openapi.ts'
import { createAnswerCache } from './pipeline/answer-cache.ts'
import { type CheckKey, createAuthenticate } from './pipeline/authenticate.ts'
import { answerCors } from './pipeline/cors.ts'
import { readBody } from './pipeline/read-body.ts'
import { sendTagged } from './pipeline/send-json.ts'
import { createUrlReader, serveEndpoint } from './pipeline/serve-endpoint.ts'

function endpointsOf(current: () => ApiServices, contents: PageContents | undefined): Endpoint[] {
  // What these say of the endpoints is the same after every change of settings; the slots aren't.
  const { translate, answers, cards, reader } = current()
  const slots = () => current().search.slotNames
  return [
    webEndpoint(slots, contents),
    imagesEndpoint(slots),
    similarImagesEndpoint(slots),
    newsEndpoint(slots, contents),
    videosEndpoint(slots),
    scienceEndpoint(slots),
    codeEndpoint(slots),
    mapsEndpoint,
    translateEndpoint(translate),
    translateLanguagesEndpoint,
    instantEndpoint(answers),
    cardsEndpoint(cards, slots),
    suggestEndpoint,
    mineEndpoint(() => current().mine.slotNames),
    ...(reader ? [readEndpoint(reader)] : []),
    planEndpoint(slots),
    statusEndpoint,
    keyEndpoint,
    usageEndpoint,
  ]
}

/** Returns what gives the OpenAPI document of now. */
export function mountApi(http: FastifyInstance, current: () => ApiServices, checkKey: CheckKey): () => object {
  const services = current()
  const contents = services.reader && createPageContents(services.reader, services.admit)
  const all = endpointsOf(current, contents)
  const root = rootEndpoint(ofThoseListed(all, (listed) => listed))
  const endpoints = [root, ...all]
  const authenticate = createAuthenticate(checkKey)
  const answers = createAnswerCache<Record<string, unknown>>(services.clock)
  answerCors(http, services.corsOrigins)
  for (const endpoint of endpoints) {
    const config = { surface: surfaceOf(endpoint) }
    const read = createUrlReader(endpoint)
    http.get(endpoint.path, { config }, serveEndpoint(endpoint, current, { authenticate, read, answers }))
    if (endpoint.post) {
      const read = (request: FastifyRequest) => readBody(endpoint, request)
      const serve = serveEndpoint(endpoint, current, { authenticate, read })
      // Served before Fastify reads the body: we read it ourselves, and only for a valid key.
      const bodyLimit = endpoint.post.maxBodyBytes
      http.route({ method: 'POST', url: endpoint.path, onRequest: serve, handler: serve, bodyLimit, config })
    }
    refuseOtherMethods(http, { path: endpoint.path, methods: endpoint.post ? ['GET', 'POST'] : ['GET'] })
  }
  const openapi = ofThoseListed(all, (listed) => openapiDocument([root, ...listed]))
  mountDocument(http, openapi, services)
  return openapi
}

const surfaceOf = ({ scope, params }: Endpoint): Surface => ({
  access: 'key',
  scope,
  fields: Object.keys(params.shape),
})

function mountDocument(http: FastifyInstance, document: () => object, { publicUrl }: ApiServices): void {
  http.get(OPENAPI_PATH, { config: { surface: OPEN } }, (request, reply) => {
    const url = publicAddress(request, publicUrl)
    return sendTagged(reply.header('Cache-Control', 'no-cache'), { ...document(), servers: [{ url }] })
  })
  refuseOtherMethods(http, { path: OPENAPI_PATH, methods: ['GET'] })
}
