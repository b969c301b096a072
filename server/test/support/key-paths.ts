// Every path that takes an API key or the secret of a feed, as the routers of the API and of the compatible APIs declare them. Paths added
// there are included automatically.
import { fastify } from 'fastify'
import { ApiStage, LIMITS } from '../../src/api/api.test-harness.ts'
import { mountApi } from '../../src/api/api-router.ts'
import { createKeyCheck } from '../../src/api/pipeline/authenticate.ts'
import { mountCompatApis } from '../../src/compat/compat-router.ts'

export function keyPaths(): string[] {
  const paths = new Set<string>()
  const http = fastify()
  http.addHook('onRoute', ({ url }) => void paths.add(url))
  const services = new ApiStage().services({ limits: LIMITS, hasMine: true })
  const checkKey = createKeyCheck(services.keys)
  mountApi(http, services, checkKey)
  mountCompatApis(http, services, { checkKey })
  // For programs that drop the path from the address they were given: `key-location.ts`.
  const bare = ['json', 'rss', 'csv'].map((format) => `/search?q=oak&format=${format}`)
  const ofFirecrawl = ['/v1/search', '//v1/search', '/v2/scrape', '/v2/team/credit-usage']
  return [...paths, '/k/bowerbird_abc.def/searxng/search', '/feeds/secret.xml', ...bare, ...ofFirecrawl]
}
